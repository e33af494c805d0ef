// Package lower says how kernel operations become Thumb-2: selection rules, moves, spills.
// It is linked by programs/targets only and knows no CPU.
package lower

import (
	"math/bits"

	"simrun/isa"
	"simrun/isa/t32"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// Target is Thumb-2 with 14 registers: r0-r12 and lr. Code is selected in 32-bit encodings, so that no
// instruction straddles fetch words, which costs cycles; it becomes shorter if that is asked for. docs/decisions.md has the reason.
func Target() *compile.Target {
	return &compile.Target{
		Arch:        t32.New(),
		SliceBits:   32,
		Widest:      32,
		FreeRotate:  32,
		PairLoads:   true,
		Lanes:       func(*ir.Kernel) int { return 1 },
		Regs:        [2][]isa.Reg{isa.GPR: {0, 1, 2, 3, 12, 4, 5, 6, 7, 8, 9, 10, 11, t32.LR}},
		SlotBytes:   [2]int{4, 4},
		NewSelector: newSelector,
		Gates:       bitGates(),
		Move:        func(_ isa.RegClass, d, s isa.Reg) isa.Inst { return mk("MOV_reg_T3", d, s) },
		Spill:       func(_ isa.RegClass, r isa.Reg, off int) isa.Inst { return mk("STR_imm_T3", r, t32.SP, off) },
		Reload:      func(_ isa.RegClass, r isa.Reg, off int) isa.Inst { return mk("LDR_imm_T3", r, t32.SP, off) },
		LoopBranch:  func(_ isa.Reg, label string) []isa.Inst { return []isa.Inst{jumpIf(t32.NE, label)} },
		Guard: func(r isa.Reg, label string) []isa.Inst {
			return []isa.Inst{mk("CMP_imm_T2", r, 0), jumpIf(t32.LE, label)}
		},
		Jump:       func(label string) isa.Inst { return compile.To(label, mk("B_T4", 0)) },
		Shorten:    t32.Shorten,
		ShortRegs:  isa.Set(0, 1, 2, 3, 4, 5, 6, 7),
		Fuse:       fuse,
		LoopAlign:  4,
		MaxFrame:   reach,
		StackBytes: func(used isa.RegSet, frame int) int { return 4*bits.OnesCount64(uint64(used)) + frame },
		Entry:      entry,
		Exit:       exit,
	}
}

var mk = compile.Maker(t32.Make)

func jumpIf(cond int, label string) isa.Inst { return compile.To(label, mk("B_T3", cond, 0)) }

// entry saves what the convention asks for and opens the frame.
func entry(used isa.RegSet, frame int) []isa.Inst {
	var ins []isa.Inst
	if used != 0 {
		ins = append(ins, push(used))
	}
	if frame > 0 {
		ins = append(ins, adjust("SUB_SP_imm_T2", "SUB_SP_imm_T3", frame))
	}
	return ins
}

// exit undoes entry and returns; a saved lr goes straight to the pc.
func exit(used isa.RegSet, frame int) []isa.Inst {
	var ins []isa.Inst
	if frame > 0 {
		ins = append(ins, adjust("ADD_SP_imm_T3", "ADD_SP_imm_T4", frame))
	}
	switch {
	case used.Has(t32.LR):
		return append(ins, pop(used&^isa.Set(t32.LR)|isa.Set(t32.PC)))
	case used != 0:
		ins = append(ins, pop(used))
	}
	return append(ins, mk("BX_T1", t32.LR))
}

// single gives the only register of a set.
func single(set isa.RegSet) (isa.Reg, bool) {
	for r := isa.Reg(0); r < isa.NoReg; r++ {
		if set == isa.Set(r) {
			return r, true
		}
	}
	return 0, false
}

// push and pop of one register are plain stores and loads: the multiple forms need two.
func push(set isa.RegSet) isa.Inst {
	if r, ok := single(set); ok {
		return mk("STR_pre_T4", r, t32.SP, -4)
	}
	return mk("STMDB_wb_T1", t32.SP, int64(set))
}

func pop(set isa.RegSet) isa.Inst {
	if r, ok := single(set); ok {
		return mk("LDR_post_T4", r, t32.SP, 4)
	}
	return mk("LDM_wb_T2", t32.SP, int64(set))
}

// adjust moves the stack pointer: by a modified immediate, or by up to 4095.
func adjust(modified, plain string, frame int) isa.Inst {
	if t32.EncodableImm(uint32(frame)) {
		return mk(modified, t32.SP, frame)
	}
	return mk(plain, t32.SP, frame)
}
