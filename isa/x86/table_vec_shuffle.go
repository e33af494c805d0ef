package x86

import (
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// vecShuffleTable: SDM volume 1, sections 5.5.1.5, 5.6.3 and 5.8, shuffles, packing, single elements.
var vecShuffleTable = []family{
	ssse3(vec2("PSHUFB", x86o.APSHUFB, x86asm.PSHUFB, "vec.shuffle.pshufb", vecShufB, 0)),
	shuffle("PSHUFD", x86o.APSHUFD, x86asm.PSHUFD, isa.Write, "vec.shuffle.pshufd", vecShufD),
	shuffle("PSHUFLW", x86o.APSHUFLW, x86asm.PSHUFLW, isa.Write, "vec.shuffle.imm", vecShufLW),
	shuffle("PSHUFHW", x86o.APSHUFHW, x86asm.PSHUFHW, isa.Write, "vec.shuffle.imm", vecShufHW),
	shuffle("SHUFPS", x86o.ASHUFPS, x86asm.SHUFPS, isa.ReadWrite, "vec.shuffle.ps", vecShufPS),
	shuffle("SHUFPD", x86o.ASHUFPD, x86asm.SHUFPD, isa.ReadWrite, "vec.shuffle.pd", vecShufPD),
	sse41(shuffle("PBLENDW", x86o.APBLENDW, x86asm.PBLENDW, isa.ReadWrite, "vec.blend", vecBlendW)),
	sse41(shuffle("BLENDPS", x86o.ABLENDPS, x86asm.BLENDPS, isa.ReadWrite, "vec.blend", vecBlendPS)),
	sse41(shuffle("BLENDPD", x86o.ABLENDPD, x86asm.BLENDPD, isa.ReadWrite, "vec.blend", vecBlendPD)),
	blendV("PBLENDVB", x86o.APBLENDVB, x86asm.PBLENDVB, vecSpreadB),
	blendV("BLENDVPS", x86o.ABLENDVPS, x86asm.BLENDVPS, vecSpreadD),
	blendV("BLENDVPD", x86o.ABLENDVPD, x86asm.BLENDVPD, vecSpreadQ),
	ssse3(shuffle("PALIGNR", x86o.APALIGNR, x86asm.PALIGNR, isa.ReadWrite, "vec.shuffle.align", vecAlignR)),

	vec2("PUNPCKLBW", x86o.APUNPCKLBW, x86asm.PUNPCKLBW, "vec.unpack.bw", vecUnpackLoB, 0),
	vec2("PUNPCKLWD", x86o.APUNPCKLWL, x86asm.PUNPCKLWD, "vec.unpack.wd", vecUnpackLoW, 0),
	vec2("PUNPCKLDQ", x86o.APUNPCKLLQ, x86asm.PUNPCKLDQ, "vec.unpack.dq", vecUnpackLoD, 0),
	vec2("PUNPCKLQDQ", x86o.APUNPCKLQDQ, x86asm.PUNPCKLQDQ, "vec.unpack.qdq", vecUnpackLoQ, 0),
	vec2("PUNPCKHBW", x86o.APUNPCKHBW, x86asm.PUNPCKHBW, "vec.unpack.bw", vecUnpackHiB, 0),
	vec2("PUNPCKHWD", x86o.APUNPCKHWL, x86asm.PUNPCKHWD, "vec.unpack.wd", vecUnpackHiW, 0),
	vec2("PUNPCKHDQ", x86o.APUNPCKHLQ, x86asm.PUNPCKHDQ, "vec.unpack.dq", vecUnpackHiD, 0),
	vec2("PUNPCKHQDQ", x86o.APUNPCKHQDQ, x86asm.PUNPCKHQDQ, "vec.unpack.qdq", vecUnpackHiQ, 0),
	vec2("UNPCKLPS", x86o.AUNPCKLPS, x86asm.UNPCKLPS, "vec.unpack.ps", vecUnpackLoD, 0),
	vec2("UNPCKHPS", x86o.AUNPCKHPS, x86asm.UNPCKHPS, "vec.unpack.ps", vecUnpackHiD, 0),
	vec2("UNPCKLPD", x86o.AUNPCKLPD, x86asm.UNPCKLPD, "vec.unpack.pd", vecUnpackLoQ, 0),
	vec2("UNPCKHPD", x86o.AUNPCKHPD, x86asm.UNPCKHPD, "vec.unpack.pd", vecUnpackHiQ, 0),
	vec2("PACKSSWB", x86o.APACKSSWB, x86asm.PACKSSWB, "vec.pack", vecPackSSWB, 0),
	vec2("PACKSSDW", x86o.APACKSSLW, x86asm.PACKSSDW, "vec.pack", vecPackSSDW, 0),
	vec2("PACKUSWB", x86o.APACKUSWB, x86asm.PACKUSWB, "vec.pack", vecPackUSWB, 0),
	sse41(vec2("PACKUSDW", x86o.APACKUSDW, x86asm.PACKUSDW, "vec.pack", vecPackUSDW, 0)),
	extend("PMOVSXBW", x86o.APMOVSXBW, x86asm.PMOVSXBW, "m64", vecExtSBW),
	extend("PMOVSXBD", x86o.APMOVSXBD, x86asm.PMOVSXBD, "m32", vecExtSBD),
	extend("PMOVSXBQ", x86o.APMOVSXBQ, x86asm.PMOVSXBQ, "m16", vecExtSBQ),
	extend("PMOVSXWD", x86o.APMOVSXWD, x86asm.PMOVSXWD, "m64", vecExtSWD),
	extend("PMOVSXWQ", x86o.APMOVSXWQ, x86asm.PMOVSXWQ, "m32", vecExtSWQ),
	extend("PMOVSXDQ", x86o.APMOVSXDQ, x86asm.PMOVSXDQ, "m64", vecExtSDQ),
	extend("PMOVZXBW", x86o.APMOVZXBW, x86asm.PMOVZXBW, "m64", vecExtZBW),
	extend("PMOVZXBD", x86o.APMOVZXBD, x86asm.PMOVZXBD, "m32", vecExtZBD),
	extend("PMOVZXBQ", x86o.APMOVZXBQ, x86asm.PMOVZXBQ, "m16", vecExtZBQ),
	extend("PMOVZXWD", x86o.APMOVZXWD, x86asm.PMOVZXWD, "m64", vecExtZWD),
	extend("PMOVZXWQ", x86o.APMOVZXWQ, x86asm.PMOVZXWQ, "m32", vecExtZWQ),
	extend("PMOVZXDQ", x86o.APMOVZXDQ, x86asm.PMOVZXDQ, "m64", vecExtZDQ),
}

// vecElementTable: SDM volume 1, sections 5.5.2, 5.6.3 and 5.10, single elements and sign masks.
var vecElementTable = []family{
	{name: "PMOVMSKB", as32: x86o.APMOVMSKB, op: x86asm.PMOVMSKB, role: isa.Write, class: "vec.mask", vec: vecMaskB, forms: []form{{"r32, xmm", kVecPick, 0, ""}}},
	{name: "PEXTRW", as32: x86o.APEXTRW, op: x86asm.PEXTRW, role: isa.Write, class: "vec.extract", vec: vecExtractW, forms: []form{{"r32, xmm, imm8", kVecPick, 0, ""}}},
	{name: "PINSRW", as32: x86o.APINSRW, op: x86asm.PINSRW, role: isa.ReadWrite, class: "vec.insert", vec: vecInsertW, forms: []form{
		{"xmm, r32, imm8", kVecPut, 0, ""}, {"xmm, m16, imm8", kVecPutM, isa.Load, ""},
	}},
	{name: "MOVMSKPS", as32: x86o.AMOVMSKPS, op: x86asm.MOVMSKPS, role: isa.Write, class: "vec.mask", vec: vecMaskPS, forms: []form{{"r32, xmm", kVecPick, 0, ""}}},
	{name: "MOVMSKPD", as32: x86o.AMOVMSKPD, op: x86asm.MOVMSKPD, role: isa.Write, class: "vec.mask", vec: vecMaskPD, forms: []form{{"r32, xmm", kVecPick, 0, ""}}},
	{name: "PEXTRB", as32: x86o.APEXTRB, op: x86asm.PEXTRB, role: isa.Write, class: "vec.extract.dq", feature: "sse4.1", vec: vecExtractB, forms: []form{
		{"r32, xmm, imm8", kVecPick, 0, ""}, {"m8, xmm, imm8", kVecPickStore, stores, "vec.extract.store"},
	}},
	{name: "PEXTRW", as32: x86o.APEXTRW, op: x86asm.PEXTRW, role: isa.Write, class: "vec.extract.store", feature: "sse4.1", vec: vecExtractW, forms: []form{{"m16, xmm, imm8", kVecPickStore, stores, ""}}},
	{name: "PEXTRD", as32: x86o.APEXTRD, op: x86asm.PEXTRD, role: isa.Write, class: "vec.extract.dq", feature: "sse4.1", vec: vecExtractD, forms: []form{
		{"r32, xmm, imm8", kVecPick, 0, ""}, {"m32, xmm, imm8", kVecPickStore, stores, "vec.extract.store"},
	}},
	{name: "PEXTRQ", as32: x86o.APEXTRQ, op: x86asm.PEXTRQ, role: isa.Write, class: "vec.extract.dq", feature: "sse4.1", vec: vecExtractQ, forms: []form{
		{"r64, xmm, imm8", kVecPick, 0, ""}, {"m64, xmm, imm8", kVecPickStore, stores, "vec.extract.store"},
	}},
	{name: "EXTRACTPS", own: opcode(0x66, -1, true, 0x0f, 0x3a, 0x17), op: x86asm.EXTRACTPS, role: isa.Write, class: "vec.extract.dq", feature: "sse4.1", vec: vecExtractD, forms: []form{
		{"r32, xmm, imm8", kVecPick, 0, ""}, {"m32, xmm, imm8", kVecPickStore, stores, "vec.extract.store"},
	}},
	{name: "INSERTPS", as32: x86o.AINSERTPS, op: x86asm.INSERTPS, role: isa.ReadWrite, class: "vec.insert.dq", feature: "sse4.1", vec: vecInsertPS, forms: []form{{"xmm, xmm, imm8", kVecRR, 0, ""}}},
	{name: "INSERTPS", as32: x86o.AINSERTPS, op: x86asm.INSERTPS, role: isa.ReadWrite, class: "vec.insert.dq", feature: "sse4.1", vec: vecInsertPSM, forms: []form{{"xmm, m32, imm8", kVecRMLow, loads, ""}}},
	{name: "PINSRB", as32: x86o.APINSRB, op: x86asm.PINSRB, role: isa.ReadWrite, class: "vec.insert.dq", feature: "sse4.1", vec: vecInsertB, forms: []form{
		{"xmm, r32, imm8", kVecPut, 0, ""}, {"xmm, m8, imm8", kVecPutM, loads, ""},
	}},
	{name: "PINSRD", as32: x86o.APINSRD, op: x86asm.PINSRD, role: isa.ReadWrite, class: "vec.insert.dq", feature: "sse4.1", vec: vecInsertD, forms: []form{
		{"xmm, r32, imm8", kVecPut, 0, ""}, {"xmm, m32, imm8", kVecPutM, loads, ""},
	}},
	{name: "PINSRQ", as32: x86o.APINSRQ, op: x86asm.PINSRQ, role: isa.ReadWrite, class: "vec.insert.dq", feature: "sse4.1", vec: vecInsertQ, forms: []form{
		{"xmm, r64, imm8", kVecPut, 0, ""}, {"xmm, m64, imm8", kVecPutM, loads, ""},
	}},
}
