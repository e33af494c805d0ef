package compile

import (
	"math"
	"slices"

	"simrun/isa"
)

// The order search moves single instructions of straight-line code, within their dependences, and keeps
// what makes the finished code faster: every try is allocated anew and counted by estimate. It is
// simulated annealing. Stretches that recur (the rounds of an unrolled cipher) are moved all alike, so one try
// of ten equal rounds has ten times the effect.

// Search says how long to look for a better order. The same values give the same code.
type Search struct {
	Tries int
	Seed  uint64
}

// SearchState is all that a search goes on from: it may be stored and restored.
type SearchState struct {
	Done     int    // tries so far
	RNG      uint64 // of the generator
	Now      []int32
	Best     []int32
	NowCost  float64 // by the estimate, cycles
	BestCost float64
}

// searcher is a search under way.
type searcher struct {
	p       *Proc
	t       *Target
	latency func(string) int
	a       allocator
	groups  []group
	weight  int // of all groups: instructions that a try can pick
	search  Search
	text    []MInst // the code in the order of the text

	done           int
	rng            xorshift
	place          []int32 // place[i] = index in the order of the text of the instruction now at i
	best           []int32
	cost, bestCost float64
}

func newSearcher(p *Proc, t *Target, o *Options) *searcher {
	s := &searcher{p: p, t: t, latency: o.latency, a: allocator{t: t, quiet: true}, search: o.Search,
		text: slices.Clone(p.Code), rng: xorshift(o.Search.Seed*0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d)}
	for i := range p.Code {
		s.place = append(s.place, int32(i))
	}
	s.best = slices.Clone(s.place)
	s.findGroups()
	s.cost = s.evaluate()
	s.bestCost = s.cost
	return s
}

// orderCode applies a known order, or searches for one.
func orderCode(p *Proc, t *Target, o *Options) {
	if o.Order != nil {
		if len(o.Order.Places) > 0 {
			applyOrder(p, o.Order.Places)
		}
		return
	}
	if o.Search.Tries == 0 {
		return
	}
	s := newSearcher(p, t, o)
	s.run(o.Search.Tries)
	copy(p.Code, s.text)
	applyOrder(p, s.best)
}

// applyOrder permutes the code. The order must be legal: orderLegal.
func applyOrder(p *Proc, order []int32) {
	code := make([]MInst, len(p.Code))
	for i, j := range order {
		code[i] = p.Code[j]
	}
	p.Code = code
}

// orderLegal reports whether order is a permutation that keeps every dependence and every mark in place.
func orderLegal(p *Proc, order []int32) bool {
	if len(order) != len(p.Code) {
		return false
	}
	where := make([]int32, len(order))
	for i := range where {
		where[i] = -1
	}
	for i, j := range order {
		if j < 0 || int(j) >= len(order) || where[j] >= 0 {
			return false
		}
		where[j] = int32(i)
	}
	fence := int32(-1) // the last place that nothing may cross
	made := map[int64]int32{}
	for i, j := range order {
		m := &p.Code[j]
		if !movable(m) {
			if int(j) != i {
				return false
			}
			fence = j
		} else if j < fence {
			return false
		}
		for _, v := range m.outs {
			made[v] = int32(i)
		}
	}
	return dependencesKept(p, order, where, made)
}

// dependencesKept checks values against their makers and memory accesses against stores.
func dependencesKept(p *Proc, order, where []int32, made map[int64]int32) bool {
	store := int32(-1) // the last store in the order of the text
	for j := range p.Code {
		m := &p.Code[j]
		for _, v := range m.ins {
			if at, ok := made[v]; ok && at > where[j] {
				return false
			}
		}
		if !isMemory(m) {
			continue
		}
		if store >= 0 && where[store] > where[j] {
			return false
		}
		if m.Form.Flags&isa.Store != 0 {
			for k := int(store) + 1; k < j; k++ {
				if isMemory(&p.Code[k]) && where[k] > where[j] {
					return false
				}
			}
			store = int32(j)
		}
	}
	return true
}

// movable reports whether an instruction may change places: plain, and touching no flags.
func movable(m *MInst) bool {
	return m.Kind == KindInst && m.Form.Flags&(isa.Branch|isa.System) == 0 && m.Form.Reads == 0 && m.Form.Writes == 0
}

// swaps reports whether neighbours a (first) and b may change places.
func swaps(a, b *MInst) bool {
	if !movable(a) || !movable(b) {
		return false
	}
	for _, v := range a.outs {
		for _, u := range b.ins {
			if u == v {
				return false
			}
		}
	}
	return !isMemory(a) || !isMemory(b) || (a.Form.Flags|b.Form.Flags)&isa.Store == 0
}

const (
	maxShift         = 48   // places that an instruction moves at most at a time
	startTemperature = 0.3  // cycles for each copy of a stretch: low, since the text's order is good already
	endTemperature   = 0.05 // likewise
)

// run makes tries until n are done in all. The temperature falls with done/search.Tries, so it does not matter in how many
// parts a search is run.
func (s *searcher) run(n int) {
	for ; s.done < n && s.weight > 0; s.done++ {
		s.try()
	}
}

// try moves one instruction, in all copies of its stretch, and keeps that if it pays, or by chance.
func (s *searcher) try() {
	g := s.pick()
	from := s.rng.below(g.length)
	lo, hi := s.span(g, from)
	to := lo + s.rng.below(hi-lo+1)
	if to == from || !s.moveAll(g, from, to) {
		return
	}
	c := s.evaluate()
	t := startTemperature * math.Pow(endTemperature/startTemperature, float64(s.done)/float64(s.search.Tries))
	if c > s.cost && s.rng.unit() >= math.Exp((s.cost-c)/(t*float64(len(g.starts)))) {
		s.moveAll(g, to, from)
		return
	}
	if s.cost = c; c < s.bestCost {
		s.bestCost = c
		copy(s.best, s.place)
	}
}

// state and restore take a search out and in.
func (s *searcher) state() SearchState {
	return SearchState{s.done, uint64(s.rng), slices.Clone(s.place), slices.Clone(s.best), s.cost, s.bestCost}
}

func (s *searcher) restore(st SearchState) {
	s.done, s.rng, s.cost, s.bestCost = st.Done, xorshift(st.RNG), st.NowCost, st.BestCost
	s.place, s.best = slices.Clone(st.Now), slices.Clone(st.Best)
	for i, j := range s.place {
		s.p.Code[i] = s.text[j]
	}
}

// evaluate is the estimate of the finished code in cycles.
func (s *searcher) evaluate() float64 {
	s.a.run(s.p)
	raise(s.a.out, s.t, s.latency)
	return estimate(s.a.out, s.t, s.latency)
}

// pick chooses a group, longer ones more often.
func (s *searcher) pick() *group {
	n := s.rng.below(s.weight)
	for i := range s.groups {
		if n -= s.groups[i].length; n < 0 {
			return &s.groups[i]
		}
	}
	return &s.groups[len(s.groups)-1]
}

// moveAll moves the instruction at from to to in every copy of a stretch; if that breaks a dependence
// in one, nothing changes.
func (s *searcher) moveAll(g *group, from, to int) bool {
	for _, at := range g.starts {
		if !s.legal(at+from, at+to) {
			return false
		}
	}
	for _, at := range g.starts {
		rotate(s.p.Code, at+from, at+to)
		rotate(s.place, at+from, at+to)
	}
	return true
}

// span is the range of places in the stretch that the instruction at from may take, by its first copy.
func (s *searcher) span(g *group, from int) (lo, hi int) {
	code := s.p.Code[g.starts[0]:][:g.length]
	lo, hi = from, from
	for lo > 0 && from-lo < maxShift && swaps(&code[lo-1], &code[from]) {
		lo--
	}
	for hi+1 < g.length && hi-from < maxShift && swaps(&code[from], &code[hi+1]) {
		hi++
	}
	return lo, hi
}

// legal reports whether the instruction at from may move to to past all between.
func (s *searcher) legal(from, to int) bool {
	m := &s.p.Code[from]
	for i := from + 1; i <= to; i++ {
		if !swaps(m, &s.p.Code[i]) {
			return false
		}
	}
	for i := from - 1; i >= to; i-- {
		if !swaps(&s.p.Code[i], m) {
			return false
		}
	}
	return true
}

// rotate moves the element at from to to; those between close up.
func rotate[E any](list []E, from, to int) {
	x := list[from]
	if from < to {
		copy(list[from:to], list[from+1:to+1])
	} else {
		copy(list[to+1:from+1], list[to:from])
	}
	list[to] = x
}

// xorshift is a 64-bit generator of our own, so that a seed means the same for ever.
type xorshift uint64

func (x *xorshift) next() uint64 {
	*x ^= *x << 13
	*x ^= *x >> 7
	*x ^= *x << 17
	return uint64(*x)
}

func (x *xorshift) below(n int) int { return int(x.next() >> 11 % uint64(n)) }
func (x *xorshift) unit() float64   { return float64(x.next()>>11) / (1 << 53) }
