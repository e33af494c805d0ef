package t32

import (
	"encoding/binary"

	"simrun/isa"
)

// loadWord reads a word and records the access.
func (c *Core) loadWord(addr uint32) (uint32, bool) {
	m := c.rd.at(addr, 4)
	if m == nil {
		if m = c.refill(addr, 4); m == nil {
			return 0, false
		}
	}
	c.record(addr, 4, false)
	return binary.LittleEndian.Uint32(m), true
}

func (c *Core) record(addr, size uint32, store bool) {
	if c.listening {
		c.access(addr, c.step, size, store)
	}
}

// undo forgets the accesses of the current step, which has faulted.
func (c *Core) undo() status {
	d := c.event.Data
	for len(d) > 0 && int(d[len(d)-1].Step) == c.step {
		d = d[:len(d)-1]
	}
	c.event.Data = d
	return faulted
}

func (c *Core) address(s *isa.Step) uint32 {
	return c.r[s.A&63] + c.r[s.B&63]<<(s.C&31) + uint32(s.Imm)
}

func (c *Core) writeBack(s *isa.Step) {
	if s.Flags&writesBase != 0 {
		c.r[s.A&63] += s.Imm2
	}
}

// loadPC is LDR with the PC as its target.
func loadPC(c *Core, s *isa.Step) status {
	v, ok := c.loadWord(c.address(s))
	if !ok {
		return faulted
	}
	c.writeBack(s)
	return c.interwork(v)
}

// ldrd and strd: D and C are the registers, so C is no shift.
func ldrd(c *Core, s *isa.Step) status {
	addr := c.r[s.A&63] + uint32(s.Imm)
	if addr&3 != 0 {
		return c.misaligned(addr, 4, isa.R)
	}
	lo, ok := c.loadWord(addr)
	if !ok {
		return faulted
	}
	hi, ok := c.loadWord(addr + 4)
	if !ok {
		return c.undo()
	}
	c.writeBack(s)
	c.r[s.D&63], c.r[s.C&63] = lo, hi
	return done
}

func strd(c *Core, s *isa.Step) status {
	addr := c.r[s.A&63] + uint32(s.Imm)
	if addr&3 != 0 {
		return c.misaligned(addr, 4, isa.W)
	}
	if !c.write(addr, c.r[s.D&63], 4) || !c.write(addr+4, c.r[s.C&63], 4) {
		return faulted
	}
	c.record(addr, 4, true)
	c.record(addr+4, 4, true)
	c.writeBack(s)
	return done
}

// firstWord is where LDM or STM starts, in both directions upwards.
func (c *Core) firstWord(s *isa.Step) uint32 {
	if s.Flags&up != 0 {
		return c.r[s.A&63]
	}
	return c.r[s.A&63] - s.Imm2
}

func (c *Core) moveBase(s *isa.Step) {
	switch s.Flags & (up | writeback) {
	case up | writeback:
		c.r[s.A&63] += s.Imm2
	case writeback:
		c.r[s.A&63] -= s.Imm2
	}
}

func ldm(c *Core, s *isa.Step) status {
	addr := c.firstWord(s)
	if addr&3 != 0 {
		return c.misaligned(addr, 4, isa.R)
	}
	var v [16]uint32
	for i := range 16 {
		if s.Imm>>i&1 == 0 {
			continue
		}
		var ok bool
		if v[i], ok = c.loadWord(addr); !ok {
			return c.undo()
		}
		addr += 4
	}
	c.moveBase(s)
	for i := range 15 {
		if s.Imm>>i&1 != 0 {
			c.r[i] = v[i]
		}
	}
	if s.Imm>>PC&1 != 0 {
		return c.interwork(v[PC])
	}
	return done
}

func stm(c *Core, s *isa.Step) status {
	addr := c.firstWord(s)
	if addr&3 != 0 {
		return c.misaligned(addr, 4, isa.W)
	}
	for i := range 15 {
		if s.Imm>>i&1 == 0 {
			continue
		}
		if !c.write(addr, c.r[i], 4) {
			return c.undo()
		}
		c.record(addr, 4, true)
		addr += 4
	}
	c.moveBase(s)
	return done
}

// Exclusive accesses: D is Rt, C is Rd, Imm2 the size. There is one processor, so the
// monitor is lost to CLREX and STREX only.

func ldrex(c *Core, s *isa.Step) status {
	addr, size := c.r[s.A&63]+uint32(s.Imm), s.Imm2
	if addr&(size-1) != 0 {
		return c.misaligned(addr, size, isa.R)
	}
	m := c.refill(addr, size)
	if m == nil {
		return faulted
	}
	c.record(addr, size, false)
	var word [4]byte
	copy(word[:], m)
	c.r[s.D&63] = binary.LittleEndian.Uint32(word[:])
	c.monitor = uint64(addr)
	return done
}

func strex(c *Core, s *isa.Step) status {
	addr, size := c.r[s.A&63]+uint32(s.Imm), s.Imm2
	if addr&(size-1) != 0 {
		return c.misaligned(addr, size, isa.W)
	}
	failed := uint32(1)
	if c.monitor == uint64(addr) {
		if !c.write(addr, c.r[s.D&63], size) {
			return faulted
		}
		c.record(addr, size, true)
		failed = 0
	}
	c.monitor = noMonitor
	c.r[s.C&63] = failed
	return done
}

func clrex(c *Core, _ *isa.Step) status {
	c.monitor = noMonitor
	return done
}
