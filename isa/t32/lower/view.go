package lower

import (
	"fmt"
	"math/bits"

	"simrun/isa"
	"simrun/isa/t32"
	"simrun/programs/compile"
)

// A view is a value as it can be had for nothing: a register, rotated or shifted, perhaps complemented;
// or a constant. The second operand of a data-processing instruction takes any rotation or shift, and
// xor, and/bic and or/orn absorb complements, so neither needs an instruction of its own.
type view struct {
	reg  int64
	kind kind
	n    int  // amount: rotated left, shifted left or shifted right
	not  bool // the value is the complement of that
	c    uint32
}

type kind uint8

const (
	rotated kind = iota
	left
	right
	constant
)

// plain reports whether the register holds the value itself.
func (v view) plain() bool { return v.kind == rotated && v.n == 0 && !v.not }

// operand is the shift operand that gives the value, up to the complement, next to a base that
// is itself rotated left by rot.
func (v view) operand(rot int) int64 {
	switch v.kind {
	case left:
		return t32.LSL(v.n)
	case right:
		return t32.LSR(v.n)
	}
	return t32.ROR((rot - v.n) & 31)
}

type selector struct {
	b     *compile.Builder
	views compile.Scoped[*compile.Value, view]
}

func newSelector(b *compile.Builder) compile.Selector { return &selector{b: b} }

func (s *selector) Define(v *compile.Value, r int64) { s.views.Set(v, view{reg: r}) }
func (s *selector) Enter()                           { s.views.Enter() }
func (s *selector) Leave()                           { s.views.Leave() }

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
	if w.plain() {
		return w.reg
	}
	r := s.materialise(w, v.Width)
	if w.kind != constant {
		s.views.Set(v, view{reg: r})
	}
	return r
}

// materialise emits the instruction that a view stands for.
func (s *selector) materialise(w view, width int) int64 {
	if w.kind == constant {
		return s.constReg(w.c)
	}
	if w.plain() {
		return w.reg
	}
	r := s.b.New(isa.GPR, "")
	switch {
	case w.not:
		s.b.Emit(mk("MVN_reg_T2", r, w.reg, w.operand(0)))
	case w.kind == left:
		s.b.Emit(mk("LSL_imm_T2", r, w.reg, w.n))
	case w.kind == right:
		s.b.Emit(mk("LSR_imm_T2", r, w.reg, w.n))
	default:
		s.b.Emit(mk("ROR_imm_T1", r, w.reg, (32-w.n)&31))
	}
	if w.not && width > 0 && width < 32 {
		return s.cut(r, width)
	}
	return r
}

// cut clears the bits above a narrow word.
func (s *selector) cut(r int64, width int) int64 {
	id := map[int]string{8: "UXTB_T2", 16: "UXTH_T2"}[width]
	if id == "" {
		return r
	}
	d := s.b.New(isa.GPR, "")
	s.b.Emit(mk(id, d, r, 0))
	return d
}

// rotatedView makes w a register with a rotation only.
func (s *selector) rotatedView(w view, width int) view {
	if w.kind == rotated {
		return w
	}
	return view{reg: s.materialise(w, width)}
}

// constView gives a register that holds c up to rotation and complement: all of a mask's rotations share one.
func (s *selector) constView(c uint32) view {
	best := view{kind: constant, c: c}
	for n := 0; n < 32; n++ {
		r := bits.RotateLeft32(c, -n)
		if r < best.c {
			best.c, best.n, best.not = r, n, false
		}
		if ^r < best.c {
			best.c, best.n, best.not = ^r, n, true
		}
	}
	return view{reg: s.constReg(best.c), n: best.n, not: best.not}
}

// constReg is a register that holds exactly c, computed wherever it is needed.
func (s *selector) constReg(c uint32) int64 {
	return s.b.Remat(isa.GPR, hex(c), func(r int64) []isa.Inst {
		switch {
		case t32.EncodableImm(c):
			return []isa.Inst{mk("MOV_imm_T2", r, c)}
		case t32.EncodableImm(^c):
			return []isa.Inst{mk("MVN_imm_T1", r, ^c)}
		case c>>16 == 0:
			return []isa.Inst{mk("MOV_imm_T3", r, c)}
		}
		return []isa.Inst{mk("MOV_imm_T3", r, c&0xffff), mk("MOVT_T1", r, c>>16)}
	})
}

func hex(c uint32) string {
	const digits = "0123456789abcdef"
	s := make([]byte, 0, 9)
	s = append(s, '#')
	for i := 28; i >= 0; i -= 4 {
		s = append(s, digits[c>>i&15])
	}
	return string(s)
}
