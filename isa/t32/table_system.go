package t32

import "simrun/isa"

// Hints, barriers, exceptions and special registers.
var systemRows = []row{
	{id: "BKPT_T1", asm: "bkpt #imm", bits: "10111110iiiiiiii", class: "system", sem: stop(isa.StopBreak), flags: isa.System},
	{id: "CLREX_T1", asm: "clrex", bits: "1111001110111111 1000111100101111", class: "system", sem: fn(clrex)},
	{id: "CPSID_T1", asm: "cpsid iflags", bits: "10110110011100ii", class: "system", sem: fn(cpsid), flags: isa.System},
	{id: "CPSIE_T1", asm: "cpsie iflags", bits: "10110110011000ii", class: "system", sem: fn(cpsie), flags: isa.System},
	{id: "DBG_T1", asm: "dbg #imm", bits: "1111001110101111 100000001111iiii", class: "nop", sem: nop},
	{id: "DMB_T1", asm: "dmb barrier", bits: "1111001110111111 100011110101iiii", class: "system", sem: nop, flags: isa.System},
	{id: "DSB_T1", asm: "dsb barrier", bits: "1111001110111111 100011110100iiii", class: "system", sem: nop, flags: isa.System},
	{id: "ISB_T1", asm: "isb sync", bits: "1111001110111111 100011110110iiii", class: "system", sem: nop, flags: isa.System},
	{id: "MRS_T1", asm: "mrs Rd, sysm", bits: "1111001111101111 1000ddddyyyyyyyy", class: "system", sem: fn(mrs), flags: isa.System},
	{id: "MSR_T1", asm: "msr sysm, Rn", bits: "111100111000nnnn 10001000yyyyyyyy", class: "system", sem: fn(msr), flags: isa.System},
	{id: "NOP_T1", asm: "nop", bits: "1011111100000000", class: "nop", sem: nop},
	{id: "NOP_T2", asm: "nop.w", bits: "1111001110101111 1000000000000000", class: "nop", sem: nop},
	{id: "PLD_imm_T1", asm: "pld [Rn+{, #imm}]", bits: "111110001001nnnn 1111iiiiiiiiiiii", class: "nop", sem: nop},
	{id: "PLD_imm_T2", asm: "pld [Rn+, #-imm]", bits: "111110000001nnnn 11111100iiiiiiii", class: "nop", sem: nop},
	{id: "PLD_lit_T1", asm: "pld literal±", bits: "11111000i0011111 1111iiiiiiiiiiii", class: "nop", sem: nop},
	{id: "PLD_reg_T1", asm: "pld [Rn+, Rm{lsl}]", bits: "111110000001nnnn 1111000000iimmmm", class: "nop", sem: nop},
	{id: "PLI_imm_T1", asm: "pli [Rn+{, #imm}]", bits: "111110011001nnnn 1111iiiiiiiiiiii", class: "nop", sem: nop},
	{id: "PLI_imm_T2", asm: "pli [Rn+, #-imm]", bits: "111110010001nnnn 11111100iiiiiiii", class: "nop", sem: nop},
	{id: "PLI_lit_T3", asm: "pli literal±", bits: "11111001i0011111 1111iiiiiiiiiiii", class: "nop", sem: nop},
	{id: "PLI_reg_T1", asm: "pli [Rn+, Rm{lsl}]", bits: "111110010001nnnn 1111000000iimmmm", class: "nop", sem: nop},
	{id: "SEV_T1", asm: "sev", bits: "1011111101000000", class: "nop", sem: nop},
	{id: "SEV_T2", asm: "sev.w", bits: "1111001110101111 1000000000000100", class: "nop", sem: nop},
	{id: "SVC_T1", asm: "svc #imm", bits: "11011111iiiiiiii", class: "system", sem: stop(isa.StopSystem), flags: isa.System},
	{id: "UDF_T1", asm: "udf #imm", bits: "11011110iiiiiiii", class: "system", sem: stop(isa.StopUndef), flags: isa.System},
	{id: "UDF_T2", asm: "udf.w #imm", bits: "111101111111iiii 1010iiiiiiiiiiii", class: "system", sem: stop(isa.StopUndef), flags: isa.System},
	{id: "WFE_T1", asm: "wfe", bits: "1011111100100000", class: "nop", sem: nop},
	{id: "WFE_T2", asm: "wfe.w", bits: "1111001110101111 1000000000000010", class: "nop", sem: nop},
	{id: "WFI_T1", asm: "wfi", bits: "1011111100110000", class: "system", sem: stop(isa.StopHalt), flags: isa.System},
	{id: "WFI_T2", asm: "wfi.w", bits: "1111001110101111 1000000000000011", class: "system", sem: stop(isa.StopHalt), flags: isa.System},
	{id: "YIELD_T1", asm: "yield", bits: "1011111100010000", class: "nop", sem: nop},
	{id: "YIELD_T2", asm: "yield.w", bits: "1111001110101111 1000000000000001", class: "nop", sem: nop},
}
