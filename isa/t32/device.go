package t32

import (
	"encoding/binary"

	"simrun/isa"
)

// device returns what answers at addr if the current step may access it now: a device wants to
// be the first step of a run. Without one the run ends before the step, with a fault if
// nothing answers, or else to come back to it at the start of the next run.
func (c *Core) device(addr, size uint32, want isa.Perm) *isa.Device {
	d := c.mem.DeviceAt(uint64(addr), uint64(size))
	if d == nil {
		c.fault(addr, size, want)
		return nil
	}
	if c.step > 0 {
		return nil
	}
	return d
}

// loadDevice is refill for memory that no region holds.
func (c *Core) loadDevice(addr, size uint32) []byte {
	d := c.device(addr, size, isa.R)
	if d == nil {
		return nil
	}
	v, fault := d.Read(uint64(addr), int(size))
	if fault != nil {
		c.halt(isa.Stop{Kind: isa.StopFault, Err: fault})
		return nil
	}
	binary.LittleEndian.PutUint32(c.reply[:], v)
	return c.reply[:size]
}

// storeDevice is write for memory that no region holds. The run ends behind the step.
func (c *Core) storeDevice(addr, v, size uint32) bool {
	d := c.device(addr, size, isa.W)
	if d == nil {
		return false
	}
	if fault := d.Write(uint64(addr), int(size), v); fault != nil {
		c.halt(isa.Stop{Kind: isa.StopFault, Err: fault})
		return false
	}
	c.dirty = true
	c.halt(isa.Stop{Kind: isa.StopDevice})
	return true
}

// semihostBreak is the number of the breakpoint that calls the debugger.
const semihostBreak = 0xab

// Semihosting reports whether the stop is BKPT 0xAB.
func (c *Core) Semihosting(s isa.Stop) bool {
	return s.Kind == isa.StopBreak && s.Code == semihostBreak
}
