package rv32

import "simrun/isa"

// compressible lists for each base row the compressed rows that may stand for it, each with the
// expansion that says so, in the order of preference of the GNU assembler: that of the table.
var compressible = func() map[*isa.Form][]shorter {
	m := map[*isa.Form][]shorter{}
	for _, e := range entries {
		for _, x := range e.expands {
			f := &x.base.form
			m[f] = append(m[f], shorter{e, x})
		}
	}
	return m
}()

type shorter struct {
	e *entry
	x expansion
}

// Compress returns the 16-bit form of in at pc if there is one that is no hint. A label must have
// its address: with in.Sym set it is taken to be out of reach.
func Compress(in isa.Inst, pc uint64) (isa.Inst, bool) {
	for _, s := range compressible[in.Form] {
		c, ok := s.match(in)
		if !ok || isHint(s.e, in) {
			continue
		}
		if _, _, err := encode(c, pc); err == nil {
			return c, true
		}
	}
	return in, false
}

// isHint reports whether in, written as the compressed row e, would be one of the hints of the
// manual's table 16.4: it sets x0, or adds or shifts by 0 in place. C.NOP and C.MV of a register
// to itself are none.
func isHint(e *entry, in isa.Inst) bool {
	if in.Form.Flags&(isa.Load|isa.Store|isa.Branch|isa.System) != 0 || e.form.ID == "C.NOP" {
		return false
	}
	if in.Args[0] == int64(Zero) {
		return true
	}
	byZero := len(in.Form.Ops) == 3 && in.Form.Ops[2].Kind == isa.KindImm && in.Args[2] == 0
	return byZero && in.Args[0] == in.Args[1] && in.Form.ID != "ANDI" && e.form.ID != "C.MV"
}

// compressAnywhere is Compress for a place that is not known yet: labels count as near.
func compressAnywhere(in isa.Inst) (isa.Inst, bool) {
	if isReloc(in.Sym) {
		return in, false
	}
	in.Sym = ""
	for i, op := range in.Form.Ops {
		if op.Kind == isa.KindLabel {
			in.Args[i] = 0
		}
	}
	return Compress(in, 0)
}

// match inverts the expansion, in both orders of the sources if they may be swapped and one is
// the destination.
func (s shorter) match(in isa.Inst) (isa.Inst, bool) {
	if c, ok := s.invert(in.Args); ok {
		c.Sym = in.Sym
		return c, true
	}
	if in.Form.Flags&isa.Commute == 0 || len(in.Form.Ops) < 3 || in.Args[0] != in.Args[2] || in.Form.Ops[0].Role != isa.Write {
		return in, false
	}
	in.Args[1], in.Args[2] = in.Args[2], in.Args[1]
	return s.invert(in.Args)
}

// invert finds the operands of the compressed row whose expansion has the given arguments.
func (s shorter) invert(args [isa.MaxArgs]int64) (isa.Inst, bool) {
	c := isa.Inst{Form: &s.e.form}
	var set [isa.MaxArgs]bool
	for i, src := range s.x.args {
		switch v := args[i]; {
		case src.slot < 0:
			if v != src.value {
				return c, false
			}
		case set[src.slot]:
			if v != c.Args[src.slot] {
				return c, false
			}
		default:
			c.Args[src.slot], set[src.slot] = v, true
		}
	}
	return c, true
}
