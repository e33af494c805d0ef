package x86

import "simrun/isa"

// maxRepeat bounds the elements of a repeated string instruction that are executed at once: with more to do the
// instruction retires and runs again, as it does after an interrupt.
const maxRepeat = 1 << 14

// An element executes one element of a string instruction; move is what is added to the addresses.
type element func(c *core, s *isa.Step, i int, move uint64) bool

// repeat executes one element, or with a repeat prefix as many as RCX says. CMPS and SCAS end it when ZF is not as the
// prefix wants it. What was done before a fault stays done.
func (c *core) repeat(s *isa.Step, i int, f element, compares bool) bool {
	move := uint64(s.Flags)
	if c.system&flagDF != 0 {
		move = -move
	}
	if s.Imm2 == 0 {
		return f(c, s, i, move)
	}
	for n := 0; c.r[RCX] != 0; n++ {
		if n == maxRepeat || c.runs.stale {
			c.next -= uint64(s.Size)
			return true
		}
		if !f(c, s, i, move) {
			return false
		}
		c.r[RCX]--
		if compares && (c.flags&flagZF != 0) != (s.Imm2 == prefixRep) {
			break
		}
	}
	return true
}

func movs(c *core, s *isa.Step, i int) bool { return c.repeat(s, i, movsOne, false) }
func stos(c *core, s *isa.Step, i int) bool { return c.repeat(s, i, stosOne, false) }
func lods(c *core, s *isa.Step, i int) bool { return c.repeat(s, i, lodsOne, false) }
func cmps(c *core, s *isa.Step, i int) bool { return c.repeat(s, i, cmpsOne, true) }
func scas(c *core, s *isa.Step, i int) bool { return c.repeat(s, i, scasOne, true) }

func movsOne(c *core, s *isa.Step, i int, move uint64) bool {
	v, ok := c.load(i, c.r[RSI], s.Flags)
	if ok = ok && c.store(i, c.r[RDI], v, s.Flags); ok {
		c.r[RSI] += move
		c.r[RDI] += move
	}
	return ok
}

func stosOne(c *core, s *isa.Step, i int, move uint64) bool {
	ok := c.store(i, c.r[RDI], c.r[RAX], s.Flags)
	if ok {
		c.r[RDI] += move
	}
	return ok
}

func lodsOne(c *core, s *isa.Step, i int, move uint64) bool {
	v, ok := c.load(i, c.r[RSI], s.Flags)
	if ok {
		c.set(uint8(RAX), v, s.Flags)
		c.r[RSI] += move
	}
	return ok
}

func cmpsOne(c *core, s *isa.Step, i int, move uint64) bool {
	a, ok := c.load(i, c.r[RSI], s.Flags)
	if !ok {
		return false
	}
	b, ok := c.load(i, c.r[RDI], s.Flags)
	if ok {
		aluSub(&c.flags, a, b, s.Flags)
		c.r[RSI] += move
		c.r[RDI] += move
	}
	return ok
}

func scasOne(c *core, s *isa.Step, i int, move uint64) bool {
	v, ok := c.load(i, c.r[RDI], s.Flags)
	if ok {
		aluSub(&c.flags, c.r[RAX]&mask(s.Flags), v, s.Flags)
		c.r[RDI] += move
	}
	return ok
}
