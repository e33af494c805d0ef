package ooo

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simrun/costmodel"
	"simrun/isa"
)

// The reference goes through the cycles one by one and looks at everything in each. It shares no code with the
// timeline and starts from the uops of a plan; the front end is taken to be unlimited.

type refPart struct {
	ports   []uint8
	port    uint8
	latency uint64
	needs   []int // parts whose results it waits for
	fused   int
	bound   uint64 // cycle of allocation
	issued  uint64
	state   refState
}

type refState uint8

const (
	unborn refState = iota
	waits
	issued
)

type refFused struct {
	parts         []int
	reads, writes []isa.Reg
	index         isa.Reg
	load, store   bool
	again         bool // reads addresses that the instruction has read before
	allocated     bool
	retired       uint64
	commit        uint64
}

type reference struct {
	n       *numbers
	parts   []refPart
	fused   []refFused
	writer  [isa.NoReg + 1]int // fused uop that wrote a register last, + 1, as far as allocation got
	now     uint64
	next    int // to allocate
	retired int
	reading int     // the fused uop + 1 that takes two cycles to read
	load    [16]int // waiting uops by port
	gone    []uint8 // ports of those that issued in the last cycle, which still count
}

// build resolves the dependences of a plan.
func (m *reference) build(p *stream) {
	producers := map[isa.Reg][]int{}
	for i := range p.steps {
		s := &p.steps[i]
		needs := func(regs []isa.Reg) (list []int) {
			for _, r := range regs {
				list = append(list, producers[r]...)
			}
			return list
		}
		address, input := needs(s.addr[:]), needs(s.data[:])
		var loads, execs []int
		for k, u := range p.uops[i] {
			if u.starts {
				f := refFused{index: s.index, load: u.kind == uopLoad, store: u.kind == uopAddress}
				switch {
				case k == 0:
					f.reads = s.reads[:]
				case f.store:
					f.reads, f.again = s.addr[:], true
				default:
					f.index = isa.NoReg
				}
				m.fused = append(m.fused, f)
			}
			x := refPart{ports: slices.Clone(u.places[0].ports[:u.places[0].n]), latency: u.latency, fused: len(m.fused) - 1}
			id := len(m.parts)
			switch u.kind {
			case uopLoad:
				x.needs = address
				loads = append(loads, id)
			case uopAddress:
				x.needs = address
			case uopExec:
				x.needs = slices.Concat(input, loads)
				execs = append(execs, id)
			case uopChain:
				x.needs = execs
				execs = []int{id}
			case uopData:
				x.needs = slices.Concat(execs, loads)
				if len(execs) == 0 {
					x.needs = slices.Concat(loads, input)
				}
			}
			m.parts = append(m.parts, x)
			f := &m.fused[len(m.fused)-1]
			f.parts = append(f.parts, id)
		}
		result := execs
		if len(execs) == 0 {
			result = loads
		}
		for _, r := range s.dst {
			if r != isa.NoReg {
				producers[r] = result
				m.fused[len(m.fused)-1].writes = append(m.fused[len(m.fused)-1].writes, r)
			}
		}
	}
}

func (m *reference) done(i int) (uint64, bool) {
	p := &m.parts[i]
	return p.issued + p.latency, p.state == issued
}

// run goes to the end and returns the cycle in which the last uop retires.
func (m *reference) run() uint64 {
	for m.now = 1; m.retired < len(m.fused); m.now++ {
		m.retire()
		m.allocate()
		m.issue()
	}
	return m.fused[len(m.fused)-1].retired
}

func (m *reference) retire() {
	for range m.n.retire {
		if m.retired == m.next {
			return
		}
		f := &m.fused[m.retired]
		for _, i := range f.parts {
			if at, ok := m.done(i); !ok || at > m.now {
				return
			}
		}
		f.retired = m.now
		if f.store {
			f.commit = m.now
			for _, o := range m.fused[:m.retired] {
				f.commit = max(f.commit, o.commit)
			}
			f.commit++
		}
		m.retired++
	}
}

// allocate renames up to a cycle's worth of fused uops.
func (m *reference) allocate() {
	general, all := map[isa.Reg]bool{}, map[isa.Reg]bool{}
	load := m.load
	for k := 0; k < m.n.rename && m.next < len(m.fused); k++ {
		f := &m.fused[m.next]
		if m.now < 3 || !m.room(f) || !m.readable(f, k == 0, general, all) {
			return
		}
		for _, i := range f.parts {
			p := &m.parts[i]
			p.port = refPort(p.ports, load, k)
		}
		for _, i := range f.parts {
			m.parts[i].state, m.parts[i].bound = waits, m.now
			m.load[m.parts[i].port]++
		}
		f.allocated = true
		for _, r := range f.writes {
			m.writer[r] = m.next + 1
		}
		m.next++
	}
}

// refPort is the port that a uop takes which is part of fused uop k of a cycle.
func refPort(ports []uint8, load [16]int, k int) uint8 {
	sorted := slices.Clone(ports)
	slices.SortStableFunc(sorted, func(a, b uint8) int { return load[a] - load[b] })
	least, others := sorted[0], slices.DeleteFunc(slices.Clone(ports), func(p uint8) bool { return p == sorted[0] })
	slices.Sort(others)
	switch n := len(others); {
	case n == 0 || load[sorted[n]]-load[least] >= 3:
		return least
	case n == 1 && k%2 == 1:
		return others[0]
	case n == 2 && k == 1:
		return others[1]
	case n == 2 && k == 2:
		return others[0]
	}
	return least
}

// room looks for entries in the reorder buffer, the scheduler, and the buffers of loads and stores.
func (m *reference) room(f *refFused) bool {
	rob, scheduler, loads, stores := uint64(0), 0, uint64(0), uint64(0)
	for i := range m.fused[:m.next] {
		o := &m.fused[i]
		inFlight := o.retired == 0 || o.retired >= m.now
		if inFlight {
			rob++
			if o.load {
				loads++
			}
		}
		if o.store && (o.commit == 0 || o.commit >= m.now) {
			stores++
		}
		last, all := uint64(0), true
		for _, k := range o.parts {
			all = all && m.parts[k].state == issued
			last = max(last, m.parts[k].issued)
		}
		if !all || last+m.n.releaseDelay > m.now {
			scheduler++
		}
	}
	return rob < m.n.rob && scheduler < int(m.n.entries[0]) && (!f.load || loads < m.n.loadBuffer) && (!f.store || stores < m.n.storeBuffer)
}

// readable looks for ports of the register file.
func (m *reference) readable(f *refFused, alone bool, general, all map[isa.Reg]bool) bool {
	if !m.n.limitReads {
		return true
	}
	old := func(r isa.Reg) bool {
		w := m.writer[r]
		return r != isa.NoReg && (w == 0 || m.fused[w-1].retired != 0 && m.fused[w-1].retired < m.now)
	}
	g, a := map[isa.Reg]bool{}, map[isa.Reg]bool{}
	for r := range general {
		g[r] = true
	}
	for r := range all {
		a[r] = true
	}
	index := f.index
	for _, r := range f.reads {
		if old(r) && !(r == index && f.again) {
			g[r], a[r] = true, true
		}
	}
	if old(index) {
		a[index] = true
	}
	if len(g) > m.n.readPorts || len(a) > m.n.readPorts+m.n.readPortsIndex {
		if alone && m.reading == m.next+1 { // it has had a cycle of the ports already
			return true
		}
		if alone {
			m.reading = m.next + 1
		}
		return false
	}
	for r := range g {
		general[r] = true
	}
	for r := range a {
		all[r] = true
	}
	return true
}

// issue lets every port take its oldest ready uop.
func (m *reference) issue() {
	var taken [16]bool
	for i := range m.parts {
		p := &m.parts[i]
		if p.state != waits || taken[p.port] || p.bound+m.n.issueDelay > m.now {
			continue
		}
		ready := true
		for _, k := range p.needs {
			at, ok := m.done(k)
			ready = ready && ok && at <= m.now
		}
		if !ready || m.n.oneResult != 0 && m.delivers(p.port, m.now+p.latency) {
			continue
		}
		taken[p.port] = true
		p.state, p.issued = issued, m.now
	}
	// A uop counts as waiting until the end of the cycle after that in which it issues.
	for _, p := range m.gone {
		m.load[p]--
	}
	m.gone = m.gone[:0]
	for i := range m.parts {
		if p := &m.parts[i]; p.state == issued && p.issued == m.now {
			m.gone = append(m.gone, p.port)
		}
	}
}

func (m *reference) delivers(port uint8, cycle uint64) bool {
	return slices.ContainsFunc(m.parts, func(o refPart) bool {
		return o.state == issued && o.port == port && o.issued+o.latency == cycle
	})
}

// both runs a plan on the core and on the reference.
func both(tb testing.TB, stream *stream, set map[string]string) (got, want *outcome) {
	pipe := newPipe(tb, merom(tb, set))
	c := &pipe.core
	c.moveTo(3)
	p := stream.plan(c.decoder)
	for i := range p.steps {
		c.execute(p, i, 0, at(3, costmodel.Fetch))
	}
	ref := &reference{n: &c.numbers}
	ref.build(stream)
	last := ref.run()
	return &outcome{c.retirePos >> retireBits, c.retireRing[:c.seq]}, &outcome{last, ref.retirements()}
}

// outcome is when the uops of a stream retire.
type outcome struct {
	last    uint64
	retired []uint64
}

func (m *reference) retirements() (list []uint64) {
	for i := range m.fused {
		list = append(list, m.fused[i].retired)
	}
	return list
}

// TestReference compares with the reference: where a port has one latency, every uop retires in the same cycle.
func TestReference(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := drawPlan(r, false)
		got, want := both(t, p, drawNumbers(r))
		if !slices.Equal(got.retired, want.retired) {
			r.Errorf("retirements\n%d, reference\n%d", got.retired, want.retired)
		}
	})
}

// TestReferenceMixedLatencies lets ports mix latencies. There the core gives the slot of a result to the older of
// two uops, the reference to the one that issues first: the length of a stream may differ a little.
func TestReferenceMixedLatencies(t *testing.T) {
	sum, all := 0.0, 0.0
	rapid.Check(t, func(r *rapid.T) {
		p := drawPlan(r, true)
		got, want := both(t, p, drawNumbers(r))
		if d := float64(got.last)/float64(want.last) - 1; d < -0.2 || d > 0.2 {
			r.Errorf("%d cycles, reference %d", got.last, want.last)
		}
		sum, all = sum+float64(got.last), all+float64(want.last)
	})
	if d := sum/all - 1; d < -0.01 || d > 0.01 {
		t.Errorf("off by %.2f %% on average", 100*d)
	} else {
		t.Logf("%+.3f %% against the reference", 100*d)
	}
}
