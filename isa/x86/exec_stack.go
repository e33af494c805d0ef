package x86

import (
	"errors"

	"simrun/isa"
)

func (c *core) pushWord(i int, v uint64) bool {
	ok := c.store(i, c.r[RSP]-8, v, 8)
	if ok {
		c.r[RSP] -= 8
	}
	return ok
}

func (c *core) popWord(i int) (uint64, bool) {
	v, ok := c.load(i, c.r[RSP], 8)
	if ok {
		c.r[RSP] += 8
	}
	return v, ok
}

func push(c *core, s *isa.Step, i int) bool { return c.pushWord(i, c.r[s.D&15]) }

func pop(c *core, s *isa.Step, i int) bool {
	v, ok := c.popWord(i)
	if ok {
		c.r[s.D&15] = v
	}
	return ok
}

func pushImm(c *core, s *isa.Step, i int) bool { return c.pushWord(i, s.Imm) }

func pushM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), 8)
	return ok && c.pushWord(i, v)
}

// popM computes the address after RSP has moved.
func popM(c *core, s *isa.Step, i int) bool {
	v, ok := c.popWord(i)
	if ok && !c.store(i, c.address(s), v, 8) {
		c.r[RSP] -= 8
		return false
	}
	return ok
}

// pushF shows interrupts enabled, as under any operating system.
func pushF(c *core, _ *isa.Step, i int) bool {
	const interrupts = 1 << 9
	return c.pushWord(i, c.Reg(RFLAGS)|interrupts)
}

func popF(c *core, _ *isa.Step, i int) bool {
	v, ok := c.popWord(i)
	if ok {
		c.SetReg(RFLAGS, v)
	}
	return ok
}

func leave(c *core, _ *isa.Step, i int) bool {
	v, ok := c.load(i, c.r[RBP], 8)
	if ok {
		c.r[RSP], c.r[RBP] = c.r[RBP]+8, v
	}
	return ok
}

// A branch ends its run, so c.next already holds the address behind it.

func jmp(c *core, s *isa.Step, _ int) bool {
	c.next = s.Imm
	return true
}

func jmpR(c *core, s *isa.Step, _ int) bool {
	c.next = c.r[s.D&15]
	return true
}

func call(c *core, s *isa.Step, i int) bool {
	ok := c.pushWord(i, c.next)
	if ok {
		c.next = s.Imm
	}
	return ok
}

func callR(c *core, s *isa.Step, i int) bool {
	to := c.r[s.D&15] // before the push: it may be RSP
	ok := c.pushWord(i, c.next)
	if ok {
		c.next = to
	}
	return ok
}

func ret(c *core, _ *isa.Step, i int) bool {
	v, ok := c.popWord(i)
	if ok {
		c.next = v
	}
	return ok
}

// rdtsc reads 0 without a clock.
func rdtsc(c *core, _ *isa.Step, _ int) bool {
	var now uint64
	if c.clock != nil {
		now = c.clock.Now()
	}
	c.r[RAX], c.r[RDX] = now&0xffffffff, now>>32
	return true
}

// syscall leaves the call itself to the machine.
func syscall(c *core, _ *isa.Step, _ int) bool {
	c.r[RCX], c.r[R11] = c.next, c.flags|2
	return true
}

func jmpM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), 8)
	if ok {
		c.next = v
	}
	return ok
}

// jcount is LOOPNE, LOOPE, LOOP and JRCXZ, in the order of their codes. They leave the flags alone.
func jcount(c *core, s *isa.Step, _ int) bool {
	if s.Imm2 < 3 {
		c.r[RCX]--
	}
	taken := c.r[RCX] != 0
	switch s.Imm2 {
	case 0:
		taken = taken && c.flags&flagZF == 0
	case 1:
		taken = taken && c.flags&flagZF != 0
	case 3:
		taken = !taken
	}
	if taken {
		c.next = s.Imm
	}
	return true
}

func callM(c *core, s *isa.Step, i int) bool {
	to, ok := c.load(i, c.address(s), 8)
	if ok = ok && c.pushWord(i, c.next); ok {
		c.next = to
	}
	return ok
}

func retImm16(c *core, s *isa.Step, i int) bool {
	v, ok := c.popWord(i)
	if ok {
		c.next = v
		c.r[RSP] += s.Imm & 0xffff
	}
	return ok
}

// rdtscp gives processor number 0.
func rdtscp(c *core, s *isa.Step, i int) bool {
	c.r[RCX] = 0
	return rdtsc(c, s, i)
}

var errUD2 = errors.New("ud2, which stops a program that should not come here")

func ud2(c *core, _ *isa.Step, _ int) bool {
	c.trap = errUD2
	return false
}
