package lower

import (
	"simrun/isa"
	"simrun/isa/t32"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// rules says how each operation is selected. An operation that is not here is refused by name.
var rules = compile.Rules[*selector]{
	compile.OpConst:  func(s *selector, v *compile.Value) { s.views.Set(v, view{kind: constant, c: uint32(v.Const.Lo)}) },
	compile.OpNumber: func(s *selector, v *compile.Value) { s.views.Set(v, view{kind: constant, c: uint32(v.Off)}) },
	compile.OpBase:   (*selector).base,
	compile.OpLoad:   (*selector).load,
	compile.OpAddr:   (*selector).addr,
	compile.OpScale:  (*selector).scale,
	compile.OpSum:    func(s *selector, v *compile.Value) { s.arith("ADD_reg_T3", v) },
	ir.Xor:           (*selector).logic,
	ir.And:           (*selector).logic,
	ir.Or:            (*selector).logic,
	ir.Not:           (*selector).not,
	ir.Rotl:          (*selector).rotl,
	ir.Shl:           (*selector).shift,
	ir.Shr:           (*selector).shift,
	ir.Add:           func(s *selector, v *compile.Value) { s.arith("ADD_reg_T3", v) },
	ir.Sub:           func(s *selector, v *compile.Value) { s.arith("SUB_reg_T2", v) },
	ir.Rev:           (*selector).rev,
	ir.Rev16:         func(s *selector, v *compile.Value) { s.unary("REV16_T2", v) },
	ir.Lookup:        (*selector).lookup,
	ir.Zext:          func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.Reg(v.Args[0])}) },
	ir.Trunc:         func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.cut(s.Reg(v.Args[0]), v.Width)}) },
}

func (s *selector) Value(v *compile.Value) {
	rules.Select(s.b, s, v, func(v *compile.Value) bool { return v.Width <= 32 })
}

// result emits an instruction with a new register in front and makes it the value of v.
func (s *selector) result(v *compile.Value, id string, args ...any) {
	d := s.b.New(isa.GPR, "")
	s.b.Emit(mk(id, append([]any{d}, args...)...))
	s.views.Set(v, view{reg: d})
}

func (s *selector) unary(id string, v *compile.Value) {
	s.result(v, id, s.Reg(v.Args[0]))
}

func (s *selector) rev(v *compile.Value) {
	switch v.Width {
	case 8:
		s.views.Set(v, view{reg: s.Reg(v.Args[0])})
	case 16:
		s.unary("REV16_T2", v)
	default:
		s.unary("REV_T2", v)
	}
}

// not complements a view. Narrow words are complemented at once, so that the bits above them stay zero.
func (s *selector) not(v *compile.Value) {
	w := s.view(v.Args[0])
	if w.kind == constant {
		s.views.Set(v, view{kind: constant, c: ^w.c & (1<<v.Width - 1)})
		return
	}
	if v.Width < 32 {
		w.not = true
		s.views.Set(v, view{reg: s.materialise(w, v.Width)})
		return
	}
	w.not = !w.not
	s.views.Set(v, w)
}

// rotl composes rotations; narrow words have none.
func (s *selector) rotl(v *compile.Value) {
	if v.Width < 32 {
		s.narrowRotl(v)
		return
	}
	w := s.rotatedView(s.view(v.Args[0]), v.Width)
	w.n = (w.n + v.Imm.N) & 31
	s.views.Set(v, w)
}

// narrowRotl rotates within 8 or 16 bits: the word twice side by side, shifted, cut.
func (s *selector) narrowRotl(v *compile.Value) {
	x := s.Reg(v.Args[0])
	d := s.b.New(isa.GPR, "")
	s.b.Emit(mk("ORR_reg_T2", d, x, x, t32.LSL(v.Width)))
	e := s.b.New(isa.GPR, "")
	s.b.Emit(mk("LSR_imm_T2", e, d, v.Width-v.Imm.N))
	s.views.Set(v, view{reg: s.cut(e, v.Width)})
}

func (s *selector) shift(v *compile.Value) {
	x := s.Reg(v.Args[0])
	if v.Op == ir.Shr {
		s.views.Set(v, view{reg: x, kind: right, n: v.Imm.N})
		return
	}
	if v.Width < 32 {
		d := s.b.New(isa.GPR, "")
		s.b.Emit(mk("LSL_imm_T2", d, x, v.Imm.N))
		s.views.Set(v, view{reg: s.cut(d, v.Width)})
		return
	}
	s.views.Set(v, view{reg: x, kind: left, n: v.Imm.N})
}

// arith adds or subtracts: the first operand plain, the second shifted, rotated or a constant.
func (s *selector) arith(id string, v *compile.Value) {
	a, b := v.Args[0], v.Args[1]
	if id == "ADD_reg_T3" && (s.view(b).plain() || s.view(a).kind == constant) {
		a, b = b, a
	}
	w := s.view(b)
	if w.kind == constant {
		c := int64(int32(w.c))
		if id == "SUB_reg_T2" {
			c = -c
		}
		s.views.Set(v, view{reg: s.cut(s.plus(s.Reg(a), c), v.Width)})
		return
	}
	x := s.Reg(a)
	if w.not {
		w = view{reg: s.Reg(b)}
	}
	d := s.b.New(isa.GPR, "")
	s.b.Emit(mk(id, d, x, w.reg, w.operand(0)))
	s.views.Set(v, view{reg: s.cut(d, v.Width)})
}

func (s *selector) Decrement(r int64) int64 {
	d := s.b.New(isa.GPR, "count")
	s.b.Emit(mk("SUBS_imm_T3", d, r, 1))
	return d
}

// Branch jumps if the comparison does not hold.
func (s *selector) Branch(c ir.Compare, x, y int64, label string) {
	s.b.Emit(mk("CMP_reg_T3", x, y, 0))
	unless := map[ir.Compare]int{ir.Eq: t32.NE, ir.Ne: t32.EQ, ir.Lt: t32.GE, ir.Le: t32.GT, ir.Gt: t32.LE, ir.Ge: t32.LT}
	s.b.Emit(jumpIf(unless[c], label))
}
