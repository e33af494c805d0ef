package t32

import "simrun/isa"

// Branches and the IT instruction.
var branchRows = []row{
	{id: "B_T1", asm: "b<cond>.n label8", bits: "1101ccccbbbbbbbb", class: "branch.cond", sem: jumpIf, flags: isa.Branch | isa.Cond},
	{id: "B_T2", asm: "b.n label8", bits: "11100bbbbbbbbbbb", class: "branch", sem: jump, flags: isa.Branch},
	{id: "B_T3", asm: "b<cond>.w label20", bits: "11110bccccbbbbbb 10b0bbbbbbbbbbbb", class: "branch.cond", sem: jumpIf, flags: isa.Branch | isa.Cond},
	{id: "B_T4", asm: "b.w label24", bits: "11110bbbbbbbbbbb 10b1bbbbbbbbbbbb", class: "branch", sem: jump, flags: isa.Branch},
	{id: "BL_T1", asm: "bl label24", bits: "11110bbbbbbbbbbb 11b1bbbbbbbbbbbb", class: "branch.call", sem: call, flags: isa.Branch | isa.Call},
	{id: "BLX_T1", asm: "blx Rm", bits: "010001111mmmm000", class: "branch.call", sem: callReg, flags: isa.Branch | isa.Call},
	{id: "BX_T1", asm: "bx Rm+", bits: "010001110mmmm000", class: "branch.reg", sem: jumpReg, flags: isa.Branch},
	{id: "CBNZ_T1", asm: "cbnz Rn, forward", bits: "101110b1bbbbbnnn", class: "branch.compare", sem: jumpZero(false), flags: isa.Branch | isa.Cond},
	{id: "CBZ_T1", asm: "cbz Rn, forward", bits: "101100b1bbbbbnnn", class: "branch.compare", sem: jumpZero(true), flags: isa.Branch | isa.Cond},
	{id: "IT_T1", asm: "it<mask> firstcond", bits: "10111111cccckkkk", class: "it", sem: nop},
	{id: "TBB_T1", asm: "tbb [Rn~, Rm]", bits: "111010001101nnnn 111100000000mmmm", class: "branch.table", sem: table(1), flags: isa.Branch | isa.Load},
	{id: "TBH_T1", asm: "tbh [Rn~, Rm, lsl #1]", bits: "111010001101nnnn 111100000001mmmm", class: "branch.table", sem: table(2), flags: isa.Branch | isa.Load},
}
