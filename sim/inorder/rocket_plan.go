package inorder

import (
	"math/bits"

	"simrun/costmodel"
	"simrun/isa"
)

// rPlan is what a rocket keeps with a run: its steps prepared, and how it went before.
type rPlan struct {
	owner      *rocket
	steps      []rStep
	ends       transfer
	walkAlways bool   // has instructions with a varying number of accesses, or leaves a state too large to keep
	uncached   bool   // in memory that the instruction cache does not stand before
	epoch      uint64 // of the instruction cache, when all its lines were last found
	known      []rKnown
	recent     int // index of the one met last
}

// rStep is an instruction as the rules see it.
type rStep struct {
	firstLine, lastLine uint64 // of the instruction cache
	latency             uint16
	cycles              uint16
	src                 [3]isa.Reg // NoReg-padded
	dst                 isa.Reg
	why                 costmodel.Cause // what a reader of dst waits for
	words               uint8           // fetch words begun since the instruction before in the run
	load, store, unit   bool
	wide2               bool // 4 bytes at 2 mod 4
}

// rState is what one run leaves to the next, relative to the current cycle.
type rState struct {
	regs         [maxPending]pendingReg
	unit         uint16 // cycles until the multiplier is free
	unitWhy      costmodel.Cause
	lead         int8
	entered      bool
	storePending bool
}

// maxPending registers can be waited for at once with the latencies of the CPU files; with
// more (--set) runs are walked.
const maxPending = 4

type pendingReg struct {
	wait uint16 // cycles
	reg  isa.Reg
	why  costmodel.Cause
}

// rKnown is a whole run without cache misses, entered in state in and left in state out; what its last
// transfer costs is not in it.
type rKnown struct {
	in, out   rState
	waits     int // registers pending in out
	cycles    uint64
	parts     []part
	accesses  int
	pairs     []accessPair // which loads read the word of a pending store
	lastStore int          // index of the last store's access, entryStore if there is none
}

// accessPair is a store and a load while it was pending, as indexes into Retired.Data.
type accessPair struct {
	store, load int
	same        bool // word
}

// entryStore stands for the store that was pending when the run began.
const entryStore = -1

func (m *rocket) plan(code *isa.Straight) *rPlan {
	if p, ok := code.Memo.(*rPlan); ok && p.owner == m {
		return p
	}
	p := &rPlan{owner: m, steps: make([]rStep, len(code.Time))}
	p.uncached = m.memory != nil && m.memory.flashAt(code.PC) == nil
	for i := range code.Time {
		st := &code.Time[i]
		p.steps[i] = m.prepare(st)
		if m.classes[st.Class].is("amo") {
			p.walkAlways = true
		}
	}
	if n := len(code.Time); n > 0 {
		p.ends = newTransfer(&code.Time[n-1])
	}
	code.Memo = p
	return p
}

func (m *rocket) prepare(st *isa.Static) rStep {
	c := &m.classes[st.Class]
	last := st.PC + uint64(st.Size) - 1
	s := rStep{
		firstLine: m.line(st.PC), lastLine: m.line(last),
		latency: uint16(c.Latency), cycles: uint16(c.Cycles),
		src: [3]isa.Reg{isa.NoReg, isa.NoReg, isa.NoReg}, dst: isa.NoReg, why: waitCause(c),
		load: st.Flags&isa.Load != 0, store: st.Flags&isa.Store != 0,
		unit: c.is("mul") || c.is("div"), wide2: st.Size == 4 && st.PC&2 != 0,
	}
	if st.PC&2 == 0 || st.Size == 4 {
		s.words = 1
	}
	regs := st.Src
	for i := 0; regs != 0 && i < len(s.src); i++ {
		s.src[i] = isa.Reg(bits.TrailingZeros64(uint64(regs)))
		regs &= regs - 1
	}
	if st.Dst != 0 {
		s.dst = isa.Reg(bits.TrailingZeros64(uint64(st.Dst)))
	}
	if st.Flags&isa.Branch != 0 && st.Src != 0 && st.Dst != 0 { // JALR with a link
		s.latency, s.why = uint16(m.jalrLink), costmodel.Dependency
	}
	return s
}

func waitCause(c *class) costmodel.Cause {
	switch c.path[0] {
	case "load", "amo":
		return costmodel.LoadUse
	case "mul":
		return costmodel.Mul
	case "div":
		return costmodel.Div
	case "csr":
		return costmodel.CSR
	}
	return costmodel.Dependency
}

// pending returns the state between runs; exact is false if it does not fit.
func (m *rocket) pending() (s rState, exact bool) {
	n := 0
	for regs := m.hot; regs != 0; regs &= regs - 1 {
		r := isa.Reg(bits.TrailingZeros64(uint64(regs)))
		if m.ready[r] <= m.now {
			m.hot &^= 1 << r
			continue
		}
		if n == maxPending {
			return s, false
		}
		s.regs[n] = pendingReg{uint16(m.ready[r] - m.now), r, m.why[r]}
		n++
	}
	if m.unitFree > m.now {
		s.unit, s.unitWhy = uint16(m.unitFree-m.now), m.unitWhy
	}
	s.lead, s.entered, s.storePending = int8(m.lead), m.entered, m.storePending
	return s, true
}

// remember walks a run and keeps how it went.
func (m *rocket) remember(r *isa.Retired, p *rPlan) {
	if len(p.known) == maxEntries {
		m.walk(r, p, nil)
		return
	}
	k := rKnown{in: m.key, accesses: len(r.Data), lastStore: entryStore}
	before := m.totals()
	m.walk(r, p, &k)
	k.cycles, k.parts = m.now-before.Slots, m.partsSince(&before)
	out, exact := m.pending()
	k.out = out
	for k.waits < maxPending && out.regs[k.waits].wait != 0 {
		k.waits++
	}
	if exact {
		p.known = append(p.known, k)
	} else {
		p.walkAlways = true
	}
	m.control(p, r)
}

// find returns how the run went before from the same state and with the same loads of pending stores, or nil.
func (p *rPlan) find(in *rState, data []isa.Access, entryWord uint64) *rKnown {
	if p.recent < len(p.known) && p.known[p.recent].fits(in, data, entryWord) {
		return &p.known[p.recent]
	}
	for i := range p.known {
		if p.known[i].fits(in, data, entryWord) {
			p.recent = i
			return &p.known[i]
		}
	}
	return nil
}

func (k *rKnown) fits(in *rState, data []isa.Access, entryWord uint64) bool {
	if k.in != *in || k.accesses != len(data) {
		return false
	}
	for _, pair := range k.pairs {
		word := entryWord
		if pair.store != entryStore {
			word = data[pair.store].Addr >> 2
		}
		if (data[pair.load].Addr>>2 == word) != pair.same {
			return false
		}
	}
	return true
}

// restore puts the state behind a replayed run in place.
func (m *rocket) restore(k *rKnown, data []isa.Access) {
	for regs := m.hot; regs != 0; regs &= regs - 1 {
		m.ready[bits.TrailingZeros64(uint64(regs))] = m.now
	}
	m.key, m.hot = k.out, 0
	for _, p := range k.out.regs[:k.waits] {
		m.ready[p.reg], m.why[p.reg] = m.now+uint64(p.wait), p.why
		m.hot = m.hot.With(p.reg)
	}
	m.unitFree, m.unitWhy = m.now+uint64(k.out.unit), k.out.unitWhy
	m.lead, m.entered, m.storePending = int(k.out.lead), k.out.entered, k.out.storePending
	if k.lastStore != entryStore {
		m.storeWord = data[k.lastStore].Addr >> 2
	}
}
