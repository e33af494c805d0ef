package x86

import (
	"errors"
	"math/bits"

	"simrun/isa"
)

// Multiplication and division with a double operand: AX for bytes, else RDX:RAX cut to the operand size. The flags that the
// manual leaves undefined are cleared by multiplications and kept by divisions.

// setWide writes the double register, halves of w bytes.
func (c *core) setWide(hi, lo uint64, w uint8) {
	if w == 1 {
		c.set(uint8(RAX), hi<<8|lo&0xff, 2)
		return
	}
	c.set(uint8(RDX), hi, w)
	c.set(uint8(RAX), lo, w)
}

// wideOperand reads the double register.
func (c *core) wideOperand(w uint8) (hi, lo uint64) {
	if w == 1 {
		return c.r[RAX] >> 8 & 0xff, c.r[RAX] & 0xff
	}
	return c.r[RDX] & mask(w), c.r[RAX] & mask(w)
}

// mulWide: CF and OF say that the upper half is not zero.
func (c *core) mulWide(v uint64, w uint8) {
	hi, lo := bits.Mul64(c.r[RAX]&mask(w), v&mask(w))
	if w < 8 {
		hi = lo >> (8 * w)
	}
	c.setWide(hi, lo, w)
	c.flags = bit(hi != 0) * (flagCF | flagOF)
}

// imulWide: CF and OF say that the upper half is more than the sign of the lower.
func (c *core) imulWide(v uint64, w uint8) {
	a, b := signExtend(c.r[RAX], w, 8), signExtend(v, w, 8)
	hi, lo := bits.Mul64(a, b)
	hi -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
	if w < 8 {
		hi = lo >> (8 * w)
	}
	c.setWide(hi, lo, w)
	sign := uint64(int64(signExtend(lo, w, 8)) >> 63)
	c.flags = bit((hi^sign)&mask(w) != 0) * (flagCF | flagOF)
}

var errDivide = errors.New("divide error: the divisor is 0 or the quotient does not fit")

func (c *core) divWide(v uint64, w uint8) bool {
	hi, lo := c.wideOperand(w)
	if v &= mask(w); hi >= v {
		c.trap = errDivide
		return false
	}
	var q, r uint64
	if w == 8 {
		q, r = bits.Div64(hi, lo, v)
	} else {
		n := hi<<(8*w) | lo
		q, r = n/v, n%v
	}
	c.setWide(r, q, w)
	return true
}

// idivWide divides magnitudes; the remainder has the sign of the dividend.
func (c *core) idivWide(v uint64, w uint8) bool {
	hi, lo := c.wideOperand(w)
	if w < 8 {
		lo |= hi << (8 * w)
		hi = uint64(int64(signExtend(lo, 2*w, 8)) >> 63)
		lo = signExtend(lo, 2*w, 8)
	}
	v = signExtend(v, w, 8)
	negative, other := int64(hi) < 0, int64(v) < 0
	if negative {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	if other {
		v = -v
	}
	limit := uint64(1)<<(8*w-1) - 1 // the largest quotient
	if negative != other {
		limit++
	}
	if hi >= v {
		c.trap = errDivide
		return false
	}
	q, r := bits.Div64(hi, lo, v)
	if q > limit {
		c.trap = errDivide
		return false
	}
	if negative != other {
		q = -q
	}
	if negative {
		r = -r
	}
	c.setWide(r, q, w)
	return true
}

func mulR(c *core, s *isa.Step, _ int) bool {
	c.mulWide(c.r[s.D&15], s.Flags)
	return true
}

func mulM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.mulWide(v, s.Flags)
	}
	return ok
}

func imulR(c *core, s *isa.Step, _ int) bool {
	c.imulWide(c.r[s.D&15], s.Flags)
	return true
}

func imulM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.imulWide(v, s.Flags)
	}
	return ok
}

func divR(c *core, s *isa.Step, _ int) bool { return c.divWide(c.r[s.D&15], s.Flags) }

func divM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	return ok && c.divWide(v, s.Flags)
}

func idivR(c *core, s *isa.Step, _ int) bool { return c.idivWide(c.r[s.D&15], s.Flags) }

func idivM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	return ok && c.idivWide(v, s.Flags)
}

func cbw(c *core, s *isa.Step, _ int) bool {
	c.set(uint8(RAX), signExtend(c.r[RAX], s.Flags/2, s.Flags), s.Flags)
	return true
}

func cwd(c *core, s *isa.Step, _ int) bool {
	c.set(uint8(RDX), uint64(int64(signExtend(c.r[RAX], s.Flags, 8))>>63), s.Flags)
	return true
}
