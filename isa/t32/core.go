package t32

import (
	"encoding/binary"
	"fmt"

	"simrun/isa"
)

// Core executes code. It is an [isa.Vectors] and an [isa.FloatSwitch].
type Core struct {
	r        [64]uint32 // r0-r14, regZero, regSink
	pc       uint32
	n, z     uint32 // the result whose sign is N; the one that is 0 if Z is set
	carry, v uint32 // 0 or 1
	q        uint32
	ge       uint32 // APSR.GE, four bits
	it       uint8  // ITSTATE before the instruction at pc
	sys      [numSysRegs]uint32
	monitor  uint64 // address of the last LDREX, above 2^32 if none

	exc      exceptions
	floatOff bool // the floating-point unit is switched off

	mem      *isa.Memory
	rd, wr   window
	code     codeCache
	fns      []func(c *Core, s *isa.Step) status
	features []string
	dirty    bool // a store hit decoded code

	// Of the block that runs now.
	step      int     // for row functions and device accesses
	reply     [4]byte // of a device
	next      uint32
	taken     bool
	stop      isa.Stop
	halted    bool // stop is set
	listening bool
	event     isa.Retired
	retired   uint64
}

const noMonitor = 1 << 32

// NewCore returns a core on mem. Features: "dsp", "fp" (moves, loads and stores of the
// floating-point registers).
func (Arch) NewCore(mem *isa.Memory, features []string) isa.Core {
	c := &Core{mem: mem, monitor: noMonitor, fns: rowFunctions, features: features, z: 1}
	c.exc.vectors = isa.NoAddr
	c.code.init()
	written := mem.Written
	mem.Written = func(addr, n uint64) {
		if c.code.drop(addr, n) {
			c.dirty = true
		}
		if written != nil {
			written(addr, n)
		}
	}
	return c
}

// rowFunctions holds the function of each row, by Form.Num.
var rowFunctions = func() []func(*Core, *isa.Step) status {
	list := make([]func(*Core, *isa.Step) status, len(encodings))
	for i, e := range encodings {
		list[i] = e.row.sem.fn
	}
	return list
}()

// Reg returns a register. The PC is the address of the next instruction; Flags is the APSR.
func (c *Core) Reg(r isa.Reg) uint64 {
	switch {
	case r == PC:
		return uint64(c.pc)
	case r == Flags:
		return uint64(c.apsr())
	}
	return uint64(c.r[r&63])
}

// SetReg sets a register; writing the PC is SetPC.
func (c *Core) SetReg(r isa.Reg, v uint64) {
	switch {
	case r == PC:
		c.SetPC(v)
	case r == Flags:
		c.setAPSR(uint32(v))
		c.ge = uint32(v) >> geShift & 15
	case r < PC || r >= S0 && r <= FPSCR:
		c.r[r] = uint32(v)
	}
}

// Vec returns zero: there are no vector registers.
func (c *Core) Vec(isa.Reg) [2]uint64 { return [2]uint64{} }

// SetVec does nothing.
func (c *Core) SetVec(isa.Reg, [2]uint64) {}

func (c *Core) PC() uint64 { return uint64(c.pc) }

// SetPC sets the address of the next instruction, bit 0 ignored, outside an IT block.
func (c *Core) SetPC(pc uint64) {
	c.pc = uint32(pc) &^ 1
	c.it = 0
}

// SetFloat switches the floating-point unit, as CPACR does. It is on at first; off, its instructions are undefined.
func (c *Core) SetFloat(on bool) {
	if c.floatOff == on {
		c.floatOff = !on
		c.code.init() // what was decoded may be undefined now
	}
}

// SetClock does nothing: no instruction reads a clock; DWT_CYCCNT and SysTick are memory.
func (c *Core) SetClock(isa.Clock) {}

func (c *Core) Retired() uint64 { return c.retired }

const geShift = 16

// apsr packs the flags as MRS reads them: N Z C V Q in bits 31 to 27, GE in 19 to 16.
func (c *Core) apsr() uint32 {
	v := c.n&(1<<31) | c.carry<<29 | c.v<<28 | c.q<<27 | c.ge<<geShift
	if c.z == 0 {
		v |= 1 << 30
	}
	return v
}

// setAPSR sets all flags but GE.
func (c *Core) setAPSR(v uint32) {
	c.n, c.z = v, ^v>>30&1
	c.carry, c.v, c.q = v>>29&1, v>>28&1, v>>27&1
}

// Run executes straight runs until something stops it.
func (c *Core) Run(l isa.Listener, limit uint64, stopAt uint64) isa.Stop {
	c.listening = l != nil
	left := limit
	if stopAt != isa.NoAddr {
		stopAt &^= 1
	}
	for {
		if c.exc.pending != 0 && !c.interrupt(l) {
			return c.stop
		}
		if uint64(c.pc) == stopAt {
			return isa.Stop{Kind: isa.StopAddr, PC: stopAt}
		}
		if limit != 0 && left == 0 {
			return isa.Stop{Kind: isa.StopLimit, PC: uint64(c.pc)}
		}
		b := c.code.at(c.pc, c.it)
		if b == nil {
			if b = c.decodeBlock(); b == nil {
				if pc := c.pc; c.take() {
					c.reportTrap(l, pc)
					continue
				}
				return c.stop
			}
		}
		n := len(b.Steps)
		if stopAt > b.PC && stopAt < uint64(b.end) {
			n = b.stepAt(stopAt)
		}
		if limit != 0 && uint64(n) > left {
			n = int(left)
		}
		ran := c.runBlock(b, n, l)
		left -= uint64(ran)
		if c.halted {
			return c.stop
		}
	}
}

// runBlock executes n steps of b at most, moves the PC and tells the listener.
func (c *Core) runBlock(b *block, n int, l isa.Listener) int {
	c.halted, c.taken, c.dirty, c.exc.resumeIT = false, false, false, 0
	c.next = b.addr(n)
	ran := c.exec(b, n)
	if ran < n {
		c.next, c.taken = b.addr(ran), false
	}
	c.pc, c.it = c.next, c.exc.resumeIT
	if !c.taken {
		c.it = b.itAt(ran)
	}
	c.retired += uint64(ran)
	if c.halted {
		c.stop.PC = uint64(b.addr(ran))
		switch c.stop.Kind {
		case isa.StopBreak, isa.StopSystem, isa.StopHalt, isa.StopDevice:
			c.stop.PC = uint64(b.addr(ran - 1))
		}
		c.halted = !c.take()
	}
	if c.listening && (ran > 0 || c.exc.trap != 0) {
		e := &c.event
		e.Return, e.Trap = c.exc.returned, c.exc.trap
		e.Code, e.N, e.Next, e.Taken = &b.Straight, ran, uint64(c.pc), c.taken
		l.Retire(e)
		e.Data, e.Skipped, e.Hints, e.Trap = e.Data[:0], e.Skipped[:0], e.Hints[:0], 0
	}
	c.exc.trap, c.exc.returned = 0, false
	return ran
}

func (c *Core) skip(i int) {
	if c.listening {
		c.event.Skipped = append(c.event.Skipped, uint16(i))
	}
}

func (c *Core) access(addr uint32, step int, size uint32, store bool) {
	c.event.Data = append(c.event.Data, isa.Access{
		Addr: uint64(addr), Step: uint16(step), Size: uint8(size), Store: store,
	})
}

func (c *Core) hint(v int) {
	if c.listening {
		c.event.Hints = append(c.event.Hints, isa.Hint{Step: uint16(c.step), Value: uint8(v)})
	}
}

// halt ends the run; runBlock fills in the address.
func (c *Core) halt(s isa.Stop) {
	c.stop, c.halted = s, true
}

func (c *Core) fault(addr uint32, size uint32, want isa.Perm) {
	c.halt(isa.Stop{Kind: isa.StopFault, Err: c.mem.FaultAt(uint64(addr), int(size), want)})
}

func (c *Core) misaligned(addr uint32, size uint32, want isa.Perm) status {
	c.halt(isa.Stop{Kind: isa.StopFault, Err: &isa.Fault{Addr: uint64(addr), Size: int(size), Want: want, Cause: "misaligned"}})
	return faulted
}

func (c *Core) undefined(format string, args ...any) {
	c.halt(isa.Stop{Kind: isa.StopUndef, Err: fmt.Errorf(format, args...)})
}

// window is the region that the last access hit, to find it again without a search.
type window struct {
	base uint32
	data []byte
}

// at returns the size bytes at addr, nil if they are not in the window.
func (w *window) at(addr, size uint32) []byte {
	off := uint64(addr - w.base)
	if off+uint64(size) > uint64(len(w.data)) {
		return nil
	}
	return w.data[off : off+uint64(size)]
}

// refill moves the reading window to addr; nil after a fault.
func (c *Core) refill(addr, size uint32) []byte {
	r := c.mem.Find(uint64(addr), uint64(size))
	if r == nil {
		return c.loadDevice(addr, size)
	}
	c.rd = window{uint32(r.Base), r.Data}
	return c.rd.at(addr, size)
}

// write stores the low bytes of v. Regions that hold code go through Memory, which reports writes.
func (c *Core) write(addr, v, size uint32) bool {
	m := c.wr.at(addr, size)
	if m == nil {
		r := c.mem.Find(uint64(addr), uint64(size))
		if r == nil {
			return c.storeDevice(addr, v, size)
		}
		if r.Perm&isa.W == 0 {
			c.fault(addr, size, isa.W)
			return false
		}
		if r.Perm&isa.X != 0 {
			return c.writeCode(addr, v, size)
		}
		c.wr = window{uint32(r.Base), r.Data}
		m = c.wr.at(addr, size)
	}
	switch size {
	case 4:
		binary.LittleEndian.PutUint32(m, v)
	case 2:
		binary.LittleEndian.PutUint16(m, uint16(v))
	default:
		m[0] = uint8(v)
	}
	return true
}

func (c *Core) writeCode(addr, v, size uint32) bool {
	switch size {
	case 4:
		return c.mem.Store32(uint64(addr), v)
	case 2:
		return c.mem.Store16(uint64(addr), uint16(v))
	}
	return c.mem.Store8(uint64(addr), uint8(v))
}
