package x86

import (
	"fmt"

	"simrun/isa"
)

func xchgRR(c *core, s *isa.Step, _ int) bool {
	a, b := c.r[s.D&15], c.r[s.A&15]
	c.set(s.D, b, s.Flags)
	c.set(s.A, a, s.Flags)
	return true
}

func xchgMR(c *core, s *isa.Step, i int) bool {
	a := c.address(s)
	v, ok := c.load(i, a, s.Flags)
	if ok = ok && c.store(i, a, c.r[s.D&15], s.Flags); ok {
		c.set(s.D, v, s.Flags)
	}
	return ok
}

// xaddRR writes the sum last, so that it stays if both are the same register.
func xaddRR(c *core, s *isa.Step, _ int) bool {
	a, b := c.r[s.D&15], c.r[s.A&15]
	sum := aluAdd(&c.flags, a&mask(s.Flags), b&mask(s.Flags), s.Flags)
	c.set(s.A, a, s.Flags)
	c.set(s.D, sum, s.Flags)
	return true
}

func xaddMR(c *core, s *isa.Step, i int) bool {
	a := c.address(s)
	v, ok := c.load(i, a, s.Flags)
	if !ok {
		return false
	}
	flags := c.flags
	sum := aluAdd(&c.flags, v, c.r[s.D&15]&mask(s.Flags), s.Flags)
	ok = c.putBack(i, a, sum, s.Flags, flags)
	if ok {
		c.set(s.D, v, s.Flags)
	}
	return ok
}

// cmpxchgRR writes either RAX or the destination.
func cmpxchgRR(c *core, s *isa.Step, _ int) bool {
	m := mask(s.Flags)
	old, wanted := c.r[s.D&15]&m, c.r[RAX]&m
	from := c.r[s.A&15]
	aluSub(&c.flags, wanted, old, s.Flags)
	if old == wanted {
		c.set(s.D, from, s.Flags)
	} else {
		c.set(uint8(RAX), old, s.Flags)
	}
	return true
}

// cmpxchgMR writes memory in any case, as the manual says.
func cmpxchgMR(c *core, s *isa.Step, i int) bool {
	a := c.address(s)
	old, ok := c.load(i, a, s.Flags)
	if !ok {
		return false
	}
	wanted, put := c.r[RAX]&mask(s.Flags), old
	if old == wanted {
		put = c.r[s.D&15]
	}
	if !c.store(i, a, put, s.Flags) {
		return false
	}
	aluSub(&c.flags, wanted, old, s.Flags)
	if old != wanted {
		c.set(uint8(RAX), old, s.Flags)
	}
	return true
}

// cmpxchgWide compares RDX:RAX, halves of w bytes, with memory and stores RCX:RBX if they are equal. Only ZF changes.
func (c *core) cmpxchgWide(s *isa.Step, i int, w uint8) bool {
	a := c.address(s)
	lo, ok := c.load(i, a, w)
	if !ok {
		return false
	}
	hi, ok := c.load(i, a+uint64(w), w)
	if !ok {
		return false
	}
	equal := lo == c.r[RAX]&mask(w) && hi == c.r[RDX]&mask(w)
	putLo, putHi := lo, hi
	if equal {
		putLo, putHi = c.r[RBX], c.r[RCX]
	}
	if !c.writable(a+uint64(w), w) {
		return false
	}
	if !c.store(i, a, putLo, w) || !c.store(i, a+uint64(w), putHi, w) {
		return false
	}
	c.flags = c.flags&^flagZF | bit(equal)<<6
	if !equal {
		c.set(uint8(RAX), lo, w)
		c.set(uint8(RDX), hi, w)
	}
	return true
}

// writable notes a fault if n bytes at a cannot be written, for instructions that store twice.
func (c *core) writable(a uint64, n uint8) bool {
	if r := c.mem.Find(a, uint64(n)); r == nil || r.Perm&isa.W == 0 {
		return c.fail(a, n, isa.W)
	}
	return true
}

func cmpxchg8B(c *core, s *isa.Step, i int) bool { return c.cmpxchgWide(s, i, 4) }

func cmpxchg16B(c *core, s *isa.Step, i int) bool {
	if a := c.address(s); a&15 != 0 {
		c.trap = fmt.Errorf("cmpxchg16b at %#x, which is no multiple of 16", a)
		return false
	}
	return c.cmpxchgWide(s, i, 8)
}
