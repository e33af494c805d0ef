package t32

import (
	"math/bits"

	"simrun/isa"
)

// Functions of rows whose meaning no kind covers. See fn for what the fields of a Step hold.

// reg reads a register of a Step; Imm2 is what the PC reads as.
func (c *Core) reg(i uint8, s *isa.Step) uint32 {
	if i == uint8(PC) {
		return s.Imm2
	}
	return c.r[i&63]
}

// setReg writes a result; writing the PC branches.
func (c *Core) setReg(i uint8, v uint32) {
	if i == uint8(PC) {
		c.branch(v)
		return
	}
	c.r[i&63] = v
}

// aluSlow is data processing with an operand by ASR or RRX, or that writes the PC. Imm is packSlow's.
func aluSlow(c *Core, s *isa.Step) status {
	typ, amount := int(s.Imm>>8&3), uint32(s.Imm>>16&63)
	sets := s.Imm>>24 != 0
	x, y, carry := c.reg(s.A, s), c.reg(s.B, s), c.carry
	switch {
	case typ == typeROR && amount == 0:
		y, carry = y>>1|c.carry<<31, y&1
	case amount != 0:
		y, carry = shift(y, typ, amount, carry)
	}
	k := &aluKinds[aluOp(s.Imm&0xff)]
	y ^= k.complement
	var v uint32
	switch k.plain {
	case kMov:
		v = y
	case kAnd:
		v = x & y
	case kOrr:
		v = x | y
	case kEor:
		v = x ^ y
	default:
		v = c.addSlow(k, x, y, sets)
		c.setReg(s.D, v)
		return done
	}
	if sets {
		c.n, c.z, c.carry = v, v, carry
	}
	c.setReg(s.D, v)
	return done
}

func (c *Core) addSlow(k *aluKind, x, y uint32, sets bool) uint32 {
	in := uint32(k.carryIn)
	switch k.plain {
	case kAdc:
		in = c.carry
	case kRsb:
		x, in = ^x, 1
	}
	if sets {
		return c.add(x, y, in)
	}
	return x + y + in
}

// shift is Shift_C for an amount of 0 to 255.
func shift(v uint32, typ int, n, carry uint32) (uint32, uint32) {
	if n == 0 {
		return v, carry
	}
	switch typ {
	case typeLSL:
		return v << n, uint32(uint64(v) << n >> 32 & 1)
	case typeLSR:
		return v >> n, uint32(uint64(v) >> (n - 1) & 1)
	case typeASR:
		return uint32(int32(v) >> n), uint32(int64(int32(v)) >> (n - 1) & 1)
	}
	v = bits.RotateLeft32(v, -int(n&31))
	return v, v >> 31
}

// shiftByReg shifts A by the low byte of B; C is the type, Flags says whether to set the flags.
func shiftByReg(c *Core, s *isa.Step) status {
	v, carry := shift(c.r[s.A&63], int(s.C), c.r[s.B&63]&0xff, c.carry)
	c.r[s.D&63] = v
	if s.Flags&1 != 0 {
		c.n, c.z, c.carry = v, v, carry
	}
	return done
}

func movt(c *Core, s *isa.Step) status {
	c.r[s.D&63] = c.r[s.D&63]&0xffff | uint32(s.Imm)<<16
	return done
}

// significant is the timing hint of a long multiplication: the significant bits of its narrower
// operand (two's complement where the multiplication is signed).
func significant(x, y uint32, signed bool) int {
	if signed {
		x, y = x^uint32(int32(x)>>31), y^uint32(int32(y)>>31)
	}
	return min(bits.Len32(x), bits.Len32(y))
}

func (c *Core) long(s *isa.Step, v uint64) status {
	c.r[s.D&63], c.r[s.C&63] = uint32(v), uint32(v>>32)
	return done
}

func (c *Core) signedProduct(s *isa.Step) uint64 {
	x, y := c.r[s.A&63], c.r[s.B&63]
	c.hint(significant(x, y, true))
	return uint64(int64(int32(x)) * int64(int32(y)))
}

func (c *Core) unsignedProduct(s *isa.Step) uint64 {
	x, y := c.r[s.A&63], c.r[s.B&63]
	c.hint(significant(x, y, false))
	return uint64(x) * uint64(y)
}

func (c *Core) accumulator(s *isa.Step) uint64 {
	return uint64(c.r[s.C&63])<<32 | uint64(c.r[s.D&63])
}

func smull(c *Core, s *isa.Step) status { return c.long(s, c.signedProduct(s)) }
func umull(c *Core, s *isa.Step) status { return c.long(s, c.unsignedProduct(s)) }
func smlal(c *Core, s *isa.Step) status { return c.long(s, c.accumulator(s)+c.signedProduct(s)) }
func umlal(c *Core, s *isa.Step) status { return c.long(s, c.accumulator(s)+c.unsignedProduct(s)) }

// Division by zero gives zero: the trap (CCR.DIV_0_TRP) is off after reset. The hint is one more
// than the significant bits of the quotient.
func udiv(c *Core, s *isa.Step) status {
	x, y := c.r[s.A&63], c.r[s.B&63]
	var q uint32
	if y != 0 {
		q = x / y
	}
	c.hint(bits.Len32(q) + 1)
	c.r[s.D&63] = q
	return done
}

func sdiv(c *Core, s *isa.Step) status {
	x, y := int32(c.r[s.A&63]), int32(c.r[s.B&63])
	var q int32
	if y != 0 {
		q = x / y // the least integer divided by -1 wraps in Go, as it does on the machine
	}
	c.hint(bits.Len32(uint32(q^q>>31)) + 1)
	c.r[s.D&63] = uint32(q)
	return done
}

// Bit fields: Imm is the lsb, Imm2 the width.

func fieldMask(s *isa.Step) uint32 { return uint32((1<<s.Imm2 - 1) << s.Imm) }

func bfc(c *Core, s *isa.Step) status {
	c.r[s.D&63] &^= fieldMask(s)
	return done
}

func bfi(c *Core, s *isa.Step) status {
	m := fieldMask(s)
	c.r[s.D&63] = c.r[s.D&63]&^m | c.r[s.A&63]<<s.Imm&m
	return done
}

func sbfx(c *Core, s *isa.Step) status {
	up := 32 - uint(s.Imm2)
	c.r[s.D&63] = uint32(int32(c.r[s.A&63]<<(up-uint(s.Imm))) >> up)
	return done
}

func clz(c *Core, s *isa.Step) status {
	c.r[s.D&63] = uint32(bits.LeadingZeros32(c.r[s.B&63]))
	return done
}

func rbit(c *Core, s *isa.Step) status {
	c.r[s.D&63] = bits.Reverse32(c.r[s.B&63])
	return done
}

func rev(c *Core, s *isa.Step) status {
	c.r[s.D&63] = bits.ReverseBytes32(c.r[s.B&63])
	return done
}

func rev16(c *Core, s *isa.Step) status {
	c.r[s.D&63] = bits.RotateLeft32(bits.ReverseBytes32(c.r[s.B&63]), 16)
	return done
}

func revsh(c *Core, s *isa.Step) status {
	c.r[s.D&63] = uint32(int32(int16(bits.ReverseBytes16(uint16(c.r[s.B&63])))))
	return done
}

// Sign extension: Imm is the rotation.

func sxtb(c *Core, s *isa.Step) status {
	c.r[s.D&63] = uint32(int32(int8(c.r[s.B&63] >> s.Imm)))
	return done
}

func sxth(c *Core, s *isa.Step) status {
	c.r[s.D&63] = uint32(int32(int16(bits.RotateLeft32(c.r[s.B&63], -int(s.Imm)))))
	return done
}

// Saturation: Imm is the width, Imm2 the shift operand.

func (c *Core) saturate(s *isa.Step, lo, hi int64) status {
	typ, n := unpackShift(int64(s.Imm2))
	y, _ := shift(c.r[s.A&63], typ, uint32(n), 0)
	v := int64(int32(y))
	if v < lo || v > hi {
		v, c.q = min(max(v, lo), hi), 1
	}
	c.r[s.D&63] = uint32(v)
	return done
}

func ssat(c *Core, s *isa.Step) status {
	hi := int64(1)<<(s.Imm-1) - 1
	return c.saturate(s, -hi-1, hi)
}

func usat(c *Core, s *isa.Step) status { return c.saturate(s, 0, 1<<s.Imm-1) }
