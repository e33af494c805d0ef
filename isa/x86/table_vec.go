package x86

import (
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// SSE and SSE2 belong to x86-64 itself, so their rows name no feature.

// vecTable: SDM volume 1, sections 5.5.1.3, 5.6.3 and 5.8, arithmetic, comparison, logic, shifts.
var vecTable = []family{
	fast(vec2("PAND", x86o.APAND, x86asm.PAND, "vec.logic", vecAnd, isa.Commute), kPand, kPandM),
	fast(vec2("PANDN", x86o.APANDN, x86asm.PANDN, "vec.logic", vecAndNot, 0), kPandn, kPandnM),
	fast(vec2("POR", x86o.APOR, x86asm.POR, "vec.logic", vecOr, isa.Commute), kPor, kPorM),
	idiom(fast(vec2("PXOR", x86o.APXOR, x86asm.PXOR, "vec.logic", vecXor, isa.Commute), kPxor, kPxorM)),
	fast(vec2("ANDPS", x86o.AANDPS, x86asm.ANDPS, "vec.logic.ps", vecAnd, isa.Commute), kPand, kPandM),
	fast(vec2("ANDNPS", x86o.AANDNPS, x86asm.ANDNPS, "vec.logic.ps", vecAndNot, 0), kPandn, kPandnM),
	fast(vec2("ORPS", x86o.AORPS, x86asm.ORPS, "vec.logic.ps", vecOr, isa.Commute), kPor, kPorM),
	idiom(fast(vec2("XORPS", x86o.AXORPS, x86asm.XORPS, "vec.logic.ps", vecXor, isa.Commute), kPxor, kPxorM)),
	fast(vec2("ANDPD", x86o.AANDPD, x86asm.ANDPD, "vec.logic.ps", vecAnd, isa.Commute), kPand, kPandM),
	fast(vec2("ANDNPD", x86o.AANDNPD, x86asm.ANDNPD, "vec.logic.ps", vecAndNot, 0), kPandn, kPandnM),
	fast(vec2("ORPD", x86o.AORPD, x86asm.ORPD, "vec.logic.ps", vecOr, isa.Commute), kPor, kPorM),
	idiom(fast(vec2("XORPD", x86o.AXORPD, x86asm.XORPD, "vec.logic.ps", vecXor, isa.Commute), kPxor, kPxorM)),
	{name: "PTEST", as32: x86o.APTEST, op: x86asm.PTEST, role: isa.Read, class: "vec.test", feature: "sse4.1", writes: flagSet, vec: vecTest,
		forms: []form{{"xmm, xmm", kVecFlags, 0, ""}, {"xmm, m128", kVecFlagsM, loads, ""}}},

	vec2("PADDB", x86o.APADDB, x86asm.PADDB, "vec.add", vecAddB, isa.Commute),
	vec2("PADDW", x86o.APADDW, x86asm.PADDW, "vec.add", vecAddW, isa.Commute),
	vec2("PADDD", x86o.APADDL, x86asm.PADDD, "vec.add", vecAddD, isa.Commute),
	vec2("PADDQ", x86o.APADDQ, x86asm.PADDQ, "vec.add.q", vecAddQ, isa.Commute),
	idiom(vec2("PSUBB", x86o.APSUBB, x86asm.PSUBB, "vec.add", vecSubB, 0)),
	idiom(vec2("PSUBW", x86o.APSUBW, x86asm.PSUBW, "vec.add", vecSubW, 0)),
	idiom(vec2("PSUBD", x86o.APSUBL, x86asm.PSUBD, "vec.add", vecSubD, 0)),
	idiom(vec2("PSUBQ", x86o.APSUBQ, x86asm.PSUBQ, "vec.add.q", vecSubQ, 0)),
	vec2("PADDSB", x86o.APADDSB, x86asm.PADDSB, "vec.add", vecAddSB, isa.Commute),
	vec2("PADDSW", x86o.APADDSW, x86asm.PADDSW, "vec.add", vecAddSW, isa.Commute),
	vec2("PADDUSB", x86o.APADDUSB, x86asm.PADDUSB, "vec.add", vecAddUSB, isa.Commute),
	vec2("PADDUSW", x86o.APADDUSW, x86asm.PADDUSW, "vec.add", vecAddUSW, isa.Commute),
	vec2("PSUBSB", x86o.APSUBSB, x86asm.PSUBSB, "vec.add", vecSubSB, 0),
	vec2("PSUBSW", x86o.APSUBSW, x86asm.PSUBSW, "vec.add", vecSubSW, 0),
	vec2("PSUBUSB", x86o.APSUBUSB, x86asm.PSUBUSB, "vec.add", vecSubUSB, 0),
	vec2("PSUBUSW", x86o.APSUBUSW, x86asm.PSUBUSW, "vec.add", vecSubUSW, 0),
	vec2("PAVGB", x86o.APAVGB, x86asm.PAVGB, "vec.avg", vecAvgB, isa.Commute),
	vec2("PAVGW", x86o.APAVGW, x86asm.PAVGW, "vec.avg", vecAvgW, isa.Commute),
	vec2("PMINUB", x86o.APMINUB, x86asm.PMINUB, "vec.minmax", vecMinUB, isa.Commute),
	vec2("PMAXUB", x86o.APMAXUB, x86asm.PMAXUB, "vec.minmax", vecMaxUB, isa.Commute),
	vec2("PMINSW", x86o.APMINSW, x86asm.PMINSW, "vec.minmax", vecMinSW, isa.Commute),
	vec2("PMAXSW", x86o.APMAXSW, x86asm.PMAXSW, "vec.minmax", vecMaxSW, isa.Commute),
	sse41(vec2("PMINSB", x86o.APMINSB, x86asm.PMINSB, "vec.minmax.dq", vecMinSB, isa.Commute)),
	sse41(vec2("PMAXSB", x86o.APMAXSB, x86asm.PMAXSB, "vec.minmax.dq", vecMaxSB, isa.Commute)),
	sse41(vec2("PMINUW", x86o.APMINUW, x86asm.PMINUW, "vec.minmax.dq", vecMinUW, isa.Commute)),
	sse41(vec2("PMAXUW", x86o.APMAXUW, x86asm.PMAXUW, "vec.minmax.dq", vecMaxUW, isa.Commute)),
	sse41(vec2("PMINSD", x86o.APMINSD, x86asm.PMINSD, "vec.minmax.dq", vecMinSD, isa.Commute)),
	sse41(vec2("PMAXSD", x86o.APMAXSD, x86asm.PMAXSD, "vec.minmax.dq", vecMaxSD, isa.Commute)),
	sse41(vec2("PMINUD", x86o.APMINUD, x86asm.PMINUD, "vec.minmax.dq", vecMinUD, isa.Commute)),
	sse41(vec2("PMAXUD", x86o.APMAXUD, x86asm.PMAXUD, "vec.minmax.dq", vecMaxUD, isa.Commute)),
	sse41(unary("PHMINPOSUW", x86o.APHMINPOSUW, x86asm.PHMINPOSUW, "vec.minpos", vecMinPos)),
	vec2("PMULLW", x86o.APMULLW, x86asm.PMULLW, "vec.mul", vecMulLoW, isa.Commute),
	vec2("PMULUDQ", x86o.APMULULQ, x86asm.PMULUDQ, "vec.mul", vecMulUDQ, isa.Commute),
	vec2("PMULHW", x86o.APMULHW, x86asm.PMULHW, "vec.mul", vecMulHiW, isa.Commute),
	vec2("PMULHUW", x86o.APMULHUW, x86asm.PMULHUW, "vec.mul", vecMulHiUW, isa.Commute),
	vec2("PMADDWD", x86o.APMADDWL, x86asm.PMADDWD, "vec.mul", vecMaddWD, isa.Commute),
	ssse3(vec2("PMADDUBSW", x86o.APMADDUBSW, x86asm.PMADDUBSW, "vec.mul", vecMaddUBSW, 0)),
	ssse3(vec2("PMULHRSW", x86o.APMULHRSW, x86asm.PMULHRSW, "vec.mul", vecMulHRSW, isa.Commute)),
	sse41(vec2("PMULDQ", x86o.APMULDQ, x86asm.PMULDQ, "vec.mul", vecMulDQ, isa.Commute)),
	sse41(vec2("PMULLD", x86o.APMULLD, x86asm.PMULLD, "vec.mul.d", vecMulLoD, isa.Commute)),
	vec2("PSADBW", x86o.APSADBW, x86asm.PSADBW, "vec.sad", vecSad, isa.Commute),
	sse41(shuffle("MPSADBW", x86o.AMPSADBW, x86asm.MPSADBW, isa.ReadWrite, "vec.sad.multi", vecMpsad)),
	ssse3(vec2("PHADDW", x86o.APHADDW, x86asm.PHADDW, "vec.hadd.w", vecHaddW, 0)),
	ssse3(vec2("PHADDSW", x86o.APHADDSW, x86asm.PHADDSW, "vec.hadd.w", vecHaddSW, 0)),
	ssse3(vec2("PHADDD", x86o.APHADDD, x86asm.PHADDD, "vec.hadd.d", vecHaddD, 0)),
	ssse3(vec2("PHSUBW", x86o.APHSUBW, x86asm.PHSUBW, "vec.hadd.w", vecHsubW, 0)),
	ssse3(vec2("PHSUBSW", x86o.APHSUBSW, x86asm.PHSUBSW, "vec.hadd.w", vecHsubSW, 0)),
	ssse3(vec2("PHSUBD", x86o.APHSUBD, x86asm.PHSUBD, "vec.hadd.d", vecHsubD, 0)),
	ssse3(vec2("PSIGNB", x86o.APSIGNB, x86asm.PSIGNB, "vec.sign", vecSignB, 0)),
	ssse3(vec2("PSIGNW", x86o.APSIGNW, x86asm.PSIGNW, "vec.sign", vecSignW, 0)),
	ssse3(vec2("PSIGND", x86o.APSIGND, x86asm.PSIGND, "vec.sign", vecSignD, 0)),
	ssse3(unary("PABSB", x86o.APABSB, x86asm.PABSB, "vec.abs", vecAbsB)),
	ssse3(unary("PABSW", x86o.APABSW, x86asm.PABSW, "vec.abs", vecAbsW)),
	ssse3(unary("PABSD", x86o.APABSD, x86asm.PABSD, "vec.abs", vecAbsD)),

	idiom(vec2("PCMPEQB", x86o.APCMPEQB, x86asm.PCMPEQB, "vec.cmp", vecEqB, isa.Commute)),
	idiom(vec2("PCMPEQW", x86o.APCMPEQW, x86asm.PCMPEQW, "vec.cmp", vecEqW, isa.Commute)),
	idiom(vec2("PCMPEQD", x86o.APCMPEQL, x86asm.PCMPEQD, "vec.cmp", vecEqD, isa.Commute)),
	sse41(vec2("PCMPEQQ", x86o.APCMPEQQ, x86asm.PCMPEQQ, "vec.cmp.q", vecEqQ, isa.Commute)),
	idiom(vec2("PCMPGTB", x86o.APCMPGTB, x86asm.PCMPGTB, "vec.cmp", vecGtB, 0)),
	idiom(vec2("PCMPGTW", x86o.APCMPGTW, x86asm.PCMPGTW, "vec.cmp", vecGtW, 0)),
	idiom(vec2("PCMPGTD", x86o.APCMPGTL, x86asm.PCMPGTD, "vec.cmp", vecGtD, 0)),

	vecShift("PSLLW", x86o.APSLLW, x86asm.PSLLW, vecSllW),
	vecShift("PSLLD", x86o.APSLLL, x86asm.PSLLD, vecSllD),
	vecShift("PSLLQ", x86o.APSLLQ, x86asm.PSLLQ, vecSllQ),
	vecShift("PSRLW", x86o.APSRLW, x86asm.PSRLW, vecSrlW),
	vecShift("PSRLD", x86o.APSRLL, x86asm.PSRLD, vecSrlD),
	vecShift("PSRLQ", x86o.APSRLQ, x86asm.PSRLQ, vecSrlQ),
	vecShift("PSRAW", x86o.APSRAW, x86asm.PSRAW, vecSraW),
	vecShift("PSRAD", x86o.APSRAL, x86asm.PSRAD, vecSraD),
	{name: "PSLLDQ", as32: x86o.APSLLO, op: x86asm.PSLLDQ, role: isa.ReadWrite, class: "vec.shift.bytes", vec: vecSllDQ, forms: []form{{"xmm, imm8", kVecI, 0, ""}}},
	{name: "PSRLDQ", as32: x86o.APSRLO, op: x86asm.PSRLDQ, role: isa.ReadWrite, class: "vec.shift.bytes", vec: vecSrlDQ, forms: []form{{"xmm, imm8", kVecI, 0, ""}}},
}

// vec2 is a two-address operation.
func vec2(name string, as asm, op x86asm.Op, class string, fn vecFunc, flags isa.FormFlags) family {
	return family{name: name, as32: as, op: op, role: isa.ReadWrite, class: class, flags: flags, vec: fn, forms: []form{
		{"xmm, xmm", kVecRR, 0, ""}, {"xmm, m128", kVecRM, isa.Load, ""},
	}}
}

// unary does not read its destination.
func unary(name string, as asm, op x86asm.Op, class string, fn vecFunc) family {
	f := vec2(name, as, op, class, fn, 0)
	f.role = isa.Write
	return f
}

func shuffle(name string, as asm, op x86asm.Op, role isa.Role, class string, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: role, class: class, vec: fn, forms: []form{
		{"xmm, xmm, imm8", kVecRR, 0, ""}, {"xmm, m128, imm8", kVecRM, isa.Load, ""},
	}}
}

func vecShift(name string, as asm, op x86asm.Op, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.ReadWrite, class: "vec.shift.xmm", vec: fn, forms: []form{
		{"xmm, imm8", kVecI, 0, "vec.shift.imm"}, {"xmm, xmm", kVecRR, 0, ""}, {"xmm, m128", kVecRM, isa.Load, ""},
	}}
}

func ssse3(f family) family { return feature("ssse3", f) }
func sse41(f family) family { return feature("sse4.1", f) }

func feature(name string, f family) family {
	f.feature = name
	return f
}

// blendV takes its mask from xmm0; spread makes lanes of all ones or zero of it.
func blendV(name string, as asm, op x86asm.Op, spread vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.ReadWrite, class: "vec.blend.var", feature: "sse4.1", vec: spread, forms: []form{
		{"xmm, xmm, xmm0", kVecBlend, 0, ""}, {"xmm, m128, xmm0", kVecBlendM, loads, ""},
	}}
}

func extend(name string, as asm, op x86asm.Op, mem string, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.Write, class: "vec.extend", feature: "sse4.1", vec: fn, forms: []form{
		{"xmm, xmm", kVecRR, 0, ""}, {"xmm, " + mem, kVecRMLow, loads, ""},
	}}
}

// idiom marks a family whose result does not depend on a register that is both operands, which processors recognise.
func idiom(f family) family {
	f.idiom = true
	return f
}

// fast gives the two forms kinds of their own, which the hot loop executes without a call.
func fast(f family, reg, mem kind) family {
	f.forms[0].kind, f.forms[1].kind = reg, mem
	return f
}
