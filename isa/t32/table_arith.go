package t32

import "simrun/isa"

// Addition, subtraction and comparison. T2 of ADD and SUB stands before T1, as the GNU assembler
// prefers it where both fit.
var arithmeticRows = []row{
	{id: "ADC_imm_T1", asm: "adc.w Rd, Rn, #const", bits: "11110i01010Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opAdc)},
	{id: "ADC_reg_T1", asm: "adcs Rdn, Rm", bits: "0100000101mmmddd", class: "alu", sem: dp(opAdc), flags: isa.Commute},
	{id: "ADC_reg_T2", asm: "adc.w Rd, Rn, Rm{shift}", bits: "11101011010Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opAdc)},

	{id: "ADD_imm_T2", asm: "adds Rdn, #imm", bits: "00110dddiiiiiiii", class: "alu", sem: dp(opAdd)},
	{id: "ADD_imm_T1", asm: "adds Rd, Rn, #imm", bits: "0001110iiinnnddd", class: "alu", sem: dp(opAdd)},
	{id: "ADD_imm_T3", asm: "add.w Rd, Rn, #const", bits: "11110i01000Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opAdd)},
	{id: "ADD_imm_T4", asm: "addw Rd, Rn, #imm", bits: "11110i100000nnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opAdd)},
	{id: "ADD_reg_T1", asm: "adds Rd, Rn, Rm", bits: "0001100mmmnnnddd", class: "alu", sem: dp(opAdd), flags: isa.Commute},
	{id: "ADD_reg_T2", asm: "add Rdn*, Rm*", bits: "01000100dmmmmddd", class: "alu", sem: dp(opAdd), flags: isa.Commute},
	{id: "ADD_reg_T3", asm: "add.w Rd, Rn, Rm{shift}", bits: "11101011000Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opAdd)},
	{id: "ADD_SP_imm_T1", asm: "add Rd, sp, #imm*4", bits: "10101dddiiiiiiii", class: "alu", sem: dp(opAdd)},
	{id: "ADD_SP_imm_T2", asm: "add sp, #imm*4", bits: "101100000iiiiiii", class: "alu", sem: dp(opAdd).dst(SP)},
	{id: "ADD_SP_imm_T3", asm: "add.w Rd+, sp, #const", bits: "11110i01000S1101 0iiiddddiiiiiiii", class: "alu", sem: dp(opAdd)},
	{id: "ADD_SP_imm_T4", asm: "addw Rd+, sp, #imm", bits: "11110i1000001101 0iiiddddiiiiiiii", class: "alu", sem: dp(opAdd)},
	{id: "ADD_SP_reg_T3", asm: "add.w Rd+, sp, Rm{shift}", bits: "11101011000S1101 0sssddddssssmmmm", class: "alu.shift", sem: dp(opAdd), differ: "ds"},
	{id: "ADR_T1", asm: "adr Rd, literal", bits: "10100dddiiiiiiii", class: "alu", sem: address},
	{id: "ADR_T2", asm: "adr.w Rd, below", bits: "11110i1010101111 0iiiddddiiiiiiii", class: "alu", sem: address},
	{id: "ADR_T3", asm: "adr.w Rd, above", bits: "11110i1000001111 0iiiddddiiiiiiii", class: "alu", sem: address},

	{id: "CMN_imm_T1", asm: "cmn.w Rn+, #const", bits: "11110i010001nnnn 0iii1111iiiiiiii", class: "alu", sem: dp(opAdd)},
	{id: "CMN_reg_T1", asm: "cmn Rn, Rm", bits: "0100001011mmmnnn", class: "alu", sem: dp(opAdd), flags: isa.Commute},
	{id: "CMN_reg_T2", asm: "cmn.w Rn+, Rm{shift}", bits: "111010110001nnnn 0sss1111ssssmmmm", class: "alu.shift", sem: dp(opAdd)},
	{id: "CMP_imm_T1", asm: "cmp Rn, #imm", bits: "00101nnniiiiiiii", class: "alu", sem: dp(opSub)},
	{id: "CMP_imm_T2", asm: "cmp.w Rn+, #const", bits: "11110i011011nnnn 0iii1111iiiiiiii", class: "alu", sem: dp(opSub)},
	{id: "CMP_reg_T1", asm: "cmp Rn, Rm", bits: "0100001010mmmnnn", class: "alu", sem: dp(opSub)},
	{id: "CMP_reg_T2", asm: "cmp Rn+, Rm+", bits: "01000101nmmmmnnn", class: "alu", sem: dp(opSub), differ: "hnm"},
	{id: "CMP_reg_T3", asm: "cmp.w Rn+, Rm{shift}", bits: "111010111011nnnn 0sss1111ssssmmmm", class: "alu.shift", sem: dp(opSub)},

	{id: "RSB_imm_T1", asm: "rsbs Rd, Rn, #0", bits: "0100001001nnnddd", class: "alu", sem: dp(opRsb)},
	{id: "RSB_imm_T2", asm: "rsb.w Rd, Rn, #const", bits: "11110i01110Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opRsb)},
	{id: "RSB_reg_T1", asm: "rsb.w Rd, Rn, Rm{shift}", bits: "11101011110Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opRsb)},
	{id: "SBC_imm_T1", asm: "sbc.w Rd, Rn, #const", bits: "11110i01011Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opSbc)},
	{id: "SBC_reg_T1", asm: "sbcs Rdn, Rm", bits: "0100000110mmmddd", class: "alu", sem: dp(opSbc)},
	{id: "SBC_reg_T2", asm: "sbc.w Rd, Rn, Rm{shift}", bits: "11101011011Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opSbc)},

	{id: "SUB_imm_T2", asm: "subs Rdn, #imm", bits: "00111dddiiiiiiii", class: "alu", sem: dp(opSub)},
	{id: "SUB_imm_T1", asm: "subs Rd, Rn, #imm", bits: "0001111iiinnnddd", class: "alu", sem: dp(opSub)},
	{id: "SUB_imm_T3", asm: "sub.w Rd, Rn, #const", bits: "11110i01101Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opSub)},
	{id: "SUB_imm_T4", asm: "subw Rd, Rn, #imm", bits: "11110i101010nnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opSub)},
	{id: "SUB_reg_T1", asm: "subs Rd, Rn, Rm", bits: "0001101mmmnnnddd", class: "alu", sem: dp(opSub)},
	{id: "SUB_reg_T2", asm: "sub.w Rd, Rn, Rm{shift}", bits: "11101011101Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opSub)},
	{id: "SUB_SP_imm_T1", asm: "sub sp, #imm*4", bits: "101100001iiiiiii", class: "alu", sem: dp(opSub).dst(SP)},
	{id: "SUB_SP_imm_T2", asm: "sub.w Rd+, sp, #const", bits: "11110i01101S1101 0iiiddddiiiiiiii", class: "alu", sem: dp(opSub)},
	{id: "SUB_SP_imm_T3", asm: "subw Rd+, sp, #imm", bits: "11110i1010101101 0iiiddddiiiiiiii", class: "alu", sem: dp(opSub)},
	{id: "SUB_SP_reg_T1", asm: "sub.w Rd+, sp, Rm{shift}", bits: "11101011101S1101 0sssddddssssmmmm", class: "alu.shift", sem: dp(opSub), differ: "ds"},
}
