package t32

import "simrun/isa"

// Load and store multiple. PUSH and POP of one register in 32 bits are STR and LDR in disguise.
var multipleRows = []row{
	{id: "LDM_T1", asm: "ldmia Rn, list", bits: "11001nnnLLLLLLLL", class: "load.multiple", sem: multiple(ldm, up), flags: isa.Load, differ: "+nL"},
	{id: "LDM_wb_T1", asm: "ldmia Rn^!, list", bits: "11001nnnLLLLLLLL", class: "load.multiple", sem: multiple(ldm, up|writeback), flags: isa.Load, differ: "nL"},
	{id: "LDM_T2", asm: "ldmia.w Rn+, list16", bits: "111010001001nnnn LLLLLLLLLLLLLLLL", class: "load.multiple", sem: multiple(ldm, up), flags: isa.Load},
	{id: "LDM_wb_T2", asm: "ldmia.w Rn+^!, list16", bits: "111010001011nnnn LLLLLLLLLLLLLLLL", class: "load.multiple", sem: multiple(ldm, up|writeback), flags: isa.Load, differ: "nL"},
	{id: "LDMDB_T1", asm: "ldmdb Rn+, list16", bits: "111010010001nnnn LLLLLLLLLLLLLLLL", class: "load.multiple", sem: multiple(ldm, 0), flags: isa.Load},
	{id: "LDMDB_wb_T1", asm: "ldmdb Rn+^!, list16", bits: "111010010011nnnn LLLLLLLLLLLLLLLL", class: "load.multiple", sem: multiple(ldm, writeback), flags: isa.Load, differ: "nL"},
	{id: "POP_T1", asm: "pop poplist", bits: "1011110LLLLLLLLL", class: "load.multiple", sem: multiple(ldm, up|writeback).base(SP), flags: isa.Load},
	{id: "PUSH_T1", asm: "push pushlist", bits: "1011010LLLLLLLLL", class: "store.multiple", sem: multiple(stm, writeback).base(SP), flags: isa.Store},
	{id: "STM_T1", asm: "stmia Rn^!, list", bits: "11000nnnLLLLLLLL", class: "store.multiple", sem: multiple(stm, up|writeback), flags: isa.Store, differ: "<nL"},
	{id: "STM_T2", asm: "stmia.w Rn+, storelist", bits: "111010001000nnnn LLLLLLLLLLLLLLLL", class: "store.multiple", sem: multiple(stm, up), flags: isa.Store},
	{id: "STM_wb_T2", asm: "stmia.w Rn+^!, storelist", bits: "111010001010nnnn LLLLLLLLLLLLLLLL", class: "store.multiple", sem: multiple(stm, up|writeback), flags: isa.Store, differ: "nL"},
	{id: "STMDB_T1", asm: "stmdb Rn+, storelist", bits: "111010010000nnnn LLLLLLLLLLLLLLLL", class: "store.multiple", sem: multiple(stm, 0), flags: isa.Store},
	{id: "STMDB_wb_T1", asm: "stmdb Rn+^!, storelist", bits: "111010010010nnnn LLLLLLLLLLLLLLLL", class: "store.multiple", sem: multiple(stm, writeback), flags: isa.Store, differ: "nL"},
}
