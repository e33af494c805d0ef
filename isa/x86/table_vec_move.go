package x86

import (
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// vecMoveTable: SDM volume 1, sections 5.5.1.1, 5.6.1.1, 5.6.3, 5.6.4 and 5.7, moves.
var vecMoveTable = []family{
	fullMove("MOVDQA", x86o.AMOVO, x86asm.MOVDQA, "vec.mov", kVecLoadA, kVecStoreA, "vec.load", "vec.store"),
	fullMove("MOVDQU", x86o.AMOVOU, x86asm.MOVDQU, "vec.mov", kVecLoadU, kVecStoreU, "vec.load.unaligned", "vec.store.unaligned"),
	fullMove("MOVAPS", x86o.AMOVAPS, x86asm.MOVAPS, "vec.mov.ps", kVecLoadA, kVecStoreA, "vec.load", "vec.store"),
	fullMove("MOVAPD", x86o.AMOVAPD, x86asm.MOVAPD, "vec.mov.ps", kVecLoadA, kVecStoreA, "vec.load", "vec.store"),
	fullMove("MOVUPS", x86o.AMOVUPS, x86asm.MOVUPS, "vec.mov.ps", kVecLoadU, kVecStoreU, "vec.load.unaligned.ps", "vec.store.unaligned"),
	fullMove("MOVUPD", x86o.AMOVUPD, x86asm.MOVUPD, "vec.mov.ps", kVecLoadU, kVecStoreU, "vec.load.unaligned.ps", "vec.store.unaligned"),
	{name: "LDDQU", as32: x86o.ALDDQU, op: x86asm.LDDQU, role: isa.Write, class: "vec.load.unaligned", feature: "sse3", flags: loads, forms: []form{{"xmm, m128", kVecLoadU, 0, ""}}},
	{name: "MOVNTDQA", as32: x86o.AMOVNTDQA, op: x86asm.MOVNTDQA, role: isa.Write, class: "vec.load.nt", feature: "sse4.1", flags: loads, forms: []form{{"xmm, m128", kVecLoadA, 0, ""}}},
	{name: "MOVNTDQ", as32: x86o.AMOVNTO, op: x86asm.MOVNTDQ, role: isa.Read, class: "vec.store.nt", flags: stores, forms: []form{{"m128, xmm", kVecStoreA, 0, ""}}},
	{name: "MOVNTPS", as32: x86o.AMOVNTPS, op: x86asm.MOVNTPS, role: isa.Read, class: "vec.store.nt", flags: stores, forms: []form{{"m128, xmm", kVecStoreA, 0, ""}}},
	{name: "MOVNTPD", as32: x86o.AMOVNTPD, op: x86asm.MOVNTPD, role: isa.Read, class: "vec.store.nt", flags: stores, forms: []form{{"m128, xmm", kVecStoreA, 0, ""}}},
	{name: "MASKMOVDQU", as32: x86o.AMASKMOVOU, op: x86asm.MASKMOVDQU, role: isa.Read, class: "vec.store.mask", flags: stores, reads: isa.Set(RDI), forms: []form{{"xmm, xmm", kVecMaskMov, 0, ""}}},
	{name: "MOVD", as32: x86o.AMOVL, op: x86asm.MOVD, role: isa.Write, forms: []form{
		{"xmm, r32", kVecFromGPR, 0, "vec.move.from.gpr"}, {"xmm, m32", kVecLoadLow, isa.Load, "vec.load.low"},
		{"r32, xmm", kVecToGPR, 0, "vec.move.to.gpr"}, {"m32, xmm", kVecStoreLow, isa.Store, "vec.store.low"},
	}},
	{name: "MOVQ", as32: x86o.AMOVQ, op: x86asm.MOVQ, role: isa.Write, forms: []form{
		{"xmm, r64", kVecFromGPR, 0, "vec.move.from.gpr"}, {"r64, xmm", kVecToGPR, 0, "vec.move.to.gpr"},
		{"xmm, xmm", kVecMovLow, 0, "vec.mov"},
		{"xmm, m64", kVecLoadLow, isa.Load, "vec.load.low"}, {"m64, xmm", kVecStoreLow, isa.Store, "vec.store.low"},
	}},

	// A scalar move between registers keeps the rest of the destination, a load clears it.
	{name: "MOVSS", as32: x86o.AMOVSS, op: x86asm.MOVSS, role: isa.ReadWrite, class: "vec.mov.scalar", vec: vecMovSS, forms: []form{{"xmm, xmm", kVecRR, 0, ""}}},
	{name: "MOVSS", as32: x86o.AMOVSS, op: x86asm.MOVSS, role: isa.Write, forms: []form{{"xmm, m32", kVecLoadLow, loads, "vec.load.low"}, {"m32, xmm", kVecStoreLow, stores, "vec.store.low"}}},
	{name: "MOVSD", as32: x86o.AMOVSD, op: x86asm.MOVSD_XMM, role: isa.ReadWrite, class: "vec.mov.scalar", vec: vecMovSD, forms: []form{{"xmm, xmm", kVecRR, 0, ""}}},
	{name: "MOVSD", as32: x86o.AMOVSD, op: x86asm.MOVSD_XMM, role: isa.Write, forms: []form{{"xmm, m64", kVecLoadLow, loads, "vec.load.low"}, {"m64, xmm", kVecStoreLow, stores, "vec.store.low"}}},
	{name: "MOVHLPS", as32: x86o.AMOVHLPS, op: x86asm.MOVHLPS, role: isa.ReadWrite, class: "vec.mov.half", vec: vecMovHL, forms: []form{{"xmm, xmm", kVecRR, 0, ""}}},
	{name: "MOVLHPS", as32: x86o.AMOVLHPS, op: x86asm.MOVLHPS, role: isa.ReadWrite, class: "vec.mov.half", vec: vecUnpackLoQ, forms: []form{{"xmm, xmm", kVecRR, 0, ""}}},
	halfMove("MOVLPS", x86o.AMOVLPS, x86asm.MOVLPS, vecMovSD),
	halfMove("MOVLPD", x86o.AMOVLPD, x86asm.MOVLPD, vecMovSD),
	halfMove("MOVHPS", x86o.AMOVHPS, x86asm.MOVHPS, vecUnpackLoQ),
	halfMove("MOVHPD", x86o.AMOVHPD, x86asm.MOVHPD, vecUnpackLoQ),
	halfStore("MOVLPS", x86o.AMOVLPS, x86asm.MOVLPS, kVecStoreLow, "vec.store.low"),
	halfStore("MOVLPD", x86o.AMOVLPD, x86asm.MOVLPD, kVecStoreLow, "vec.store.low"),
	halfStore("MOVHPS", x86o.AMOVHPS, x86asm.MOVHPS, kVecStoreHigh, "vec.store.half"),
	halfStore("MOVHPD", x86o.AMOVHPD, x86asm.MOVHPD, kVecStoreHigh, "vec.store.half"),
	{name: "MOVDDUP", as32: x86o.AMOVDDUP, op: x86asm.MOVDDUP, role: isa.Write, class: "vec.dup", feature: "sse3", vec: vecDup, forms: []form{{"xmm, xmm", kVecRR, 0, ""}, {"xmm, m64", kVecRMLow, loads, ""}}},
	feature("sse3", unary("MOVSLDUP", x86o.AMOVSLDUP, x86asm.MOVSLDUP, "vec.dup", vecDupLo)),
	feature("sse3", unary("MOVSHDUP", x86o.AMOVSHDUP, x86asm.MOVSHDUP, "vec.dup", vecDupHi)),
}

func fullMove(name string, as asm, op x86asm.Op, class string, load, store kind, loadClass, storeClass string) family {
	return family{name: name, as32: as, op: op, role: isa.Write, class: class, forms: []form{
		{"xmm, xmm", kVecMov, 0, ""}, {"xmm, m128", load, isa.Load, loadClass}, {"m128, xmm", store, isa.Store, storeClass},
	}}
}

func halfMove(name string, as asm, op x86asm.Op, fn vecFunc) family {
	return family{name: name, as32: as, op: op, role: isa.ReadWrite, class: "vec.load.half", flags: loads, vec: fn, forms: []form{{"xmm, m64", kVecRMLow, 0, ""}}}
}

func halfStore(name string, as asm, op x86asm.Op, k kind, class string) family {
	return family{name: name, as32: as, op: op, role: isa.Read, class: class, flags: stores, forms: []form{{"m64, xmm", k, 0, ""}}}
}
