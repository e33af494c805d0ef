package lower

import (
	"encoding/binary"
	"fmt"

	"simrun/isa"
	"simrun/isa/x86"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// A view is a register, perhaps complemented, or a constant. All logic absorbs complements, by PANDN
// and De Morgan.
type view struct {
	reg   int64
	not   bool
	fixed bool
	c     ir.Word
}

func (w view) plain() bool { return !w.not && !w.fixed }

type selector struct {
	b      *compile.Builder
	lanes  int
	views  compile.Scoped[*compile.Value, view]
	loads  map[*compile.Value][]*compile.Value // the four loads of the quad that a load fills with others
	stores map[quad][]*compile.Store
	order  []quad // of pending stores
}

func newSelector(b *compile.Builder) compile.Selector {
	s := &selector{b: b, lanes: b.Target.Lanes(b.Graph.Kernel),
		stores: map[quad][]*compile.Store{}}
	s.findQuads()
	return s
}

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

// rules says how each operation is selected. An operation that is not here is refused by name.
var rules = compile.Rules[*selector]{
	compile.OpConst:  func(s *selector, v *compile.Value) { s.views.Set(v, view{fixed: true, c: v.Const}) },
	compile.OpNumber: func(s *selector, v *compile.Value) { s.views.Set(v, view{fixed: true, c: ir.Word{Lo: uint64(v.Off)}}) },
	compile.OpBase:   (*selector).base,
	compile.OpPublic: func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.field(v.Name)}) },
	compile.OpLoad:   (*selector).load,
	compile.OpAddr:   (*selector).addr,
	compile.OpScale:  (*selector).scale,
	compile.OpSum:    (*selector).sum,
	ir.Xor:           (*selector).logic,
	ir.And:           (*selector).logic,
	ir.Or:            (*selector).logic,
	ir.Not:           (*selector).not,
	ir.Rotl:          (*selector).rotl,
	ir.Shl:           func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.shift("PSLLD", v.Args[0], v.Imm.N)}) },
	ir.Shr:           func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.shift("PSRLD", v.Args[0], v.Imm.N)}) },
	ir.Add:           func(s *selector, v *compile.Value) { s.arith("PADDD_xmm_xmm", v) },
	ir.Sub:           func(s *selector, v *compile.Value) { s.arith("PSUBD_xmm_xmm", v) },
	ir.Rev:           func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.shuffle(s.Reg(v.Args[0]), reversed)}) },
	ir.Rev16:         func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.shuffle(s.Reg(v.Args[0]), paired)}) },
	ir.Perm:          (*selector).perm,
}

// bitwise are the operations that do not care how wide a word is.
var bitwise = map[compile.Op]bool{compile.OpConst: true, compile.OpLoad: true, ir.Xor: true, ir.And: true,
	ir.Or: true, ir.Not: true, ir.Perm: true}

func (s *selector) Value(v *compile.Value) {
	rules.Select(s.b, s, v, func(v *compile.Value) bool {
		return v.Width == 0 || v.Width == 32 || v.Width == 128 && bitwise[v.Op]
	})
}

// emit makes an instruction with a new register in front and returns that.
func (s *selector) emit(c isa.RegClass, id string, args ...any) int64 {
	d := s.b.New(c, "")
	s.b.Emit(mk(id, append([]any{d}, args...)...))
	return d
}

// update makes a two-address instruction: the result is a new register that starts as old.
func (s *selector) update(c isa.RegClass, id string, old int64, args ...any) int64 {
	d := s.b.New(c, "")
	s.b.EmitTied(mk(id, append([]any{d}, args...)...), old)
	return d
}

// Reg brings v into a register as it is.
func (s *selector) Reg(v *compile.Value) int64 {
	w := s.view(v)
	switch {
	case w.plain():
		return w.reg
	case w.fixed && v.Width == 0:
		return s.number(int64(w.c.Lo))
	case w.fixed:
		return s.constReg(w.c, v.Width)
	}
	r := s.updateConst("PXOR", w.reg, ir.Word{Lo: ^uint64(0), Hi: ^uint64(0)}, 128)
	s.views.Set(v, view{reg: r})
	return r
}

func (s *selector) number(n int64) int64 {
	return s.b.Remat(isa.GPR, fmt.Sprint("#", n), func(r int64) []isa.Inst { return []isa.Inst{mk("MOV_r64_imm32", r, int(n))} })
}

// bytes16 is a constant as it lies in an xmm register: a 32-bit one in every lane.
func bytes16(c ir.Word, width int) []byte {
	b := make([]byte, 16)
	binary.LittleEndian.PutUint64(b, c.Lo)
	binary.LittleEndian.PutUint64(b[8:], c.Hi)
	if width == 32 {
		for i := 4; i < 16; i++ {
			b[i] = b[i-4]
		}
	}
	return b
}

// ripOperand is the memory operand of an instruction that compile.To points at a label.
var ripOperand = mem{int64(x86.RIP), 0}

// constReg is a register that holds c, loaded wherever it is needed.
func (s *selector) constReg(c ir.Word, width int) int64 {
	label := s.b.Constant(bytes16(c, width))
	return s.b.Remat(isa.Vec, label, func(r int64) []isa.Inst {
		return []isa.Inst{compile.To(label, mk("MOVDQA_xmm_m128", r, ripOperand))}
	})
}

// updateConst is update with a constant as memory operand.
func (s *selector) updateConst(name string, old int64, c ir.Word, width int) int64 {
	return s.updateBytes(name, old, bytes16(c, width))
}

func (s *selector) updateBytes(name string, old int64, b []byte) int64 {
	d := s.b.New(isa.Vec, "")
	s.b.EmitTied(compile.To(s.b.Constant(b), mk(name+"_xmm_m128", d, ripOperand)), old)
	return d
}

func (s *selector) not(v *compile.Value) {
	w := s.view(v.Args[0])
	w.not = !w.not
	s.views.Set(v, w)
}

// A gate computes an operation on inputs of which some are complemented: first OP second, swapped if so,
// perhaps giving the complement.
type gate struct {
	name string
	swap bool
	not  bool
}

// gates by operation and by which of the inputs a (2) and b (1) are complemented. PANDN complements its first.
var gates = map[ir.Op][4]gate{
	ir.Xor: {{"PXOR", false, false}, {"PXOR", false, true}, {"PXOR", false, true}, {"PXOR", false, false}},
	ir.And: {{"PAND", false, false}, {"PANDN", true, false}, {"PANDN", false, false}, {"POR", false, true}},
	ir.Or:  {{"POR", false, false}, {"PANDN", false, true}, {"PANDN", true, true}, {"PAND", false, true}},
}

func (s *selector) logic(v *compile.Value) {
	a, b := s.view(v.Args[0]), s.view(v.Args[1])
	if a.fixed {
		a, b = b, a
	}
	if b.fixed {
		s.views.Set(v, s.withConst(v.Op, a, b.c, v.Width))
		return
	}
	i := 0
	if a.not {
		i += 2
	}
	if b.not {
		i++
	}
	g := gates[v.Op][i]
	first, second := a.reg, b.reg
	if g.swap {
		first, second = second, first
	}
	s.views.Set(v, view{reg: s.update(isa.Vec, g.name+"_xmm_xmm", first, second), not: g.not})
}

// withConst combines a view with a constant in memory.
//
//	~x & c = pandn x, c; x | c; ~x | c = ~(x & ~c)
func (s *selector) withConst(op ir.Op, a view, c ir.Word, width int) view {
	inverse := ir.Word{Lo: ^c.Lo, Hi: ^c.Hi}
	switch {
	case op == ir.Xor:
		return view{reg: s.updateConst("PXOR", a.reg, c, width), not: a.not}
	case op == ir.And && a.not:
		return view{reg: s.updateConst("PANDN", a.reg, c, width)}
	case op == ir.And:
		return view{reg: s.updateConst("PAND", a.reg, c, width)}
	case a.not:
		return view{reg: s.updateConst("PAND", a.reg, inverse, width), not: true}
	}
	return view{reg: s.updateConst("POR", a.reg, c, width)}
}

func (s *selector) shift(name string, v *compile.Value, n int) int64 {
	return s.update(isa.Vec, name+"_xmm_imm8", s.Reg(v), n)
}

// rotl: whole bytes are one shuffle; else two shifts and or.
func (s *selector) rotl(v *compile.Value) {
	n := v.Imm.N
	if n%8 == 0 {
		s.views.Set(v, view{reg: s.shuffle(s.Reg(v.Args[0]), func(k int) int { return (k - n/8) & 3 })})
		return
	}
	hi := s.shift("PSLLD", v.Args[0], n)
	lo := s.shift("PSRLD", v.Args[0], 32-n)
	s.views.Set(v, view{reg: s.update(isa.Vec, "POR_xmm_xmm", hi, lo)})
}

func reversed(k int) int { return 3 - k }
func paired(k int) int   { return k ^ 1 }

// shuffle moves bytes inside each 32-bit lane: byte k of a lane comes from byte from(k).
func (s *selector) shuffle(x int64, from func(k int) int) int64 {
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(i&^3 + from(i&3))
	}
	return s.updateBytes("PSHUFB", x, b)
}

// perm moves bytes of a 128-bit word, or inside the lanes of 32-bit words.
func (s *selector) perm(v *compile.Value) {
	x := s.Reg(v.Args[0])
	if v.Width == 32 {
		s.views.Set(v, view{reg: s.shuffle(x, func(k int) int { return v.Imm.Perm[k] })})
		return
	}
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(v.Imm.Perm[i])
	}
	s.views.Set(v, view{reg: s.updateBytes("PSHUFB", x, b)})
}

func (s *selector) arith(id string, v *compile.Value) {
	s.views.Set(v, view{reg: s.update(isa.Vec, id, s.Reg(v.Args[0]), s.Reg(v.Args[1]))})
}

func (s *selector) Decrement(r int64) int64 { return s.update(isa.GPR, "SUB_r64_imm32", r, 1) }

// Branch jumps if the comparison does not hold.
func (s *selector) Branch(c ir.Compare, x, y int64, label string) {
	unless := map[ir.Compare]string{ir.Eq: "JNE", ir.Ne: "JE", ir.Lt: "JGE", ir.Le: "JG", ir.Gt: "JLE", ir.Ge: "JL"}
	s.b.Emit(mk("CMP_r64_r64", x, y))
	s.b.Emit(to(label, unless[c]+"_rel"))
}
