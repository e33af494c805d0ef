package x86

import "simrun/isa"

// set writes w bytes of v to register d: 4 bytes clear the upper half, 1 and 2 keep the rest.
func (c *core) set(d uint8, v uint64, w uint8) {
	m := mask(w)
	if w < 4 {
		v = v&m | c.r[d&15]&^m
	} else {
		v &= m
	}
	c.r[d&15] = v
}

// movZX: Flags is the size of the source.
func movZX(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, c.r[s.A&15]&mask(s.Flags), uint8(s.Imm2))
	return true
}

func movHigh(c *core, s *isa.Step, _ int) bool {
	c.r[s.D&15] = c.r[s.A&15] >> 8 & 0xff
	return true
}

// signExtend extends v of from bytes to to bytes.
func signExtend(v uint64, from, to uint8) uint64 {
	n := 64 - 8*from
	return uint64(int64(v<<n)>>n) & mask(to)
}

func movSX(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, signExtend(c.r[s.A&15], s.Flags, uint8(s.Imm2)), uint8(s.Imm2))
	return true
}

func loadZX(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.r[s.D&15] = v
	}
	return ok
}

func loadPart(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.set(s.D, v, uint8(s.Imm2))
	}
	return ok
}

func loadSX(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.set(s.D, signExtend(v, s.Flags, uint8(s.Imm2)), uint8(s.Imm2))
	}
	return ok
}

func storeReg(c *core, s *isa.Step, i int) bool {
	return c.store(i, c.address(s), c.r[s.D&15], s.Flags)
}

// imm2 is the sign-extended immediate of an operation with a memory operand.
func imm2(s *isa.Step) uint64 { return uint64(int64(int32(s.Imm2))) }

func storeImm(c *core, s *isa.Step, i int) bool {
	return c.store(i, c.address(s), imm2(s), s.Flags)
}

// alu computes the row's operation on operands cut to its size.
func (c *core) alu(s *isa.Step, a, b uint64) uint64 {
	m := mask(s.Flags)
	return alus[s.Num](&c.flags, a&m, b&m, s.Flags)
}

func execAluRR(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, c.alu(s, c.r[s.D&15], c.r[s.A&15]), s.Flags)
	return true
}

func execAluRI(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, c.alu(s, c.r[s.D&15], s.Imm), s.Flags)
	return true
}

func execAluR(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, c.alu(s, c.r[s.D&15], 0), s.Flags)
	return true
}

func execShiftCL(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, c.alu(s, c.r[s.D&15], c.r[RCX]), s.Flags)
	return true
}

func execAluRRI(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, c.alu(s, c.r[s.A&15], s.Imm), s.Flags)
	return true
}

func execAluRM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.set(s.D, c.alu(s, c.r[s.D&15], v), s.Flags)
	}
	return ok
}

func execAluRMI(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.set(s.D, c.alu(s, v, imm2(s)), s.Flags)
	}
	return ok
}

// modify reads memory, applies the operation with b and writes back. The flags change only
// if both accesses succeed.
func (c *core) modify(s *isa.Step, i int, b uint64) bool {
	a := c.address(s)
	v, ok := c.load(i, a, s.Flags)
	if !ok {
		return false
	}
	flags := c.flags
	return c.putBack(i, a, c.alu(s, v, b), s.Flags, flags)
}

// putBack stores a result at a; if that fails the flags are again what they were before it was computed.
func (c *core) putBack(i int, a, v uint64, n uint8, flags uint64) bool {
	ok := c.store(i, a, v, n)
	if !ok {
		c.flags = flags
	}
	return ok
}

func execAluMR(c *core, s *isa.Step, i int) bool { return c.modify(s, i, c.r[s.D&15]) }
func execAluMI(c *core, s *isa.Step, i int) bool { return c.modify(s, i, imm2(s)) }
func execAluM(c *core, s *isa.Step, i int) bool  { return c.modify(s, i, 0) }

func execCmpRR(c *core, s *isa.Step, _ int) bool {
	c.alu(s, c.r[s.D&15], c.r[s.A&15])
	return true
}

func execCmpRI(c *core, s *isa.Step, _ int) bool {
	c.alu(s, c.r[s.D&15], s.Imm)
	return true
}

func execCmpRM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.alu(s, c.r[s.D&15], v)
	}
	return ok
}

func execCmpMR(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.alu(s, v, c.r[s.D&15])
	}
	return ok
}

func execCmpMI(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.alu(s, v, imm2(s))
	}
	return ok
}

// The condition of Jcc, SETcc and CMOVcc is in Imm2.

func setR(c *core, s *isa.Step, _ int) bool {
	c.set(s.D, bit(c.condition(uint8(s.Imm2))), 1)
	return true
}

func setM(c *core, s *isa.Step, i int) bool {
	return c.store(i, c.address(s), bit(c.condition(uint8(s.Imm2))), 1)
}

// cmov writes the register in any case: 32 bits clear the upper half.
func (c *core) cmov(s *isa.Step, v uint64) {
	if !c.condition(uint8(s.Imm2)) {
		v = c.r[s.D&15]
	}
	c.set(s.D, v, s.Flags)
}

func cmovRR(c *core, s *isa.Step, _ int) bool {
	c.cmov(s, c.r[s.A&15])
	return true
}

func cmovRM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.cmov(s, v)
	}
	return ok
}
