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
	views  compile.Scoped[*compile.Value, view]
	masked compile.Scoped[mask, int64] // registers that hold x & c
}

// mask is a register masked by a constant.
type mask struct {
	reg int64
	c   uint32
}

func newSelector(b *compile.Builder) compile.Selector { return &selector{b: b} }

func (s *selector) Define(v *compile.Value, r int64) { s.views.Set(v, view{reg: r}) }

func (s *selector) Enter() {
	s.views.Enter()
	s.masked.Enter()
}

func (s *selector) Leave() {
	s.views.Leave()
	s.masked.Leave()
}

// view returns how v can be had.
func (s *selector) view(v *compile.Value) view {
	w, ok := s.views.Get(v)
	if !ok {
		panic(fmt.Sprintf("lower: value %d is used before it is selected", v.ID))
	}
	return w
}

func (s *selector) Flush() {}

// Reg brings v into a register as it is.
func (s *selector) Reg(v *compile.Value) int64 {
	w := s.view(v)
	switch {
	case w.plain():
		return w.reg
	case w.fixed:
		return s.constReg(w.c)
	}
	r := s.complement(w.reg, v.Width)
	s.views.Set(v, view{reg: r})
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
		ins := rv32.LoadConst(rv32.T0, c)
		for i := range ins {
			ins[i].Uses(func(slot int, _ *isa.Operand) {
				if ins[i].Reg(slot) == rv32.T0 {
					ins[i].Args[slot] = r
				}
			})
		}
		return ins
	})
}
