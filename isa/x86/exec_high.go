package x86

import "simrun/isa"

// highByte marks ah, ch, dh and bh in the register numbers of a step.
const highByte = 1 << 4

// getByte reads a byte register, setByte writes one and keeps the rest.
func (c *core) getByte(n uint8) uint64 { return c.r[n&15] >> (n & highByte / 2) & 0xff }

func (c *core) setByte(n uint8, v uint64) {
	shift := n & highByte / 2
	c.r[n&15] = c.r[n&15]&^(0xff<<shift) | v&0xff<<shift
}

func highMov(c *core, s *isa.Step, _ int) bool {
	c.setByte(s.D, c.getByte(s.A))
	return true
}

func highMovI(c *core, s *isa.Step, _ int) bool {
	c.setByte(s.D, s.Imm)
	return true
}

func highMovSX(c *core, s *isa.Step, _ int) bool {
	c.r[s.D&15] = signExtend(c.getByte(s.A), 1, 4)
	return true
}

func highLoad(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), 1)
	if ok {
		c.setByte(s.D, v)
	}
	return ok
}

func highStore(c *core, s *isa.Step, i int) bool {
	return c.store(i, c.address(s), c.getByte(s.D), 1)
}

func highXchg(c *core, s *isa.Step, _ int) bool {
	a, b := c.getByte(s.D), c.getByte(s.A)
	c.setByte(s.D, b)
	c.setByte(s.A, a)
	return true
}

func highAluRR(c *core, s *isa.Step, _ int) bool {
	c.setByte(s.D, c.alu(s, c.getByte(s.D), c.getByte(s.A)))
	return true
}

func highAluRI(c *core, s *isa.Step, _ int) bool {
	c.setByte(s.D, c.alu(s, c.getByte(s.D), s.Imm))
	return true
}

func highAluRM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), 1)
	if ok {
		c.setByte(s.D, c.alu(s, c.getByte(s.D), v))
	}
	return ok
}

func highAluMR(c *core, s *isa.Step, i int) bool { return c.modify(s, i, c.getByte(s.D)) }

func highAluR(c *core, s *isa.Step, _ int) bool {
	c.setByte(s.D, c.alu(s, c.getByte(s.D), 0))
	return true
}

func highShiftCL(c *core, s *isa.Step, _ int) bool {
	c.setByte(s.D, c.alu(s, c.getByte(s.D), c.r[RCX]))
	return true
}

func highCmpRR(c *core, s *isa.Step, _ int) bool {
	c.alu(s, c.getByte(s.D), c.getByte(s.A))
	return true
}

func highCmpRI(c *core, s *isa.Step, _ int) bool {
	c.alu(s, c.getByte(s.D), s.Imm)
	return true
}

func highCmpRM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), 1)
	if ok {
		c.alu(s, c.getByte(s.D), v)
	}
	return ok
}

func highCmpMR(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), 1)
	if ok {
		c.alu(s, v, c.getByte(s.D))
	}
	return ok
}

func highSet(c *core, s *isa.Step, _ int) bool {
	c.setByte(s.D, bit(holds(c.flags, uint8(s.Imm2))))
	return true
}
