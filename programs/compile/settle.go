package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"slices"

	"simrun/programs/ir"
)

// Settling is the search of an out-of-order CPU behind the allocator: single instructions of straight runs move by a few
// places, registers and slots stay, and a pipeline says what that does. It is annealing in windows that
// slide over each run, sweep after sweep.

// Meter knows what a pipeline makes of a finished function.
type Meter interface {
	// Stretch takes the items from begin to before end, instructions only, and says how often they run in a call; nil if
	// they do not.
	Stretch(begin, end int) (s Stretch, times int)
}

// Stretch counts the cycles of a straight run, see ooo.Stretch.
type Stretch interface {
	Begin(order []int32, turns, until int)
	Cycles(part, behind []int32) float64
}

const nextTurn = -1 // in behind: the run begins anew

const (
	settleWindow = 96 // instructions that move while those before stay
	settleBehind = 80 // instructions behind the window that are looked at
	settleReach  = 12 // places that an instruction moves at most at a time
	settleSweeps = 24
	settleStart  = 0.8  // temperature, cycles
	settleEnd    = 0.04 // in the last sweep
	settleTurns  = 2    // of the run before the window is looked at: the first fills the caches
)

// settleRun is a straight run of the code.
type settleRun struct {
	lo, hi  int // in the code
	deps    []dependence
	stretch Stretch
	times   float64 // it runs so often in a call
	effort  float64 // moves of a window, as a part of all
}

// SettleState is all that settling goes on from.
type SettleState struct {
	Done  int // windows so far
	RNG   uint64
	Order []int32 // of the whole code, before the window at hand
	Best  []int32
	Cost  float64 // of the best, cycles of a call
	Moves int     `json:",omitempty"` // of the window at hand so far
	Part  []int32 `json:",omitempty"` // its order, as numbers of the run; none if there were no moves
}

// Settler is a search on allocated code.
type Settler struct {
	state *state
	code  []MInst // in the order of the allocator
	hash  string
	runs  []settleRun
	jobs  []settleJob
	moves int
	at    SettleState
	open  *windowSearch // the window at hand, nil before its first move
}

// settleJob is a window of a run.
type settleJob struct{ run, begin, end int }

// NewSettler compiles a kernel by a known order up to allocation, and starts settling at what it gives. The same moves and
// seed give the same order.
func NewSettler(k *ir.Kernel, t *Target, o Options, moves int, seed uint64) (*Settler, error) {
	t = t.of(k)
	roll, err := loopsToKeep(k, t, o)
	if err != nil {
		return nil, err
	}
	s := &state{kernel: k, target: t, opt: o, roll: roll}
	if err := s.runTo("near-slots"); err != nil {
		return nil, err
	}
	return newSettler(s, moves, seed)
}

func newSettler(s *state, moves int, seed uint64) (*Settler, error) {
	st := &Settler{state: s, code: slices.Clone(s.code), hash: s.allocatedHash(), moves: moves}
	n := len(s.code)
	st.at = SettleState{RNG: seed*0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d, Order: textArrangement(n).places, Best: textArrangement(n).places}
	if err := st.findRuns(); err != nil {
		return nil, err
	}
	st.at.Cost = st.cost()
	return st, nil
}

// findRuns measures the code as it is and lists what can be moved.
func (st *Settler) findRuns() error {
	s := *st.state
	s.code = slices.Clone(st.code)
	for _, run := range []func(*state) error{runFrame, runAssemble} {
		if err := run(&s); err != nil {
			return err
		}
	}
	meter, err := s.opt.Meter(s.result())
	if err != nil {
		return err
	}
	ahead := len(s.target.Entry(s.saved, s.frame))
	sum := 0.0
	for _, r := range straightRuns(st.code) {
		stretch, times := meter.Stretch(ahead+r.lo, ahead+r.hi)
		if stretch == nil {
			continue
		}
		before := len(st.jobs)
		st.addJobs(len(st.runs), r.hi-r.lo)
		// What runs more often deserves more, but has no more orders.
		r.stretch, r.times, r.effort = stretch, float64(times), math.Sqrt(float64(times))
		sum += r.effort * float64(len(st.jobs)-before)
		st.runs = append(st.runs, r)
	}
	for i := range st.runs {
		st.runs[i].effort *= 1 / sum
	}
	return nil
}

// straightRuns lists the parts of code without labels and branches.
func straightRuns(code []MInst) []settleRun {
	var runs []settleRun
	for lo := 0; lo < len(code); {
		hi := lo
		for hi < len(code) && straight(&code[hi]) {
			hi++
		}
		if hi-lo > 3 {
			runs = append(runs, settleRun{lo: lo, hi: hi, deps: dependences(code[lo:hi])})
		}
		lo = hi + 1
	}
	return runs
}

// addJobs lists windows that overlap by half.
func (st *Settler) addJobs(run, n int) {
	for begin := 0; ; begin += settleWindow / 2 {
		end := min(begin+settleWindow, n)
		st.jobs = append(st.jobs, settleJob{run, begin, end})
		if end == n {
			return
		}
	}
}

// cost is the cycles that all runs take in a call, by the present order.
func (st *Settler) cost() float64 {
	total := 0.0
	for i := range st.runs {
		r := &st.runs[i]
		order := st.orderOf(r, nil)
		r.stretch.Begin(order, settleTurns, 0)
		total += r.times * r.stretch.Cycles(order, nil)
	}
	return total
}

// orderOf appends the present order of a run, numbered from its first instruction.
func (st *Settler) orderOf(r *settleRun, order []int32) []int32 {
	for _, i := range st.at.Order[r.lo:r.hi] {
		order = append(order, i-int32(r.lo))
	}
	return order
}

// Windows is how many windows there are in all sweeps.
func (st *Settler) Windows() int { return settleSweeps * len(st.jobs) }

// Run looks at windows until n have been looked at.
func (st *Settler) Run(n int) {
	for n = min(n, st.Windows()); st.at.Done < n; {
		st.Move(math.MaxInt)
	}
}

// Move makes up to n moves of the window at hand; with its last one the next window is at hand.
func (st *Settler) Move(n int) {
	if st.at.Done >= st.Windows() {
		return
	}
	moves := st.movesOf(st.job())
	if n = min(n, moves-st.at.Moves); n > 0 {
		st.anneal(n)
	}
	if st.at.Moves < moves {
		return
	}
	st.close()
	st.at.Done++
	if st.at.Done%len(st.jobs) == 0 {
		st.note()
	}
}

// job is the window at hand.
func (st *Settler) job() settleJob { return st.jobs[st.at.Done%len(st.jobs)] }

// movesOf is how many of all moves are made in a window.
func (st *Settler) movesOf(j settleJob) int {
	return int(float64(st.moves) * st.runs[j.run].effort / settleSweeps)
}

// note keeps the present order if it is the best so far.
func (st *Settler) note() {
	if c := st.cost(); c < st.at.Cost {
		st.at.Cost = c
		copy(st.at.Best, st.at.Order)
	}
}

// anneal makes moves of the window at hand.
func (st *Settler) anneal(moves int) {
	cool := float64(st.at.Done/len(st.jobs)) / (settleSweeps - 1)
	temperature := settleStart * math.Pow(settleEnd/settleStart, cool)
	w := st.window()
	for range moves {
		w.try(temperature)
	}
	st.at.Moves += moves
	st.at.RNG = uint64(w.rng)
}

// window opens the window at hand, or goes on with it.
func (st *Settler) window() *windowSearch {
	if st.open != nil {
		return st.open
	}
	j := st.job()
	r := &st.runs[j.run]
	order := st.orderOf(r, nil)
	r.stretch.Begin(order, settleTurns, j.begin)
	w := &windowSearch{r: r, part: order[j.begin:j.end], behind: behindOf(order, j.end), rng: xorshift(st.at.RNG)}
	if st.at.Part != nil {
		w.part = st.at.Part
	}
	w.cost = r.stretch.Cycles(w.part, w.behind)
	st.open, st.at.Part = w, w.part
	return w
}

// close puts what the window at hand has become into the order of the code.
func (st *Settler) close() {
	st.at.Order = st.whole(st.at)
	st.open, st.at.Moves, st.at.Part = nil, 0, nil
}

// whole is the order of the code with that of the window at hand.
func (st *Settler) whole(s SettleState) []int32 {
	if s.Part == nil {
		return s.Order
	}
	j := st.jobs[s.Done%len(st.jobs)]
	lo, order := st.runs[j.run].lo, slices.Clone(s.Order)
	for i, k := range s.Part {
		order[lo+j.begin+i] = k + int32(lo)
	}
	return order
}

// behindOf is what follows place end of a run: its rest, and its next turn.
func behindOf(order []int32, end int) []int32 {
	behind := slices.Clone(order[end:min(end+settleBehind, len(order))])
	if room := settleBehind - len(behind); room > 0 {
		behind = append(append(behind, nextTurn), order[:min(room, end)]...)
	}
	return behind
}

type windowSearch struct {
	r            *settleRun
	part, behind []int32
	cost         float64
	rng          xorshift
}

// try moves an instruction of the window and keeps that if it pays, or by chance.
func (w *windowSearch) try(temperature float64) {
	from := w.rng.below(len(w.part))
	lo, hi := from, from
	for lo > 0 && from-lo < settleReach && w.free(lo-1, from) {
		lo--
	}
	for hi+1 < len(w.part) && hi-from < settleReach && w.free(from, hi+1) {
		hi++
	}
	to := lo + w.rng.below(hi-lo+1)
	if to == from {
		return
	}
	rotate(w.part, from, to)
	c := w.r.stretch.Cycles(w.part, w.behind)
	if c > w.cost && w.rng.unit() >= math.Exp((w.cost-c)/temperature) {
		rotate(w.part, to, from)
		return
	}
	w.cost = c
}

// free reports whether the instructions at two places may change their order.
func (w *windowSearch) free(i, j int) bool {
	return !w.r.deps[w.part[i]].conflicts(&w.r.deps[w.part[j]])
}

// State returns where the search stands, Restore goes on from there.
func (st *Settler) State() SettleState { return st.at.clone() }

func (s SettleState) clone() SettleState {
	s.Order, s.Best, s.Part = slices.Clone(s.Order), slices.Clone(s.Best), slices.Clone(s.Part)
	return s
}

// Restore goes on from a state of settling the same code.
func (st *Settler) Restore(s SettleState) error {
	if s.Done < 0 || !settles(st.code, s.Order) || !settles(st.code, s.Best) || !st.restores(s) {
		return errors.New("the state is of other code")
	}
	st.at, st.open = s.clone(), nil
	return nil
}

// restores reports whether the window at hand of a state can be one of this code.
func (st *Settler) restores(s SettleState) bool {
	if s.Part == nil {
		return s.Moves == 0
	}
	if s.Done >= st.Windows() {
		return false
	}
	j := st.jobs[s.Done%len(st.jobs)]
	if len(s.Part) != j.end-j.begin || s.Moves < 0 || s.Moves >= st.movesOf(j) {
		return false
	}
	return settles(st.code, st.whole(s))
}

// Best is the order of the allocated code, with the hash of that code.
func (st *Settler) Best() *Settled { return &Settled{Code: st.hash, Places: slices.Clone(st.at.Best)} }

// Settled is an order of allocated code: for each place the index of the instruction in the order of the allocator.
type Settled struct {
	Code   string
	Places []int32
}

// allocatedHash identifies allocated code.
func (s *state) allocatedHash() string {
	sum := sha256.Sum256([]byte(procText(s, s.code)))
	return hex.EncodeToString(sum[:8])
}

// settles reports whether an order of code keeps its meaning.
func settles(code []MInst, order []int32) bool {
	if !permutation(order, len(code)) {
		return false
	}
	moved := make([]bool, len(code))
	for i, k := range order {
		moved[i] = int(k) != i
	}
	for _, r := range straightRuns(code) {
		for i := r.lo; i < r.hi; i++ {
			if k := int(order[i]); k < r.lo || k >= r.hi {
				return false
			}
			moved[i] = false
		}
		if !r.keeps(order[r.lo:r.hi]) {
			return false
		}
	}
	return !slices.Contains(moved, true)
}

// keeps reports whether an order of the run has every two instructions that conflict in their order.
func (r *settleRun) keeps(order []int32) bool {
	for i := range order {
		for j := i + 1; j < len(order); j++ {
			a, b := int(order[i])-r.lo, int(order[j])-r.lo
			if b < a && r.deps[b].conflicts(&r.deps[a]) {
				return false
			}
		}
	}
	return true
}

// settles reports whether there is an order of the allocated code, or a way to find one.
func (s *state) settles() bool {
	if o := s.opt.Order; o != nil {
		return o.Settled != nil
	}
	return s.opt.Meter != nil && s.opt.Search.Settle > 0
}

// runSettle applies a known order of the allocated code, or searches for one.
func runSettle(s *state) error {
	var o *Settled
	if s.opt.Order != nil {
		o = s.opt.Order.Settled
		if o.Code != s.allocatedHash() {
			if len(s.opt.Without) > 0 {
				return nil // other passes, other code
			}
			return ErrOrder
		}
		if !settles(s.code, o.Places) {
			return ErrOrder
		}
	} else {
		st, err := newSettler(s, s.opt.Search.Settle, s.opt.Search.Seed)
		if err != nil {
			return err
		}
		st.Run(st.Windows())
		o = st.Best()
	}
	code := make([]MInst, len(s.code))
	for i, k := range o.Places {
		code[i] = s.code[k]
	}
	s.code = code
	return nil
}
