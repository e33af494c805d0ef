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
	addressForms = []form{{"r32, m", kLea, 0, ""}, {"r64, m", kLea, 0, ""}}
)

// intTable: SDM volume 1, sections 5.1.2 to 5.1.4 and 5.1.6, arithmetic, logic, tests, and LEA.
var intTable = []family{
	// 5.1.2 binary arithmetic
	arith("ADD", [4]asm{x86o.AADDB, x86o.AADDW, x86o.AADDL, x86o.AADDQ}, x86asm.ADD, aluAdd, isa.Commute),
	idiom(arith("SUB", [4]asm{x86o.ASUBB, x86o.ASUBW, x86o.ASUBL, x86o.ASUBQ}, x86asm.SUB, aluSub, 0)),
	withCarry("ADC", [4]asm{x86o.AADCB, x86o.AADCW, x86o.AADCL, x86o.AADCQ}, x86asm.ADC, aluAdc, isa.Commute),
	withCarry("SBB", [4]asm{x86o.ASBBB, x86o.ASBBW, x86o.ASBBL, x86o.ASBBQ}, x86asm.SBB, aluSbb, 0),
	wide("MUL", [4]asm{x86o.AMULB, x86o.AMULW, x86o.AMULL, x86o.AMULQ}, x86asm.MUL, kMulR, kMulM, "mul.wide"),
	wide("IMUL", [4]asm{x86o.AIMULB, x86o.AIMULW, x86o.AIMULL, x86o.AIMULQ}, x86asm.IMUL, kImulR, kImulM, "mul.wide"),
	bytes8("MUL", x86o.AMULB, x86asm.MUL, kMulR, kMulM, "mul"),
	bytes8("IMUL", x86o.AIMULB, x86asm.IMUL, kImulR, kImulM, "mul"),
	wide("DIV", [4]asm{x86o.ADIVB, x86o.ADIVW, x86o.ADIVL, x86o.ADIVQ}, x86asm.DIV, kDivR, kDivM, "div"),
	wide("IDIV", [4]asm{x86o.AIDIVB, x86o.AIDIVW, x86o.AIDIVL, x86o.AIDIVQ}, x86asm.IDIV, kIdivR, kIdivM, "idiv"),
	bytes8("DIV", x86o.ADIVB, x86asm.DIV, kDivR, kDivM, "div"),
	bytes8("IDIV", x86o.AIDIVB, x86asm.IDIV, kIdivR, kIdivM, "idiv"),
	{name: "IMUL", as16: x86o.AIMULW, as32: x86o.AIMULL, as64: x86o.AIMULQ, op: x86asm.IMUL, role: isa.ReadWrite, class: "mul", writes: flagSet, alu: aluImul, forms: []form{
		{"r16, r16", kAluRR, isa.Commute, ""}, {"r32, r32", kAluRR, isa.Commute, ""}, {"r64, r64", kAluRR, isa.Commute, ".r64"},
		{"r16, m16", kAluRM, loads, ""}, {"r32, m32", kAluRM, loads, ""}, {"r64, m64", kAluRM, loads, ".r64"},
	}},
	{name: "IMUL", as32: x86o.AIMUL3W, op: x86asm.IMUL, role: isa.ReadWrite, class: "mul", writes: flagSet, alu: aluImul, forms: []form{
		{"r16, r16, imm16", kAluRRI, 0, ""}, {"r16, m16, imm16", kAluRMI, loads, ""},
	}},
	{name: "IMUL", as32: x86o.AIMUL3L, as64: x86o.AIMUL3Q, op: x86asm.IMUL, role: isa.Write, class: "mul", writes: flagSet, alu: aluImul, forms: []form{
		{"r32, r32, imm32", kAluRRI, 0, ""}, {"r64, r64, imm32", kAluRRI, 0, ".r64"}, {"r32, m32, imm32", kAluRMI, loads, ""}, {"r64, m64, imm32", kAluRMI, loads, ".r64"},
	}},
	// INC and DEC keep CF, and rotates all but CF and OF (keeps). These rows do not count that as reading the flags:
	// processors rename the groups of flags apart, and the order of writers keeps the meaning.
	{name: "INC", as8: x86o.AINCB, as16: x86o.AINCW, as32: x86o.AINCL, as64: x86o.AINCQ, op: x86asm.INC, role: isa.ReadWrite, class: "alu.inc", writes: flagSet, keeps: isa.CarryWritten, alu: aluInc, forms: unaryForms},
	{name: "DEC", as8: x86o.ADECB, as16: x86o.ADECW, as32: x86o.ADECL, as64: x86o.ADECQ, op: x86asm.DEC, role: isa.ReadWrite, class: "alu.inc", writes: flagSet, keeps: isa.CarryWritten, alu: aluDec, forms: unaryForms},
	{name: "NEG", as8: x86o.ANEGB, as16: x86o.ANEGW, as32: x86o.ANEGL, as64: x86o.ANEGQ, op: x86asm.NEG, role: isa.ReadWrite, class: "alu.unary", writes: flagSet, alu: aluNeg, forms: unaryForms},
	{name: "CMP", as8: x86o.ACMPB, as16: x86o.ACMPW, as32: x86o.ACMPL, as64: x86o.ACMPQ, op: x86asm.CMP, role: isa.Read, class: "alu", writes: flagSet, alu: aluSub, forms: compareForms},

	// 5.1.4 logical
	arith("AND", [4]asm{x86o.AANDB, x86o.AANDW, x86o.AANDL, x86o.AANDQ}, x86asm.AND, aluAnd, isa.Commute),
	arith("OR", [4]asm{x86o.AORB, x86o.AORW, x86o.AORL, x86o.AORQ}, x86asm.OR, aluOr, isa.Commute),
	idiom(arith("XOR", [4]asm{x86o.AXORB, x86o.AXORW, x86o.AXORL, x86o.AXORQ}, x86asm.XOR, aluXor, isa.Commute)),
	{name: "NOT", as8: x86o.ANOTB, as16: x86o.ANOTW, as32: x86o.ANOTL, as64: x86o.ANOTQ, op: x86asm.NOT, role: isa.ReadWrite, class: "alu.unary", alu: aluNot, forms: unaryForms},

	// 5.1.6 bit and byte
	{name: "TEST", as8: x86o.ATESTB, as16: x86o.ATESTW, as32: x86o.ATESTL, as64: x86o.ATESTQ, op: x86asm.TEST, role: isa.Read, class: "alu", flags: isa.Commute, writes: flagSet, alu: aluAnd, forms: testForms},
	// 5.1.13 miscellaneous
	{name: "LEA", as32: x86o.ALEAW, op: x86asm.LEA, role: isa.ReadWrite, class: "lea", forms: []form{{"r16, m", kLea, 0, ""}}},
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

// wide is a multiplication or division of RDX:RAX by the one operand. Its 16-bit forms keep the rest of RAX and RDX.
func wide(name string, as [4]asm, op x86asm.Op, reg, mem kind, class string) family {
	size := func(n string) string { // the cost differs by size, of multiplications only for 64 bits
		if class == "mul.wide" && n != "64" {
			return ""
		}
		return ".r" + n
	}
	return family{name: name, as8: as[0], as16: as[1], as32: as[2], as64: as[3], op: op, role: isa.Read, class: class,
		reads: isa.Set(RAX, RDX), writes: isa.Set(RAX, RDX, RFLAGS), forms: []form{
			{"r16", reg, 0, size("16")}, {"r32", reg, 0, size("32")}, {"r64", reg, 0, size("64")},
			{"m16", mem, loads, size("16")}, {"m32", mem, loads, size("32")}, {"m64", mem, loads, size("64")},
		}}
}

// bytes8 is the form of wide on bytes, whose double operand is AX.
func bytes8(name string, as asm, op x86asm.Op, reg, mem kind, class string) family {
	return family{name: name, as32: as, op: op, role: isa.Read, class: class, reads: isa.Set(RAX), writes: isa.Set(RAX, RFLAGS),
		forms: []form{{"r8", reg, 0, ".r8"}, {"m8", mem, loads, ".r8"}}}
}
