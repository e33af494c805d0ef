package lower

import (
	"math/bits"

	"simrun/isa"
	"simrun/isa/t32"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// logic selects xor, and, or of two views. The result is rotated as the base operand is.
func (s *selector) logic(v *compile.Value) {
	a, b := s.view(v.Args[0]), s.view(v.Args[1])
	if a.kind == constant {
		a, b = b, a
	}
	if b.kind == constant {
		s.views.Set(v, s.withConst(v.Op, a, b.c, v))
		return
	}
	s.views.Set(v, s.combine(v.Op, a, b, v.Width))
}

// combine emits one instruction. The base must be a rotation; next to a shifted operand, the identity.
func (s *selector) combine(op ir.Op, a, b view, width int) view {
	if b.kind == rotated && (a.kind != rotated || (b.n == 0 && a.n != 0)) {
		a, b = b, a // prefer the base that needs no rotation: the result needs none then
	}
	if a.kind != rotated {
		a = view{reg: s.materialise(a, width)}
	}
	if b.kind != rotated && a.n != 0 {
		b = view{reg: s.materialise(b, width)}
	}
	d := s.b.New(isa.GPR, "")
	g := gates[op][index(a.not)*2+index(b.not)]
	s.b.Emit(mk(g.id, d, a.reg, b.reg, b.operand(a.n)))
	return view{reg: d, n: a.n, not: g.not}
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A gate computes op on complemented inputs, perhaps giving the complement.
type gate struct {
	id  string
	not bool
}

// gates by operation and by which of base (2) and operand (1) is complemented.
//
//	and: a & b; a & ~b = bic; ~a & b = ~(a | ~b) = not orn; ~a & ~b = not orr
var gates = map[ir.Op][4]gate{
	ir.Xor: {{"EOR_reg_T2", false}, {"EOR_reg_T2", true}, {"EOR_reg_T2", true}, {"EOR_reg_T2", false}},
	ir.And: {{"AND_reg_T2", false}, {"BIC_reg_T2", false}, {"ORN_reg_T1", true}, {"ORR_reg_T2", true}},
	ir.Or:  {{"ORR_reg_T2", false}, {"ORN_reg_T1", false}, {"BIC_reg_T2", true}, {"AND_reg_T2", true}},
}

// immediate forms: id with the constant, or its complement, and whether the result is complemented.
//
//	x & c: and c, bic ~c          ~x & c = ~(x | ~c): orn c, orr ~c
//	x | c: orr c, orn ~c          ~x | c = ~(x & ~c): bic c, and ~c
type immGate struct {
	id   string
	flip bool // the immediate is ~c
	not  bool
}

var immGates = map[ir.Op][2][]immGate{
	ir.Xor: {
		{{"EOR_imm_T1", false, false}, {"EOR_imm_T1", true, true}},
		{{"EOR_imm_T1", false, true}, {"EOR_imm_T1", true, false}},
	},
	ir.And: {
		{{"AND_imm_T1", false, false}, {"BIC_imm_T1", true, false}},
		{{"ORN_imm_T1", false, true}, {"ORR_imm_T1", true, true}},
	},
	ir.Or: {
		{{"ORR_imm_T1", false, false}, {"ORN_imm_T1", true, false}},
		{{"BIC_imm_T1", false, true}, {"AND_imm_T1", true, true}},
	},
}

// manyUses is from how many uses on a constant is worth a register.
const manyUses = 3

// withConst combines a view with a constant: an immediate if one of its forms fits, two of them for
// a rarely used xor, else a register.
func (s *selector) withConst(op ir.Op, a view, c uint32, v *compile.Value) view {
	if v.Width < 32 {
		a = view{reg: s.materialise(a, v.Width)}
	}
	a = s.rotatedView(a, v.Width)
	here := bits.RotateLeft32(c, -a.n) // the constant as the register sees it
	for _, g := range immGates[op][index(a.not)] {
		if g.flip && v.Width < 32 {
			continue
		}
		k := here
		if g.flip {
			k = ^k
		}
		if t32.EncodableImm(k) {
			d := s.b.New(isa.GPR, "")
			s.b.Emit(mk(g.id, d, a.reg, k))
			return view{reg: d, n: a.n, not: g.not}
		}
	}
	if op == ir.Xor && constOf(v).Uses < manyUses {
		if k, l, ok := split(here); ok {
			d, e := s.b.New(isa.GPR, ""), s.b.New(isa.GPR, "")
			s.b.Emit(mk("EOR_imm_T1", d, a.reg, k))
			s.b.Emit(mk("EOR_imm_T1", e, d, l))
			return view{reg: e, n: a.n, not: a.not}
		}
	}
	if v.Width < 32 {
		return s.combine(op, a, view{reg: s.constReg(c)}, v.Width)
	}
	return s.combine(op, a, s.constView(c), v.Width)
}

func constOf(v *compile.Value) *compile.Value {
	if v.Args[0].Op == compile.OpConst {
		return v.Args[0]
	}
	return v.Args[1]
}

// split writes c as the xor of two modified immediates.
func split(c uint32) (k, l uint32, ok bool) {
	for n := 0; n < 32; n++ { // eight bits anywhere
		k = c & bits.RotateLeft32(0xff, n)
		if n <= 24 && t32.EncodableImm(k) && t32.EncodableImm(c^k) {
			return k, c ^ k, true
		}
	}
	for b := uint32(1); b < 256; b++ {
		for _, k := range []uint32{b * 0x01010101, b * 0x00010001, b * 0x01000100} {
			if t32.EncodableImm(c ^ k) {
				return k, c ^ k, true
			}
		}
	}
	return 0, 0, false
}
