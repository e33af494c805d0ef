package rv32

import (
	"slices"

	"simrun/isa"
)

// Exception codes of mcause (Volume II, table 3.6).
const (
	causeFetchMisaligned = 0
	causeFetchAccess     = 1
	causeIllegal         = 2
	causeBreakpoint      = 3
	causeLoadMisaligned  = 4
	causeLoadAccess      = 5
	causeStoreMisaligned = 6
	causeStoreAccess     = 7
	causeUserCall        = 8
	causeMachineCall     = 11
	causeInterrupt       = 1 << 31 // with the number of the line
)

// misaligned is the Cause of a fault whose memory is there, but not at that address.
const misaligned = "misaligned"

// accessCauses are the codes of a fault by what was wanted: misaligned, and any other cause.
var accessCauses = map[isa.Perm][2]uint32{
	isa.X: {causeFetchMisaligned, causeFetchAccess},
	isa.R: {causeLoadMisaligned, causeLoadAccess},
	isa.W: {causeStoreMisaligned, causeStoreAccess},
}

// exception says which trap the end of a run is; ok is false if it is none.
func (c *core) exception(s isa.Stop) (cause, tval uint32, ok bool) {
	switch s.Kind {
	case isa.StopUndef:
		return causeIllegal, c.code.word(s.PC), true
	case isa.StopBreak:
		return causeBreakpoint, uint32(s.PC), !c.Semihosting(s)
	case isa.StopSystem:
		if c.csr.mode == userMode {
			return causeUserCall, 0, true
		}
		return causeMachineCall, 0, true
	case isa.StopFault:
		f := s.Err.(*isa.Fault)
		causes := accessCauses[f.Want]
		if f.Cause == misaligned {
			return causes[0], uint32(f.Addr), true
		}
		return causes[1], uint32(f.Addr), true
	}
	return 0, 0, false
}

// Semihosting reports whether the stop is an EBREAK that stands between the two instructions without effect, slli x0, x0, 31 and
// srai x0, x0, 7, that make it a call to the debugger. It always ends Run.
func (c *core) Semihosting(s isa.Stop) bool {
	before, ok := c.mem.Load32(s.PC - 4)
	after, ok2 := c.mem.Load32(s.PC + 4)
	return s.Kind == isa.StopBreak && ok && ok2 && before == 0x01f0_1013 && after == 0x4070_5013
}

// take enters the program's trap handler for the stop s, and puts the trap into the event. It
// does not if the program has set none, so that the machine sees the stop, nor for an exception
// at the very entry of the handler: that would go on for ever.
func (c *core) take(s isa.Stop) bool {
	cause, tval, ok := c.exception(s)
	before := c.retired
	if s.Kind == isa.StopSystem || s.Kind == isa.StopBreak {
		before-- // the instruction itself
	}
	if !ok || c.csr.mtvec == 0 || before == c.trapped {
		return false
	}
	c.csr.instret.off -= c.retired - before // minstret does not count it (section 3.3.1)
	c.enter(uint32(s.PC), cause, tval)
	c.trapped = c.retired
	return true
}

// enter does what a trap does to the registers (section 3.1.6.1); pc is where MRET returns to.
func (c *core) enter(pc, cause, tval uint32) {
	f := &c.csr
	f.mepc, f.mcause, f.mtval = pc, cause, tval
	f.mstatus = f.mstatus&^(mstatusMPIE|mstatusMIE|mstatusMPP) |
		f.mstatus&mstatusMIE<<4 | f.mode<<mppShift
	f.mode = machineMode
	c.pc = f.mtvec &^ 3
	if f.mtvec&1 != 0 && cause&causeInterrupt != 0 {
		c.pc += 4 * (cause &^ causeInterrupt)
	}
	c.ev.Trap = cause + 1
	c.interruptible()
}

// mret returns from a trap and gives the next PC.
func (c *core) mret() uint32 {
	f := &c.csr
	f.mode = f.mstatus & mstatusMPP >> mppShift
	f.mstatus = f.mstatus&^mstatusMIE | f.mstatus&mstatusMPIE>>4 | mstatusMPIE
	if f.user {
		f.mstatus &^= mstatusMPP
	}
	if f.mode != machineMode {
		f.mstatus &^= mstatusMPRV
	}
	c.interruptible()
	return f.mepc
}

// SetPending sets the interrupt lines as mip shows them: bit 3 software, 7 timer, 11 external. An
// interrupt that the program has enabled is taken before the next straight run.
func (c *core) SetPending(lines uint64) {
	c.csr.mip = uint32(lines) & interruptLines
	c.interruptible()
}

// interruptible notes whether an interrupt is to be taken.
func (c *core) interruptible() {
	f := &c.csr
	c.interrupted = f.mip&f.mie != 0 && (f.mode != machineMode || f.mstatus&mstatusMIE != 0)
}

// linePriority are the interrupt lines, the most urgent first: external, software, timer.
var linePriority = []uint32{11, 3, 7}

// interrupt takes the most urgent interrupt that is pending and enabled.
func (c *core) interrupt(l isa.Listener) {
	pending := c.csr.mip & c.csr.mie
	i := slices.IndexFunc(linePriority, func(line uint32) bool { return pending>>line&1 != 0 })
	pc := c.pc
	c.enter(pc, causeInterrupt|linePriority[i], 0)
	c.reportTrap(l, pc)
}

// reportTrap tells the listener of a trap before any step at pc.
func (c *core) reportTrap(l isa.Listener, pc uint32) {
	if l == nil {
		return
	}
	c.empty = isa.Straight{PC: uint64(pc)}
	c.ev.Code, c.ev.N, c.ev.Next, c.ev.Taken = &c.empty, 0, uint64(c.pc), false
	c.ev.Data, c.ev.Hints = c.ev.Data[:0], c.ev.Hints[:0]
	l.Retire(&c.ev)
}
