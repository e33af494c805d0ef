package x86

import (
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// SSE and SSE2 belong to x86-64 itself, so their rows name no feature.

// vecMoveTable: SDM volume 1, sections 5.5.1 and 5.6.3, moves.
var vecMoveTable = []family{
	fullMove("MOVDQA", x86o.AMOVO, x86asm.MOVDQA, "vec.mov", "", kVecLoadA, kVecStoreA),
	fullMove("MOVDQU", x86o.AMOVOU, x86asm.MOVDQU, "vec.mov", ".unaligned", kVecLoadU, kVecStoreU),
	fullMove("MOVAPS", x86o.AMOVAPS, x86asm.MOVAPS, "vec.mov.ps", "", kVecLoadA, kVecStoreA),
	fullMove("MOVUPS", x86o.AMOVUPS, x86asm.MOVUPS, "vec.mov.ps", ".unaligned", kVecLoadU, kVecStoreU),
	{name: "MOVD", as32: x86o.AMOVL, op: x86asm.MOVD, role: isa.Write, forms: []form{
		{"xmm, r32", kVecFromGPR, 0, "vec.move.from.gpr"}, {"xmm, m32", kVecLoadLow, isa.Load, "vec.load.low"},
		{"r32, xmm", kVecToGPR, 0, "vec.move.to.gpr"}, {"m32, xmm", kVecStoreLow, isa.Store, "vec.store.low"},
	}},
	{name: "MOVQ", as32: x86o.AMOVQ, op: x86asm.MOVQ, role: isa.Write, forms: []form{
		{"xmm, r64", kVecFromGPR, 0, "vec.move.from.gpr"}, {"r64, xmm", kVecToGPR, 0, "vec.move.to.gpr"},
		{"xmm, xmm", kVecMovLow, 0, "vec.mov"},
		{"xmm, m64", kVecLoadLow, isa.Load, "vec.load.low"}, {"m64, xmm", kVecStoreLow, isa.Store, "vec.store.low"},
	}},
}

func fullMove(name string, as asm, op x86asm.Op, class, align string, load, store kind) family {
	return family{name: name, as32: as, op: op, role: isa.Write, class: class, forms: []form{
		{"xmm, xmm", kVecMov, 0, ""}, {"xmm, m128", load, isa.Load, "vec.load" + align}, {"m128, xmm", store, isa.Store, "vec.store" + align},
	}}
}

// vecTable: SDM volume 1, sections 5.5.1.3, 5.6.3 and 5.8, arithmetic, comparison, logic, shifts.
var vecTable = []family{
	fast(vec2("PAND", x86o.APAND, x86asm.PAND, "vec.logic", vecAnd, isa.Commute), kPand, kPandM),
	fast(vec2("PANDN", x86o.APANDN, x86asm.PANDN, "vec.logic", vecAndNot, 0), kPandn, kPandnM),
	fast(vec2("POR", x86o.APOR, x86asm.POR, "vec.logic", vecOr, isa.Commute), kPor, kPorM),
	fast(vec2("PXOR", x86o.APXOR, x86asm.PXOR, "vec.logic", vecXor, isa.Commute), kPxor, kPxorM),
	fast(vec2("ANDPS", x86o.AANDPS, x86asm.ANDPS, "vec.logic.ps", vecAnd, isa.Commute), kPand, kPandM),
	fast(vec2("ANDNPS", x86o.AANDNPS, x86asm.ANDNPS, "vec.logic.ps", vecAndNot, 0), kPandn, kPandnM),
	fast(vec2("ORPS", x86o.AORPS, x86asm.ORPS, "vec.logic.ps", vecOr, isa.Commute), kPor, kPorM),
	fast(vec2("XORPS", x86o.AXORPS, x86asm.XORPS, "vec.logic.ps", vecXor, isa.Commute), kPxor, kPxorM),

	vec2("PADDB", x86o.APADDB, x86asm.PADDB, "vec.add", vecAddB, isa.Commute),
	vec2("PADDW", x86o.APADDW, x86asm.PADDW, "vec.add", vecAddW, isa.Commute),
	vec2("PADDD", x86o.APADDL, x86asm.PADDD, "vec.add", vecAddD, isa.Commute),
	vec2("PADDQ", x86o.APADDQ, x86asm.PADDQ, "vec.add.q", vecAddQ, isa.Commute),
	vec2("PSUBB", x86o.APSUBB, x86asm.PSUBB, "vec.add", vecSubB, 0),
	vec2("PSUBW", x86o.APSUBW, x86asm.PSUBW, "vec.add", vecSubW, 0),
	vec2("PSUBD", x86o.APSUBL, x86asm.PSUBD, "vec.add", vecSubD, 0),
	vec2("PSUBQ", x86o.APSUBQ, x86asm.PSUBQ, "vec.add.q", vecSubQ, 0),
	vec2("PMULLW", x86o.APMULLW, x86asm.PMULLW, "vec.mul", vecMulLoW, isa.Commute),
	vec2("PMULUDQ", x86o.APMULULQ, x86asm.PMULUDQ, "vec.mul", vecMulUDQ, isa.Commute),
	ssse3(unary("PABSB", x86o.APABSB, x86asm.PABSB, "vec.abs", vecAbsB)),
	ssse3(unary("PABSW", x86o.APABSW, x86asm.PABSW, "vec.abs", vecAbsW)),
	ssse3(unary("PABSD", x86o.APABSD, x86asm.PABSD, "vec.abs", vecAbsD)),

	vec2("PCMPEQB", x86o.APCMPEQB, x86asm.PCMPEQB, "vec.cmp", vecEqB, isa.Commute),
	vec2("PCMPEQW", x86o.APCMPEQW, x86asm.PCMPEQW, "vec.cmp", vecEqW, isa.Commute),
	vec2("PCMPEQD", x86o.APCMPEQL, x86asm.PCMPEQD, "vec.cmp", vecEqD, isa.Commute),
	vec2("PCMPGTB", x86o.APCMPGTB, x86asm.PCMPGTB, "vec.cmp", vecGtB, 0),
	vec2("PCMPGTW", x86o.APCMPGTW, x86asm.PCMPGTW, "vec.cmp", vecGtW, 0),
	vec2("PCMPGTD", x86o.APCMPGTL, x86asm.PCMPGTD, "vec.cmp", vecGtD, 0),

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

// vecShuffleTable: SDM volume 1, sections 5.5.1.5, 5.6.3 and 5.8, shuffles, packing, single elements.
var vecShuffleTable = []family{
	ssse3(vec2("PSHUFB", x86o.APSHUFB, x86asm.PSHUFB, "vec.shuffle.pshufb", vecShufB, 0)),
	shuffle("PSHUFD", x86o.APSHUFD, x86asm.PSHUFD, isa.Write, "vec.shuffle.pshufd", vecShufD),
	shuffle("PSHUFLW", x86o.APSHUFLW, x86asm.PSHUFLW, isa.Write, "vec.shuffle.imm", vecShufLW),
	shuffle("PSHUFHW", x86o.APSHUFHW, x86asm.PSHUFHW, isa.Write, "vec.shuffle.imm", vecShufHW),
	shuffle("SHUFPS", x86o.ASHUFPS, x86asm.SHUFPS, isa.ReadWrite, "vec.shuffle.ps", vecShufPS),
	ssse3(shuffle("PALIGNR", x86o.APALIGNR, x86asm.PALIGNR, isa.ReadWrite, "vec.shuffle.align", vecAlignR)),

	vec2("PUNPCKLBW", x86o.APUNPCKLBW, x86asm.PUNPCKLBW, "vec.unpack.bw", vecUnpackLoB, 0),
	vec2("PUNPCKLWD", x86o.APUNPCKLWL, x86asm.PUNPCKLWD, "vec.unpack.wd", vecUnpackLoW, 0),
	vec2("PUNPCKLDQ", x86o.APUNPCKLLQ, x86asm.PUNPCKLDQ, "vec.unpack.dq", vecUnpackLoD, 0),
	vec2("PUNPCKLQDQ", x86o.APUNPCKLQDQ, x86asm.PUNPCKLQDQ, "vec.unpack.qdq", vecUnpackLoQ, 0),
	vec2("PUNPCKHBW", x86o.APUNPCKHBW, x86asm.PUNPCKHBW, "vec.unpack.bw", vecUnpackHiB, 0),
	vec2("PUNPCKHWD", x86o.APUNPCKHWL, x86asm.PUNPCKHWD, "vec.unpack.wd", vecUnpackHiW, 0),
	vec2("PUNPCKHDQ", x86o.APUNPCKHLQ, x86asm.PUNPCKHDQ, "vec.unpack.dq", vecUnpackHiD, 0),
	vec2("PUNPCKHQDQ", x86o.APUNPCKHQDQ, x86asm.PUNPCKHQDQ, "vec.unpack.qdq", vecUnpackHiQ, 0),
	vec2("PACKSSWB", x86o.APACKSSWB, x86asm.PACKSSWB, "vec.pack", vecPackSSWB, 0),
	vec2("PACKSSDW", x86o.APACKSSLW, x86asm.PACKSSDW, "vec.pack", vecPackSSDW, 0),
	vec2("PACKUSWB", x86o.APACKUSWB, x86asm.PACKUSWB, "vec.pack", vecPackUSWB, 0),

	{name: "PMOVMSKB", as32: x86o.APMOVMSKB, op: x86asm.PMOVMSKB, role: isa.Write, class: "vec.mask", vec: vecMaskB, forms: []form{{"r32, xmm", kVecPick, 0, ""}}},
	{name: "PEXTRW", as32: x86o.APEXTRW, op: x86asm.PEXTRW, role: isa.Write, class: "vec.extract", vec: vecExtractW, forms: []form{{"r32, xmm, imm8", kVecPick, 0, ""}}},
	{name: "PINSRW", as32: x86o.APINSRW, op: x86asm.PINSRW, role: isa.ReadWrite, class: "vec.insert", vec: vecInsertW, forms: []form{
		{"xmm, r32, imm8", kVecPut, 0, ""}, {"xmm, m16, imm8", kVecPutM, isa.Load, ""},
	}},
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

func ssse3(f family) family {
	f.feature = "ssse3"
	return f
}

// fast gives the two forms kinds of their own, which the hot loop executes without a call.
func fast(f family, reg, mem kind) family {
	f.forms[0].kind, f.forms[1].kind = reg, mem
	return f
}
