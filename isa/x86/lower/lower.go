// Package lower says how kernel operations become SSE2 and SSSE3: selection rules, transposes,
// moves, spills. It is linked by programs/targets only and knows no CPU.
package lower

import (
	"slices"

	"simrun/isa"
	"simrun/isa/x86"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// Target is x86-64: words in general registers (scalar.go) where inScalars says so, else in xmm registers, with
// addresses in general ones. There a kernel on 32-bit words runs four times side by side, one call in each 32-bit lane: lane 0 is the lowest. Keys functions
// and kernels on slices use one lane. RDI points into the context block throughout; the other caller-saved
// registers are free.
func Target() *compile.Target {
	t, scalar := vectorTarget(), scalarTarget()
	t.Pick = func(k *ir.Kernel) *compile.Target {
		if inScalars(k) {
			return scalar
		}
		return t
	}
	return t
}

// inScalars is the choice between scalar and vector code: a secret index must be in a general register, and
// xmm registers have no words of 8, 16 and 64 bits here.
func inScalars(k *ir.Kernel) bool {
	return k.Leaky || k.Works(8) || k.Works(16) || k.Works(64)
}

func vectorTarget() *compile.Target {
	return &compile.Target{
		Arch:      x86.New(),
		SliceBits: sliceBits,
		Widest:    sliceBits,
		Vector:    true,
		Context:   true,
		Lanes:     lanes,
		Regs: [2][]isa.Reg{
			isa.GPR: {x86.RAX, x86.RCX, x86.RDX, x86.RSI, x86.R8, x86.R9, x86.R10, x86.R11},
			isa.Vec: xmms(),
		},
		SlotBytes:   [2]int{isa.GPR: 8, isa.Vec: 16},
		NewSelector: newSelector,
		Move: func(c isa.RegClass, d, s isa.Reg) isa.Inst {
			return mk(moves[c], d, s)
		},
		Spill: func(c isa.RegClass, r isa.Reg, off int) isa.Inst {
			return mk(spills[c], frame(off), r)
		},
		Reload: func(c isa.RegClass, r isa.Reg, off int) isa.Inst {
			return mk(reloads[c], r, frame(off))
		},
		EarlyStores: true,
		Fold:        fold,
		Twin:        twin,
		NearSlots:   bias + window/2,
		Anchors:     anchors(),
		LoopBranch:  func(_ isa.Reg, label string) []isa.Inst { return []isa.Inst{to(label, "JNE_rel")} },
		Guard: func(r isa.Reg, label string) []isa.Inst {
			return []isa.Inst{mk("TEST_r64_r64", r, r), to(label, "JLE_rel")}
		},
		MaxFrame: 1 << 20,
		Jump:     func(label string) isa.Inst { return to(label, "JMP_rel") },
		Entry: func(saved isa.RegSet, _ int) []isa.Inst {
			return append([]isa.Inst{enter()}, each(saved, "PUSH_r64")...)
		},
		Exit: func(saved isa.RegSet, _ int) []isa.Inst {
			ins := each(saved, "POP_r64")
			slices.Reverse(ins)
			return append(ins, mk("RET"))
		},
	}
}

// Forms by register class.
var (
	moves   = [2]string{isa.GPR: "MOV_r64_r64", isa.Vec: "MOVDQA_xmm_xmm"}
	spills  = [2]string{isa.GPR: "MOV_m64_r64", isa.Vec: "MOVDQA_m128_xmm"}
	reloads = [2]string{isa.GPR: "MOV_r64_m64", isa.Vec: "MOVDQA_xmm_m128"}
)

// lanes is the number of calls side by side: one where a message is in words wider than a lane.
func lanes(k *ir.Kernel) int {
	if k.Slice || k.IsKeys() {
		return 1
	}
	for _, p := range k.Params(sliceBits) {
		if p.Mem != nil && p.Mem.Kind != ir.Key && p.Mem.Width > 32 {
			return 1
		}
	}
	return 4
}

const sliceBits = 128 // an xmm register

func xmms() []isa.Reg {
	var rs []isa.Reg
	for i := range 16 {
		rs = append(rs, x86.XMM(i))
	}
	return rs
}

// mem is a memory operand: base + disp. frame is one in the context block.
type mem struct {
	base int64
	disp int
}

// frame is an operand in the context block. Displacements of one byte reach 128 bytes to both sides, so RDI points there.
func frame(off int) mem { return mem{int64(x86.RDI), off - bias} }

const bias = 128

// enter makes RDI, which comes in as the address of the context block, what frame wants.
func enter() isa.Inst { return mk("LEA_r64_m", x86.RDI, mem{int64(x86.RDI), bias}) }

// each makes one instruction for each general register, in ascending order.
func each(set isa.RegSet, id string) []isa.Inst {
	var ins []isa.Inst
	for r := isa.Reg(0); r <= x86.R15; r++ {
		if set.Has(r) {
			ins = append(ins, mk(id, r))
		}
	}
	return ins
}

// Slots gives base, no index, scale 1, displacement.
func (m mem) Slots() []int64 { return []int64{m.base, int64(isa.NoReg), 1, int64(m.disp)} }

var mk = compile.Maker(x86.Make)

// to makes a branch to a label.
func to(label, id string) isa.Inst { return compile.To(label, mk(id, 0)) }
