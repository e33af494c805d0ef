package inorder

import (
	"simrun/costmodel"
	"simrun/isa"
)

// rocket is the five-stage Rocket core: a scoreboard, a fetch queue, an instruction cache
// and branch prediction. Rule numbers in comments are those of cpus/sifive-e31.toml.
type rocket struct {
	*ledger
	classes []class
	predictor
	icache
	memory                                    *memory // of a board, else nil
	jalrLink, mispredict, redirect, storeLoad int
	trap                                      uint64
	waw, redirectLearns                       bool
	queue, straddle                           int
	walkAll                                   bool // no replay

	// ready[r] is the cycle from which r may be read, why[r] what a reader before that waits
	// for. isa.NoReg is always ready.
	ready    [isa.NoReg + 1]uint64
	why      [isa.NoReg + 1]costmodel.Cause
	unitFree uint64 // the multiplier and divider's next free cycle
	unitWhy  costmodel.Cause

	// lead is the number of words in the fetch queue beyond the one being decoded.
	lead    int
	entered bool // the instruction before was a taken transfer

	// A store is pending until a cycle passes in which no load issues. A store's own cycle
	// lets the one before it drain, so at most one is pending.
	storePending bool
	storeWord    uint64

	hot isa.RegSet // holds every register that is not ready

	// key is the state between runs, if keyed; walking does not keep it up.
	key   rState
	keyed bool
}

func newRocket(l *ledger, cpu *costmodel.CPU, classes []class) *rocket {
	m := &rocket{
		ledger: l, classes: classes, predictor: newPredictor(cpu), icache: newICache(cpu), memory: newMemory(cpu),
		jalrLink: cpu.Param("jalr_link"), waw: cpu.Param("waw") != 0,
		redirectLearns: cpu.Param("redirect_learns") != 0,
		mispredict:     cpu.Param("mispredict"), redirect: cpu.Param("redirect"),
		trap: uint64(cpu.Param("trap")), storeLoad: cpu.Param("store_load"), queue: cpu.Param("queue"), straddle: cpu.Param("straddle"),
	}
	m.reset()
	return m
}

func (m *rocket) memoise(on bool) { m.walkAll = !on }

func (m *rocket) reset() {
	m.predictor.reset()
	m.icache.reset()
	m.ready, m.hot = [isa.NoReg + 1]uint64{}, 0
	m.unitFree, m.lead, m.entered, m.storePending, m.keyed = 0, 1, true, false, false
}

// retire books a run and the trap behind it (rule 22).
func (m *rocket) retire(r *isa.Retired) {
	if r.N > 0 {
		m.retireRun(r)
	}
	if r.Trap != 0 {
		m.owed += m.trap
		m.refetch()
	}
}

// refetch is what a redirect from behind the decoder leaves: an empty queue and drained stores.
func (m *rocket) refetch() {
	m.lead, m.entered, m.keyed, m.storePending = 1, true, false, false
}

// retireRun replays the run if it was seen whole from this state, with the same loads of pending stores and
// no cache miss, and walks it otherwise. The transfer at its end is predicted afresh each time.
func (m *rocket) retireRun(r *isa.Retired) {
	p := m.plan(r.Code)
	if m.sink != nil || m.walkAll || m.owed != 0 || p.walkAlways || r.N < len(p.steps) || len(r.Hints) > 0 || !m.cached(p) || m.slow(r.Data) {
		m.walk(r, p, nil)
		return
	}
	if !m.keyed {
		if m.key, m.keyed = m.pending(); !m.keyed {
			m.walk(r, p, nil)
			return
		}
	}
	k := p.find(&m.key, r.Data, m.storeWord)
	if k == nil {
		m.remember(r, p)
		return
	}
	m.replay(k.parts, k.cycles, uint64(r.N))
	m.restore(k, r.Data)
	m.control(p, r)
}

// walk books a run instruction by instruction. rec, if not nil, notes which loads have to be compared
// with which store, and the transfer at the end is left to the caller.
func (m *rocket) walk(r *isa.Retired, p *rPlan, rec *rKnown) {
	m.keyed = false
	access, hints := 0, r.Hints
	for i := range r.N {
		s, latency := &p.steps[i], int(p.steps[i].latency)
		if len(hints) > 0 && int(hints[0].Step) == i {
			latency = operandLatency(&m.classes[r.Code.Time[i].Class], hints[0].Value)
			hints = hints[1:]
		}
		m.begin()
		start := m.now
		m.fetch(p, s, i == 0)
		fetched := m.now
		m.operands(s)
		m.awaitData(r.Data, access, i)
		if m.now != start {
			m.storePending = false
		}
		if m.stored(s, r.Data, access, rec) {
			m.charge(costmodel.Store, uint64(m.storeLoad))
			m.lead, m.storePending, fetched = 0, false, m.now
		}
		for access < len(r.Data) && int(r.Data[access].Step) == i {
			access++
		}
		m.issue(s, latency)
		m.lead = min(m.lead+int(m.now-fetched), m.queue)
		if i == r.N-1 && rec == nil {
			m.control(p, r)
		}
		m.end(&r.Code.Time[i], false)
	}
}

// fetch books the code's way to the decoder (rules 16 to 19).
func (m *rocket) fetch(p *rPlan, s *rStep, first bool) {
	if !p.uncached {
		if missing := m.touch(s.firstLine, s.lastLine, first); missing > 0 {
			m.charge(costmodel.ICache, uint64(missing*m.missCycles))
			m.lead = 1
		}
	}
	words := int(s.words)
	if first && m.entered {
		words = 1
		if s.wide2 {
			words += m.straddle
		}
	}
	m.entered = false
	m.lead -= words
	if m.lead < 0 {
		m.charge(costmodel.Fetch, uint64(-m.lead))
		m.lead = 0
	}
}

// operands waits for source registers, for a pending write of the destination, and for the
// multiplier (rules 1 to 9).
func (m *rocket) operands(s *rStep) {
	for _, r := range s.src {
		m.await(m.ready[r], m.why[r])
	}
	if m.waw {
		m.await(m.ready[s.dst], m.why[s.dst])
	}
	if s.unit {
		m.await(m.unitFree, m.unitWhy)
	}
}

// slow reports whether an access of a run has wait states.
func (m *rocket) slow(data []isa.Access) bool {
	return m.memory != nil && !m.memory.fast(data)
}

// awaitData waits for data of a step in memory with wait states; access is the index of its first (rule 40 of
// boards/hifive1.toml).
func (m *rocket) awaitData(data []isa.Access, access, step int) {
	if m.memory == nil {
		return
	}
	for ; access < len(data) && int(data[access].Step) == step; access++ {
		if f := m.memory.flashAt(data[access].Addr); f != nil {
			m.charge(costmodel.WaitState, f.waits)
		}
	}
}

func (m *rocket) await(cycle uint64, why costmodel.Cause) {
	if cycle > m.now {
		m.charge(why, cycle-m.now)
	}
}

// stored keeps track of the pending store and reports whether the instruction loads its
// word (rule 20). access is the index of its first access.
func (m *rocket) stored(s *rStep, data []isa.Access, access int, rec *rKnown) bool {
	switch {
	case !s.load && !s.store, access >= len(data):
		m.storePending = false
	case s.store:
		m.storePending, m.storeWord = true, data[access].Addr>>2
		if rec != nil {
			rec.lastStore = access
		}
	case m.storePending:
		same := data[access].Addr>>2 == m.storeWord
		if rec != nil {
			rec.pairs = append(rec.pairs, accessPair{rec.lastStore, access, same})
		}
		return same
	}
	return false
}

func (m *rocket) issue(s *rStep, latency int) {
	ready := m.now + uint64(latency)
	m.charge(costmodel.Issue, uint64(s.cycles))
	if s.dst != isa.NoReg {
		m.ready[s.dst], m.why[s.dst] = ready, s.why
		if latency > 1 {
			m.hot = m.hot.With(s.dst)
		}
	}
	if s.unit {
		m.unitFree, m.unitWhy = ready, s.why
	}
}

// control predicts the transfer at the end of a run and books what the prediction costs
// (rules 10 to 15).
func (m *rocket) control(p *rPlan, r *isa.Retired) {
	m.entered = r.Taken
	switch {
	case r.N < len(p.steps) || !p.ends.branch:
	case p.ends.system:
		m.owed += m.trap
		m.refetch()
	default:
		switch m.resolve(&p.ends, r.Taken, r.Next) {
		case bubble:
			m.lead -= m.redirect
			if m.lead <= 0 && m.redirectLearns {
				m.learn(&p.ends, false, r.Next)
			}
		case mispredicted:
			m.charge(costmodel.Mispredict, uint64(m.mispredict))
			pending := m.storePending && m.mispredict == 0
			m.refetch()
			m.storePending = pending
		}
	}
	m.key.lead, m.key.entered = int8(m.lead), m.entered
}

// operandLatency reads a hint (rules 5 and 6).
func operandLatency(c *class, value uint8) int {
	if c.Max > c.Latency {
		return interpolate(c.Latency, c.Max, significantBits(c, value))
	}
	return c.Latency
}
