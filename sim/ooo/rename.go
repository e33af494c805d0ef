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

	turn    [8]uint8 // by scheduler: which of them is next
	bound   [2]binding
	results results
}

// binding is where a uop waits and the ports it may still use.
type binding struct {
	scheduler uint8
	ports     []uint8
	issued    uint64
}

// inputs returns the cycle from which all registers may be used, and what the last of them is waited for.
func (m *core) inputs(regs []isa.Reg) (uint64, costmodel.Cause) {
	cycle, last := uint64(0), isa.NoReg
	for _, r := range regs {
		if m.ready[r] > cycle {
			cycle, last = m.ready[r], r
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
	m.bind(uops)
	if m.limitReads && (first || u.kind == uopAddress) {
		m.readRegisters(s, first, uops)
	}
	for i := range m.parts(uops) {
		if l := &m.bound[i]; !m.inTurn && len(l.ports) > 1 {
			l.ports = m.leastWaiting(l.ports)
		}
		if i == 0 || m.bound[1].scheduler != m.bound[0].scheduler {
			m.hold(m.bound[i].scheduler)
		}
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

// parts is the number of uops in the fused uop at the head.
func (m *core) parts(uops []uop) int {
	if uops[0].ends {
		return 1
	}
	return 2
}

// bind gives each part of a fused uop a scheduler, and waits until they have entries.
func (m *core) bind(uops []uop) {
	for i := range m.parts(uops) {
		u := &uops[i]
		m.bound[i] = binding{}
		if u.n == 0 {
			m.bound[i].scheduler = noScheduler
			continue
		}
		l := m.choose(u)
		m.bound[i].scheduler, m.bound[i].ports = l.scheduler, l.ports[:l.n]
	}
}

// noScheduler holds nothing: uops that do not execute go there.
const noScheduler = 7

// choose takes the scheduler whose turn it is, or the next one that has room; it waits if none has.
func (m *core) choose(u *uop) *place {
	turn := &m.turn[u.places[0].scheduler]
	for {
		for i := range u.n {
			l := &u.places[(*turn+i)%u.n]
			if m.inUse(l.scheduler) < uint64(m.entries[l.scheduler]) {
				*turn = (*turn + i + 1) % u.n
				return l
			}
		}
		m.allocWhy = costmodel.Window
		m.moveTo(m.base + 1)
	}
}

// leastWaiting returns the port with the fewest uops waiting, the preferred if there are several.
func (m *core) leastWaiting(ports []uint8) []uint8 {
	best := 0
	for i := 1; i < len(ports); i++ {
		if m.waitingAt(ports[i]) < m.waitingAt(ports[best]) {
			best = i
		}
	}
	return ports[best : best+1]
}

// releaseEntries gives the entries of a fused uop back: at once where its parts share a scheduler.
func (m *core) releaseEntries(last int) {
	b := &m.bound
	if last == 0 || b[0].scheduler == b[1].scheduler {
		c := b[0].issued
		if last == 1 {
			c = max(c, b[1].issued)
		}
		m.release(b[0].scheduler, c+m.releaseDelay)
		return
	}
	m.release(b[0].scheduler, b[0].issued+m.releaseDelay)
	m.release(b[1].scheduler, b[1].issued+m.releaseDelay)
}

// readRegisters waits for ports of the register file, which registers need whose writer has retired.
func (m *core) readRegisters(s *step, first bool, uops []uop) {
	for {
		var general, index isa.RegSet
		regs := s.reads[:]
		if !first {
			regs = s.addr[:]
		}
		for _, r := range regs {
			if m.retiredAt[r] < m.base {
				general |= 1 << r
			}
		}
		if m.retiredAt[s.index] < m.base {
			index = 1 << s.index
		}
		if !first {
			general &^= index
		}
		general |= m.general
		all := m.all | general | index
		fits := bits.OnesCount64(uint64(general)) <= m.readPorts && bits.OnesCount64(uint64(all)) <= m.readPorts+m.readPortsIndex
		if fits || m.allocated == 0 {
			m.general, m.all = general, all
			if !fits { // more than one cycle reads: the next uop starts in another
				m.allocWhy = costmodel.ReadPort
				m.moveTo(m.base + 1)
			}
			return
		}
		m.allocWhy = costmodel.ReadPort
		m.moveTo(m.base + 1)
	}
}

// write makes the results of an instruction available.
func (m *core) write(s *step) {
	v := &m.results
	cycle, why := v.done, s.why
	if cycle == 0 {
		cycle, why = v.loaded, v.loadWhy
	}
	for _, r := range s.dst {
		if r == isa.NoReg {
			break
		}
		m.ready[r], m.why[r], m.retiredAt[r] = cycle, why, m.retireCycle
	}
	if s.stack || s.narrow|m.partial != 0 || s.groups != 0 {
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
