package x86

import (
	"slices"

	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// Operand templates of shifts and of bit tests.
var (
	shiftForms = []form{
		{"r8, imm8", kAluRI, 0, ".imm"}, {"r16, imm8", kAluRI, 0, ".imm"}, {"r32, imm8", kAluRI, 0, ".imm"}, {"r64, imm8", kAluRI, 0, ".imm"},
		{"r8, cl", kShiftCL, 0, ".cl"}, {"r16, cl", kShiftCL, 0, ".cl"}, {"r32, cl", kShiftCL, 0, ".cl"}, {"r64, cl", kShiftCL, 0, ".cl"},
		{"m8, imm8", kAluMI, rmw, ".mem"}, {"m16, imm8", kAluMI, rmw, ".mem"}, {"m32, imm8", kAluMI, rmw, ".mem"}, {"m64, imm8", kAluMI, rmw, ".mem"},
		{"m8, cl", kShiftMCL, rmw, ".mem"}, {"m16, cl", kShiftMCL, rmw, ".mem"}, {"m32, cl", kShiftMCL, rmw, ".mem"}, {"m64, cl", kShiftMCL, rmw, ".mem"},
	}
	// A count of one is much cheaper when the carry takes part.
	carryForms = slices.Concat(
		[]form{{"r8, 1", kAluRI, 0, ".one"}, {"r16, 1", kAluRI, 0, ".one"}, {"r32, 1", kAluRI, 0, ".one"}, {"r64, 1", kAluRI, 0, ".one"}},
		[]form{{"m8, 1", kAluMI, rmw, ".one.mem"}, {"m16, 1", kAluMI, rmw, ".one.mem"}, {"m32, 1", kAluMI, rmw, ".one.mem"}, {"m64, 1", kAluMI, rmw, ".one.mem"}},
		withoutKinds(shiftForms),
	)
	doubleForms = []form{
		{"r16, r16, imm8", kDoubleR, 0, ""}, {"r32, r32, imm8", kDoubleR, 0, ""}, {"r64, r64, imm8", kDoubleR, 0, ""},
		{"r16, r16, cl", kDoubleR, 0, ""}, {"r32, r32, cl", kDoubleR, 0, ""}, {"r64, r64, cl", kDoubleR, 0, ""},
		{"m16, r16, imm8", kDoubleM, rmw, ".mem"}, {"m32, r32, imm8", kDoubleM, rmw, ".mem"}, {"m64, r64, imm8", kDoubleM, rmw, ".mem"},
		{"m16, r16, cl", kDoubleM, rmw, ".mem"}, {"m32, r32, cl", kDoubleM, rmw, ".mem"}, {"m64, r64, cl", kDoubleM, rmw, ".mem"},
	}
	bitTestForms = []form{
		{"r16, r16", kCmpRR, 0, ""}, {"r32, r32", kCmpRR, 0, ""}, {"r64, r64", kCmpRR, 0, ""},
		{"r16, imm8", kCmpRI, 0, ""}, {"r32, imm8", kCmpRI, 0, ""}, {"r64, imm8", kCmpRI, 0, ""},
		{"m16, r16", kBitMR, loads, ".mem.reg"}, {"m32, r32", kBitMR, loads, ".mem.reg"}, {"m64, r64", kBitMR, loads, ".mem.reg"},
		{"m16, imm8", kCmpMI, loads, ".mem"}, {"m32, imm8", kCmpMI, loads, ".mem"}, {"m64, imm8", kCmpMI, loads, ".mem"},
	}
	bitSetForms = []form{
		{"r16, r16", kAluRR, 0, ""}, {"r32, r32", kAluRR, 0, ""}, {"r64, r64", kAluRR, 0, ""},
		{"r16, imm8", kAluRI, 0, ""}, {"r32, imm8", kAluRI, 0, ""}, {"r64, imm8", kAluRI, 0, ""},
		{"m16, r16", kBitSetMR, rmw, ".mem.reg"}, {"m32, r32", kBitSetMR, rmw, ".mem.reg"}, {"m64, r64", kBitSetMR, rmw, ".mem.reg"},
		{"m16, imm8", kAluMI, rmw, ".mem"}, {"m32, imm8", kAluMI, rmw, ".mem"}, {"m64, imm8", kAluMI, rmw, ".mem"},
	}
	scanForms = []form{
		{"r16, r16", kScanR, 0, ""}, {"r32, r32", kScanR, 0, ""}, {"r64, r64", kScanR, 0, ""},
		{"r16, m16", kScanM, loads, ""}, {"r32, m32", kScanM, loads, ""}, {"r64, m64", kScanM, loads, ""},
	}
)

// withoutKinds returns the forms with one class for register and one for memory operands, whatever gives the count.
func withoutKinds(list []form) []form {
	list = slices.Clone(list)
	for i := range list {
		if list[i].class != ".mem" {
			list[i].class = ""
		}
	}
	return list
}

// shiftTable: SDM volume 1, sections 5.1.5 and 5.1.6, shifts, rotates, bit tests and scans.
var shiftTable = []family{
	shift("SHL", "shift", [4]asm{x86o.ASHLB, x86o.ASHLW, x86o.ASHLL, x86o.ASHLQ}, x86asm.SHL, aluShl),
	shift("SHR", "shift", [4]asm{x86o.ASHRB, x86o.ASHRW, x86o.ASHRL, x86o.ASHRQ}, x86asm.SHR, aluShr),
	shift("SAR", "shift", [4]asm{x86o.ASARB, x86o.ASARW, x86o.ASARL, x86o.ASARQ}, x86asm.SAR, aluSar),
	rotate("ROL", "rotate", [4]asm{x86o.AROLB, x86o.AROLW, x86o.AROLL, x86o.AROLQ}, x86asm.ROL, aluRol),
	rotate("ROR", "rotate", [4]asm{x86o.ARORB, x86o.ARORW, x86o.ARORL, x86o.ARORQ}, x86asm.ROR, aluRor),
	rotateCarry("RCL", [4]asm{x86o.ARCLB, x86o.ARCLW, x86o.ARCLL, x86o.ARCLQ}, x86asm.RCL, aluRcl),
	rotateCarry("RCR", [4]asm{x86o.ARCRB, x86o.ARCRW, x86o.ARCRL, x86o.ARCRQ}, x86asm.RCR, aluRcr),
	{name: "SHLD", as16: x86o.ASHLW, as32: x86o.ASHLL, as64: x86o.ASHLQ, op: x86asm.SHLD, role: isa.ReadWrite, class: "shift.double", writes: flagSet, cc: 1, forms: doubleForms},
	{name: "SHRD", as16: x86o.ASHRW, as32: x86o.ASHRL, as64: x86o.ASHRQ, op: x86asm.SHRD, role: isa.ReadWrite, class: "shift.double", writes: flagSet, forms: doubleForms},

	{name: "BT", as16: x86o.ABTW, as32: x86o.ABTL, as64: x86o.ABTQ, op: x86asm.BT, role: isa.Read, class: "bit.test", writes: flagSet, alu: aluBt, forms: bitTestForms},
	{name: "BTS", as16: x86o.ABTSW, as32: x86o.ABTSL, as64: x86o.ABTSQ, op: x86asm.BTS, role: isa.ReadWrite, class: "bit.set", writes: flagSet, alu: aluBts, forms: bitSetForms},
	{name: "BTR", as16: x86o.ABTRW, as32: x86o.ABTRL, as64: x86o.ABTRQ, op: x86asm.BTR, role: isa.ReadWrite, class: "bit.set", writes: flagSet, alu: aluBtr, forms: bitSetForms},
	{name: "BTC", as16: x86o.ABTCW, as32: x86o.ABTCL, as64: x86o.ABTCQ, op: x86asm.BTC, role: isa.ReadWrite, class: "bit.set", writes: flagSet, alu: aluBtc, forms: bitSetForms},
	// The manual leaves the destination undefined for a source of 0; processors keep all of it.
	{name: "BSF", as16: x86o.ABSFW, as32: x86o.ABSFL, as64: x86o.ABSFQ, op: x86asm.BSF, role: isa.ReadWrite, class: "bit.scan", writes: flagSet, alu: aluBsf, forms: scanForms},
	{name: "BSR", as16: x86o.ABSRW, as32: x86o.ABSRL, as64: x86o.ABSRQ, op: x86asm.BSR, role: isa.ReadWrite, class: "bit.scan", writes: flagSet, alu: aluBsr, forms: scanForms},
}

// shift takes the golang-asm opcodes of 8, 16, 32 and 64 bits, as do rotate and rotateCarry.
func shift(name, class string, as [4]asm, op x86asm.Op, fn aluFunc) family {
	return family{name: name, as8: as[0], as16: as[1], as32: as[2], as64: as[3], op: op,
		role: isa.ReadWrite, class: class, writes: flagSet, alu: fn, forms: shiftForms}
}

func rotate(name, class string, as [4]asm, op x86asm.Op, fn aluFunc) family {
	f := shift(name, class, as, op, fn)
	f.keeps = isa.OthersWritten
	return f
}

func rotateCarry(name string, as [4]asm, op x86asm.Op, fn aluFunc) family {
	f := rotate(name, "rotate.carry", as, op, fn)
	f.reads, f.forms = flagSet, carryForms
	return f
}
