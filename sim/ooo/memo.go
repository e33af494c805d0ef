package ooo

import (
	"slices"

	"simrun/costmodel"
	"simrun/isa"
)

// memo replays runs. How a run goes depends on its course and on the state of the core, taken from the cycle that
// rename is in; a run that was walked from such a state is a passage to another one. While runs are replayed,
// only counters are kept up; the rest of the core is laid out again when a run has to be walked.
type memo struct {
	off    bool
	state  *state // of the core, nil if not known
	apart  bool   // the core is not in that state
	states map[uint64]*state
	room   int // words still to be filled
	buffer []uint32
}

// Bounds of what is remembered: in words of four bytes, of passages from a state, of passes of a run that were
// walked, less those that were replayed, until no more is tried.
const (
	memoWords   = 1 << 20
	passageMax  = 16
	missedLimit = 256
)

// state is a state of the core, as coder writes it.
type state struct {
	words    []uint32
	passages []passage
	next     *state // of the same hash
}

type passage struct {
	plan  *plan
	entry entry
	wrong bool
	code  []codeEvents
	data  []access
	to    *state
	by    [costmodel.NumCauses]uint64
	counters
}

// counters only go up, and say nothing of how a run will go.
type counters struct {
	base, slots, block, seq, loads, stores uint64
}

func (m *core) counters() counters {
	return counters{m.base, m.slots, m.block, m.seq, m.loads, m.stores}
}

// retireRun replays a run, or walks it.
func (m *core) retireRun(r *isa.Retired, p *plan) {
	m.foresee(r, p)
	if r.N == 0 {
		return
	}
	if m.off || m.sink != nil || r.N < len(p.steps) || p.missed >= missedLimit {
		m.settle()
		m.state = nil
		m.walk(r, p)
		return
	}
	if m.state == nil {
		if m.state = m.intern(); m.state == nil {
			m.walk(r, p)
			return
		}
	}
	if t := m.state.find(m, p); t != nil {
		p.missed = max(p.missed-1, 0)
		m.replay(t, uint64(r.N))
		return
	}
	p.missed++
	m.settle()
	m.remember(r, p)
}

// find returns the passage of a run from a state, or nil.
func (s *state) find(m *core, p *plan) *passage {
	for i := range s.passages {
		t := &s.passages[i]
		if t.plan == p && t.entry == m.entry && t.wrong == m.wrong && slices.Equal(t.code, m.codeSeen) && slices.Equal(t.data, m.dataSeen) {
			return t
		}
	}
	return nil
}

func (m *core) replay(t *passage, instructions uint64) {
	if !m.apart {
		m.apart = true
		m.timeline.clear(m.portCount)
	}
	m.base += t.base
	m.slots += t.slots
	m.block += t.block
	m.seq += t.seq
	m.loads += t.loads
	m.stores += t.stores
	m.instructions += instructions
	for i, n := range t.by {
		m.by[i] += n
	}
	m.state = t.to
}

// remember walks a run and notes the passage.
func (m *core) remember(r *isa.Retired, p *plan) {
	from, before, by := m.state, m.counters(), m.by
	m.walk(r, p)
	m.state = m.intern()
	words := len(m.codeSeen)/4 + 2*len(m.dataSeen)
	if m.state == nil || len(from.passages) >= passageMax || words > m.room {
		return
	}
	m.room -= words
	after := m.counters()
	t := passage{
		plan: p, entry: m.entry, wrong: m.wrong, code: slices.Clone(m.codeSeen), data: slices.Clone(m.dataSeen), to: m.state,
		counters: counters{
			after.base - before.base, after.slots - before.slots, after.block - before.block,
			after.seq - before.seq, after.loads - before.loads, after.stores - before.stores,
		},
	}
	for i := range by {
		t.by[i] = m.by[i] - by[i]
	}
	from.passages = append(from.passages, t)
}

// intern returns the state of the core, or nil if it cannot be written or there is no room for more.
func (m *core) intern() *state {
	c := coder{base: m.base, words: m.buffer[:0], writing: true}
	m.code(&c)
	m.buffer = c.words
	if c.failed {
		return nil
	}
	hash := uint64(0)
	for _, w := range c.words {
		hash = (hash ^ uint64(w)) * 0x9e3779b97f4a7c15
	}
	for s := m.states[hash]; s != nil; s = s.next {
		if slices.Equal(s.words, c.words) {
			return s
		}
	}
	if len(c.words) > m.room {
		return nil
	}
	m.room -= len(c.words)
	s := &state{words: slices.Clone(c.words), next: m.states[hash]}
	m.states[hash] = s
	return s
}

// settle lays out the state that replaying led to.
func (m *core) settle() {
	if !m.apart {
		return
	}
	m.apart = false
	m.code(&coder{base: m.base, words: m.state.words})
}
