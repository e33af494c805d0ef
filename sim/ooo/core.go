package ooo

import (
	"math/bits"

	"simrun/costmodel"
	"simrun/isa"
)

// core is the state of an out-of-order core. Times are cycles since Reset.
type core struct {
	*decoder
	numbers
	predictor
	l1d, l1i, opCache *cache // opCache nil = none
	course
	front
	timeline
	renamer
	memory
	retirement
	memo
}

// sizes of rings: the largest buffers that a CPU file may ask for.
const (
	robRing  = 512
	loadRing = 128
)

// moment is a cycle with what it is waited for: cycle << causeBits | cause. The later of two moments is the larger.
type moment uint64

const causeBits = 5

var _ [1<<causeBits - costmodel.NumCauses]struct{} // every cause fits

func at(cycle uint64, why costmodel.Cause) moment { return moment(cycle<<causeBits | uint64(why)) }

func (m moment) cycle() uint64 { return uint64(m) >> causeBits }

func (m moment) why() costmodel.Cause { return costmodel.Cause(m & (1<<causeBits - 1)) }

// wait is how a uop went.
type wait struct {
	earliest uint64 // first cycle in which it could have issued
	ready    moment // its inputs were there
	issued   uint64
	done     moment
}

func (m *core) reset() {
	m.predictor.reset()
	for _, c := range []*cache{m.l1d, m.l1i, m.opCache} {
		if c != nil {
			c.reset()
		}
	}
	sink := m.sink
	m.front, m.timeline, m.renamer, m.memory, m.retirement = front{}, timeline{}, renamer{}, memory{}, retirement{}
	m.sink = sink
	m.course.reset()
	m.state, m.apart = nil, false
	m.fetchWhy = costmodel.Fetch
	m.retiredAt[isa.NoReg] = never
}

// walk books a run, of which the course is known.
func (m *core) walk(r *isa.Retired, p *plan) {
	data, code := m.dataSeen, m.codeSeen
	for i := range r.N {
		if m.sink != nil {
			m.open = m.totals()
		}
		var own access
		if len(data) > 0 && data[0].step() == i {
			own, data = data[0], data[1:]
		}
		var seen codeEvents
		if i == 0 || p.steps[i].flags&(newLine|newOps) != 0 {
			seen, code = code[0], code[1:]
		}
		m.execute(p, i, own, m.fetch(p, i, seen))
		m.instructions++
		if m.sink != nil {
			m.record(r.Code.Time[i].PC)
		}
	}
	if m.wrong {
		m.refetch()
	}
}

// refetch starts fetch anew behind a mispredicted branch.
func (m *core) refetch() {
	m.predecoded = max(m.predecoded, m.lastIssued+m.mispredict-min(m.mispredict, m.issueDelay+stages+1))
	m.fetchWhy, m.keepWhy, m.fromOps = costmodel.Mispredict, true, false
	m.empty = 0
}

// execute renames, times and retires the uops of an instruction.
//
// This is the hot loop: it takes the later of moments without branches, since which of them it is cannot be predicted.
func (m *core) execute(p *plan, i int, data access, decoded moment) {
	s := &p.steps[i]
	if s.flags&usesStack != 0 && m.stackMoved || m.rare {
		m.beforeRename(s, &p.more[i], decoded)
	}
	times := [4]uint64{
		timeAddress: uint64(max(m.ready[s.addr[0]&isa.NoReg], m.ready[s.addr[1]&isa.NoReg])),
		timeInput: uint64(max(m.ready[s.data[0]&isa.NoReg], m.ready[s.data[1]&isa.NoReg],
			m.ready[s.data[2]&isa.NoReg], m.ready[s.data[3]&isa.NoReg])),
	}
	var waits [2]wait
	part := 0
	uops := p.uops[s.first : s.first+uint32(s.n)]
	for k, u := range uops {
		if u.starts {
			m.allocate(s, u, uops[k:], decoded, k == 0)
			part = 0
		}
		w := &waits[part&1]
		w.earliest = m.base + m.issueDelay
		w.ready = moment(max(w.earliest<<causeBits, times[0]&u.waits[0], times[1]&u.waits[1], times[2]&u.waits[2], times[3]&u.waits[3]))
		if data&loadWaits != 0 && u.kind == uopLoad {
			w.ready = max(w.ready, m.addressed)
		}
		m.run(u, s, w, &m.bound[part&1])
		switch u.kind {
		case uopLoad:
			m.load(w, data)
			data &^= loadMiss // a second load of the same bytes finds them
		case uopAddress:
			m.addressed = max(m.addressed, at(w.issued+1, costmodel.StoreForward))
		case uopData:
			m.store(max(w.issued, waits[0].issued))
		case uopNone:
			times[timeDone] = times[timeInput]
		}
		times[timeLoaded] = max(times[timeLoaded], uint64(w.done)&u.gives[timeLoaded])
		times[timeDone] = max(times[timeDone], uint64(w.done)&u.gives[timeDone])
		if !u.ends {
			part = 1
			continue
		}
		m.finish(uops[k-part:k+1], &waits, data)
	}
	result := moment(times[timeDone])
	if result == 0 {
		result = moment(times[timeLoaded])
	}
	m.write(s, result)
	if s.flags&leaves != 0 || m.rare {
		m.noteRare(s, &p.more[i])
	}
}

// finish retires a fused uop, whose parts have been run.
func (m *core) finish(parts []*uop, waits *[2]wait, data access) {
	w := &waits[0]
	if len(parts) == 2 {
		m.releaseBoth()
		if waits[1].done >= w.done {
			w = &waits[1]
		}
	} else {
		m.release(m.bound[0].scheduler, w.issued+m.releaseDelay)
	}
	m.retireUop(w)
	if parts[0].kind == uopLoad {
		m.loadRetired[m.loads%loadRing] = m.retirePos >> retireBits
		m.loads++
	}
	if parts[len(parts)-1].kind == uopData {
		m.commit(m.retirePos>>retireBits, data)
	}
}

// run issues a uop.
func (m *core) run(u *uop, s *step, w *wait, b *binding) {
	ready := w.ready.cycle()
	switch {
	case b.chosen && u.busy == 1:
		w.issued = m.issue(b.port, ready, u.latency, m.oneResult)
	case u.n == 0:
		w.earliest, w.ready, w.issued = m.base, at(m.base, costmodel.Issue), m.base
		w.done = at(m.base+1, costmodel.Dependency)
		return
	default:
		l := &u.places[b.place&3]
		ports := l.ports[:l.n]
		if b.chosen {
			ports = []uint8{b.port}
		}
		w.issued = m.issueAny(ports, ready, u.latency, u.busy, m.oneResult)
	}
	w.done = at(w.issued+u.latency, s.why)
	b.issued = w.issued
}

// write makes the results of an instruction available.
func (m *core) write(s *step, result moment) {
	retired := m.retirePos >> retireBits
	for _, r := range s.dst {
		if r == isa.NoReg {
			break
		}
		m.ready[r&isa.NoReg], m.retiredAt[r&isa.NoReg] = result, retired
	}
}

// readRegisters waits for ports of the register file, which registers need whose writer has retired.
func (m *core) readRegisters(s *step, first bool) {
	for {
		var general, index isa.RegSet
		if first {
			general = m.old(s.reads[0]) | m.old(s.reads[1])
			if s.flags&manyReads != 0 {
				general |= m.old(s.reads[2]) | m.old(s.reads[3])
				index = m.old(s.index)
			}
		} else {
			index = m.old(s.index)
			general = (m.old(s.addr[0]) | m.old(s.addr[1])) &^ index
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

// old returns the set of r if its last writer has retired, else of nothing. Cycles stay below 2^62.
func (m *core) old(r isa.Reg) isa.RegSet {
	return isa.RegSet((m.retiredAt[r&isa.NoReg]-m.base)>>63) << (r & isa.NoReg)
}
