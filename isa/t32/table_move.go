package t32

// Moves and shifts.
var moveRows = []row{
	{id: "ASR_imm_T1", asm: "asrs Rd, Rm, #amount32", bits: "00010iiiiimmmddd", class: "alu.shift", sem: shiftImm(typeASR)},
	{id: "ASR_imm_T2", asm: "asr.w Rd, Rm, #amount32", bits: "11101010010S1111 0iiiddddii10mmmm", class: "alu.shift", sem: shiftImm(typeASR)},
	{id: "ASR_reg_T1", asm: "asrs Rdn, Rm", bits: "0100000100mmmddd", class: "alu.shiftreg", sem: shiftReg(typeASR)},
	{id: "ASR_reg_T2", asm: "asr.w Rd, Rn, Rm", bits: "11111010010Snnnn 1111dddd0000mmmm", class: "alu.shiftreg", sem: shiftReg(typeASR)},
	{id: "LSL_imm_T1", asm: "lsls Rd, Rm, #amount", bits: "00000iiiiimmmddd", class: "alu.shift", sem: shiftImm(typeLSL)},
	{id: "LSL_imm_T2", asm: "lsl.w Rd, Rm, #amount", bits: "11101010010S1111 0iiiddddii00mmmm", class: "alu.shift", sem: shiftImm(typeLSL)},
	{id: "LSL_reg_T1", asm: "lsls Rdn, Rm", bits: "0100000010mmmddd", class: "alu.shiftreg", sem: shiftReg(typeLSL)},
	{id: "LSL_reg_T2", asm: "lsl.w Rd, Rn, Rm", bits: "11111010000Snnnn 1111dddd0000mmmm", class: "alu.shiftreg", sem: shiftReg(typeLSL)},
	{id: "LSR_imm_T1", asm: "lsrs Rd, Rm, #amount32", bits: "00001iiiiimmmddd", class: "alu.shift", sem: shiftImm(typeLSR)},
	{id: "LSR_imm_T2", asm: "lsr.w Rd, Rm, #amount32", bits: "11101010010S1111 0iiiddddii01mmmm", class: "alu.shift", sem: shiftImm(typeLSR)},
	{id: "LSR_reg_T1", asm: "lsrs Rdn, Rm", bits: "0100000011mmmddd", class: "alu.shiftreg", sem: shiftReg(typeLSR)},
	{id: "LSR_reg_T2", asm: "lsr.w Rd, Rn, Rm", bits: "11111010001Snnnn 1111dddd0000mmmm", class: "alu.shiftreg", sem: shiftReg(typeLSR)},

	{id: "MOV_imm_T1", asm: "movs Rd, #imm", bits: "00100dddiiiiiiii", class: "mov.imm", sem: dp(opMov)},
	{id: "MOV_imm_T2", asm: "mov.w Rd, #const", bits: "11110i00010S1111 0iiiddddiiiiiiii", class: "mov.imm", sem: dp(opMov)},
	{id: "MOV_imm_T3", asm: "movw Rd, #imm16", bits: "11110i100100iiii 0iiiddddiiiiiiii", class: "mov.imm", sem: dp(opMov)},
	{id: "MOV_reg_T1", asm: "mov Rd*, Rm*", bits: "01000110dmmmmddd", class: "alu", sem: dp(opMov)},
	{id: "MOV_reg_T2", asm: "movs Rd, Rm", bits: "0000000000mmmddd", class: "alu", sem: dp(opMov)},
	{id: "MOV_reg_T3", asm: "mov.w Rd+, Rm+", bits: "1110101001001111 0000dddd0000mmmm", class: "alu", sem: dp(opMov), differ: "pdm"},
	{id: "MOVS_reg_T3", asm: "movs.w Rd, Rm", bits: "1110101001011111 0000dddd0000mmmm", class: "alu", sem: dp(opMov)},
	{id: "MOVT_T1", asm: "movt Rd^, #imm16", bits: "11110i101100iiii 0iiiddddiiiiiiii", class: "mov.imm", sem: fn(movt)},
	{id: "MVN_imm_T1", asm: "mvn.w Rd, #const", bits: "11110i00011S1111 0iiiddddiiiiiiii", class: "mov.imm", sem: dp(opMvn)},
	{id: "MVN_reg_T1", asm: "mvns Rd, Rm", bits: "0100001111mmmddd", class: "alu", sem: dp(opMvn)},
	{id: "MVN_reg_T2", asm: "mvn.w Rd, Rm{shift}", bits: "11101010011S1111 0sssddddssssmmmm", class: "alu.shift", sem: dp(opMvn)},
	{id: "ROR_imm_T1", asm: "ror.w Rd, Rm, #amount", bits: "11101010010S1111 0iiiddddii11mmmm", class: "alu.shift", sem: shiftImm(typeROR)},
	{id: "ROR_reg_T1", asm: "rors Rdn, Rm", bits: "0100000111mmmddd", class: "alu.shiftreg", sem: shiftReg(typeROR)},
	{id: "ROR_reg_T2", asm: "ror.w Rd, Rn, Rm", bits: "11111010011Snnnn 1111dddd0000mmmm", class: "alu.shiftreg", sem: shiftReg(typeROR)},
	{id: "RRX_T1", asm: "rrx Rd, Rm", bits: "11101010010S1111 0000dddd0011mmmm", class: "alu.shift", sem: rrx},
}
