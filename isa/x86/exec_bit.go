package x86

import "simrun/isa"

func execShiftMCL(c *core, s *isa.Step, i int) bool { return c.modify(s, i, c.r[RCX]) }

func execFlag(c *core, s *isa.Step, _ int) bool {
	alus[s.Num](&c.flags, 0, 0, 1)
	return true
}

// Bits of Imm2 of double shifts, above the count.
const (
	doubleLeft = 1 << 8
	doubleCL   = 1 << 9
)

// double shifts a with the bits of b.
func (c *core) double(s *isa.Step, a, b uint64) uint64 {
	n := uint64(s.Imm2 & 0xff)
	if s.Imm2&doubleCL != 0 {
		n = c.r[RCX]
	}
	m := mask(s.Flags)
	if n = count(n, s.Flags); n == 0 {
		return a & m
	}
	if s.Imm2&doubleLeft != 0 {
		return shld(&c.flags, a&m, b&m, n, s.Flags)
	}
	return shrd(&c.flags, a&m, b&m, n, s.Flags)
}

func doubleR(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, c.double(s, c.r[s.D&15], c.r[s.A&15]), s.Flags)
	return true
}

func doubleM(c *core, s *isa.Step, i int) bool {
	a := c.address(s)
	v, ok := c.load(i, a, s.Flags)
	if !ok {
		return false
	}
	flags := c.flags
	return c.putBack(i, a, c.double(s, v, c.r[s.D&15]), s.Flags, flags)
}

// bitAddress is the address of the operand that holds the bit: a register counts bits from the memory operand on, with
// sign.
func (c *core) bitAddress(s *isa.Step) uint64 {
	bit := int64(signExtend(c.r[s.D&15], s.Flags, 8))
	return c.address(s) + uint64(bit>>3)&^uint64(s.Flags-1)
}

func bitMR(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.bitAddress(s), s.Flags)
	if ok {
		c.alu(s, v, c.r[s.D&15])
	}
	return ok
}

func bitSetMR(c *core, s *isa.Step, i int) bool {
	a := c.bitAddress(s)
	v, ok := c.load(i, a, s.Flags)
	if !ok {
		return false
	}
	flags := c.flags
	return c.putBack(i, a, c.alu(s, v, c.r[s.D&15]), s.Flags, flags)
}

// scan leaves the destination alone if there is no bit.
func (c *core) scan(s *isa.Step, v uint64) {
	r := c.alu(s, 0, v)
	if c.flags&flagZF == 0 {
		c.set(s.D, r, s.Flags)
	}
}

func scanR(c *core, s *isa.Step, _ int) bool {
	c.scan(s, c.r[s.A&15])
	return true
}

func scanM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.scan(s, v)
	}
	return ok
}

func cld(c *core, _ *isa.Step, _ int) bool {
	c.system &^= flagDF
	return true
}

func std(c *core, _ *isa.Step, _ int) bool {
	c.system |= flagDF
	return true
}

// flagsAH are the flags that LAHF and SAHF move.
const flagsAH = flagSF | flagZF | flagAF | flagPF | flagCF

func lahf(c *core, _ *isa.Step, _ int) bool {
	c.setByte(uint8(RAX)|highByte, c.flags&flagsAH|2)
	return true
}

func sahf(c *core, _ *isa.Step, _ int) bool {
	c.flags = c.flags&^flagsAH | c.getByte(uint8(RAX)|highByte)&flagsAH
	return true
}

func xlat(c *core, _ *isa.Step, i int) bool {
	v, ok := c.load(i, c.r[RBX]+c.r[RAX]&0xff, 1)
	if ok {
		c.set(uint8(RAX), v, 1)
	}
	return ok
}
