package ooo

import (
	"math/bits"

	"simrun/costmodel"
	"simrun/isa"
)

// never is a cycle that does not come.
const never = ^uint64(0)

// renamer is what allocation in program order keeps.
type renamer struct {
	seq       uint64 // fused uops so far
	allocated int    // of them in cycle base
	allocWhy  costmodel.Cause

	ready     [isa.NoReg + 1]uint64 // cycle from which a register may be used
	why       [isa.NoReg + 1]costmodel.Cause
	retiredAt [isa.NoReg + 1]uint64 // cycle in which the last writer of a register retires

	general, all isa.RegSet // registers read in cycle base: at ports for any operand, at all ports

	retireRing  [robRing]uint64 // cycle of retirement by fused uop
	allocRing   [robRing]uint64
	loads       uint64
	loadRetired [loadRing]uint64

	rare       bool // one of the next three is set
	partial    isa.RegSet
	stale      isa.FlagGroups // reads of flags that were left alone by a younger writer of others
	stackMoved bool

	turn  [8]uint8   // by scheduler: which of them is next
	bound [2]binding // of the parts of the fused uop at hand
}

// binding is where a uop waits.
type binding struct {
	scheduler uint8
	place     uint8 // of its uop
	port      uint8 // if chosen
	chosen    bool
	issued    uint64
}

// inputs returns the cycle from which all registers may be used, and what the last of them is waited for.
func (m *core) inputs(regs []isa.Reg) (uint64, costmodel.Cause) {
	cycle, last := uint64(0), isa.NoReg
	for _, r := range regs {
		if r == isa.NoReg {
			break
		}
		if at := m.ready[r&isa.NoReg]; at > cycle {
			cycle, last = at, r
		}
	}
	return cycle, m.why[last]
}

// allocate finds the cycle in which the fused uop at the head of uops is renamed.
func (m *core) allocate(s *step, uops []uop, decoded uint64, first bool) {
	a := m.base
	if m.allocated == m.rename {
		a++
	}
	if decoded > a {
		a, m.allocWhy = decoded, m.frontWhy
	}
	if m.seq >= m.rob {
		a = m.later(a, m.retireRing[(m.seq-m.rob)%robRing]+1)
	}
	u := &uops[0]
	if u.kind == uopLoad {
		if m.loads >= m.loadBuffer {
			a = m.later(a, m.loadRetired[(m.loads-m.loadBuffer)%loadRing]+1)
		}
	} else if u.kind == uopAddress && m.stores >= m.storeBuffer {
		a = m.later(a, m.storeRing[(m.stores-m.storeBuffer)%storeRing].commit+1)
	}
	m.moveTo(a)
	m.choose(u, &m.bound[0])
	if !u.ends {
		m.choose(&uops[1], &m.bound[1])
	}
	if m.limitReads && (first || u.kind == uopAddress) {
		m.readRegisters(s, first)
	}
	m.hold(m.bound[0].scheduler)
	m.choosePort(u, &m.bound[0])
	if !u.ends {
		if m.bound[1].scheduler != m.bound[0].scheduler {
			m.hold(m.bound[1].scheduler)
		}
		m.choosePort(&uops[1], &m.bound[1])
	}
	m.allocated++
	m.allocRing[m.seq%robRing] = m.base
}

// later is the cycle that waits for a buffer.
func (m *core) later(a, free uint64) uint64 {
	if free > a {
		m.allocWhy = costmodel.Window
		return free
	}
	return a
}

// moveTo makes a the cycle that uops are renamed in.
func (m *core) moveTo(a uint64) {
	if a > m.base {
		m.advance(a)
		m.allocated, m.general, m.all = 0, 0, 0
	}
}

// noScheduler holds nothing: uops that do not execute go there.
const noScheduler = 7

// choose takes the scheduler of a uop whose turn it is, or the next one that has room; it waits if none has.
func (m *core) choose(u *uop, b *binding) {
	if u.n == 0 {
		*b = binding{scheduler: noScheduler}
		return
	}
	first := u.places[0].scheduler & 7
	for u.n == 1 && m.inUse(first) >= uint64(m.entries[first]) {
		m.allocWhy = costmodel.Window
		m.moveTo(m.base + 1)
	}
	*b = binding{scheduler: first}
	if u.n > 1 {
		m.takeTurns(u, b, &m.turn[first])
	}
}

func (m *core) takeTurns(u *uop, b *binding, turn *uint8) {
	for {
		for i := range u.n {
			k := (*turn + i) % u.n
			l := &u.places[k]
			if m.inUse(l.scheduler) < uint64(m.entries[l.scheduler]) {
				*turn = (k + 1) % u.n
				b.scheduler, b.place = l.scheduler, k
				return
			}
		}
		m.allocWhy = costmodel.Window
		m.moveTo(m.base + 1)
	}
}

// choosePort binds a uop to a port, if that is how the core does it: the one with the fewest uops waiting, the
// preferred if there are several.
func (m *core) choosePort(u *uop, b *binding) {
	l := &u.places[b.place&3]
	if l.n > 1 && m.inTurn {
		return
	}
	b.port, b.chosen = l.ports[0], true
	if l.n == 1 {
		return
	}
	fewest := m.waitingAt(b.port)
	for _, p := range l.ports[1:l.n] {
		if n := m.waitingAt(p); n < fewest {
			b.port, fewest = p, n
		}
	}
}

// releaseBoth gives the entries of a fused uop of two parts back: one, with the later issue, if they share it.
func (m *core) releaseBoth() {
	b := &m.bound
	if b[0].scheduler == b[1].scheduler {
		m.release(b[0].scheduler, max(b[0].issued, b[1].issued)+m.releaseDelay)
		return
	}
	m.release(b[0].scheduler, b[0].issued+m.releaseDelay)
	m.release(b[1].scheduler, b[1].issued+m.releaseDelay)
}

// readRegisters waits for ports of the register file, which registers need whose writer has retired.
func (m *core) readRegisters(s *step, first bool) {
	regs := s.reads[:]
	if !first {
		regs = s.addr[:]
	}
	for {
		general, index := m.retired(regs), isa.RegSet(0)
		if m.retiredAt[s.index&isa.NoReg] < m.base {
			index = 1 << s.index
		}
		if general|index == 0 {
			return
		}
		if !first {
			general &^= index
		}
		general |= m.general
		all := m.all | general | index
		if bits.OnesCount64(uint64(general)) <= m.readPorts && bits.OnesCount64(uint64(all)) <= m.readPorts+m.readPortsIndex {
			m.general, m.all = general, all
			return
		}
		alone := m.allocated == 0
		m.allocWhy = costmodel.ReadPort
		m.moveTo(m.base + 1)
		if alone { // it has read for a cycle, and for part of this one
			return
		}
	}
}

// retired returns those of some registers whose last writer has retired.
func (m *core) retired(regs []isa.Reg) (set isa.RegSet) {
	for _, r := range regs {
		if r == isa.NoReg {
			break
		}
		if m.retiredAt[r&isa.NoReg] < m.base {
			set |= 1 << (r & isa.NoReg)
		}
	}
	return set
}

// write makes the results of an instruction available.
func (m *core) write(s *step, v *results) {
	cycle, why := v.done, s.why
	if cycle == 0 {
		cycle, why = v.loaded, v.loadWhy
	}
	for _, r := range s.dst {
		if r == isa.NoReg {
			break
		}
		r &= isa.NoReg
		m.ready[r], m.why[r], m.retiredAt[r] = cycle, why, m.retireCycle
	}
	if s.rare || m.rare {
		m.noteRare(s)
	}
}

// noteRare remembers what only some instructions behind have to look at.
func (m *core) noteRare(s *step) {
	if s.stack && m.stackSync {
		m.stackMoved = true
	}
	if !m.narrowReads {
		for _, r := range s.dst {
			m.partial &^= isa.Set(r)
		}
		m.partial |= s.narrow
	}
	if written := s.groups & isa.AllFlagsWritten; written != 0 && m.partialFlags != 0 {
		m.stale = (isa.AllFlagsWritten &^ written) << 3
	}
	m.rare = m.stackMoved || m.partial != 0 || m.stale != 0
}

// beforeRename books what stack engine, partial registers and partial flags cost an instruction.
func (m *core) beforeRename(s *step, decoded uint64) {
	if m.stackMoved && s.usesStack {
		m.stackMoved = false
		m.synchronise(decoded)
	}
	if merge := m.partial & s.mergeReads; merge != 0 {
		m.partial &^= merge
		if m.inFlight(merge) {
			m.stall(decoded, m.partialMerge)
		}
	}
	if m.stale&s.groups != 0 {
		m.stale = 0
		if m.inFlight(isa.Set(m.flags)) {
			m.stall(decoded, m.partialFlags)
		}
	}
	m.rare = m.stackMoved || m.partial != 0 || m.stale != 0
}

// inFlight reports whether a writer of one of the registers has not retired.
func (m *core) inFlight(regs isa.RegSet) bool {
	for ; regs != 0; regs &= regs - 1 {
		if m.retiredAt[first(regs)] >= m.base {
			return true
		}
	}
	return false
}

// stall stops rename for some cycles.
func (m *core) stall(decoded, cycles uint64) {
	m.allocWhy = costmodel.FrontEnd
	m.moveTo(max(m.base, decoded) + cycles)
}

// synchronise renames the uop that brings RSP up to date.
func (m *core) synchronise(decoded uint64) {
	if m.allocated == m.rename {
		m.moveTo(m.base + 1)
	}
	m.moveTo(max(m.base, decoded))
	m.allocated++
	m.ready[m.sp] = m.base + m.issueDelay + 1
	m.why[m.sp] = costmodel.Dependency
}
