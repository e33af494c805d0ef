package t32

import (
	"math/bits"

	"simrun/isa"
)

// fpMemory is VLDR and VSTR: D is the first register, C the number of words.
func fpMemory(f func(c *Core, s *isa.Step) status) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.D = e.reg(in, 'x', regSink)
		e.lowerAddress(st, in)
		st.C = e.ops[e.slot('x')].regs
	})
	s.fn = f
	return s
}

// fpMove is VMOV, VMRS and VMSR: D and C are written, A and B read; Imm is a constant. Where two
// floating-point registers are moved, D or B is the first.
func fpMove(f func(c *Core, s *isa.Step) status) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.D = e.reg(in, 'x', e.reg(in, 'd', e.reg(in, 'l', regSink)))
		st.C = e.reg(in, 'h', regSink)
		st.A, st.B = e.reg(in, 'n', regZero), e.reg(in, 'z', e.reg(in, 'm', regZero))
		st.Imm = uint64(e.imm(in, 'i'))
	})
	s.fn = f
	return s
}

// floatActive notes that floating-point state is in use, CONTROL.FPCA, so that an exception saves it.
func (c *Core) floatActive() status {
	c.sys[sysCONTROL] |= controlFPCA
	return done
}

func vmovReg(c *Core, s *isa.Step) status {
	c.r[s.D&63] = c.r[s.B&63]
	return c.floatActive()
}

func vmovConst(c *Core, s *isa.Step) status {
	c.r[s.D&63] = expandFloat(uint32(s.Imm))
	return c.floatActive()
}

func vmovIn(c *Core, s *isa.Step) status {
	c.r[s.D&63] = c.r[s.A&63]
	return c.floatActive()
}

func vmovOut(c *Core, s *isa.Step) status { return vmovReg(c, s) }

func vmovPairIn(c *Core, s *isa.Step) status {
	c.r[s.D&63], c.r[(s.D+1)&63] = c.r[s.A&63], c.r[s.B&63]
	return c.floatActive()
}

func vmovPairOut(c *Core, s *isa.Step) status {
	c.r[s.D&63], c.r[s.C&63] = c.r[s.B&63], c.r[(s.B+1)&63]
	return c.floatActive()
}

// fpscrMask are the bits of FPSCR that exist: N Z C V, AHP, DN, FZ, RMode, IDC and IXC to IOC.
const fpscrMask = 0xf7c0_009f

func vmrs(c *Core, s *isa.Step) status {
	c.r[s.D&63] = c.r[FPSCR]
	return c.floatActive()
}

func vmrsFlags(c *Core, _ *isa.Step) status {
	c.setAPSR(c.r[FPSCR]&0xf000_0000 | c.q<<27)
	return c.floatActive()
}

func vmsr(c *Core, s *isa.Step) status {
	c.r[FPSCR] = c.r[s.A&63] & fpscrMask
	return c.floatActive()
}

func vload(c *Core, s *isa.Step) status {
	addr := c.r[s.A&63] + uint32(s.Imm)
	return c.loadFloats(addr, uint64(registers(int(s.D), int(s.C))))
}

func vstore(c *Core, s *isa.Step) status {
	addr := c.r[s.A&63] + uint32(s.Imm)
	return c.storeFloats(addr, uint64(registers(int(s.D), int(s.C))))
}

func vldm(c *Core, s *isa.Step) status {
	st := c.loadFloats(c.firstWord(s), s.Imm)
	if st == done {
		c.moveBase(s)
	}
	return st
}

func vstm(c *Core, s *isa.Step) status {
	st := c.storeFloats(c.firstWord(s), s.Imm)
	if st == done {
		c.moveBase(s)
	}
	return st
}

// loadFloats fills the registers of list from addr on; after a fault none has changed.
func (c *Core) loadFloats(addr uint32, list uint64) status {
	if addr&3 != 0 {
		return c.misaligned(addr, 4, isa.R)
	}
	first := bits.TrailingZeros64(list)
	var v [32]uint32
	for i := range bits.OnesCount64(list) {
		var ok bool
		if v[i&31], ok = c.loadWord(addr + 4*uint32(i)); !ok {
			return c.undo()
		}
	}
	copy(c.r[first:], v[:bits.OnesCount64(list)])
	return c.floatActive()
}

func (c *Core) storeFloats(addr uint32, list uint64) status {
	if addr&3 != 0 {
		return c.misaligned(addr, 4, isa.W)
	}
	for ; list != 0; list &= list - 1 {
		if !c.write(addr, c.r[bits.TrailingZeros64(list)], 4) {
			return c.undo()
		}
		c.record(addr, 4, true)
		addr += 4
	}
	return c.floatActive()
}
