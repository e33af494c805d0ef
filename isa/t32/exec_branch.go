package t32

import (
	"encoding/binary"

	"simrun/isa"
)

// branch goes to an address of Thumb code, bit 0 ignored.
func (c *Core) branch(to uint32) {
	c.next, c.taken = to&^1, true
}

// interwork goes to an address whose bit 0 must say "Thumb", or returns from an exception.
func (c *Core) interwork(to uint32) status {
	if c.isExceptionReturn(to) {
		return c.exceptionReturn(to)
	}
	if to&1 == 0 {
		c.undefined("branch to %#x: bit 0 is clear, so it is no Thumb code", to)
		return c.undo()
	}
	c.branch(to)
	return done
}

func branchTo(c *Core, s *isa.Step) status {
	c.branch(uint32(s.Imm))
	return done
}

func branchIf(c *Core, s *isa.Step) status {
	if c.holds(s.D) {
		c.branch(uint32(s.Imm))
	}
	return done
}

func branchLink(c *Core, s *isa.Step) status {
	c.r[LR] = s.Imm2
	c.branch(uint32(s.Imm))
	return done
}

func branchLinkReg(c *Core, s *isa.Step) status {
	to := c.r[s.B&63]
	if st := c.interwork(to); st != done {
		return st
	}
	c.r[LR] = s.Imm2
	return done
}

func branchReg(c *Core, s *isa.Step) status { return c.interwork(c.r[s.B&63]) }

func branchZero(c *Core, s *isa.Step) status {
	if c.r[s.A&63] == 0 {
		c.branch(uint32(s.Imm))
	}
	return done
}

func branchNonzero(c *Core, s *isa.Step) status {
	if c.r[s.A&63] != 0 {
		c.branch(uint32(s.Imm))
	}
	return done
}

// branchTable is TBB and TBH: a table of distances in halfwords from the PC, which is the address
// behind this instruction; C is the size of an entry.
func branchTable(c *Core, s *isa.Step) status {
	behind := s.Imm2 &^ 1
	base := c.r[s.A&63]
	if s.A == uint8(PC) {
		base = behind
	}
	size := uint32(s.C)
	addr := base + c.r[s.B&63]*size
	m := c.rd.at(addr, size)
	if m == nil {
		if m = c.refill(addr, size); m == nil {
			return faulted
		}
	}
	c.record(addr, size, false)
	distance := uint32(m[0])
	if size == 2 {
		distance = uint32(binary.LittleEndian.Uint16(m))
	}
	c.branch(behind + 2*distance)
	return done
}

// stopRun is SVC, BKPT, UDF and WFI: D is the kind of the stop, Imm its number.
func stopRun(c *Core, s *isa.Step) status {
	kind := isa.StopKind(s.D)
	if kind == isa.StopUndef {
		c.undefined("udf #%d", s.Imm)
		return faulted
	}
	if kind == isa.StopHalt && c.wakes() {
		return done
	}
	c.halt(isa.Stop{Kind: kind, Code: uint32(s.Imm)})
	return stopped
}
