package compile

import (
	"math"
	"slices"
)

// A part of the code as a problem of its own, so that a try costs what the part does and not what the whole code does. It
// begins with the registers as they are at that place of the whole, ends with some instructions behind that stay as they
// are, and knows when values are read after that.

// option is a definition that an instruction of a part may take.
type option struct {
	def    MInst
	choice []int32 // what it is called in every copy
}

// local is a part: one copy of a stretch that recurs.
type local struct {
	g       *group
	rep     int // the copy that is looked at
	p       *Proc
	a       allocator
	t       *Target
	latency func(string) int
	options [][]option // by index in the stretch at the start; [0] is the definition at the start
	several []int      // those with more than one
	far     []bool     // by register: read behind the part
	code    []MInst    // p.Code behind the mark of arrival, the stretch only

	now, best      localState
	cost, bestCost float64
	startCost      float64
}

// localState is an arrangement of a stretch.
type localState struct {
	Perm []int32 // Perm[i] = index at the start of the instruction now at i
	Take []int32 // by index at the start: the option taken
}

func (s localState) clone() localState { return localState{slices.Clone(s.Perm), slices.Clone(s.Take)} }

const (
	tail     = 48 // instructions behind the stretch that are looked at too
	awayCost = 1  // cycles for a value that is read later and is in no register at the end
)

// newLocal makes a part of the code as s.p has it now.
func (s *searcher) newLocal(g *group) *local {
	g, rep := s.alike(g)
	l := &local{g: g, rep: rep, t: s.t, latency: s.latency, a: allocator{t: s.t, quiet: true}}
	begin := g.starts[l.rep]
	end := begin + g.length
	for end < len(s.p.Code) && end < begin+g.length+tail && s.p.Code[end].Kind == KindInst {
		end++
	}
	b := &localBuilder{s: s, begin: begin, end: end, ids: map[int64]int64{}, p: &Proc{again: s.p.again}}
	b.arrival()
	for i := begin; i < end; i++ {
		b.p.Code = append(b.p.Code, b.inst(s.p.Code[i]))
	}
	b.farReads()
	l.options = b.listOptions(g, rep)
	b.alternatives()
	l.p = b.p
	l.code = l.p.Code[1 : 1+g.length]
	l.start()
	return l
}

// start makes the part as it is the state at hand and the best.
func (l *local) start() {
	l.now.Take = make([]int32, len(l.code))
	l.far = make([]bool, len(l.p.Regs))
	for _, r := range l.p.after {
		l.far[idx(r.v)] = true
	}
	for i := range l.code {
		l.now.Perm = append(l.now.Perm, int32(i))
		if len(l.options[i]) > 1 {
			l.several = append(l.several, i)
		}
	}
	l.best = l.now.clone()
	l.cost = l.evaluate()
	l.bestCost, l.startCost = l.cost, l.cost
}

// alike is g with those copies only that have the same instructions in the same order as the one looked at.
func (s *searcher) alike(g *group) (*group, int) {
	rep := g.starts[len(g.starts)/2]
	starts := slices.DeleteFunc(slices.Clone(g.starts), func(start int) bool {
		for k := range g.length {
			x, y := &s.text[s.base.places[rep+k]], &s.text[s.base.places[start+k]]
			if likenessOf(x) != likenessOf(y) {
				return true
			}
		}
		return false
	})
	return &group{g.length, starts}, slices.Index(starts, rep)
}

// fits reports whether st is a legal state of the part.
func (l *local) fits(st localState) bool {
	if len(st.Take) != len(l.code) || len(st.Perm) != len(l.code) {
		return false
	}
	code := slices.Clone(l.p.Code)
	for i, k := range st.Take {
		if k < 0 || int(k) >= len(l.options[i]) {
			return false
		}
		code[1+i] = l.options[i][k].def
	}
	order := make([]int32, len(code))
	for i := range order {
		order[i] = int32(i)
	}
	for i, k := range st.Perm {
		order[1+i] = 1 + k
	}
	return orderLegal(&Proc{Code: code, Regs: l.p.Regs}, order)
}

// same reports whether nothing better than the start was found.
func (l *local) same() bool { return l.bestCost >= l.startCost }

// evaluate is the estimate of the part.
func (l *local) evaluate() float64 {
	l.a.run(l.p)
	raise(l.a.out, l.t, l.latency)
	return estimate(l.a.out, l.t, l.latency) + awayCost*float64(l.a.away)
}

// set goes to a state.
func (l *local) set(st localState) {
	start := make([]MInst, len(l.code))
	for i := range start {
		start[i] = l.options[i][st.Take[i]].def
	}
	for i, k := range st.Perm {
		l.code[i] = start[k]
	}
	l.now = st.clone()
}

const (
	maxShift     = 48 // places that an instruction moves at most at a time
	needlessOdds = 4  // what nobody reads is tried one time in so many
	switchOdds   = 4  // one try in so many changes a definition
)

// try changes something and keeps that if it pays, or by chance.
func (l *local) try(rng *xorshift, temperature float64) {
	var undo func()
	if len(l.several) > 0 && rng.below(switchOdds) == 0 {
		undo = l.redefine(rng)
	} else {
		undo = l.move(rng)
	}
	if undo == nil {
		return
	}
	c := l.evaluate()
	if c > l.cost && rng.unit() >= math.Exp((l.cost-c)/temperature) {
		undo()
		return
	}
	if l.cost = c; c < l.bestCost {
		l.bestCost = c
		copy(l.best.Perm, l.now.Perm)
		copy(l.best.Take, l.now.Take)
	}
}

// move moves one instruction within its dependences.
func (l *local) move(rng *xorshift) func() {
	from := rng.below(len(l.code))
	if l.needless(from) && rng.below(needlessOdds) > 0 {
		return nil
	}
	lo, hi := from, from
	for lo > 0 && from-lo < maxShift && swaps(&l.code[lo-1], &l.code[from]) {
		lo--
	}
	for hi+1 < len(l.code) && hi-from < maxShift && swaps(&l.code[from], &l.code[hi+1]) {
		hi++
	}
	to := lo + rng.below(hi-lo+1)
	if to == from {
		return nil
	}
	l.shift(from, to)
	return func() { l.shift(to, from) }
}

func (l *local) shift(from, to int) {
	rotate(l.code, from, to)
	rotate(l.now.Perm, from, to)
}

// needless reports whether nobody reads what the instruction at i makes. Such instructions are tried seldom: they change
// nothing.
func (l *local) needless(i int) bool {
	m := &l.code[i]
	if !removable(m) {
		return false
	}
	for _, v := range m.outs {
		if l.far[idx(v)] {
			return false
		}
	}
	return !readIn(l.p.Code[i+2:], m.outs)
}

// readIn reports whether code reads one of vs, the values of one instruction.
func readIn(code []MInst, vs []int64) bool {
	for i := range code {
		for _, v := range code[i].ins {
			if slices.Contains(vs, v) {
				return true
			}
		}
	}
	return false
}

// redefine gives an instruction another definition whose operands are made before it.
func (l *local) redefine(rng *xorshift) func() {
	k := l.several[rng.below(len(l.several))]
	old := l.now.Take[k]
	take := int32(rng.below(len(l.options[k]) - 1))
	if take >= old {
		take++
	}
	at := slices.Index(l.now.Perm, int32(k))
	if l.needless(at) && rng.below(needlessOdds) > 0 {
		return nil
	}
	def := &l.options[k][take].def
	for i := at + 1; i < len(l.code); i++ {
		for _, v := range l.code[i].outs {
			if slices.Contains(def.ins, v) {
				return nil
			}
		}
	}
	l.code[at], l.now.Take[k] = *def, take
	return func() { l.code[at], l.now.Take[k] = l.options[k][old].def, old }
}

// spread carries the best state of the part over to the copies from first to before end.
func (l *local) spread(a arrangement, first, end int) arrangement {
	to := a.clone()
	for c := first; c < end; c++ {
		start := l.g.starts[c]
		for i, k := range l.best.Perm {
			j := a.places[start+int(k)]
			to.places[start+i] = j
			to.choice[j] = l.options[k][l.best.Take[k]].choice[c]
		}
	}
	return to
}
