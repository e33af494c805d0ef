package lower

import (
	"math/bits"

	"simrun/isa"
	"simrun/isa/rv32"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// rules says how each operation is selected. An operation that is not here is refused by name.
var rules = compile.Rules[*selector]{
	compile.OpConst:  func(s *selector, v *compile.Value) { s.views.Set(v, view{fixed: true, c: uint32(v.Const.Lo)}) },
	compile.OpNumber: func(s *selector, v *compile.Value) { s.views.Set(v, view{fixed: true, c: uint32(v.Off)}) },
	compile.OpBase:   (*selector).base,
	compile.OpLoad:   (*selector).load,
	compile.OpAddr:   func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.plus(s.Reg(v.Args[0]), v.Off)}) },
	compile.OpScale:  (*selector).scale,
	compile.OpSum:    func(s *selector, v *compile.Value) { s.binary("ADD", v) },
	ir.Xor:           (*selector).xor,
	ir.And:           (*selector).andOr,
	ir.Or:            (*selector).andOr,
	ir.Not:           (*selector).not,
	ir.Rotl:          (*selector).rotl,
	ir.Shl:           func(s *selector, v *compile.Value) { s.shift("SLLI", v) },
	ir.Shr:           func(s *selector, v *compile.Value) { s.shift("SRLI", v) },
	ir.Add:           func(s *selector, v *compile.Value) { s.binary("ADD", v) },
	ir.Sub:           func(s *selector, v *compile.Value) { s.binary("SUB", v) },
	ir.Rev:           func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.reverse(s.Reg(v.Args[0]), v.Width)}) },
	ir.Rev16:         func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.swapPairs(s.Reg(v.Args[0]))}) },
	ir.Lookup:        (*selector).lookup,
	ir.Zext:          func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.Reg(v.Args[0])}) },
	ir.Trunc:         func(s *selector, v *compile.Value) { s.views.Set(v, view{reg: s.cut(s.Reg(v.Args[0]), v.Width)}) },
}

func (s *selector) Value(v *compile.Value) {
	rules.Select(s.b, s, v, func(v *compile.Value) bool { return v.Width <= 32 })
}

// emit makes an instruction with a new register in front and returns that.
func (s *selector) emit(id string, args ...any) int64 {
	d := s.b.New(isa.GPR, "")
	s.b.Emit(mk(id, append([]any{d}, args...)...))
	return d
}

func (s *selector) binary(id string, v *compile.Value) {
	b := s.view(v.Args[1])
	if b.fixed && (id == "ADD" && short(b.c) || id == "SUB" && short(-b.c)) {
		c := int(int32(b.c))
		if id == "SUB" {
			c = -c
		}
		s.views.Set(v, view{reg: s.cut(s.emit("ADDI", s.Reg(v.Args[0]), c), v.Width)})
		return
	}
	s.views.Set(v, view{reg: s.cut(s.emit(id, s.Reg(v.Args[0]), s.Reg(v.Args[1])), v.Width)})
}

func (s *selector) not(v *compile.Value) {
	w := s.view(v.Args[0])
	if w.fixed {
		w.c = ^w.c
	} else {
		w.not = !w.not
	}
	s.views.Set(v, w)
}

func (s *selector) shift(id string, v *compile.Value) {
	d := s.emit(id, s.Reg(v.Args[0]), v.Imm.N)
	if id == "SLLI" {
		d = s.cut(d, v.Width)
	}
	s.views.Set(v, view{reg: d})
}

// rotl takes three instructions: there is no rotation in RV32I.
func (s *selector) rotl(v *compile.Value) {
	s.views.Set(v, view{reg: s.rotate(s.Reg(v.Args[0]), v.Imm.N, v.Width)})
}

func (s *selector) rotate(x int64, n, width int) int64 {
	hi := s.emit("SLLI", x, n)
	lo := s.emit("SRLI", x, width-n)
	return s.cut(s.emit("OR", hi, lo), width)
}

// swapPairs swaps the two bytes of each half word.
func (s *selector) swapPairs(x int64) int64 {
	m := s.constReg(0x00ff00ff)
	lo := s.emit("AND", s.emit("SRLI", x, 8), m)
	hi := s.emit("SLLI", s.emit("AND", x, m), 8)
	return s.emit("OR", hi, lo)
}

func (s *selector) reverse(x int64, width int) int64 {
	switch width {
	case 8:
		return x
	case 16:
		return s.rotate(x, 8, 16)
	}
	return s.rotate(s.swapPairs(x), 16, 32)
}

func (s *selector) xor(v *compile.Value) {
	a, b := s.view(v.Args[0]), s.view(v.Args[1])
	if a.fixed {
		a, b = b, a
	}
	if !b.fixed {
		s.views.Set(v, view{reg: s.emit("XOR", a.reg, b.reg), not: a.not != b.not})
		return
	}
	switch {
	case short(b.c):
		s.views.Set(v, view{reg: s.emit("XORI", a.reg, int(int32(b.c))), not: a.not})
	case short(^b.c) && v.Width == 32:
		s.views.Set(v, view{reg: s.emit("XORI", a.reg, int(int32(^b.c))), not: !a.not})
	default:
		s.views.Set(v, view{reg: s.emit("XOR", a.reg, s.constReg(b.c)), not: a.not})
	}
}

var dual = map[ir.Op]ir.Op{ir.And: ir.Or, ir.Or: ir.And}
var regForm = map[ir.Op]string{ir.And: "AND", ir.Or: "OR"}
var immForm = map[ir.Op]string{ir.And: "ANDI", ir.Or: "ORI"}

// andOr absorbs complements where both inputs have one: ~a & ~b = ~(a | b).
func (s *selector) andOr(v *compile.Value) {
	a, b := v.Args[0], v.Args[1]
	if s.view(a).fixed {
		a, b = b, a
	}
	wa, wb := s.view(a), s.view(b)
	switch {
	case wb.fixed && wa.not: // ~x & c = ~(x | ~c)
		s.views.Set(v, view{reg: s.withConst(dual[v.Op], wa.reg, ^wb.c, v.Width), not: true})
	case wb.fixed:
		s.views.Set(v, view{reg: s.withConst(v.Op, wa.reg, wb.c, v.Width)})
	case wa.not && wb.not:
		s.views.Set(v, view{reg: s.emit(regForm[dual[v.Op]], wa.reg, wb.reg), not: true})
	default:
		s.views.Set(v, view{reg: s.emit(regForm[v.Op], s.Reg(a), s.Reg(b))})
	}
}

// withConst combines a register with a constant. x & ~c is (x & c) ^ x if x & c is at hand: one mask
// register serves both.
func (s *selector) withConst(op ir.Op, x int64, c uint32, width int) int64 {
	if width < 32 {
		c &= 1<<width - 1
	}
	if short(c) {
		return s.emit(immForm[op], x, int(int32(c)))
	}
	if op == ir.And && width == 32 {
		if other, ok := s.masked.Get(mask{x, ^c}); ok {
			return s.emit("XOR", x, other)
		}
		d := s.emit("AND", x, s.constReg(c))
		s.masked.Set(mask{x, c}, d)
		return d
	}
	return s.emit(regForm[op], x, s.constReg(c))
}

// scale multiplies a public number by a constant.
func (s *selector) scale(v *compile.Value) {
	x := s.Reg(v.Args[0])
	if v.Off > 0 && v.Off&(v.Off-1) == 0 {
		s.views.Set(v, view{reg: s.emit("SLLI", x, bits.TrailingZeros64(uint64(v.Off)))})
		return
	}
	s.views.Set(v, view{reg: s.emit("MUL", x, s.constReg(uint32(v.Off)))})
}

func (s *selector) Decrement(r int64) int64 { return s.emit("ADDI", r, -1) }

// Branch jumps if the comparison does not hold; some hold with the operands swapped.
func (s *selector) Branch(c ir.Compare, x, y int64, label string) {
	type form struct {
		id   string
		swap bool
	}
	unless := map[ir.Compare]form{ir.Eq: {"BNE", false}, ir.Ne: {"BEQ", false}, ir.Lt: {"BGE", false},
		ir.Le: {"BLT", true}, ir.Gt: {"BGE", true}, ir.Ge: {"BLT", false}}
	f := unless[c]
	if f.swap {
		x, y = y, x
	}
	s.b.Emit(to(label, f.id, x, y, 0))
}

var loadForms = map[int]string{8: "LBU", 16: "LHU", 32: "LW"}
var storeForms = map[int]string{8: "SB", 16: "SH", 32: "SW"}

func (s *selector) load(v *compile.Value) {
	base, off := s.address(v.Args[0], v.Off)
	d := s.b.New(isa.GPR, v.Mem.Name)
	s.b.Emit(mk(loadForms[v.Width], d, off, base))
	if v.Mem.BigEndian {
		d = s.reverse(d, v.Width)
	}
	s.views.Set(v, view{reg: d})
}

func (s *selector) Store(st *compile.Store) {
	x := s.Reg(st.Val)
	if st.Mem.BigEndian {
		x = s.reverse(x, st.Val.Width)
	}
	base, off := s.address(st.Addr, st.Off)
	s.b.Emit(mk(storeForms[st.Val.Width], x, off, base))
}

// address gives a base register and an offset that a load or store can reach.
func (s *selector) address(p *compile.Value, off int64) (int64, int64) {
	base := s.Reg(p)
	if off >= -2048 && off < 2048 {
		return base, off
	}
	return s.plus(base, off), 0
}

// plus adds a number to a register.
func (s *selector) plus(r, off int64) int64 {
	if off >= -2048 && off < 2048 {
		return s.emit("ADDI", r, off)
	}
	return s.emit("ADD", r, s.constReg(uint32(off)))
}

// lookup reads a table at a secret index.
func (s *selector) lookup(v *compile.Value) {
	x := s.Reg(v.Args[0])
	if n := bits.TrailingZeros(uint(v.Width / 8)); n > 0 {
		x = s.emit("SLLI", x, n)
	}
	s.views.Set(v, view{reg: s.emit(loadForms[v.Width], 0, s.emit("ADD", x, s.Reg(v.Args[1])))})
}

// base is the address of a scratch array in the frame, or of a table behind the code.
func (s *selector) base(v *compile.Value) {
	if v.Mem.Kind == ir.Rom {
		label := s.b.TableLabel(v.Mem)
		s.views.Set(v, view{reg: s.b.Remat(isa.GPR, label, func(r int64) []isa.Inst {
			return []isa.Inst{to("%hi("+label+")", "LUI", r, 0), to("%lo("+label+")", "ADDI", r, r, 0)}
		})})
		return
	}
	off := s.b.Scratch(v.Mem)
	s.views.Set(v, view{reg: s.b.Remat(isa.GPR, "&"+v.Mem.Name, func(r int64) []isa.Inst {
		return []isa.Inst{mk("ADDI", r, rv32.SP, off)}
	})})
}
