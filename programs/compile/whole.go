package compile

import (
	"math"
	"slices"
)

// The last phase of a search judges its tries by the whole code: what a part costs its neighbours, and what its registers and
// slots cost the turns of a loop, is seen there alone. Copies of a stretch change alike, or one of them changes by itself.

// copyOf says which copy of which stretch an instruction of the text belongs to; group -1 = none.
type copyOf struct{ group, copy, at int32 }

// whole is the whole code as a problem.
type whole struct {
	s       *searcher
	groups  []group
	home    []copyOf            // by index in the text
	roles   [][]map[int64]int64 // by group and copy: what a register of the first copy is called there
	back    [][]map[int64]int64 // and the other way
	maker   []int32             // by register: 1 + index in the text of what makes it
	several []int32             // indices in the text of what has other definitions
	marked  []bool              // by register: read where control flow meets
	where   []int32             // by index in the text: place
	steps   []step              // of the try at hand
	reach   int                 // places that an instruction moves at most

	now, best      arrangement
	cost, bestCost float64
}

// step is something that a try did: a move, or a change of definition.
type step struct {
	from, to int   // places
	at, old  int32 // index in the text and definition before, if from is -1
}

// newWhole is the code as the search has it.
func (s *searcher) newWhole() *whole {
	n := len(s.text)
	w := &whole{s: s, groups: findGroups(s.text), home: make([]copyOf, n), maker: make([]int32, len(s.p.Regs)),
		marked: make([]bool, len(s.p.Regs)), where: make([]int32, n), reach: maxShift}
	for j := range s.text {
		m := &s.text[j]
		for _, v := range m.outs {
			w.maker[idx(v)] = int32(j + 1)
		}
		for _, v := range readsOfMark(m) {
			w.marked[idx(v)] = true
		}
		if w.home[j].group = -1; redefinable(m) && s.p.alts != nil && len(s.p.alts[idx(m.outs[0])]) > 0 {
			w.several = append(w.several, int32(j))
		}
	}
	for g := range w.groups {
		w.meet(g)
	}
	w.set(s.base, s.cost)
	w.best, w.bestCost = w.now.clone(), w.cost
	return w
}

// meet notes the copies of group g.
func (w *whole) meet(g int) {
	first := w.groups[g].starts[0]
	var to, back []map[int64]int64
	places := textArrangement(len(w.s.text)).places
	for c, start := range w.groups[g].starts {
		to = append(to, w.s.correspond(places, first, start, w.groups[g].length))
		back = append(back, w.s.correspond(places, start, first, w.groups[g].length))
		for k := range w.groups[g].length {
			w.home[start+k] = copyOf{int32(g), int32(c), int32(k)}
		}
	}
	w.roles, w.back = append(w.roles, to), append(w.back, back)
}

// set makes a the arrangement at hand.
func (w *whole) set(a arrangement, cost float64) {
	w.now, w.cost = a.clone(), cost
	for i, j := range w.now.places {
		w.where[j] = int32(i)
	}
	arrange(w.s.p, w.s.text, w.now)
}

// try changes something and keeps that if it pays, or by chance.
func (w *whole) try(rng *xorshift, temperature float64) {
	w.steps = w.steps[:0]
	alike := rng.below(2) == 0
	if len(w.several) > 0 && rng.below(switchOdds) == 0 {
		w.redefine(rng, alike)
	} else {
		w.move(rng, alike)
	}
	if len(w.steps) == 0 {
		return
	}
	c := w.s.evaluate()
	if c > w.cost && rng.unit() >= math.Exp((w.cost-c)/temperature) {
		w.undo()
		return
	}
	if w.cost = c; c < w.bestCost {
		w.bestCost = c
		copy(w.best.places, w.now.places)
		copy(w.best.choice, w.now.choice)
	}
}

// copies calls f for instruction j of the text, or for it and what it is in all other copies.
func (w *whole) copies(j int32, alike bool, f func(j int32, c int)) {
	h := w.home[j]
	if h.group < 0 || !alike {
		f(j, int(h.copy))
		return
	}
	for c, start := range w.groups[h.group].starts {
		f(int32(start)+h.at, c)
	}
}

// move moves one instruction within its dependences: next to another one, in other copies next to what is that other one
// there, if they allow it.
func (w *whole) move(rng *xorshift, alike bool) {
	code := w.s.p.Code
	from := rng.below(len(code))
	if w.needless(from) && rng.below(needlessOdds) > 0 {
		return
	}
	lo, hi := from, from
	for lo > 0 && from-lo < w.reach && swaps(&code[lo-1], &code[from]) {
		lo--
	}
	for hi+1 < len(code) && hi-from < w.reach && swaps(&code[from], &code[hi+1]) {
		hi++
	}
	to := lo + rng.below(hi-lo+1)
	if to == from {
		return
	}
	j, next := w.now.places[from], w.now.places[to]
	h, n := w.home[j], w.home[next]
	if !alike || h.group < 0 || n.group != h.group || n.copy != h.copy {
		w.shift(from, to)
		return
	}
	w.copies(j, true, func(j int32, c int) {
		from, to := int(w.where[j]), int(w.where[int32(w.groups[n.group].starts[c])+n.at])
		if w.reaches(from, to) {
			w.shift(from, to)
		}
	})
}

// reaches reports whether the instruction at from may move to place to.
func (w *whole) reaches(from, to int) bool {
	code := w.s.p.Code
	for i := from + 1; i <= to; i++ {
		if !swaps(&code[from], &code[i]) {
			return false
		}
	}
	for i := to; i < from; i++ {
		if !swaps(&code[i], &code[from]) {
			return false
		}
	}
	return max(from-to, to-from) <= 2*w.reach
}

func (w *whole) shift(from, to int) {
	w.rotate(from, to)
	w.steps = append(w.steps, step{from: from, to: to})
}

func (w *whole) rotate(from, to int) {
	rotate(w.s.p.Code, from, to)
	rotate(w.now.places, from, to)
	for i := min(from, to); i <= max(from, to); i++ {
		w.where[w.now.places[i]] = int32(i)
	}
}

// needless reports whether nobody reads what the instruction at place i makes.
func (w *whole) needless(i int) bool {
	m := &w.s.p.Code[i]
	return removable(m) && !slices.ContainsFunc(m.outs, func(v int64) bool { return w.marked[idx(v)] }) && !readIn(w.s.p.Code[i+1:], m.outs)
}

// redefine gives an instruction another definition whose operands are made before it, in other copies that which plays the
// same part.
func (w *whole) redefine(rng *xorshift, alike bool) {
	s := w.s
	j := w.several[rng.below(len(w.several))]
	if w.needless(int(w.where[j])) && rng.below(needlessOdds) > 0 {
		return
	}
	take := int32(rng.below(len(s.p.alts[idx(s.text[j].outs[0])])))
	if take >= w.now.choice[j] {
		take++
	}
	h := w.home[j]
	w.copies(j, alike, func(k int32, c int) {
		if k == j {
			w.take(k, take)
			return
		}
		n := int32(0)
		if take > 0 {
			n = w.inCopy(h, c, &s.p.alts[idx(s.text[j].outs[0])][take-1], s.text[k].outs[0])
		}
		if n >= 0 {
			w.take(k, n)
		}
	})
}

// inCopy is the number that definition x of a register in copy h has for register d in copy c; -1 = none.
func (w *whole) inCopy(h copyOf, c int, x *alt, d int64) int32 {
	there, home := w.roles[h.group][c], w.back[h.group][h.copy]
	return w.s.sameChoice(x, d, func(v int64) int64 { return there[home[v]] })
}

// take gives instruction j of the text definition k if its operands are made before it.
func (w *whole) take(j, k int32) {
	if k == w.now.choice[j] {
		return
	}
	def := w.s.text[j]
	if k > 0 {
		w.s.p.alts[idx(def.outs[0])][k-1].as(&def)
	}
	if slices.ContainsFunc(def.ins, func(v int64) bool {
		m := w.maker[idx(v)]
		return m > 0 && w.where[m-1] > w.where[j]
	}) {
		return
	}
	w.steps = append(w.steps, step{from: -1, at: j, old: w.now.choice[j]})
	w.now.choice[j] = k
	w.s.p.Code[w.where[j]] = def
}

// undo takes the try at hand back.
func (w *whole) undo() {
	for i := len(w.steps) - 1; i >= 0; i-- {
		st := w.steps[i]
		if st.from >= 0 {
			w.rotate(st.to, st.from)
			continue
		}
		def := w.s.text[st.at]
		if st.old > 0 {
			w.s.p.alts[idx(def.outs[0])][st.old-1].as(&def)
		}
		w.now.choice[st.at] = st.old
		w.s.p.Code[w.where[st.at]] = def
	}
}

// restore goes on from st; false means that it is not a state of this code.
func (w *whole) restore(st SearchState) bool {
	now, best := arrangement{st.Now.Perm, st.Now.Take}, arrangement{st.Best.Perm, st.Best.Take}
	if !legal(w.s.p, w.s.text, now) || !legal(w.s.p, w.s.text, best) {
		return false
	}
	w.set(now, st.Costs[0])
	w.best, w.bestCost = best.clone(), st.Costs[1]
	return true
}

// readsOfMark are the values that a mark of a loop or condition needs.
func readsOfMark(m *MInst) (vs []int64) {
	if m.Loop != nil {
		vs = append(append(vs, m.Loop.Init...), m.Loop.Next...)
	}
	if m.Cond != nil {
		vs = append(append(vs, m.Cond.Then...), m.Cond.Else...)
	}
	return vs
}
