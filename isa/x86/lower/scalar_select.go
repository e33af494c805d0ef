package lower

import (
	"fmt"
	"math/bits"

	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// scalar selects words of up to 64 bits into general registers; addresses and words of 128 bits are left to
// the vector selector, whose views it shares. Every word is held with zeros above its width.
type scalar struct {
	selector
	late map[*compile.Value]bool // selected where they are used, by their only user
}

func newScalar(b *compile.Builder) compile.Selector {
	s := &scalar{selector: selector{b: b, lanes: 1, stores: map[quad][]*compile.Store{}}}
	s.findLate()
	return s
}

// scalarRules says how each operation on words of up to 64 bits is selected.
var scalarRules = compile.Rules[*scalar]{
	compile.OpConst: func(s *scalar, v *compile.Value) { s.views.Set(v, view{fixed: true, c: v.Const}) },
	compile.OpLoad:  (*scalar).load,
	ir.Lookup:       (*scalar).load,
	ir.Xor:          func(s *scalar, v *compile.Value) { s.binary("XOR", v) },
	ir.And:          (*scalar).and,
	ir.Or:           func(s *scalar, v *compile.Value) { s.binary("OR", v) },
	ir.Add:          func(s *scalar, v *compile.Value) { s.binary("ADD", v) },
	ir.Sub:          func(s *scalar, v *compile.Value) { s.binary("SUB", v) },
	ir.Not:          (*scalar).not,
	ir.Rotl:         (*scalar).rotl,
	ir.Shl:          func(s *scalar, v *compile.Value) { s.set(v, s.cut(s.shift("SHL", v), v.Width)) },
	ir.Shr:          func(s *scalar, v *compile.Value) { s.set(v, s.shift("SHR", v)) },
	ir.Rev:          func(s *scalar, v *compile.Value) { s.set(v, s.reversed(s.Reg(v.Args[0]), v.Width)) },
	ir.Rev16:        (*scalar).rev16,
	ir.Zext:         (*scalar).extend,
	ir.Trunc:        (*scalar).trunc,
	ir.Splat:        (*scalar).splat,
}

func (s *scalar) Value(v *compile.Value) {
	switch {
	case s.late[v]:
	case v.Op == compile.OpBase && v.Mem.Kind == ir.Rom:
		s.tables(v)
	case v.Width == 0, v.Width == 128 && !mixed[v.Op]:
		s.selector.Value(v)
	default:
		scalarRules.Select(s.b, s, v, func(*compile.Value) bool { return true })
	}
}

// mixed are the operations that make 128 bits of narrower words, or read tables.
var mixed = map[compile.Op]bool{compile.OpLoad: true, ir.Lookup: true, ir.Zext: true, ir.Splat: true}

func (s *scalar) set(v *compile.Value, r int64) { s.views.Set(v, view{reg: r}) }

// Reg brings v into a register as it is.
func (s *scalar) Reg(v *compile.Value) int64 {
	switch {
	case v.Width == 0 || v.Width == 128:
		return s.selector.Reg(v)
	case s.late[v]:
		return s.loadReg(v)
	}
	w := s.view(v)
	if w.fixed {
		return s.wordConst(w.c.Lo)
	}
	return w.reg
}

// wordConst is a register that holds c. The moves keep the flags.
func (s *scalar) wordConst(c uint64) int64 {
	return s.b.Remat(isa.GPR, fmt.Sprintf("#%#x", c), func(r int64) []isa.Inst {
		switch {
		case c <= 1<<31-1:
			return []isa.Inst{mk("MOV_r32_imm32", r, int(c))}
		case c <= 1<<32-1:
			return []isa.Inst{mk("MOV_r32_imm32", r, int(int32(c)))}
		}
		return []isa.Inst{mk("MOV_r64_imm64", r, int64(c))}
	})
}

// size is the width of the registers in which words of so many bits are computed.
func size(width int) int { return max(width, 32) }

func form(name string, width int) string { return fmt.Sprintf("%s_r%d", name, size(width)) }

// cut clears the bits above the width.
func (s *scalar) cut(r int64, width int) int64 {
	switch width {
	case 8:
		return s.emit(isa.GPR, "MOVZX_r32_r8", r)
	case 16:
		return s.emit(isa.GPR, "MOVZX_r32_r16", r)
	}
	return r
}

// binary selects an operation of two operands: the second in a register, in memory or a constant.
func (s *scalar) binary(name string, v *compile.Value) {
	a, b := v.Args[0], v.Args[1]
	if name != "SUB" && s.late[a] && !s.late[b] {
		a, b = b, a
	}
	var r int64
	switch c, isConst := s.immediate(b); {
	case isConst:
		r = s.update(isa.GPR, form(name, v.Width)+"_imm32", s.Reg(a), c)
	case s.late[b]:
		r = s.update(isa.GPR, fmt.Sprintf("%s_m%d", form(name, v.Width), v.Width), s.Reg(a), s.operand(b))
	default:
		w := size(v.Width)
		r = s.update(isa.GPR, fmt.Sprintf("%s_r%d", form(name, w), w), s.Reg(a), s.Reg(b))
	}
	if name == "ADD" || name == "SUB" {
		r = s.cut(r, v.Width)
	}
	s.set(v, r)
}

// immediate is the value of a constant that fits an immediate of 32 bits, which is sign-extended to 64.
func (s *scalar) immediate(v *compile.Value) (int, bool) {
	if v.Op != compile.OpConst {
		return 0, false
	}
	c := int64(v.Const.Lo)
	if v.Width <= 32 {
		c = int64(int32(c))
	}
	return int(c), c == int64(int32(c))
}

// and with 0xff or 0xffff is an extension, which needs no copy.
func (s *scalar) and(v *compile.Value) {
	a, b := v.Args[0], v.Args[1]
	if b.Op == compile.OpConst && !s.late[a] {
		switch b.Const.Lo {
		case 0xff:
			s.set(v, s.cut(s.Reg(a), 8))
			return
		case 0xffff:
			s.set(v, s.cut(s.Reg(a), 16))
			return
		}
	}
	s.binary("AND", v)
}

func (s *scalar) not(v *compile.Value) {
	x := s.Reg(v.Args[0])
	if v.Width < 32 {
		s.set(v, s.update(isa.GPR, "XOR_r32_imm32", x, 1<<v.Width-1))
		return
	}
	s.set(v, s.update(isa.GPR, form("NOT", v.Width), x))
}

func (s *scalar) shift(name string, v *compile.Value) int64 {
	return s.update(isa.GPR, form(name, v.Width)+"_imm8", s.Reg(v.Args[0]), v.Imm.N)
}

// rotl of a part of a register leaves the zeros above it.
func (s *scalar) rotl(v *compile.Value) {
	s.set(v, s.update(isa.GPR, fmt.Sprintf("ROL_r%d_imm8", v.Width), s.Reg(v.Args[0]), v.Imm.N))
}

// reversed reverses the bytes of a word.
func (s *scalar) reversed(r int64, width int) int64 {
	switch width {
	case 8:
		return r
	case 16:
		return s.update(isa.GPR, "ROL_r16_imm8", r, 8)
	}
	return s.update(isa.GPR, form("BSWAP", width), r)
}

// rev16 reverses the halves after the bytes.
func (s *scalar) rev16(v *compile.Value) {
	r := s.reversed(s.Reg(v.Args[0]), v.Width)
	switch v.Width {
	case 32:
		r = s.update(isa.GPR, "ROL_r32_imm8", r, 16)
	case 64: // the halves of each 32 bits, then those
		const even = 0x0000ffff0000ffff
		lo := s.update(isa.GPR, "AND_r64_r64", r, s.wordConst(even))
		hi := s.update(isa.GPR, "SHR_r64_imm8", r, 16)
		hi = s.update(isa.GPR, "AND_r64_r64", hi, s.wordConst(even))
		lo = s.update(isa.GPR, "SHL_r64_imm8", lo, 16)
		r = s.update(isa.GPR, "ROL_r64_imm8", s.update(isa.GPR, "OR_r64_r64", lo, hi), 32)
	}
	s.set(v, r)
}

// extend changes nothing within a general register.
func (s *scalar) extend(v *compile.Value) {
	r := s.Reg(v.Args[0])
	if v.Width == 128 {
		r = s.emit(isa.Vec, "MOVQ_xmm_r64", r)
	}
	s.set(v, r)
}

func (s *scalar) trunc(v *compile.Value) {
	a := v.Args[0]
	switch {
	case s.late[a] && a.Op == ir.Shr: // the second byte
		x := s.Reg(a.Args[0])
		s.b.Proc.Reg(x).Prefer = withHigh
		r := s.emit(isa.GPR, "MOVZX_r32_h8", x)
		s.b.Proc.Reg(r).Prefer = besideHigh
		s.set(v, r)
	case a.Width == 128:
		r := s.emit(isa.GPR, "MOVQ_r64_xmm", s.selector.Reg(a))
		s.set(v, s.low(r, v.Width))
	case significant(a) <= v.Width:
		s.set(v, s.Reg(a))
	default:
		s.set(v, s.low(s.Reg(a), v.Width))
	}
}

// low is the low part of a register.
func (s *scalar) low(r int64, width int) int64 {
	if width == 32 {
		return s.emit(isa.GPR, "MOV_r32_r32", r)
	}
	return s.cut(r, width)
}

// significant is how many low bits of a word may be other than zero.
func significant(v *compile.Value) int {
	switch v.Op {
	case compile.OpConst:
		return bits.Len64(v.Const.Lo)
	case ir.Shr:
		return max(0, significant(v.Args[0])-v.Imm.N)
	case ir.Zext:
		return significant(v.Args[0])
	case ir.And:
		return min(significant(v.Args[0]), significant(v.Args[1]))
	}
	return v.Width
}

// splat repeats a word over 128 bits.
func (s *scalar) splat(v *compile.Value) {
	from := v.Args[0].Width
	r := s.Reg(v.Args[0])
	if v.Width < 128 {
		s.b.Refuse(v.Pos, fmt.Sprintf("splat to %d bits is not lowered yet", v.Width), "")
	}
	if from == 64 {
		x := s.emit(isa.Vec, "MOVQ_xmm_r64", r)
		s.set(v, s.update(isa.Vec, "PUNPCKLQDQ_xmm_xmm", x, x))
		return
	}
	switch from {
	case 8:
		r = s.emit(isa.GPR, "IMUL_r32_r32_imm32", r, 0x01010101)
	case 16:
		r = s.emit(isa.GPR, "IMUL_r32_r32_imm32", r, 0x00010001)
	}
	s.set(v, s.emit(isa.Vec, "PSHUFD_xmm_xmm_imm8", s.emit(isa.Vec, "MOVD_xmm_r32", r), 0))
}
