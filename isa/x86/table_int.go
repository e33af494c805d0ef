package x86

import (
	"slices"

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
	binaryForms = slices.Concat(
		[]form{{"r8, r8", kAluRR, 0, ""}, {"r16, r16", kAluRR, 0, ""}, {"r32, r32", kAluRR, 0, ""}, {"r64, r64", kAluRR, 0, ""}},
		[]form{{"r8, imm8", kAluRI, 0, ""}, {"r16, imm16", kAluRI, 0, ""}, {"r32, imm32", kAluRI, 0, ""}, {"r64, imm32", kAluRI, 0, ""}},
		[]form{{"r8, m8", kAluRM, loads, ""}, {"r16, m16", kAluRM, loads, ""}, {"r32, m32", kAluRM, loads, ""}, {"r64, m64", kAluRM, loads, ""}},
		[]form{{"m8, r8", kAluMR, rmw, ""}, {"m16, r16", kAluMR, rmw, ""}, {"m32, r32", kAluMR, rmw, ""}, {"m64, r64", kAluMR, rmw, ""}},
		[]form{{"m8, imm8", kAluMI, rmw, ""}, {"m16, imm16", kAluMI, rmw, ""}, {"m32, imm32", kAluMI, rmw, ""}, {"m64, imm32", kAluMI, rmw, ""}},
	)
	// TEST: no result, and the memory operand comes first only.
	testForms = slices.Concat(
		[]form{{"r8, r8", kCmpRR, 0, ""}, {"r16, r16", kCmpRR, 0, ""}, {"r32, r32", kCmpRR, 0, ""}, {"r64, r64", kCmpRR, 0, ""}},
		[]form{{"r8, imm8", kCmpRI, 0, ""}, {"r16, imm16", kCmpRI, 0, ""}, {"r32, imm32", kCmpRI, 0, ""}, {"r64, imm32", kCmpRI, 0, ""}},
		[]form{{"m8, r8", kCmpMR, loads, ""}, {"m16, r16", kCmpMR, loads, ""}, {"m32, r32", kCmpMR, loads, ""}, {"m64, r64", kCmpMR, loads, ""}},
		[]form{{"m8, imm8", kCmpMI, loads, ""}, {"m16, imm16", kCmpMI, loads, ""}, {"m32, imm32", kCmpMI, loads, ""}, {"m64, imm32", kCmpMI, loads, ""}},
	)
	// CMP has both orders.
	compareForms = slices.Concat(testForms,
		[]form{{"r8, m8", kCmpRM, loads, ""}, {"r16, m16", kCmpRM, loads, ""}, {"r32, m32", kCmpRM, loads, ""}, {"r64, m64", kCmpRM, loads, ""}},
	)
	unaryForms = []form{
		{"r8", kAluR, 0, ""}, {"r16", kAluR, 0, ""}, {"r32", kAluR, 0, ""}, {"r64", kAluR, 0, ""},
		{"m8", kAluM, rmw, ""}, {"m16", kAluM, rmw, ""}, {"m32", kAluM, rmw, ""}, {"m64", kAluM, rmw, ""},
	}
	shiftForms = []form{
		{"r8, imm8", kAluRI, 0, ".imm"}, {"r16, imm8", kAluRI, 0, ".imm"}, {"r32, imm8", kAluRI, 0, ".imm"}, {"r64, imm8", kAluRI, 0, ".imm"},
		{"r8, cl", kShiftCL, 0, ".cl"}, {"r16, cl", kShiftCL, 0, ".cl"}, {"r32, cl", kShiftCL, 0, ".cl"}, {"r64, cl", kShiftCL, 0, ".cl"},
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
	// Writes of 8 and 16 bits keep the rest of the register, so they read it.
	{name: "MOV", as8: x86o.AMOVB, as16: x86o.AMOVW, op: x86asm.MOV, role: isa.ReadWrite, class: "mov", forms: []form{
		{"r8, r8", kMovRR, 0, ""}, {"r16, r16", kMovRR, 0, ""}, {"r8, imm8", kMovRI, 0, ""}, {"r16, imm16", kMovRI, 0, ""},
		{"r8, m8", kLoadPart, loads, "load.part"}, {"r16, m16", kLoadPart, loads, "load.part"},
	}},
	{name: "MOV", as32: x86o.AMOVB, op: x86asm.MOV, role: isa.Read, class: "store", flags: stores, forms: []form{{"m8, r8", kStore, 0, ""}, {"m8, imm8", kStoreImm, 0, ""}}},
	{name: "MOV", as32: x86o.AMOVW, op: x86asm.MOV, role: isa.Read, class: "store", flags: stores, forms: []form{{"m16, r16", kStore, 0, ""}, {"m16, imm16", kStoreImm, 0, ""}}},
	{name: "MOVZX", as32: x86o.AMOVBLZX, as64: x86o.AMOVBQZX, op: x86asm.MOVZX, role: isa.Write, class: "mov.ext", forms: extendForms8(kMovZX, kLoad, "load.ext")},
	{name: "MOVZX", as32: x86o.AMOVWLZX, as64: x86o.AMOVWQZX, op: x86asm.MOVZX, role: isa.Write, class: "mov.ext", forms: extendForms16(kMovZX, kLoad, "load.ext")},
	{name: "MOVZX", as32: x86o.AMOVBLZX, op: x86asm.MOVZX, role: isa.Write, class: "mov.ext", forms: []form{{"r32, h8", kMovHigh, 0, ""}}},
	{name: "MOVSX", as32: x86o.AMOVBLSX, as64: x86o.AMOVBQSX, op: x86asm.MOVSX, role: isa.Write, class: "mov.ext", forms: extendForms8(kMovSX, kLoadSX, "load.ext.r64")},
	{name: "MOVSX", as32: x86o.AMOVWLSX, as64: x86o.AMOVWQSX, op: x86asm.MOVSX, role: isa.Write, class: "mov.ext", forms: extendForms16(kMovSX, kLoadSX, "load.ext.r64")},
	{name: "MOVSXD", as32: x86o.AMOVLQSX, op: x86asm.MOVSXD, role: isa.Write, class: "mov.ext", forms: []form{
		{"r64, r32", kMovSX, 0, ""}, {"r64, m32", kLoadSX, loads, "load.ext.r64"},
	}},
	{name: "BSWAP", as32: x86o.ABSWAPL, as64: x86o.ABSWAPQ, op: x86asm.BSWAP, role: isa.ReadWrite, class: "bswap", alu: aluBswap,
		forms: []form{{"r32", kAluR, 0, ""}, {"r64", kAluR, 0, ""}}},
	{name: "CDQE", as32: x86o.ACDQE, op: x86asm.CDQE, class: "mov.ext", reads: isa.Set(RAX), writes: isa.Set(RAX), forms: []form{{"", kCdqe, 0, ""}}},
	{name: "CDQ", as32: x86o.ACDQ, op: x86asm.CDQ, class: "mov.sign", reads: isa.Set(RAX), writes: isa.Set(RDX), forms: []form{{"", kCdq, 0, ""}}},
	{name: "CQO", as32: x86o.ACQO, op: x86asm.CQO, class: "mov.sign", reads: isa.Set(RAX), writes: isa.Set(RDX), forms: []form{{"", kCqo, 0, ""}}},
	{name: "PUSH", as32: x86o.APUSHQ, op: x86asm.PUSH, role: isa.Read, class: "push", flags: stores, reads: isa.Set(RSP), writes: isa.Set(RSP),
		forms: []form{{"r64", kPush, 0, ""}}},
	{name: "POP", as32: x86o.APOPQ, op: x86asm.POP, role: isa.Write, class: "pop", flags: loads, reads: isa.Set(RSP), writes: isa.Set(RSP),
		forms: []form{{"r64", kPop, 0, ""}}},

	// 5.1.2 binary arithmetic
	arith("ADD", [4]asm{x86o.AADDB, x86o.AADDW, x86o.AADDL, x86o.AADDQ}, x86asm.ADD, aluAdd, isa.Commute),
	arith("SUB", [4]asm{x86o.ASUBB, x86o.ASUBW, x86o.ASUBL, x86o.ASUBQ}, x86asm.SUB, aluSub, 0),
	withCarry("ADC", [4]asm{x86o.AADCB, x86o.AADCW, x86o.AADCL, x86o.AADCQ}, x86asm.ADC, aluAdc, isa.Commute),
	withCarry("SBB", [4]asm{x86o.ASBBB, x86o.ASBBW, x86o.ASBBL, x86o.ASBBQ}, x86asm.SBB, aluSbb, 0),
	{name: "MUL", as32: x86o.AMULL, as64: x86o.AMULQ, op: x86asm.MUL, role: isa.Read, class: "mul.wide", reads: isa.Set(RAX), writes: isa.Set(RAX, RDX, RFLAGS), forms: []form{
		{"r32", kMulR, 0, ""}, {"r64", kMulR, 0, "mul.wide.r64"}, {"m32", kMulM, loads, ""}, {"m64", kMulM, loads, "mul.wide.r64"},
	}},
	{name: "IMUL", as32: x86o.AIMULL, as64: x86o.AIMULQ, op: x86asm.IMUL, role: isa.ReadWrite, class: "mul", writes: flagSet, alu: aluImul, forms: []form{
		{"r32, r32", kAluRR, isa.Commute, ""}, {"r64, r64", kAluRR, isa.Commute, "mul.r64"}, {"r32, m32", kAluRM, loads, ""}, {"r64, m64", kAluRM, loads, "mul.r64"},
	}},
	{name: "IMUL", as32: x86o.AIMUL3L, as64: x86o.AIMUL3Q, op: x86asm.IMUL, role: isa.Write, class: "mul", writes: flagSet, alu: aluImul, forms: []form{
		{"r32, r32, imm32", kAluRRI, 0, ""}, {"r64, r64, imm32", kAluRRI, 0, "mul.r64"}, {"r32, m32, imm32", kAluRMI, loads, ""}, {"r64, m64, imm32", kAluRMI, loads, "mul.r64"},
	}},
	// INC and DEC keep CF, and rotates all but CF and OF. These rows do not count that as reading the flags:
	// processors rename the groups of flags apart, and the order of writers keeps the meaning.
	{name: "INC", as8: x86o.AINCB, as16: x86o.AINCW, as32: x86o.AINCL, as64: x86o.AINCQ, op: x86asm.INC, role: isa.ReadWrite, class: "alu.inc", writes: flagSet, alu: aluInc, forms: unaryForms},
	{name: "DEC", as8: x86o.ADECB, as16: x86o.ADECW, as32: x86o.ADECL, as64: x86o.ADECQ, op: x86asm.DEC, role: isa.ReadWrite, class: "alu.inc", writes: flagSet, alu: aluDec, forms: unaryForms},
	{name: "NEG", as8: x86o.ANEGB, as16: x86o.ANEGW, as32: x86o.ANEGL, as64: x86o.ANEGQ, op: x86asm.NEG, role: isa.ReadWrite, class: "alu.unary", writes: flagSet, alu: aluNeg, forms: unaryForms},
	{name: "CMP", as8: x86o.ACMPB, as16: x86o.ACMPW, as32: x86o.ACMPL, as64: x86o.ACMPQ, op: x86asm.CMP, role: isa.Read, class: "alu", writes: flagSet, alu: aluSub, forms: compareForms},

	// 5.1.4 logical
	arith("AND", [4]asm{x86o.AANDB, x86o.AANDW, x86o.AANDL, x86o.AANDQ}, x86asm.AND, aluAnd, isa.Commute),
	arith("OR", [4]asm{x86o.AORB, x86o.AORW, x86o.AORL, x86o.AORQ}, x86asm.OR, aluOr, isa.Commute),
	arith("XOR", [4]asm{x86o.AXORB, x86o.AXORW, x86o.AXORL, x86o.AXORQ}, x86asm.XOR, aluXor, isa.Commute),
	{name: "NOT", as8: x86o.ANOTB, as16: x86o.ANOTW, as32: x86o.ANOTL, as64: x86o.ANOTQ, op: x86asm.NOT, role: isa.ReadWrite, class: "alu.unary", alu: aluNot, forms: unaryForms},

	// 5.1.5 shift and rotate
	shift("SHL", "shift", [4]asm{x86o.ASHLB, x86o.ASHLW, x86o.ASHLL, x86o.ASHLQ}, x86asm.SHL, aluShl),
	shift("SHR", "shift", [4]asm{x86o.ASHRB, x86o.ASHRW, x86o.ASHRL, x86o.ASHRQ}, x86asm.SHR, aluShr),
	shift("SAR", "shift", [4]asm{x86o.ASARB, x86o.ASARW, x86o.ASARL, x86o.ASARQ}, x86asm.SAR, aluSar),
	shift("ROL", "rotate", [4]asm{x86o.AROLB, x86o.AROLW, x86o.AROLL, x86o.AROLQ}, x86asm.ROL, aluRol),
	shift("ROR", "rotate", [4]asm{x86o.ARORB, x86o.ARORW, x86o.ARORL, x86o.ARORQ}, x86asm.ROR, aluRor),

	// 5.1.6 bit and byte
	{name: "TEST", as8: x86o.ATESTB, as16: x86o.ATESTW, as32: x86o.ATESTL, as64: x86o.ATESTQ, op: x86asm.TEST, role: isa.Read, class: "alu", flags: isa.Commute, writes: flagSet, alu: aluAnd, forms: testForms},
	// 5.1.13 miscellaneous
	{name: "LEA", as32: x86o.ALEAL, as64: x86o.ALEAQ, op: x86asm.LEA, role: isa.Write, class: "lea", forms: addressForms},
}

// arith takes the golang-asm opcodes of 8, 16, 32 and 64 bits, as does shift.
func arith(name string, as [4]asm, op x86asm.Op, fn aluFunc, flags isa.FormFlags) family {
	return family{name: name, as8: as[0], as16: as[1], as32: as[2], as64: as[3], op: op,
		role: isa.ReadWrite, class: "alu", flags: flags, writes: flagSet, alu: fn, forms: binaryForms}
}

// withCarry is arith for operations that read CF.
func withCarry(name string, as [4]asm, op x86asm.Op, fn aluFunc, flags isa.FormFlags) family {
	f := arith(name, as, op, fn, flags)
	f.class, f.reads = "alu.carry", flagSet
	f.forms = slices.Clone(f.forms)
	for i := range f.forms {
		if f.forms[i].flags == rmw {
			f.forms[i].class = ".mem"
		}
	}
	return f
}

func shift(name, class string, as [4]asm, op x86asm.Op, fn aluFunc) family {
	return family{name: name, as8: as[0], as16: as[1], as32: as[2], as64: as[3], op: op,
		role: isa.ReadWrite, class: class, writes: flagSet, alu: fn, forms: shiftForms}
}

// extendForms8 and 16 take the class of loads extended to 64 bits.
func extendForms8(reg, mem kind, class64 string) []form {
	return []form{{"r32, r8", reg, 0, ""}, {"r64, r8", reg, 0, ""}, {"r32, m8", mem, loads, "load.ext"}, {"r64, m8", mem, loads, class64}}
}

func extendForms16(reg, mem kind, class64 string) []form {
	return []form{{"r32, r16", reg, 0, ""}, {"r64, r16", reg, 0, ""}, {"r32, m16", mem, loads, "load.ext"}, {"r64, m16", mem, loads, class64}}
}
