package x86

import (
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// floatTable: SDM volume 1, sections 5.5.1.2, 5.5.1.3, 5.6.1.2 and 5.6.1.4, floating-point arithmetic and comparison. The
// rounding is to nearest; MXCSR cannot choose another.
var floatTable = []family{
	scalar("ADDSS", x86o.AADDSS, x86asm.ADDSS, "fp.add", "m32", inSS(of32(add))),
	scalar("ADDSD", x86o.AADDSD, x86asm.ADDSD, "fp.add", "m64", inSD(of64(add))),
	vec2("ADDPS", x86o.AADDPS, x86asm.ADDPS, "fp.add", perLane32(of32(add)), 0),
	vec2("ADDPD", x86o.AADDPD, x86asm.ADDPD, "fp.add", inPD(of64(add)), 0),
	scalar("SUBSS", x86o.ASUBSS, x86asm.SUBSS, "fp.add", "m32", inSS(of32(sub))),
	scalar("SUBSD", x86o.ASUBSD, x86asm.SUBSD, "fp.add", "m64", inSD(of64(sub))),
	vec2("SUBPS", x86o.ASUBPS, x86asm.SUBPS, "fp.add", perLane32(of32(sub)), 0),
	vec2("SUBPD", x86o.ASUBPD, x86asm.SUBPD, "fp.add", inPD(of64(sub)), 0),
	scalar("MULSS", x86o.AMULSS, x86asm.MULSS, "fp.mul.s", "m32", inSS(of32(mul))),
	scalar("MULSD", x86o.AMULSD, x86asm.MULSD, "fp.mul.d", "m64", inSD(of64(mul))),
	vec2("MULPS", x86o.AMULPS, x86asm.MULPS, "fp.mul.s", perLane32(of32(mul)), 0),
	vec2("MULPD", x86o.AMULPD, x86asm.MULPD, "fp.mul.d", inPD(of64(mul)), 0),
	scalar("DIVSS", x86o.ADIVSS, x86asm.DIVSS, "fp.div.s", "m32", inSS(of32(div))),
	scalar("DIVSD", x86o.ADIVSD, x86asm.DIVSD, "fp.div.d", "m64", inSD(of64(div))),
	vec2("DIVPS", x86o.ADIVPS, x86asm.DIVPS, "fp.div.s", perLane32(of32(div)), 0),
	vec2("DIVPD", x86o.ADIVPD, x86asm.DIVPD, "fp.div.d", inPD(of64(div)), 0),
	scalar("MINSS", x86o.AMINSS, x86asm.MINSS, "fp.minmax", "m32", inSS(lesser32)),
	scalar("MINSD", x86o.AMINSD, x86asm.MINSD, "fp.minmax", "m64", inSD(lesser64)),
	vec2("MINPS", x86o.AMINPS, x86asm.MINPS, "fp.minmax", perLane32(lesser32), 0),
	vec2("MINPD", x86o.AMINPD, x86asm.MINPD, "fp.minmax", inPD(lesser64), 0),
	scalar("MAXSS", x86o.AMAXSS, x86asm.MAXSS, "fp.minmax", "m32", inSS(greater32)),
	scalar("MAXSD", x86o.AMAXSD, x86asm.MAXSD, "fp.minmax", "m64", inSD(greater64)),
	vec2("MAXPS", x86o.AMAXPS, x86asm.MAXPS, "fp.minmax", perLane32(greater32), 0),
	vec2("MAXPD", x86o.AMAXPD, x86asm.MAXPD, "fp.minmax", inPD(greater64), 0),
	scalar("SQRTSS", x86o.ASQRTSS, x86asm.SQRTSS, "fp.sqrt.s", "m32", inSS(root32)),
	scalar("SQRTSD", x86o.ASQRTSD, x86asm.SQRTSD, "fp.sqrt.d", "m64", inSD(root64)),
	unary("SQRTPS", x86o.ASQRTPS, x86asm.SQRTPS, "fp.sqrt.s", perLane32(root32)),
	unary("SQRTPD", x86o.ASQRTPD, x86asm.SQRTPD, "fp.sqrt.d", inPD(root64)),

	feature("sse3", vec2("ADDSUBPS", x86o.AADDSUBPS, x86asm.ADDSUBPS, "fp.add", floatAddSubPS, 0)),
	feature("sse3", vec2("ADDSUBPD", x86o.AADDSUBPD, x86asm.ADDSUBPD, "fp.add", floatAddSubPD, 0)),
	feature("sse3", vec2("HADDPS", x86o.AHADDPS, x86asm.HADDPS, "fp.hadd", floatHaddPS, 0)),
	feature("sse3", vec2("HADDPD", x86o.AHADDPD, x86asm.HADDPD, "fp.hadd", floatHaddPD, 0)),
	feature("sse3", vec2("HSUBPS", x86o.AHSUBPS, x86asm.HSUBPS, "fp.hadd", floatHsubPS, 0)),
	feature("sse3", vec2("HSUBPD", x86o.AHSUBPD, x86asm.HSUBPD, "fp.hadd", floatHsubPD, 0)),
	round("ROUNDSS", x86o.AROUNDSS, x86asm.ROUNDSS, isa.ReadWrite, "m32", kVecRMLow, floatRoundSS),
	round("ROUNDSD", x86o.AROUNDSD, x86asm.ROUNDSD, isa.ReadWrite, "m64", kVecRMLow, floatRoundSD),
	round("ROUNDPS", x86o.AROUNDPS, x86asm.ROUNDPS, isa.Write, "m128", kVecRM, floatRoundPS),
	round("ROUNDPD", x86o.AROUNDPD, x86asm.ROUNDPD, isa.Write, "m128", kVecRM, floatRoundPD),

	compare("CMPSS", 0xf3, x86asm.CMPSS, "m32", kVecRMLow, floatCmpSS),
	compare("CMPSD", 0xf2, x86asm.CMPSD_XMM, "m64", kVecRMLow, floatCmpSD),
	compare("CMPPS", 0, x86asm.CMPPS, "m128", kVecRM, floatCmpPS),
	compare("CMPPD", 0x66, x86asm.CMPPD, "m128", kVecRM, floatCmpPD),
	compareFlags("UCOMISS", x86o.AUCOMISS, x86asm.UCOMISS, "m32", floatFlagsSS),
	compareFlags("UCOMISD", x86o.AUCOMISD, x86asm.UCOMISD, "m64", floatFlagsSD),
	compareFlags("COMISS", x86o.ACOMISS, x86asm.COMISS, "m32", floatFlagsSS),
	compareFlags("COMISD", x86o.ACOMISD, x86asm.COMISD, "m64", floatFlagsSD),
	{name: "LDMXCSR", as32: x86o.ALDMXCSR, op: x86asm.LDMXCSR, role: isa.Read, class: "fp.control", flags: loads, forms: []form{{"m32", kLdmxcsr, 0, ""}}},
	{name: "STMXCSR", as32: x86o.ASTMXCSR, op: x86asm.STMXCSR, role: isa.Write, class: "fp.control", flags: stores, forms: []form{{"m32", kStmxcsr, 0, ""}}},
	// The control word of x87, which C libraries read to learn the rounding. The unit itself is not here.
	{name: "FNSTCW", as32: x86o.AFSTCW, op: x86asm.FNSTCW, role: isa.Write, class: "fp.control", flags: stores, forms: []form{{"m16", kFnstcw, 0, ""}}},
	{name: "FLDCW", as32: x86o.AFLDCW, op: x86asm.FLDCW, role: isa.Read, class: "fp.control", flags: loads, forms: []form{{"m16", kFldcw, 0, ""}}},
}

// scalar keeps the upper lanes of its first operand.
func scalar(name string, as asm, op x86asm.Op, class, mem string, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.ReadWrite, class: class, vec: fn, forms: []form{
		{"xmm, xmm", kVecRR, 0, ""}, {"xmm, " + mem, kVecRMLow, loads, ""},
	}}
}

func round(name string, as asm, op x86asm.Op, role isa.Role, mem string, k kind, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: role, class: "fp.round", feature: "sse4.1", vec: fn, forms: []form{
		{"xmm, xmm, imm8", kVecRR, 0, ""}, {"xmm, " + mem + ", imm8", k, loads, ""},
	}}
}

func compare(name string, prefix byte, op x86asm.Op, mem string, k kind, fn vecFunc) family {
	return family{name: name, own: opcode(prefix, -1, false, 0x0f, 0xc2), op: op, role: isa.ReadWrite, class: "fp.cmp", vec: fn, forms: []form{
		{"xmm, xmm, imm8", kVecRR, 0, ""}, {"xmm, " + mem + ", imm8", k, loads, ""},
	}}
}

func compareFlags(name string, as asm, op x86asm.Op, mem string, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.Read, class: "fp.cmp.flags", writes: flagSet, vec: fn, forms: []form{
		{"xmm, xmm", kVecFlags, 0, ""}, {"xmm, " + mem, kVecFlagsM, loads, ""},
	}}
}

// floatConvertTable: SDM volume 1, sections 5.5.1.6 and 5.6.1.6, conversions.
var floatConvertTable = []family{
	fromInt("CVTSI2SS", x86o.ACVTSL2SS, x86asm.CVTSI2SS, "32", floatFromS32),
	fromInt("CVTSI2SS", x86o.ACVTSQ2SS, x86asm.CVTSI2SS, "64", floatFromS64),
	fromInt("CVTSI2SD", x86o.ACVTSL2SD, x86asm.CVTSI2SD, "32", floatFromD32),
	fromInt("CVTSI2SD", x86o.ACVTSQ2SD, x86asm.CVTSI2SD, "64", floatFromD64),
	toInt("CVTSS2SI", x86o.ACVTSS2SL, x86asm.CVTSS2SI, "r32", "m32", floatToS32),
	toInt("CVTSS2SI", x86o.ACVTSS2SQ, x86asm.CVTSS2SI, "r64", "m32", floatToS64),
	toInt("CVTSD2SI", x86o.ACVTSD2SL, x86asm.CVTSD2SI, "r32", "m64", floatToD32),
	toInt("CVTSD2SI", x86o.ACVTSD2SQ, x86asm.CVTSD2SI, "r64", "m64", floatToD64),
	toInt("CVTTSS2SI", x86o.ACVTTSS2SL, x86asm.CVTTSS2SI, "r32", "m32", floatTruncS32),
	toInt("CVTTSS2SI", x86o.ACVTTSS2SQ, x86asm.CVTTSS2SI, "r64", "m32", floatTruncS64),
	toInt("CVTTSD2SI", x86o.ACVTTSD2SL, x86asm.CVTTSD2SI, "r32", "m64", floatTruncD32),
	toInt("CVTTSD2SI", x86o.ACVTTSD2SQ, x86asm.CVTTSD2SI, "r64", "m64", floatTruncD64),
	scalar("CVTSS2SD", x86o.ACVTSS2SD, x86asm.CVTSS2SD, "fp.cvt", "m32", floatWidenSS),
	scalar("CVTSD2SS", x86o.ACVTSD2SS, x86asm.CVTSD2SS, "fp.cvt", "m64", floatNarrowSD),
	widen("CVTPS2PD", x86o.ACVTPS2PD, x86asm.CVTPS2PD, floatWidenPS),
	widen("CVTDQ2PD", x86o.ACVTPL2PD, x86asm.CVTDQ2PD, floatFromDQPD),
	unary("CVTPD2PS", x86o.ACVTPD2PS, x86asm.CVTPD2PS, "fp.cvt", floatNarrowPD),
	unary("CVTDQ2PS", x86o.ACVTPL2PS, x86asm.CVTDQ2PS, "fp.cvt", floatFromDQPS),
	unary("CVTPS2DQ", x86o.ACVTPS2PL, x86asm.CVTPS2DQ, "fp.cvt", floatToPS),
	unary("CVTTPS2DQ", x86o.ACVTTPS2PL, x86asm.CVTTPS2DQ, "fp.cvt", floatTruncPS),
	unary("CVTPD2DQ", x86o.ACVTPD2PL, x86asm.CVTPD2DQ, "fp.cvt", floatToPD),
	unary("CVTTPD2DQ", x86o.ACVTTPD2PL, x86asm.CVTTPD2DQ, "fp.cvt", floatTruncPD),
}

func fromInt(name string, as asm, op x86asm.Op, bits string, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.ReadWrite, class: "fp.cvt.from.gpr", vec: fn, forms: []form{
		{"xmm, r" + bits, kVecPut, 0, ""}, {"xmm, m" + bits, kVecPutM, loads, ""},
	}}
}

func toInt(name string, as asm, op x86asm.Op, reg, mem string, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.Write, class: "fp.cvt.to.gpr", vec: fn, forms: []form{
		{reg + ", xmm", kVecPick, 0, ""}, {reg + ", " + mem, kVecPickM, loads, ""},
	}}
}

func widen(name string, as asm, op x86asm.Op, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.Write, class: "fp.cvt", vec: fn, forms: []form{
		{"xmm, xmm", kVecRR, 0, ""}, {"xmm, m64", kVecRMLow, loads, ""},
	}}
}
