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
	mem   bool           // still in memory, to be loaded or taken from there by its only reader
	home  *compile.Value // the load that made it, if memory still holds it
	used  int            // length of the code when it was loaded or read last
	fixed bool
	c     ir.Word
}

func (w view) plain() bool { return !w.not && !w.fixed && !w.mem }

type selector struct {
	b      *compile.Builder
	lanes  int
	views  compile.Scoped[*compile.Value, view]
	loads  map[*compile.Value][]*compile.Value // the four loads of the quad that a load fills with others
	stores map[quad][]*compile.Store
	order  []quad // of pending stores

	waiting []*compile.Value // loads whose memory still holds them but may change
	anchors compile.Scoped[int64, []anchored]
	spreads compile.Scoped[*compile.Value, int64] // 32-bit words in all lanes
	within  map[*compile.Value]bool               // operations that a splat does with its own
}

func newSelector(b *compile.Builder) compile.Selector {
	s := &selector{b: b, lanes: b.Target.Lanes(b.Graph.Kernel),
		stores: map[quad][]*compile.Store{}}
	s.findQuads()
	s.findSpreads()
	return s
}

func (s *selector) Define(v *compile.Value, r int64) { s.views.Set(v, view{reg: r}) }

func (s *selector) Enter() {
	s.views.Enter()
	s.anchors.Enter()
	s.spreads.Enter()
}

func (s *selector) Leave() {
	s.views.Leave()
	s.anchors.Leave()
	s.spreads.Leave()
}

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
	ir.Shl:           (*selector).shl,
	ir.Shr:           (*selector).shr,
	ir.Add:           (*selector).add,
	ir.Sub:           (*selector).sub,
	ir.Rev:           (*selector).rev,
	ir.Rev16:         (*selector).rev16,
	ir.Perm:          (*selector).perm,
	ir.ZipLo:         func(s *selector, v *compile.Value) { s.zip("PUNPCKL", v) },
	ir.ZipHi:         func(s *selector, v *compile.Value) { s.zip("PUNPCKH", v) },
	ir.Pack:          (*selector).pack,
	ir.Lane:          (*selector).lane,
	ir.Splat:         (*selector).splat,
	ir.Zext:          (*selector).zext,
	ir.Trunc:         func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.Reg(v.Args[0])}) },
}

func (s *selector) Value(v *compile.Value) {
	if s.within[v] {
		return
	}
	if v.Width == 128 && s.lanes > 1 && v.Op != compile.OpConst && v.Op != compile.OpLoad {
		s.b.Refuse(v.Pos, "words of 128 bits in a kernel on 32-bit words", "make its parameters v128 or S")
	}
	rules.Select(s.b, s, v, func(v *compile.Value) bool { return v.Width == 0 || v.Width == 32 || v.Width == 128 })
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
	case w.plain() || w.mem:
		return s.inRegister(v)
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
	w := s.loaded(v.Args[0])
	w.not, w.home = !w.not, nil
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
	x, y := v.Args[0], v.Args[1]
	if s.view(x).fixed {
		x, y = y, x
	}
	a, b := s.view(x), s.view(y)
	if b.fixed {
		s.views.Set(v, s.withConst(v.Op, s.loaded(x), b.c, v.Width))
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
	if g.swap || g.name != "PANDN" && s.foldable(x) && !s.foldable(y) {
		x, y = y, x
	}
	first := s.loaded(x).reg
	var r int64
	if s.foldable(y) {
		r = s.update(isa.Vec, g.name+"_xmm_m128", first, s.place(y))
	} else {
		r = s.update(isa.Vec, g.name+"_xmm_xmm", first, s.loaded(y).reg)
	}
	s.views.Set(v, view{reg: r, not: g.not})
}

// reach is how many instructions a value from memory waits in a register for its next reader. Beyond it is taken from memory again.
const reach = 40

// foldable reports whether the next reader of v should take it from memory: the only one, or one that comes late.
func (s *selector) foldable(v *compile.Value) bool {
	w := s.view(v)
	return w.mem && v.Uses == 1 || s.stale(w)
}

func (s *selector) stale(w view) bool {
	return w.home != nil && !w.mem && !w.not && len(s.b.Proc.Code)-w.used > reach
}

// place is where a foldable value lies.
func (s *selector) place(v *compile.Value) mem {
	h := s.view(v).home
	return s.at(h.Args[0], h.Off)
}

// loaded is the view of v, in a register.
func (s *selector) loaded(v *compile.Value) view {
	s.inRegister(v)
	return s.view(v)
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

func reversed(k int) int { return 3 - k }

// shuffle moves bytes inside each 32-bit lane: byte k of a lane comes from byte from(k).
func (s *selector) shuffle(x int64, from func(k int) int) int64 {
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(i&^3 + from(i&3))
	}
	return s.updateBytes("PSHUFB", x, b)
}

func (s *selector) Decrement(r int64) int64 { return s.update(isa.GPR, "SUB_r64_imm32", r, 1) }

// Branch jumps if the comparison does not hold.
func (s *selector) Branch(c ir.Compare, x, y int64, label string) {
	unless := map[ir.Compare]string{ir.Eq: "JNE", ir.Ne: "JE", ir.Lt: "JGE", ir.Le: "JG", ir.Gt: "JLE", ir.Ge: "JL"}
	s.b.Emit(mk("CMP_r64_r64", x, y))
	s.b.Emit(to(label, unless[c]+"_rel"))
}
