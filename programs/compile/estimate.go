package compile

import "simrun/isa"

// estimate counts the cycles of finished code by the few rules that an order can change: one cycle an
// instruction, loads that pair or wait for their reader, stores that hide behind loads. Loops count with
// their turns. The pipeline has the last word.
func estimate(code []MInst, t *Target, latency func(string) int) float64 {
	if t.demand != nil {
		return estimateDemand(code, t.demand)
	}
	e := estimator{turns: 1, latency: latency}
	for i := range code {
		m := &code[i]
		switch {
		case m.Kind == KindLabel && m.Loop != nil:
			if m.Note == m.Loop.Top {
				e.turns *= float64(m.Loop.Turns)
			} else {
				e.turns /= float64(m.Loop.Turns)
			}
			e.before = nothing
		case m.Kind != KindInst:
		case t.PairLoads:
			e.paired(m)
		default:
			e.scoreboard(m)
		}
	}
	return e.total
}

type access uint8

const (
	nothing access = iota
	lonely         // a load whose second cycle nothing hides yet
	loading
	storing
)

type estimator struct {
	total   float64
	turns   float64
	before  access
	loaded  isa.RegSet // what the load right before gives
	now     int
	ready   [isa.NoReg + 1]int
	latency func(string) int
}

// paired is for cores where a load takes a cycle more unless a load or a store follows it, and a load behind a store
// waits. A load whose address is what the load before gives does not follow it so.
func (e *estimator) paired(m *MInst) {
	c := 1.0
	switch {
	case isLoad(m):
		follows := (e.before == lonely || e.before == loading) && e.loaded&addressOf(m) == 0
		e.loaded = writesOf(m)
		if follows {
			e.before = loading
			break
		}
		if e.before == storing {
			c++
		}
		c++
		e.before = lonely
	case m.Form.Flags&isa.Store != 0:
		if e.before == lonely {
			c--
		}
		e.before = storing
	default:
		e.before = nothing
	}
	e.total += c * e.turns
}

// scoreboard is for cores where a reader waits for the latency of the maker.
func (e *estimator) scoreboard(m *MInst) {
	start := e.now
	for r, s := isa.Reg(0), readsOf(m); s>>r != 0; r++ {
		if s.Has(r) {
			start = max(start, e.ready[r])
		}
	}
	done := start + e.latency(m.Form.Class)
	for r, s := isa.Reg(0), writesOf(m); s>>r != 0; r++ {
		if s.Has(r) {
			e.ready[r] = done
		}
	}
	e.total += float64(start+1-e.now) * e.turns
	e.now = start + 1
}
