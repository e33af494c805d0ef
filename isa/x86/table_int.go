package x86

import (
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

var flagSet = isa.Set(RFLAGS)

const (
	loads  = isa.Load
	stores = isa.Store
	rmw    = isa.Load | isa.Store
)

// Operand templates shared by several mnemonics.
var (
	// ADD and its like.
	binaryForms = []form{
		{"r32, r32", kAluRR, 0, ""}, {"r64, r64", kAluRR, 0, ""},
		{"r32, imm32", kAluRI, 0, ""}, {"r64, imm32", kAluRI, 0, ""},
		{"r32, m32", kAluRM, loads, ""}, {"r64, m64", kAluRM, loads, ""},
		{"m32, r32", kAluMR, rmw, ""}, {"m64, r64", kAluMR, rmw, ""},
		{"m32, imm32", kAluMI, rmw, ""}, {"m64, imm32", kAluMI, rmw, ""},
	}
	// CMP: no result.
	compareForms = []form{
		{"r32, r32", kCmpRR, 0, ""}, {"r64, r64", kCmpRR, 0, ""},
		{"r32, imm32", kCmpRI, 0, ""}, {"r64, imm32", kCmpRI, 0, ""},
		{"r32, m32", kCmpRM, loads, ""}, {"r64, m64", kCmpRM, loads, ""},
		{"m32, r32", kCmpMR, loads, ""}, {"m64, r64", kCmpMR, loads, ""},
		{"m32, imm32", kCmpMI, loads, ""}, {"m64, imm32", kCmpMI, loads, ""},
	}
	// TEST: the memory operand comes first only.
	testForms = []form{
		{"r32, r32", kCmpRR, 0, ""}, {"r64, r64", kCmpRR, 0, ""},
		{"r32, imm32", kCmpRI, 0, ""}, {"r64, imm32", kCmpRI, 0, ""},
		{"m32, r32", kCmpMR, loads, ""}, {"m64, r64", kCmpMR, loads, ""},
		{"m32, imm32", kCmpMI, loads, ""}, {"m64, imm32", kCmpMI, loads, ""},
	}
	unaryForms = []form{{"r32", kAluR, 0, ""}, {"r64", kAluR, 0, ""}, {"m32", kAluM, rmw, ""}, {"m64", kAluM, rmw, ""}}
	shiftForms = []form{
		{"r32, imm8", kAluRI, 0, ""}, {"r64, imm8", kAluRI, 0, ""},
		{"r32, cl", kShiftCL, 0, "shift.cl"}, {"r64, cl", kShiftCL, 0, "shift.cl"},
	}
	addressForms = []form{{"r32, m", kLea, 0, ""}, {"r64, m", kLea, 0, ""}}
)

// intTable: SDM volume 1, section 5.1, general-purpose instructions.
var intTable = []family{
	// 5.1.1 data transfer
	{name: "MOV", as32: x86o.AMOVL, as64: x86o.AMOVQ, op: x86asm.MOV, role: isa.Write, class: "mov", forms: []form{
		{"r32, r32", kMovRR, 0, ""}, {"r64, r64", kMovRR, 0, ""},
		{"r32, imm32", kMovRI, 0, ""}, {"r64, imm32", kMovRI, 0, ""},
		{"r32, m32", kLoad, loads, "load"}, {"r64, m64", kLoad, loads, "load"},
		{"m32, r32", kStore, stores, "store"}, {"m64, r64", kStore, stores, "store"},
		{"m32, imm32", kStoreImm, stores, "store"}, {"m64, imm32", kStoreImm, stores, "store"},
	}},
	{name: "MOV", own: movabs, op: x86asm.MOV, role: isa.Write, class: "mov", forms: []form{{"r64, imm64", kMovRI, 0, ""}}},
	{name: "MOV", as32: x86o.AMOVB, op: x86asm.MOV, role: isa.Read, class: "store", flags: stores, forms: []form{{"m8, r8", kStore, 0, ""}, {"m8, imm8", kStoreImm, 0, ""}}},
	{name: "MOV", as32: x86o.AMOVW, op: x86asm.MOV, role: isa.Read, class: "store", flags: stores, forms: []form{{"m16, r16", kStore, 0, ""}, {"m16, imm16", kStoreImm, 0, ""}}},
	{name: "MOVZX", as32: x86o.AMOVBLZX, as64: x86o.AMOVBQZX, op: x86asm.MOVZX, role: isa.Write, class: "mov.ext", forms: extendForms8(kMovZX, kLoad)},
	{name: "MOVZX", as32: x86o.AMOVWLZX, as64: x86o.AMOVWQZX, op: x86asm.MOVZX, role: isa.Write, class: "mov.ext", forms: extendForms16(kMovZX, kLoad)},
	{name: "MOVSX", as32: x86o.AMOVBLSX, as64: x86o.AMOVBQSX, op: x86asm.MOVSX, role: isa.Write, class: "mov.ext", forms: extendForms8(kMovSX, kLoadSX)},
	{name: "MOVSX", as32: x86o.AMOVWLSX, as64: x86o.AMOVWQSX, op: x86asm.MOVSX, role: isa.Write, class: "mov.ext", forms: extendForms16(kMovSX, kLoadSX)},
	{name: "MOVSXD", as32: x86o.AMOVLQSX, op: x86asm.MOVSXD, role: isa.Write, class: "mov.ext", forms: []form{
		{"r64, r32", kMovSX, 0, ""}, {"r64, m32", kLoadSX, loads, "load.ext"},
	}},
	{name: "BSWAP", as32: x86o.ABSWAPL, as64: x86o.ABSWAPQ, op: x86asm.BSWAP, role: isa.ReadWrite, class: "bswap", alu: aluBswap,
		forms: []form{{"r32", kAluR, 0, ""}, {"r64", kAluR, 0, ""}}},
	{name: "PUSH", as32: x86o.APUSHQ, op: x86asm.PUSH, role: isa.Read, class: "push", flags: stores, reads: isa.Set(RSP), writes: isa.Set(RSP),
		forms: []form{{"r64", kPush, 0, ""}}},
	{name: "POP", as32: x86o.APOPQ, op: x86asm.POP, role: isa.Write, class: "pop", flags: loads, reads: isa.Set(RSP), writes: isa.Set(RSP),
		forms: []form{{"r64", kPop, 0, ""}}},

	// 5.1.2 binary arithmetic
	arith("ADD", x86o.AADDL, x86o.AADDQ, x86asm.ADD, aluAdd, isa.Commute),
	arith("SUB", x86o.ASUBL, x86o.ASUBQ, x86asm.SUB, aluSub, 0),
	{name: "IMUL", as32: x86o.AIMULL, as64: x86o.AIMULQ, op: x86asm.IMUL, role: isa.ReadWrite, class: "mul", writes: flagSet, alu: aluImul, forms: []form{
		{"r32, r32", kAluRR, isa.Commute, ""}, {"r64, r64", kAluRR, isa.Commute, ""}, {"r32, m32", kAluRM, loads, ""}, {"r64, m64", kAluRM, loads, ""},
	}},
	{name: "IMUL", as32: x86o.AIMUL3L, as64: x86o.AIMUL3Q, op: x86asm.IMUL, role: isa.Write, class: "mul", writes: flagSet, alu: aluImul, forms: []form{
		{"r32, r32, imm32", kAluRRI, 0, ""}, {"r64, r64, imm32", kAluRRI, 0, ""}, {"r32, m32, imm32", kAluRMI, loads, ""}, {"r64, m64, imm32", kAluRMI, loads, ""},
	}},
	// INC and DEC keep CF, so they read the flags.
	{name: "INC", as32: x86o.AINCL, as64: x86o.AINCQ, op: x86asm.INC, role: isa.ReadWrite, class: "alu", reads: flagSet, writes: flagSet, alu: aluInc, forms: unaryForms},
	{name: "DEC", as32: x86o.ADECL, as64: x86o.ADECQ, op: x86asm.DEC, role: isa.ReadWrite, class: "alu", reads: flagSet, writes: flagSet, alu: aluDec, forms: unaryForms},
	{name: "NEG", as32: x86o.ANEGL, as64: x86o.ANEGQ, op: x86asm.NEG, role: isa.ReadWrite, class: "alu", writes: flagSet, alu: aluNeg, forms: unaryForms},
	{name: "CMP", as32: x86o.ACMPL, as64: x86o.ACMPQ, op: x86asm.CMP, role: isa.Read, class: "alu", writes: flagSet, alu: aluSub, forms: compareForms},

	// 5.1.4 logical
	arith("AND", x86o.AANDL, x86o.AANDQ, x86asm.AND, aluAnd, isa.Commute),
	arith("OR", x86o.AORL, x86o.AORQ, x86asm.OR, aluOr, isa.Commute),
	arith("XOR", x86o.AXORL, x86o.AXORQ, x86asm.XOR, aluXor, isa.Commute),
	{name: "NOT", as32: x86o.ANOTL, as64: x86o.ANOTQ, op: x86asm.NOT, role: isa.ReadWrite, class: "alu", alu: aluNot, forms: unaryForms},

	// 5.1.5 shift and rotate: a count of 0 keeps the flags, so they are read.
	shift("SHL", x86o.ASHLL, x86o.ASHLQ, x86asm.SHL, aluShl),
	shift("SHR", x86o.ASHRL, x86o.ASHRQ, x86asm.SHR, aluShr),
	shift("SAR", x86o.ASARL, x86o.ASARQ, x86asm.SAR, aluSar),
	shift("ROL", x86o.AROLL, x86o.AROLQ, x86asm.ROL, aluRol),
	shift("ROR", x86o.ARORL, x86o.ARORQ, x86asm.ROR, aluRor),

	// 5.1.6 bit and byte
	{name: "TEST", as32: x86o.ATESTL, as64: x86o.ATESTQ, op: x86asm.TEST, role: isa.Read, class: "alu", flags: isa.Commute, writes: flagSet, alu: aluAnd, forms: testForms},
	// 5.1.13 miscellaneous
	{name: "LEA", as32: x86o.ALEAL, as64: x86o.ALEAQ, op: x86asm.LEA, role: isa.Write, class: "lea", forms: addressForms},
}

func arith(name string, as32, as64 asm, op x86asm.Op, fn aluFunc, flags isa.FormFlags) family {
	return family{name: name, as32: as32, as64: as64, op: op, role: isa.ReadWrite, class: "alu", flags: flags, writes: flagSet, alu: fn, forms: binaryForms}
}

func shift(name string, as32, as64 asm, op x86asm.Op, fn aluFunc) family {
	return family{name: name, as32: as32, as64: as64, op: op, role: isa.ReadWrite, class: "shift.imm", reads: flagSet, writes: flagSet, alu: fn, forms: shiftForms}
}

func extendForms8(reg, mem kind) []form {
	return []form{{"r32, r8", reg, 0, ""}, {"r64, r8", reg, 0, ""}, {"r32, m8", mem, loads, "load.ext"}, {"r64, m8", mem, loads, "load.ext"}}
}

func extendForms16(reg, mem kind) []form {
	return []form{{"r32, r16", reg, 0, ""}, {"r64, r16", reg, 0, ""}, {"r32, m16", mem, loads, "load.ext"}, {"r64, m16", mem, loads, "load.ext"}}
}
