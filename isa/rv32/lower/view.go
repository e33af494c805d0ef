package lower

import (
	"fmt"

	"simrun/isa"
	"simrun/isa/rv32"
	"simrun/programs/compile"
)

// A view is a value as it can be had for nothing: a register, perhaps complemented, or a constant.
// xor absorbs complements; and/or do so by De Morgan when both inputs are complemented.
type view struct {
	reg   int64
	not   bool // the value is the complement of the register
	fixed bool // the value is the constant c
	c     uint32
}

func (w view) plain() bool { return !w.not && !w.fixed }

type selector struct {
	b      *compile.Builder
	views  map[*compile.Value]view
	masked map[mask]int64 // registers that hold x & c
	log    []undo         // what Leave takes back
	marks  []int
}

// mask is a value masked by a constant.
type mask struct {
	reg int64
	c   uint32
}

type undo struct {
	v      *compile.Value
	old    view
	had    bool
	masked mask // set if the entry is one of masked
}

func newSelector(b *compile.Builder) compile.Selector {
	return &selector{b: b, views: map[*compile.Value]view{}, masked: map[mask]int64{}}
}

func (s *selector) set(v *compile.Value, w view) {
	old, had := s.views[v]
	s.log = append(s.log, undo{v: v, old: old, had: had})
	s.views[v] = w
}

func (s *selector) Define(v *compile.Value, r int64) { s.set(v, view{reg: r}) }

func (s *selector) Enter() { s.marks = append(s.marks, len(s.log)) }

// Leave forgets registers made since Enter for values from outside; they were not computed on
// every path.
func (s *selector) Leave() {
	at := s.marks[len(s.marks)-1]
	s.marks = s.marks[:len(s.marks)-1]
	for i := len(s.log) - 1; i >= at; i-- {
		u := s.log[i]
		switch {
		case u.v == nil:
			delete(s.masked, u.masked)
		case u.had:
			s.views[u.v] = u.old
		}
	}
	s.log = s.log[:at]
}

func (s *selector) Flush() {}

// Reg brings v into a register as it is.
func (s *selector) Reg(v *compile.Value) int64 {
	w, ok := s.views[v]
	switch {
	case !ok:
		panic(fmt.Sprintf("lower: value %d is not selected", v.ID))
	case w.plain():
		return w.reg
	case w.fixed:
		return s.constReg(w.c)
	}
	r := s.complement(w.reg, v.Width)
	s.set(v, view{reg: r})
	return r
}

// complement emits ~r within the width.
func (s *selector) complement(r int64, width int) int64 {
	d := s.b.New(isa.GPR, "")
	s.b.Emit(mk("XORI", d, r, -1))
	return s.cut(d, width)
}

// cut clears the bits above a narrow word.
func (s *selector) cut(r int64, width int) int64 {
	switch width {
	case 8:
		d := s.b.New(isa.GPR, "")
		s.b.Emit(mk("ANDI", d, r, 255))
		return d
	case 16:
		d, e := s.b.New(isa.GPR, ""), s.b.New(isa.GPR, "")
		s.b.Emit(mk("SLLI", d, r, 16))
		s.b.Emit(mk("SRLI", e, d, 16))
		return e
	}
	return r
}

// short reports whether c fits a 12-bit signed immediate.
func short(c uint32) bool { return int32(c) >= -2048 && int32(c) < 2048 }

// constReg is a register that holds c, computed wherever it is needed.
func (s *selector) constReg(c uint32) int64 {
	return s.b.Remat(isa.GPR, fmt.Sprintf("#%08x", c), func(r int64) []isa.Inst {
		low := int(int32(c<<20) >> 20)
		if short(c) {
			return []isa.Inst{mk("ADDI", r, rv32.Zero, low)}
		}
		ins := []isa.Inst{mk("LUI", r, int((c+0x800)>>12&0xfffff))}
		if low != 0 {
			ins = append(ins, mk("ADDI", r, r, low))
		}
		return ins
	})
}
