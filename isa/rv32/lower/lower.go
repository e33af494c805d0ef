// Package lower says how kernel operations become RV32IM: selection rules, moves, spills.
// It is linked by programs/targets only and knows no CPU.
package lower

import (
	"simrun/isa"
	"simrun/isa/rv32"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// Target is RV32 with 28 registers: all but zero, sp, gp and tp. What can be compressed is, on CPUs that have it.
func Target() *compile.Target {
	return &compile.Target{
		Arch:      rv32.New(),
		SliceBits: 32,
		Widest:    32,
		Lanes:     func(*ir.Kernel) int { return 1 },
		Regs: [2][]isa.Reg{isa.GPR: {
			rv32.A0, rv32.A1, rv32.A2, rv32.A3, rv32.A4, rv32.A5, rv32.A6, rv32.A7,
			rv32.T0, rv32.T1, rv32.T2, rv32.T3, rv32.T4, rv32.T5, rv32.T6,
			rv32.S0, rv32.S1, rv32.S2, rv32.S3, rv32.S4, rv32.S5, rv32.S6, rv32.S7,
			rv32.S8, rv32.S9, rv32.S10, rv32.S11, rv32.RA}},
		SlotBytes:   [2]int{4, 4},
		NewSelector: newSelector,
		Gates:       bitGates(),
		Move:        func(_ isa.RegClass, d, s isa.Reg) isa.Inst { return mk("ADDI", d, s, 0) },
		Spill:       func(_ isa.RegClass, r isa.Reg, off int) isa.Inst { return mk("SW", r, off, rv32.SP) },
		Reload:      func(_ isa.RegClass, r isa.Reg, off int) isa.Inst { return mk("LW", r, off, rv32.SP) },
		LoopBranch:  func(r isa.Reg, label string) []isa.Inst { return []isa.Inst{to(label, "BNE", r, rv32.Zero, 0)} },
		Guard:       func(r isa.Reg, label string) []isa.Inst { return []isa.Inst{to(label, "BGE", rv32.Zero, r, 0)} },
		Jump:        func(label string) isa.Inst { return to(label, "JAL", rv32.Zero, 0) },
		Far:         far,

		Shorten:      rv32.Shorten,
		ShortFeature: "c",
		ShortIsFree:  true,
		ShortRegs:    isa.Set(rv32.S0, rv32.S1, rv32.A0, rv32.A1, rv32.A2, rv32.A3, rv32.A4, rv32.A5),
		LoopAlign:    4,

		MaxFrame:   2032 - 4*13, // reach of SP minus the saved registers
		StackBytes: func(used isa.RegSet, frame int) int { return size(list(used), frame) },
		Entry:      entry,
		Exit:       exit,
	}
}

var mk = compile.Maker(rv32.Make)

// to makes a branch, or an instruction with a relocation, for a label.
func to(label, id string, args ...any) isa.Inst { return compile.To(label, mk(id, args...)) }

var opposite = map[string]string{"BEQ": "BNE", "BNE": "BEQ", "BLT": "BGE", "BGE": "BLT", "BLTU": "BGEU", "BGEU": "BLTU"}

// far replaces a conditional branch that cannot reach its label: the opposite branch jumps
// over a JAL.
func far(in isa.Inst, over string) []isa.Inst {
	near := to(over, opposite[in.Form.ID], in.Args[0], in.Args[1], 0)
	return []isa.Inst{near, to(in.Sym, "JAL", rv32.Zero, 0)}
}

// entry opens a frame and saves the used registers above it.
func entry(used isa.RegSet, frame int) []isa.Inst {
	regs := list(used)
	total := size(regs, frame)
	if total == 0 {
		return nil
	}
	ins := []isa.Inst{mk("ADDI", rv32.SP, rv32.SP, -total)}
	for i, r := range regs {
		ins = append(ins, mk("SW", r, frame+4*i, rv32.SP))
	}
	return ins
}

// exit undoes entry and returns.
func exit(used isa.RegSet, frame int) []isa.Inst {
	regs := list(used)
	var ins []isa.Inst
	for i, r := range regs {
		ins = append(ins, mk("LW", r, frame+4*i, rv32.SP))
	}
	if total := size(regs, frame); total > 0 {
		ins = append(ins, mk("ADDI", rv32.SP, rv32.SP, total))
	}
	return append(ins, mk("JALR", rv32.Zero, 0, rv32.RA))
}

func list(set isa.RegSet) []isa.Reg {
	var regs []isa.Reg
	for r := isa.Reg(0); r < 32; r++ {
		if set.Has(r) {
			regs = append(regs, r)
		}
	}
	return regs
}

// size of the whole frame: a multiple of 16 bytes, as ilp32 asks for.
func size(regs []isa.Reg, frame int) int { return (frame + 4*len(regs) + 15) &^ 15 }
