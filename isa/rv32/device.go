package rv32

import "simrun/isa"

// device executes the step that body stopped at, which accesses c.asks, if it is the first of the
// run: with earlier steps the run ends before it, to come back to it at the start of the next.
// It returns how many steps of the run have executed, and a stop behind a store or a fault.
func (c *core) device(s *isa.Step, before int) (done int, stop isa.Stop, ok bool) {
	if before > 0 {
		return before, stop, true
	}
	stop.PC = uint64(s.Imm2) - uint64(s.Size)
	a := c.x[s.A&63] + uint32(s.Imm)
	var err error
	switch k := kind(s.Kind); k {
	case kLw, kLb, kLbu, kLh, kLhu:
		err = c.loadDevice(a, s)
	case kSw, kSb, kSh:
		if err = c.storeDevice(a, s); err == nil {
			stop.Kind = isa.StopDevice
			return 1, stop, false
		}
	default:
		err = &isa.Fault{Addr: uint64(c.x[s.A&63]), Size: 4, Want: isa.W, Cause: "not writable by an atomic instruction (" + c.asks.Name + ")"}
	}
	if err != nil {
		stop.Kind, stop.Err = isa.StopFault, err
		return 0, stop, false
	}
	return 1, stop, true
}

func (c *core) loadDevice(a uint32, s *isa.Step) error {
	size := accessSize(isa.Load, kind(s.Kind))
	if a&uint32(size-1) != 0 {
		return &isa.Fault{Addr: uint64(a), Size: size, Want: isa.R, Cause: misaligned}
	}
	v, fault := c.asks.Read(uint64(a), size)
	if fault != nil {
		return fault
	}
	switch kind(s.Kind) {
	case kLb:
		v = uint32(int8(v))
	case kLbu:
		v = uint32(uint8(v))
	case kLh:
		v = uint32(int16(v))
	case kLhu:
		v = uint32(uint16(v))
	}
	c.x[s.D&63] = v
	if c.rec {
		c.access(0, a, size, false)
	}
	return nil
}

func (c *core) storeDevice(a uint32, s *isa.Step) error {
	size := accessSize(isa.Store, kind(s.Kind))
	if a&uint32(size-1) != 0 {
		return &isa.Fault{Addr: uint64(a), Size: size, Want: isa.W, Cause: misaligned}
	}
	if fault := c.asks.Write(uint64(a), size, c.x[s.B&63]); fault != nil {
		return fault
	}
	if c.rec {
		c.access(0, a, size, true)
	}
	return nil
}
