package ooo

import (
	"simrun/costmodel"
	"simrun/isa"
)

// core is the state of an out-of-order core. Times are cycles since Reset.
type core struct {
	*decoder
	numbers
	predictor
	l1d, l1i, opCache *cache // opCache nil = none
	front
	timeline
	renamer
	memory
	retirement
}

// sizes of rings: the largest buffers that a CPU file may ask for.
const (
	robRing  = 1024
	loadRing = 128
)

// wait is what a uop has waited for.
type wait struct {
	allocated costmodel.Cause // rename
	input     costmodel.Cause
	own       costmodel.Cause // its latency
	earliest  uint64          // first cycle in which it could have issued
	ready     uint64
	issued    uint64
	done      uint64
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
	m.front.reset()
	m.retiredAt[isa.NoReg] = never
}

// walk books a run.
func (m *core) walk(r *isa.Retired, p *plan) {
	data := r.Data
	for i := range r.N {
		s := &p.steps[i]
		if m.sink != nil {
			m.open = m.totals()
		}
		decoded := m.fetch(s, i == 0, r.Code.PC)
		own := 0
		for own < len(data) && int(data[own].Step) == i {
			own++
		}
		m.execute(p, s, data[:own], decoded)
		data = data[own:]
		m.instructions++
		if m.sink != nil {
			m.record(r.Code.Time[i].PC)
		}
	}
	if r.N > 0 {
		m.lastByte, m.redirected = p.steps[r.N-1].last, r.Taken
	}
	if r.N == len(p.steps) && p.ends.kind != noBranch {
		m.resolve(&p.ends, r)
	}
}

// results are the times inside an instruction, 0 for what there is not.
type results struct {
	address, input       uint64 // its registers are there
	loaded, done         uint64 // it has loaded, executed
	addressAt            uint64 // a store's address has issued
	addressWhy, inputWhy costmodel.Cause
	loadWhy              costmodel.Cause
}

// execute renames, times and retires the uops of an instruction.
func (m *core) execute(p *plan, s *step, data []isa.Access, decoded uint64) {
	if m.rare {
		m.beforeRename(s, decoded)
	}
	var v results
	v.address, v.addressWhy = m.inputs(s.addr[:])
	v.input, v.inputWhy = m.inputs(s.data[:])
	var waits [2]wait
	uops := p.uops[s.first : s.first+s.n]
	for i := range uops {
		u := &uops[i]
		part := 1
		if u.starts {
			m.allocate(s, uops[i:], decoded, i == 0)
			part = 0
		}
		w := &waits[part]
		w.allocated, w.input, w.earliest = m.allocWhy, costmodel.Issue, m.base+m.issueDelay
		w.ready = w.earliest
		m.time(u, s, w, &v, &m.bound[part], data)
		if !u.ends {
			continue
		}
		if part == 1 {
			m.releaseBoth()
			if waits[0].done > w.done {
				w = &waits[0]
			}
		} else {
			m.release(m.bound[0].scheduler, w.issued+m.releaseDelay)
		}
		m.retireUop(w)
		m.leave(uops[i-part].kind)
	}
	if s.dst[0] != isa.NoReg || s.stack || m.partial != 0 {
		m.write(s, &v)
	}
}

// leave notes when a fused uop leaves the buffers of loads and stores; kind is that of its first part.
func (m *core) leave(kind uopKind) {
	switch kind {
	case uopLoad:
		m.loadRetired[m.loads%loadRing] = m.retireCycle
		m.loads++
	case uopAddress:
		m.commit(m.retireCycle)
	}
}

// time gives a uop its cycles.
func (m *core) time(u *uop, s *step, w *wait, v *results, b *binding, data []isa.Access) {
	switch u.kind {
	case uopExec:
		w.after(v.input, v.inputWhy)
		w.after(v.loaded, v.loadWhy)
		m.run(u, w, b, s.why)
		v.done = max(v.done, w.done)
	case uopLoad:
		w.after(v.address, v.addressWhy)
		m.load(u, w, b, data)
		v.loaded, v.loadWhy = max(v.loaded, w.done), w.own
	case uopChain:
		w.after(v.done, s.why)
		m.run(u, w, b, s.why)
		v.done = w.done
	case uopAddress:
		w.after(v.address, v.addressWhy)
		m.run(u, w, b, s.why)
		v.addressAt = w.issued
	case uopData:
		if v.done == 0 {
			w.after(v.input, v.inputWhy)
		}
		w.after(v.done, s.why)
		w.after(v.loaded, v.loadWhy)
		m.run(u, w, b, s.why)
		m.store(max(w.issued, v.addressAt), data)
	case uopNone:
		w.issued, w.done, w.own = w.earliest, m.base+1, costmodel.Dependency
		v.done = v.input
	}
}

// run issues a uop.
func (m *core) run(u *uop, w *wait, b *binding, why costmodel.Cause) {
	w.own = why
	if b.chosen {
		w.issued = m.issue(b.port, w.ready, uint64(u.latency), uint64(u.busy), m.writeBack)
	} else {
		w.issued = m.issueAny(&u.places[b.place], w.ready, uint64(u.latency), uint64(u.busy), m.writeBack)
	}
	w.done = w.issued + uint64(u.latency)
	b.issued = w.issued
}

// after makes a uop wait for an input.
func (w *wait) after(cycle uint64, why costmodel.Cause) {
	if cycle > w.ready {
		w.ready, w.input = cycle, why
	}
}
