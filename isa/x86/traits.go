package x86

import (
	"strings"

	"simrun/isa"
)

// traits gathers what renamers and decoders ask of an instruction.
func (r *row) traits(in *isa.Inst) isa.Traits {
	var t isa.Traits
	if r.isZeroIdiom(in) {
		t |= isa.ZeroIdiom
	}
	if r.isRegMove() {
		t |= isa.RegMove
	}
	imm := r.immediate()
	if imm != nil && imm.size == 2 && r.width() == 2 {
		t |= isa.LengthChange
	}
	if m := r.mem(); m >= 0 && imm != nil && in.Reg(m) == RIP {
		t |= isa.RIPImmediate
	}
	return t | r.narrow()
}

func (r *row) isZeroIdiom(in *isa.Inst) bool {
	if len(r.operands) != 2 || len(r.Ops) != 2 || !r.idiom {
		return false
	}
	return r.operands[0].size >= 4 && r.Ops[1].Kind == isa.KindReg && in.Args[0] == in.Args[1]
}

// isRegMove reports a move between registers of the same file and of the full width.
func (r *row) isRegMove() bool {
	if len(r.operands) != 2 || len(r.Ops) != 2 || r.Ops[0].Role != isa.Write || r.Ops[1].Kind != isa.KindReg {
		return false
	}
	return r.Class == "vec.mov" && r.Mnemonic != "movq" || r.Class == "vec.mov.ps" || r.Class == "mov" && r.width() >= 4
}

func (r *row) immediate() *operand {
	for i := range r.operands {
		if r.operands[i].what == opImm {
			return &r.operands[i]
		}
	}
	return nil
}

// narrow tells of general registers of 8 and 16 bits.
func (r *row) narrow() isa.Traits {
	var t isa.Traits
	reads, narrow := 0, 0
	for _, o := range r.operands {
		if o.what != opReg && o.what != opHigh {
			continue
		}
		role := r.Ops[o.slot].Role
		if o.size < 4 && role&isa.Write != 0 {
			t |= isa.NarrowWrite
			if o.what == opHigh {
				t |= isa.HighWrite
			}
			if r.Mnemonic == "mov" || role == isa.Write || r.Class == "alu.set" {
				t |= isa.NarrowMove
			}
		}
		if role&isa.Read != 0 {
			reads++
			if o.size < 4 {
				narrow++
			}
		}
	}
	if reads > 0 && reads == narrow {
		t |= isa.NarrowRead
	}
	return t
}

// conditionReads are the flags that conditions look at, by the upper three bits of their code.
var conditionReads = [8]isa.FlagGroups{
	isa.OverflowRead, isa.CarryRead, isa.OthersRead, isa.CarryRead | isa.OthersRead,
	isa.OthersRead, isa.OthersRead, isa.OverflowRead | isa.OthersRead, isa.OverflowRead | isa.OthersRead,
}

// flagGroups says which flags are read and written.
func (r *row) flagGroups() isa.FlagGroups {
	var g isa.FlagGroups
	if strings.HasPrefix(r.Class, "flag.dir") || strings.HasPrefix(r.Class, "string.") && !r.Writes.Has(RFLAGS) {
		return g // DF alone
	}
	if r.Writes.Has(RFLAGS) {
		g = isa.AllFlagsWritten &^ r.keeps
	}
	switch {
	case !r.Reads.Has(RFLAGS):
	case r.Flags&isa.Cond != 0 || r.Class == "alu.set" || r.Class == "alu.cmov":
		g |= conditionReads[r.cc>>1]
	case r.Class == "shift.cl" || r.Class == "rotate.cl":
		// A count of zero keeps the flags, which are passed on unseen.
	default:
		g |= isa.CarryRead
	}
	return g
}
