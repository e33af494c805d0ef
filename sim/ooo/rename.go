package ooo

import (
	"simrun/costmodel"
	"simrun/isa"
)

// never is a cycle that does not come.
const never = 1 << 62

// renamer is what allocation in program order keeps.
type renamer struct {
	seq       uint64 // fused uops so far
	allocated int    // of them in cycle base
	allocWhy  costmodel.Cause

	ready     [isa.NoReg + 1]moment // from which a register may be used
	retiredAt [isa.NoReg + 1]uint64 // cycle in which the last writer of a register retires

	general, all isa.RegSet // registers read in cycle base: at ports for any operand, at all ports

	retireRing  [robRing]uint64 // cycle of retirement by fused uop
	allocRing   [robRing]uint64
	loads       uint64
	loadRetired [loadRing]uint64

	rare       bool           // one of the next two is set
	partial    isa.RegSet     // written in part, and not merged
	empty      isa.RegSet     // known to be zero above what narrow writes have written since
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

// natural stands for the cause of an allocation that waits for nothing new: the last cause goes on.
const natural = 1<<causeBits - 1

// allocate finds the cycle in which the fused uop u, the head of uops, is renamed.
func (m *core) allocate(s *step, u *uop, uops []*uop, decoded moment, first bool) {
	base := m.base
	if m.allocated == m.rename {
		base++
	}
	a := max(at(base, natural), decoded, at(m.retireRing[(m.seq-m.rob)%robRing]+1, costmodel.Window))
	switch u.kind {
	case uopLoad:
		a = max(a, at(m.loadRetired[(m.loads-m.loadBuffer)%loadRing]+1, costmodel.Window))
	case uopAddress:
		a = max(a, at(m.storeRing[(m.stores-m.storeBuffer)%storeRing].commit+1, costmodel.Window))
	}
	if why := a.why(); why != natural {
		m.allocWhy = why
	}
	m.moveTo(a.cycle())
	b := &m.bound
	m.choose(u, &b[0])
	second := u
	if !u.ends {
		second = uops[1]
		m.choose(second, &b[1])
	}
	if m.limitReads && (first || u.kind == uopAddress) {
		m.readRegisters(s, first)
	}
	m.hold(b[0].scheduler)
	m.choosePort(u, &b[0])
	if !u.ends {
		if b[1].scheduler != b[0].scheduler {
			m.hold(b[1].scheduler)
		}
		m.choosePort(second, &b[1])
	}
	m.allocated++
	m.allocRing[m.seq%robRing] = m.base
}

// moveTo makes a the cycle that uops are renamed in.
func (m *core) moveTo(a uint64) {
	if a > m.base {
		m.advance(a)
		m.allocated, m.general, m.all = 0, 0, 0
		m.counted = m.waiting
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
				*turn = (*turn + 1) % u.n // a full one does not change whose turn is next
				b.scheduler, b.place = l.scheduler, k
				return
			}
		}
		m.allocWhy = costmodel.Window
		m.moveTo(m.base + 1)
	}
}

// choosePort binds a uop to a port, if that is how the core does it: by the numbers of uops that waited for each at the
// start of the cycle, and by the place of the fused uop among those of the cycle. The port with the fewest uops is
// the first choice, of several the first in the CPU file; every other place takes another one, so that a cycle's uops are
// spread, unless the numbers are far apart.
func (m *core) choosePort(u *uop, b *binding) {
	l := &u.places[b.place&3]
	b.port, b.chosen = l.ports[0], l.n == 1 || !m.inTurn
	if l.n == 1 || !b.chosen {
		return
	}
	least, best, most := uint64(1<<8), uint8(0), uint64(0)
	for i, p := range l.ports[:l.n] {
		n := m.counted >> (8 * (p & 7)) & 0xff
		if n < least {
			least, best = n, uint8(i)
		}
		most = max(most, n)
	}
	if l.n < 4 && most < least+farApart {
		best = shares[l.n&3][best&3][m.allocated&3]
	}
	b.port = l.ports[best&7]
}

// farApart is the difference between numbers of waiting uops from which all of a cycle go to the port with the fewest.
const farApart = 3

// shares is, by the number of ports, which of them has the fewest uops, and the place in the cycle, the port taken: as Abel
// and Reineke measured it for ports 0, 1 and 5 of Sandy Bridge (uiCA).
var shares = [4][4][4]uint8{
	2: {{0, 1, 0, 1}, {1, 0, 1, 0}},
	3: {{0, 2, 1, 0}, {1, 2, 0, 1}, {2, 1, 0, 2}},
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

// noteRare remembers what only some instructions behind have to look at.
func (m *core) noteRare(s *step, x *more) {
	if x.stack {
		m.stackMoved = true
	}
	if !m.narrowReads {
		for _, r := range s.dst {
			m.partial &^= isa.Set(r)
		}
		m.empty = m.empty&^x.fills | x.empties
		m.partial |= x.narrow &^ m.empty
	}
	if written := x.groups & isa.AllFlagsWritten; written != 0 && m.partialFlags != 0 {
		m.stale = (isa.AllFlagsWritten &^ written) << 3
	}
	m.rare = m.partial|m.empty != 0 || m.stale != 0
}

// beforeRename books what stack engine, partial registers and partial flags cost an instruction.
func (m *core) beforeRename(s *step, x *more, decoded moment) {
	if m.stackMoved && s.flags&usesStack != 0 {
		m.stackMoved = false
		m.synchronise(decoded)
	}
	if merge := m.partial & x.mergeReads; merge != 0 {
		m.partial &^= merge
		if m.inFlight(merge) {
			m.stall(decoded, m.partialMerge)
		}
	}
	if m.stale&x.groups != 0 {
		m.stale = 0
		if m.inFlight(isa.Set(m.flags)) {
			m.stall(decoded, m.partialFlags)
		}
	}
	m.rare = m.partial|m.empty != 0 || m.stale != 0
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
func (m *core) stall(decoded moment, cycles uint64) {
	m.allocWhy = costmodel.FrontEnd
	m.moveTo(max(m.base, decoded.cycle()) + cycles)
}

// synchronise renames the uop that brings RSP up to date.
func (m *core) synchronise(decoded moment) {
	if m.allocated == m.rename {
		m.moveTo(m.base + 1)
	}
	m.moveTo(max(m.base, decoded.cycle()))
	m.allocated++
	m.ready[m.sp] = at(max(m.ready[m.sp].cycle(), m.base+m.issueDelay)+1, costmodel.Dependency)
}
