package lower

import (
	"fmt"

	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// Shifts, additions and movements of bytes. A word of 32 bits outside kernels of four lanes is in lane 0; what the other lanes
// hold does not matter. A word of 128 bits fills the register.

func (s *selector) put(v *compile.Value, r int64) { s.views.Set(v, view{reg: r}) }

// op is a two-address instruction on xmm registers.
func (s *selector) op(name string, first, second int64) int64 {
	return s.update(isa.Vec, name+"_xmm_xmm", first, second)
}

// by is a two-address instruction with a number.
func (s *selector) by(name string, x int64, n int) int64 {
	return s.update(isa.Vec, name+"_xmm_imm8", x, n)
}

func (s *selector) shl(v *compile.Value) {
	x, n := s.Reg(v.Args[0]), v.Imm.N
	switch {
	case n == 1 && (v.Width == 32 || v.Field == 32): // an addition has more ports than a shift on many CPUs
		s.put(v, s.op("PADDD", x, x))
	case v.Width == 32 || v.Field == 32:
		s.put(v, s.by("PSLLD", x, n))
	case v.Field == 64:
		s.put(v, s.by("PSLLQ", x, n))
	default:
		s.put(v, s.shift128(x, n, "PSLLQ", "PSRLQ", "PSLLDQ"))
	}
}

func (s *selector) shr(v *compile.Value) {
	x, n := s.Reg(v.Args[0]), v.Imm.N
	switch {
	case v.Width == 32 || v.Field == 32:
		s.put(v, s.by("PSRLD", x, n))
	case v.Field == 64:
		s.put(v, s.by("PSRLQ", x, n))
	default:
		s.put(v, s.shift128(x, n, "PSRLQ", "PSLLQ", "PSRLDQ"))
	}
}

// shift128 shifts 128 bits: halves by bits, and what leaves one half for the other by the way back; or all by bytes.
func (s *selector) shift128(x int64, n int, forth, back, bytes string) int64 {
	switch {
	case n%8 == 0:
		return s.by(bytes, x, n/8)
	case n >= 64:
		return s.by(forth, s.by(bytes, x, 8), n-64)
	}
	return s.op("POR", s.by(forth, x, n), s.by(back, s.by(bytes, x, 8), 64-n))
}

// rotl rotates left: whole bytes in one step, else with two shifts.
func (s *selector) rotl(v *compile.Value) {
	x, n, w := s.Reg(v.Args[0]), v.Imm.N, v.Width
	switch {
	case w == 32 && n%8 == 0:
		s.put(v, s.shuffle(x, func(k int) int { return (k - n/8) & 3 }))
	case w == 32:
		s.put(v, s.op("POR", s.by("PSLLD", x, n), s.by("PSRLD", x, 32-n)))
	case n%8 == 0:
		perm := make([]int, 16)
		for k := range perm {
			perm[k] = (k - n/8) & 15
		}
		s.put(v, s.permute(x, perm))
	default:
		s.put(v, s.op("POR", s.shift128(x, n, "PSLLQ", "PSRLQ", "PSLLDQ"), s.shift128(x, 128-n, "PSRLQ", "PSLLQ", "PSRLDQ")))
	}
}

func (s *selector) rev(v *compile.Value) { s.put(v, s.swapBytes(s.Reg(v.Args[0]), v.Width)) }

func (s *selector) rev16(v *compile.Value) {
	s.put(v, s.shuffle(s.Reg(v.Args[0]), func(k int) int { return k ^ 1 }))
}

func (s *selector) perm(v *compile.Value) {
	x := s.Reg(v.Args[0])
	if v.Width == 32 {
		s.put(v, s.shuffle(x, func(k int) int { return v.Imm.Perm[k] }))
		return
	}
	s.put(v, s.permute(x, v.Imm.Perm))
}

// permute moves the bytes of a register: byte k comes from perm[k]. Shuffles that leave their source and need no table come first.
func (s *selector) permute(x int64, perm []int) int64 {
	if n, ok := order(perm, 0, 4, 4); ok {
		return s.emit(isa.Vec, "PSHUFD_xmm_xmm_imm8", x, n)
	}
	if n, ok := order(perm, 0, 4, 2); ok && inPlace(perm[8:], 8) {
		return s.emit(isa.Vec, "PSHUFLW_xmm_xmm_imm8", x, n)
	}
	if n, ok := order(perm, 8, 4, 2); ok && inPlace(perm[:8], 0) {
		return s.emit(isa.Vec, "PSHUFHW_xmm_xmm_imm8", x, n)
	}
	if rotates(perm) {
		return s.update(isa.Vec, "PALIGNR_xmm_xmm_imm8", x, x, perm[0])
	}
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(perm[i])
	}
	return s.updateBytes("PSHUFB", x, b)
}

// order is the immediate of a shuffle of n parts of size bytes from byte first on; ok is false if the permutation is none.
func order(perm []int, first, n, size int) (imm int, ok bool) {
	for i := range n {
		p := perm[first+i*size:][:size]
		part := (p[0] - first) / size
		if p[0] < first || part >= n || !inPlace(p, first+part*size) {
			return 0, false
		}
		imm |= part << (2 * i)
	}
	return imm, true
}

// inPlace reports whether the bytes are those from first on, in order.
func inPlace(perm []int, first int) bool {
	for k, from := range perm {
		if from != first+k {
			return false
		}
	}
	return true
}

// rotates reports whether all bytes move equally far.
func rotates(perm []int) bool {
	for k, from := range perm {
		if from != (perm[0]+k)&15 {
			return false
		}
	}
	return true
}

// unpacks are the endings of the instructions that interleave fields, by their bits.
var unpacks = map[int]string{8: "BW", 16: "WD", 32: "DQ", 64: "QDQ"}

func (s *selector) zip(name string, v *compile.Value) {
	x, y := v.Args[0], v.Args[1]
	name += unpacks[v.Imm.N]
	if s.foldable(y) && x != y {
		s.put(v, s.update(isa.Vec, name+"_xmm_m128", s.Reg(x), s.place(y)))
		return
	}
	s.put(v, s.op(name, s.Reg(x), s.Reg(y)))
}

func (s *selector) pack(v *compile.Value) {
	var r [4]int64
	for i, a := range v.Args {
		r[i] = s.Reg(a)
	}
	s.put(v, s.op("PUNPCKLQDQ", s.op("PUNPCKLDQ", r[0], r[1]), s.op("PUNPCKLDQ", r[2], r[3])))
}

func (s *selector) lane(v *compile.Value) {
	s.put(v, s.emit(isa.Vec, "PSHUFD_xmm_xmm_imm8", s.Reg(v.Args[0]), v.Imm.N))
}

func (s *selector) zext(v *compile.Value) {
	if v.Args[0].Width != 32 {
		s.b.Refuse(v.Pos, fmt.Sprintf("words of %d bits are not lowered in vectors", v.Args[0].Width), "use w32")
	}
	s.put(v, s.updateConst("PAND", s.Reg(v.Args[0]), ir.Word{Lo: 1<<32 - 1}, 128))
}

func (s *selector) splat(v *compile.Value) {
	if x, n, ok := oneBit(v); ok {
		mask := make([]byte, 16)
		for i := n / 8; i < 16; i += 4 {
			mask[i] = 1 << (n % 8)
		}
		s.put(v, s.updateBytes("PCMPEQD", s.updateBytes("PAND", s.spread(x), mask), mask))
		return
	}
	s.put(v, s.spread(v.Args[0]))
}

// spread is a word of 32 bits in every lane.
func (s *selector) spread(x *compile.Value) int64 {
	r, ok := s.spreads.Get(x)
	if !ok {
		r = s.emit(isa.Vec, "PSHUFD_xmm_xmm_imm8", s.Reg(x), 0)
		s.spreads.Set(x, r)
	}
	return r
}

// oneBit recognises splat(-((x >> n) & 1)): bit n of x in every bit.
func oneBit(v *compile.Value) (x *compile.Value, n int, ok bool) {
	minus := v.Args[0]
	if v.Op != ir.Splat || minus.Op != ir.Sub || minus.Uses != 1 || minus.Args[0].Op != compile.OpConst || minus.Args[0].Const != (ir.Word{}) {
		return nil, 0, false
	}
	x = minus.Args[1]
	masked := x.Op == ir.And && x.Args[1].Op == compile.OpConst && x.Args[1].Const == ir.Word{Lo: 1}
	if masked && x.Uses == 1 {
		x = x.Args[0]
	}
	switch {
	case x.Uses == 1 && x.Op == ir.Shr && (masked || x.Imm.N == 31):
		return x.Args[0], x.Imm.N, true
	case masked:
		return x, 0, true
	}
	return nil, 0, false
}

// findSpreads marks what the splats of single bits do with their own instructions.
func (s *selector) findSpreads() {
	s.within = map[*compile.Value]bool{}
	s.b.Graph.Body.Visit(func(r *compile.Region) {
		for _, n := range r.Nodes {
			v, ok := n.(*compile.Value)
			if !ok || v.Op != ir.Splat {
				continue
			}
			x, _, ok := oneBit(v)
			if !ok {
				continue
			}
			for w := v.Args[0]; w != x; w = inner(w) {
				s.within[w] = true
			}
		}
	})
}

// inner is the operand of -x, x & 1 and x >> n.
func inner(w *compile.Value) *compile.Value {
	if w.Op == ir.Sub {
		return w.Args[1]
	}
	return w.Args[0]
}

// add adds modulo 2^32 in each lane, or modulo 2^128: then a carry of the low half is the top bit of a & b | (a | b) & ~sum,
// which is a & ~sum if b has not the top bit.
func (s *selector) add(v *compile.Value) {
	if v.Width == 32 {
		s.put(v, s.op("PADDD", s.Reg(v.Args[0]), s.Reg(v.Args[1])))
		return
	}
	x, y := v.Args[0], v.Args[1]
	a := s.Reg(x)
	if y.Op == compile.OpConst && y.Const.Lo>>63 == 0 {
		sum := s.updateConst("PADDQ", a, y.Const, 128)
		s.put(v, s.op("PADDQ", sum, s.carried(s.op("PANDN", sum, a))))
		return
	}
	b := s.Reg(y)
	sum := s.op("PADDQ", a, b)
	carry := s.op("POR", s.op("PAND", a, b), s.op("PANDN", sum, s.op("POR", a, b)))
	s.put(v, s.op("PADDQ", sum, s.carried(carry)))
}

// sub subtracts likewise. The borrow of the low half is the top bit of ~a & b | ~(a ^ b) & difference.
func (s *selector) sub(v *compile.Value) {
	a, b := s.Reg(v.Args[0]), s.Reg(v.Args[1])
	if v.Width == 32 {
		s.put(v, s.op("PSUBD", a, b))
		return
	}
	diff := s.op("PSUBQ", a, b)
	borrow := s.op("POR", s.op("PANDN", a, b), s.op("PANDN", s.op("PXOR", a, b), diff))
	s.put(v, s.op("PSUBQ", diff, s.carried(borrow)))
}

// carried brings the top bit of the low half to the lowest bit of the high half.
func (s *selector) carried(x int64) int64 { return s.by("PSLLDQ", s.by("PSRLQ", x, 63), 8) }
