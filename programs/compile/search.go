package compile

import (
	"errors"
	"math"
	"slices"

	"simrun/programs/ir"
)

// The search looks for an order of the instructions, and for definitions of their values, that make the finished code
// faster: every try is allocated anew and counted by estimate. It is simulated annealing in parts of the code, by a plan:
// first stretches that recur (the S-boxes of an unrolled cipher), all copies alike, then longer ones that recur less
// often, with temperatures that fall. What a part found is kept if the whole code is no slower with it.

// Search says how long to look for faster code. The same values give the same code.
type Search struct {
	Tries int // as many as would take the time of that many estimates of the whole code; those of parts are cheaper
	Seed  uint64

	Settle int // moves of instructions behind the allocator, see Settler
}

// SearchState is all that a search goes on from: it may be stored and restored.
type SearchState struct {
	Done     int    // tries so far
	Phase    int    // of the plan
	Left     int    // tries until the next one
	RNG      uint64 // of the generator
	Places   []int32
	Choice   []int32
	BestCost float64 // of those, by the estimate, cycles
	Now      localState
	Best     localState // of the part at hand
	Costs    [2]float64 // of these two
}

// searcher is a search under way.
type searcher struct {
	p       *Proc
	t       *Target
	latency func(string) int
	a       allocator
	search  Search
	text    []MInst // the code in the order of the text

	plan  []phase
	phase int
	left  int // tries of the phase
	done  int
	rng   xorshift
	base  arrangement // the best so far; p.Code is made from it
	cost  float64
	at    *local // of the phase; nil if it has none
	all   *whole // of the last phase
}

func newSearcher(p *Proc, t *Target, o *Options) *searcher {
	t = t.demanding(o.Demand)
	s := &searcher{p: p, t: t, latency: o.latency, a: allocator{t: t, quiet: true}, search: o.Search, phase: -1,
		text: slices.Clone(p.Code), rng: xorshift(o.Search.Seed*0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d)}
	s.base = textArrangement(len(p.Code))
	s.cost = s.evaluate()
	s.plan = s.makePlan()
	return s
}

// run makes tries until n are done in all. The plan is over search.Tries, so it does not matter in how many parts a search
// is run.
func (s *searcher) run(n int) {
	for ; s.done < n; s.done++ {
		for s.left == 0 {
			if !s.nextPhase() {
				s.done = n // the plan's tries are rounded down
				return
			}
		}
		s.step()
		if s.left--; s.left == 0 {
			s.finish()
		}
	}
}

// nextPhase begins the next phase, if there is one.
func (s *searcher) nextPhase() bool {
	if s.phase+1 >= len(s.plan) {
		return false
	}
	s.phase++
	s.left = s.plan[s.phase].tries
	if s.left > 0 {
		s.open()
	}
	return true
}

// open makes the problem of the phase.
func (s *searcher) open() {
	if ph := &s.plan[s.phase]; ph.whole() {
		s.all = s.newWhole()
	} else {
		s.at = s.newLocal(&ph.group)
	}
}

// step makes as many tries in the part as one of the whole code would take.
func (s *searcher) step() {
	ph := &s.plan[s.phase]
	fall := 1 - float64(s.left)/float64(ph.tries)
	temperature := ph.start * math.Pow(ph.end/ph.start, fall)
	if ph.whole() {
		s.all.try(&s.rng, temperature)
		return
	}
	for range max(1, len(s.text)/len(s.at.p.Code)) {
		s.at.try(&s.rng, temperature)
	}
}

// finish carries over what the part found: to all copies if that pays, else to those where it does.
func (s *searcher) finish() {
	if w := s.all; w != nil {
		s.all = nil
		s.base, s.cost = w.best, w.bestCost
		arrange(s.p, s.text, s.base)
		return
	}
	l := s.at
	s.at = nil
	if l.same() {
		return
	}
	all := len(l.g.starts)
	if s.take(l.spread(s.base, 0, all)) || all == 1 || s.plan[s.phase].tries < all {
		return
	}
	for c := range all {
		s.take(l.spread(s.base, c, c+1))
	}
}

// take makes a the base if it is legal and no slower.
func (s *searcher) take(a arrangement) bool {
	if !legal(s.p, s.text, a) {
		return false
	}
	arrange(s.p, s.text, a)
	c := s.evaluate()
	if c > s.cost {
		arrange(s.p, s.text, s.base)
		return false
	}
	s.cost, s.base = c, a
	return true
}

// evaluate is the estimate of the finished code in cycles.
func (s *searcher) evaluate() float64 {
	s.a.run(s.p)
	raise(s.a.out, s.t, s.latency)
	return estimate(s.a.out, s.t, s.latency)
}

// state and restore take a search out and in.
func (s *searcher) state() SearchState {
	st := SearchState{Done: s.done, Phase: s.phase, Left: s.left, RNG: uint64(s.rng), BestCost: s.cost,
		Places: slices.Clone(s.base.places), Choice: slices.Clone(s.base.choice)}
	switch {
	case s.at != nil:
		st.Now, st.Best, st.Costs = s.at.now.clone(), s.at.best.clone(), [2]float64{s.at.cost, s.at.bestCost}
	case s.all != nil:
		now, best := s.all.now.clone(), s.all.best.clone()
		st.Now, st.Best, st.Costs = localState{now.places, now.choice}, localState{best.places, best.choice}, [2]float64{s.all.cost, s.all.bestCost}
	}
	return st
}

// restore goes on from st; false means that it is not a state of this search.
func (s *searcher) restore(st SearchState) bool {
	base := arrangement{slices.Clone(st.Places), slices.Clone(st.Choice)}
	if st.Done < 0 || st.Phase < -1 || st.Phase >= len(s.plan) || st.Left < 0 || !legal(s.p, s.text, base) {
		return false
	}
	s.done, s.phase, s.left, s.rng, s.cost, s.base = st.Done, st.Phase, st.Left, xorshift(st.RNG), st.BestCost, base
	arrange(s.p, s.text, s.base)
	s.at, s.all = nil, nil
	if s.left == 0 {
		return true
	}
	if s.phase < 0 || s.left > s.plan[s.phase].tries {
		return false
	}
	s.open()
	if s.all != nil {
		return s.all.restore(st)
	}
	if !s.at.fits(st.Now) || !s.at.fits(st.Best) {
		return false
	}
	s.at.set(st.Now)
	s.at.best, s.at.cost, s.at.bestCost = st.Best.clone(), st.Costs[0], st.Costs[1]
	return true
}

// orderCode applies a known order, or searches for one.
func orderCode(p *Proc, t *Target, o *Options) {
	if o.Search.Tries == 0 {
		return
	}
	s := newSearcher(p, t, o)
	s.run(o.Search.Tries)
}

// Searcher is a search on one kernel, for a driver that stores its state, watches its progress and judges its
// results itself.
type Searcher struct {
	s    *searcher
	roll int
	hash string
}

// NewSearcher selects the code of a kernel and starts a search at the order of the text. o.Search.Tries is the number
// that the plan is over.
func NewSearcher(k *ir.Kernel, t *Target, o Options) (*Searcher, error) {
	t = t.of(k)
	roll, err := loopsToKeep(k, t, o)
	if err != nil {
		return nil, err
	}
	s := &state{kernel: k, target: t, opt: o, roll: roll}
	if err := s.runTo("equivalents"); err != nil {
		return nil, err
	}
	hash := s.codeHash()
	return &Searcher{newSearcher(s.proc, t, &s.opt), roll, hash}, nil
}

// Run makes tries until n are done in all.
func (s *Searcher) Run(n int) { s.s.run(n) }

// State returns where the search stands.
func (s *Searcher) State() SearchState { return s.s.state() }

// Restore goes on from a state of a search with the same options on the same kernel.
func (s *Searcher) Restore(st SearchState) error {
	if !s.s.restore(st) {
		return errors.New("the state is of another kernel or compiler")
	}
	return nil
}

// Best is the best order so far.
func (s *Searcher) Best() Order {
	return Order{Roll: s.roll, Code: s.hash, Places: slices.Clone(s.s.base.places),
		Gates: choices(s.s.p, s.s.text, s.s.base.choice)}
}

// Code is the hash of the code whose order is searched.
func (s *Searcher) Code() string { return s.hash }

// Operations is the number of instructions that no pass leaves out, but for gates that other definitions make needless:
// all but loads and stores.
func (s *Searcher) Operations() int { return operations(s.s.text) }

func operations(code []MInst) int {
	n := 0
	for i := range code {
		if m := &code[i]; m.Kind == KindInst && !isMemory(m) {
			n++
		}
	}
	return n
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
