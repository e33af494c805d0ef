package t32

import "simrun/isa"

// Bitwise logic and tests.
var logicRows = []row{
	{id: "AND_imm_T1", asm: "and.w Rd, Rn, #const", bits: "11110i00000Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opAnd)},
	{id: "AND_reg_T1", asm: "ands Rdn, Rm", bits: "0100000000mmmddd", class: "alu", sem: dp(opAnd), flags: isa.Commute},
	{id: "AND_reg_T2", asm: "and.w Rd, Rn, Rm{shift}", bits: "11101010000Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opAnd)},
	{id: "BIC_imm_T1", asm: "bic.w Rd, Rn, #const", bits: "11110i00001Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opBic)},
	{id: "BIC_reg_T1", asm: "bics Rdn, Rm", bits: "0100001110mmmddd", class: "alu", sem: dp(opBic)},
	{id: "BIC_reg_T2", asm: "bic.w Rd, Rn, Rm{shift}", bits: "11101010001Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opBic)},
	{id: "EOR_imm_T1", asm: "eor.w Rd, Rn, #const", bits: "11110i00100Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opEor)},
	{id: "EOR_reg_T1", asm: "eors Rdn, Rm", bits: "0100000001mmmddd", class: "alu", sem: dp(opEor), flags: isa.Commute},
	{id: "EOR_reg_T2", asm: "eor.w Rd, Rn, Rm{shift}", bits: "11101010100Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opEor)},
	{id: "ORN_imm_T1", asm: "orn Rd, Rn, #const", bits: "11110i00011Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opOrn)},
	{id: "ORN_reg_T1", asm: "orn Rd, Rn, Rm{shift}", bits: "11101010011Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opOrn)},
	{id: "ORR_imm_T1", asm: "orr.w Rd, Rn, #const", bits: "11110i00010Snnnn 0iiiddddiiiiiiii", class: "alu", sem: dp(opOrr)},
	{id: "ORR_reg_T1", asm: "orrs Rdn, Rm", bits: "0100001100mmmddd", class: "alu", sem: dp(opOrr), flags: isa.Commute},
	{id: "ORR_reg_T2", asm: "orr.w Rd, Rn, Rm{shift}", bits: "11101010010Snnnn 0sssddddssssmmmm", class: "alu.shift", sem: dp(opOrr)},
	{id: "TEQ_imm_T1", asm: "teq Rn, #const", bits: "11110i001001nnnn 0iii1111iiiiiiii", class: "alu", sem: dp(opEor)},
	{id: "TEQ_reg_T1", asm: "teq Rn, Rm{shift}", bits: "111010101001nnnn 0sss1111ssssmmmm", class: "alu.shift", sem: dp(opEor)},
	{id: "TST_imm_T1", asm: "tst.w Rn, #const", bits: "11110i000001nnnn 0iii1111iiiiiiii", class: "alu", sem: dp(opAnd)},
	{id: "TST_reg_T1", asm: "tst Rn, Rm", bits: "0100001000mmmnnn", class: "alu", sem: dp(opAnd), flags: isa.Commute},
	{id: "TST_reg_T2", asm: "tst.w Rn, Rm{shift}", bits: "111010100001nnnn 0sss1111ssssmmmm", class: "alu.shift", sem: dp(opAnd)},
}
