package t32

import (
	"errors"
	"fmt"
	"math/bits"

	"simrun/isa"
)

// Exceptions of B1.5, as far as they need no register of the System Control Space: the machine
// owns those, and tells the core of the vector table, priorities and pending interrupts. MemManage,
// BusFault and UsageFault are disabled as after reset, so each fault is a HardFault. Priorities are
// not divided into groups.

var (
	_ isa.Vectors     = (*Core)(nil)
	_ isa.FloatSwitch = (*Core)(nil)
)

// Exception numbers.
const (
	excNMI       = 2
	excHardFault = 3
	excSVCall    = 11

	numExceptions = 64 // 16 of the system and 48 external interrupts
)

// exceptions is the state of the exception model.
type exceptions struct {
	vectors  uint64 // address of the table, isa.NoAddr if none is in use
	number   uint32 // of the exception that runs: IPSR, 0 in Thread mode
	pending  uint64 // bit n: exception n waits
	active   uint64 // bit n: exception n has been taken and has not returned
	priority [numExceptions]uint8
	resumeIT uint8 // ITSTATE that an exception return restores
	trap     uint32
	returned bool     // the run ended in an exception return
	last     isa.Stop // what became the last HardFault
	faulted  bool     // last is set
	empty    isa.Straight
}

// SetVectors puts the vector table at addr in use, isa.NoAddr none, as at first. Without a table SVC,
// undefined instructions and faults end Run, and interrupts wait. BKPT ends Run always: it is the debugger's.
func (c *Core) SetVectors(addr uint64) { c.exc.vectors = addr }

// SetPriority gives exception n, 4 to 63, its priority; lower is more urgent.
func (c *Core) SetPriority(n int, priority uint8) { c.exc.priority[n&(numExceptions-1)] = priority }

// SetPending sets the enabled exceptions that wait: bit 2 NMI, 14 PendSV, 15 SysTick, 16 and up the
// external interrupts. The most urgent is taken before the next straight run if nothing masks it.
func (c *Core) SetPending(lines uint64) { c.exc.pending = lines }

// Pending returns the exceptions that still wait; taking one clears its bit.
func (c *Core) Pending() uint64 { return c.exc.pending }

// Active returns the exceptions that have been taken and have not returned, bit n for number n.
func (c *Core) Active() uint64 { return c.exc.active }

// Fault returns the stop that became the last HardFault; ok is false if there was none.
func (c *Core) Fault() (stop isa.Stop, ok bool) { return c.exc.last, c.exc.faulted }

// lowestLevel is below every priority.
const lowestLevel = 256

// levelOf is the priority of an exception; lower is more urgent.
func (c *Core) levelOf(n int) int {
	switch n {
	case excNMI:
		return -2
	case excHardFault:
		return -1
	}
	return int(c.exc.priority[n])
}

// level is the execution priority (B1.5.4). masked says whether PRIMASK counts.
func (c *Core) level(masked bool) int {
	level := lowestLevel
	for m := c.exc.active; m != 0; m &= m - 1 {
		level = min(level, c.levelOf(bits.TrailingZeros64(m)))
	}
	if v := c.sys[sysBASEPRI]; v != 0 {
		level = min(level, int(v))
	}
	if masked && c.sys[sysPRIMASK] != 0 {
		level = min(level, 0)
	}
	if c.sys[sysFAULTMASK] != 0 {
		level = min(level, -1)
	}
	return level
}

// mostUrgent is the pending exception to take first: the most urgent, of equals the lowest number.
func (c *Core) mostUrgent() (n, level int) {
	n, level = 0, lowestLevel
	for m := c.exc.pending; m != 0; m &= m - 1 {
		if k := bits.TrailingZeros64(m); c.levelOf(k) < level {
			n, level = k, c.levelOf(k)
		}
	}
	return n, level
}

// interrupt takes a pending exception if it may; false if its entry failed, with the stop set.
func (c *Core) interrupt(l isa.Listener) bool {
	n, level := c.mostUrgent()
	if c.exc.vectors == isa.NoAddr || level >= c.level(true) {
		return true
	}
	pc := c.pc
	if err := c.enter(n, pc); err != nil {
		c.stop = isa.Stop{Kind: isa.StopFault, PC: uint64(pc), Err: err}
		return false
	}
	c.reportTrap(l, pc)
	return true
}

// wakes reports whether a pending exception ends the waiting of WFI, which PRIMASK does not prevent.
func (c *Core) wakes() bool {
	_, level := c.mostUrgent()
	return level < c.level(false)
}

// take enters the handler for the stop of the current instruction, and reports whether it has. A fault
// that the HardFault handler itself causes would lock the core up: it ends the run.
func (c *Core) take() bool {
	if c.exc.vectors == isa.NoAddr {
		return false
	}
	n, level := excHardFault, c.level(true)
	var r *refusal
	switch {
	case c.stop.Kind == isa.StopSystem && c.levelOf(excSVCall) < level:
		n = excSVCall
	case c.stop.Kind == isa.StopSystem:
	case c.stop.Kind != isa.StopFault && c.stop.Kind != isa.StopUndef, errors.As(c.stop.Err, &r):
		return false
	}
	if n == excHardFault {
		if level <= -1 {
			return false
		}
		c.exc.last, c.exc.faulted = c.stop, true
	}
	if err := c.enter(n, c.pc); err != nil {
		c.stop = isa.Stop{Kind: isa.StopFault, PC: c.stop.PC, Err: err}
		return false
	}
	return true
}

// Frames on the stack (B1.5.6), lowest address first: r0-r3, r12, lr, the return address, xPSR; if floating-point
// state is in use, s0-s15, FPSCR and an unused word. Bit 9 of xPSR says that a word was left out above to
// align the frame to eight bytes.
const (
	basicFrame   = 8 // words
	floatFrame   = 26
	frameReturn  = 6 // places in a frame
	frameXPSR    = 7
	frameFloat   = 8
	frameFPSCR   = frameFloat + 16
	frameAligned = 9 // bits of xPSR
	thumbBit     = 1 << 24
	ipsrMask     = 0x1ff
)

// frameRegs are the registers of a basic frame in order, before the return address.
var frameRegs = [6]isa.Reg{0, 1, 2, 3, 12, LR}

// Values of EXC_RETURN, which LR holds in a handler. Bit 4 is clear if the frame has floating-point state.
const (
	returnHandler = 0xffff_fff1
	returnMSP     = 0xffff_fff9
	returnPSP     = 0xffff_fffd
	basicReturn   = 1 << 4
)

// packIT and unpackIT place ITSTATE in xPSR: bits 7:2 in 15:10, bits 1:0 in 26:25.
func packIT(it uint8) uint32     { return uint32(it>>2)<<10 | uint32(it&3)<<25 }
func unpackIT(xpsr uint32) uint8 { return uint8(xpsr>>10&0x3f<<2 | xpsr>>25&3) }

// enter saves the state and goes to the handler of exception n, which returns to ret. The stack is written as
// memory is, but no access is reported: the entry has its own cost.
func (c *Core) enter(n int, ret uint32) error {
	handler, ok := c.mem.Load32(c.exc.vectors + 4*uint64(n))
	if !ok {
		return fmt.Errorf("exception %d: its vector: %w", n, c.mem.FaultAt(c.exc.vectors+4*uint64(n), 4, isa.R))
	}
	if handler&1 == 0 {
		return fmt.Errorf("exception %d: its vector is %#x; bit 0 must be set for Thumb code", n, handler)
	}
	frame, link, err := c.push(ret)
	if err != nil {
		return fmt.Errorf("exception %d: stacking: %w", n, err)
	}
	e := &c.exc
	c.r[SP] = frame
	c.sys[c.stackPointer()] = frame
	c.sys[sysCONTROL] &^= controlPSP | controlFPCA
	c.r[SP] = c.sys[sysMSP]
	c.r[LR] = link
	e.number, e.trap = uint32(n), uint32(n)
	e.active |= 1 << n
	e.pending &^= 1 << n
	c.monitor = noMonitor
	c.pc, c.it = handler&^1, 0
	return nil
}

// push writes a frame below the SP and gives its address and the EXC_RETURN that takes it off again.
func (c *Core) push(ret uint32) (frame, link uint32, err error) {
	words, size := c.frame(ret), uint32(4*basicFrame)
	switch {
	case c.exc.number != 0:
		link = returnHandler
	case c.sys[sysCONTROL]&controlPSP != 0:
		link = returnPSP
	default:
		link = returnMSP
	}
	if c.sys[sysCONTROL]&controlFPCA != 0 {
		size, link = 4*floatFrame, link&^basicReturn
	}
	frame = (c.r[SP] - size) &^ 7
	for i := uint32(0); i < size; i += 4 {
		if addr := uint64(frame + i); !c.mem.Store32(addr, words[i/4]) {
			return 0, 0, c.mem.FaultAt(addr, 4, isa.W)
		}
	}
	return frame, link, nil
}

func (c *Core) frame(ret uint32) (words [floatFrame]uint32) {
	for i, r := range frameRegs {
		words[i] = c.r[r]
	}
	words[frameReturn] = ret
	words[frameXPSR] = c.apsr() | thumbBit | packIT(c.it) | c.r[SP]>>2&1<<frameAligned | c.exc.number
	copy(words[frameFloat:frameFPSCR], c.r[S0:])
	words[frameFPSCR] = c.r[FPSCR]
	return words
}

// isExceptionReturn reports whether a branch to that address leaves a handler.
func (c *Core) isExceptionReturn(to uint32) bool { return c.exc.number != 0 && to>>28 == 15 }

// exceptionReturn takes the frame off that the EXC_RETURN value speaks of, and resumes there.
func (c *Core) exceptionReturn(value uint32) status {
	e := &c.exc
	kind, nested := value|basicReturn, e.active&^(1<<e.number) != 0
	sp := c.r[SP]
	switch {
	case kind == returnHandler && nested, kind == returnMSP && !nested:
	case kind == returnPSP && !nested:
		sp = c.sys[sysPSP]
	default:
		c.undefined("exception return %#x from exception %d: want 0xfffffff1 to a handler, "+
			"0xfffffff9 or 0xfffffffd to Thread mode", value, e.number)
		return c.undo()
	}
	size := uint32(4 * basicFrame)
	if value&basicReturn == 0 {
		size = 4 * floatFrame
	}
	words, ok := c.pull(sp, size)
	if !ok {
		return c.undo()
	}
	if (words[frameXPSR]&ipsrMask == 0) != (kind != returnHandler) {
		c.undefined("exception return %#x from exception %d: the frame at %#x belongs to the other mode", value, e.number, sp)
		return c.undo()
	}
	c.resume(kind, size, sp, &words)
	return done
}

// pull reads the frame of size bytes at sp.
func (c *Core) pull(sp, size uint32) (words [floatFrame]uint32, ok bool) {
	for i := uint32(0); i < size; i += 4 {
		if words[i/4], ok = c.mem.Load32(uint64(sp + i)); !ok {
			c.fault(sp+i, 4, isa.R)
			return words, false
		}
	}
	return words, true
}

// resume restores the state of a frame of size bytes at sp.
func (c *Core) resume(kind, size, sp uint32, words *[floatFrame]uint32) {
	e, xpsr := &c.exc, words[frameXPSR]
	e.active &^= 1 << e.number
	if e.number != excNMI {
		c.sys[sysFAULTMASK] = 0
	}
	e.number = xpsr & ipsrMask
	for i, r := range frameRegs {
		c.r[r] = words[i]
	}
	c.sys[sysCONTROL] &^= controlFPCA
	if size == 4*floatFrame {
		copy(c.r[S0:S0+16], words[frameFloat:])
		c.r[FPSCR] = words[frameFPSCR] & fpscrMask
		c.sys[sysCONTROL] |= controlFPCA
	}
	if kind == returnPSP {
		c.sys[sysMSP] = c.r[SP]
		c.sys[sysCONTROL] |= controlPSP
	}
	c.r[SP] = sp + size | xpsr>>frameAligned&1<<2
	c.setAPSR(xpsr)
	c.ge = xpsr >> geShift & 15
	c.monitor = noMonitor
	c.branch(words[frameReturn])
	e.resumeIT, e.returned = unpackIT(xpsr), true
}

// reportTrap tells the listener of an exception before any step at pc.
func (c *Core) reportTrap(l isa.Listener, pc uint32) {
	if l != nil {
		c.exc.empty = isa.Straight{PC: uint64(pc)}
		e := &c.event
		e.Code, e.N, e.Next, e.Taken, e.Return, e.Trap = &c.exc.empty, 0, uint64(c.pc), false, false, c.exc.trap
		l.Retire(e)
	}
	c.event.Trap, c.exc.trap = 0, 0
}

// privileged reports whether the program may change special registers.
func (c *Core) privileged() bool { return c.exc.number != 0 || c.sys[sysCONTROL]&controlUser == 0 }
