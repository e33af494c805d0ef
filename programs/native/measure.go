package native

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// The limits of the measuring protocol. They were found on Zen 3 and Zen 5 guests with busy
// neighbours, where they give figures within 1 %, usually within 0.5 %; see docs/measuring.md.
const (
	aimCycles       = 20_000                // of one batch of n calls
	maxCycles       = 3_000_000             // of one call: a garbage collection waits for it
	canaryLimit     = 1.035                 // canary against its nominal time
	chainLimit      = 1.10                  // chain against its nominal time
	wantWindows     = 64                    // accepted windows of a placement
	mostWindows     = 256                   // of one whose interval is not narrow before
	triedWindows    = 1280                  // of one, accepted or not: 64 of them are a share of 5 %
	warmWindows     = 10                    // unmeasured windows before
	widthLimit      = 0.006                 // width of the interval against the median
	wantPlacements  = 24                    // good ones of a figure
	leastPlacements = 12                    // if the time is over before
	maxPlacements   = 96                    // tried for a figure
	wantSeries      = 3                     // placements that must agree
	spreadLimit     = 0.005                 // of their medians
	improvedBy      = 0.98                  // a nominal time so much better makes older figures void
	turnTime        = 60 * time.Millisecond // at least
	defaultTotal    = 60 * time.Second      // for all kernels, if the caller sets no deadline
)

// Fn is a kernel to measure.
type Fn struct {
	Name string
	// Place puts the kernel at a fresh place in memory: a mapping of the code and a context that
	// no earlier call has returned. The measurer closes the code.
	Place func() (*Code, *Context, error)
}

// Result is what a kernel took. With Contended there is no figure: too few windows were
// undisturbed, or the placements do not agree.
type Result struct {
	Name          string
	CyclesPerCall float64 // core cycles per call, call and return included
	Low, High     float64 // 95 % intervals of the placements that agree, joined
	N             int     // calls in the shorter batch of a window
	Placements    int     // placements that gave a figure
	Windows       int     // accepted windows of those that agree
	Acceptance    float64 // share of windows that were accepted
	ChainMHz      float64 // core clock while measuring, from the chain
	Host          string  // CPU model
	Contended     bool
	Err           error // the kernel faulted or takes too long
}

// Measurer holds the reference loops and their best times on this computer.
//
// A batch is timed in ticks of a constant-rate counter. CHAIN, a loop of dependent rotates with
// one cycle each, says how many ticks a cycle has now. Two canaries say whether another
// hyper-thread takes its share of the core, which the chain does not notice: VECTOR, a loop of
// independent vector logic, fills the vector units; MIXED, the same with integer additions
// between, fills the path that brings operations to all units. One window is canaries, n calls,
// canaries, 2n calls, canaries, chain; it counts only if all references are near their nominal
// times, and then gives
//
//	cycles per call = (T(2n) - T(n)) / T(chain) * cycles of the chain / n
//
// The difference removes the cost of the timer and of entering the loop. Hardware cycle counters
// are not used: they would not notice the other hyper-thread either.
//
// The windows of one placement of a kernel in memory agree with each other and may all be wrong:
// branch predictors and caches of decoded instructions settle in states that last, some of which
// cost twice the time. So a figure needs many placements, and is the lowest that some of them
// agree on.
type Measurer struct {
	ticks   func(c *Code, ctx *Context, n int) float64 // as raw counts
	chain   *reference
	vector  *reference
	mixed   *reference
	blank   *Context
	empty   float64 // ticks of timing nothing
	step    float64 // resolution of the counter, in ticks
	tickMHz float64
	host    string
	turns   time.Duration // least time of a turn: a neighbour that comes for a moment must not meet every placement
}

// NewMeasurer builds the reference loops and finds their nominal times, in about 0.2 s.
func NewMeasurer() (*Measurer, error) {
	m := &Measurer{blank: NewContext(1), host: ThisHost().String(), ticks: ticks, turns: turnTime}
	var codes []*Code
	for _, loop := range [][]byte{
		loopCode(chainLoops, chainBody(chainOps/chainLoops)),
		loopCode(canaryLoops, vectorBody(vectorOps/canaryLoops)),
		loopCode(canaryLoops, mixedBody(mixedOps/canaryLoops)),
	} {
		c, err := Map(loop)
		if err != nil {
			return nil, errors.Join(err, closeAll(codes))
		}
		codes = append(codes, c)
	}
	release := hold()
	defer release()
	m.calibrate(codes[0], codes[1], codes[2])
	return m, nil
}

// Close unmaps the reference loops.
func (m *Measurer) Close() error {
	return closeAll([]*Code{m.chain.code, m.vector.code, m.mixed.code})
}

func closeAll(codes []*Code) (err error) {
	for _, c := range codes {
		err = errors.Join(err, c.Close())
	}
	return err
}

// hold keeps the goroutine on one thread and that thread on one CPU, and the collector away.
func hold() (release func()) {
	runtime.LockOSThread()
	unpin := pin()
	percent := debug.SetGCPercent(-1)
	return func() {
		debug.SetGCPercent(percent)
		unpin()
		runtime.UnlockOSThread()
	}
}

// Measure measures one kernel; see MeasureAll.
func (m *Measurer) Measure(ctx context.Context, fn Fn) Result {
	return m.MeasureAll(ctx, []Fn{fn}, nil)[0]
}

// MeasureAll measures the kernels by turns, one placement of each, so that a disturbance does not
// fall on one of them only, until each has a figure or the context ends. progress, which may be
// nil, is told how many of the placements wanted are measured. Results are in the order of fns.
func (m *Measurer) MeasureAll(ctx context.Context, fns []Fn, progress func(done, total int)) []Result {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, defaultTotal)
		defer cancel()
	}
	cells := make([]*cell, len(fns))
	for i, fn := range fns {
		cells[i] = &cell{fn: fn}
	}
	for open := cells; len(open) > 0 && ctx.Err() == nil; {
		rest := time.After(m.turns)
		m.turn(ctx, open)
		if open = m.unfinished(cells); progress != nil {
			progress(placementsOf(cells), wantPlacements*len(cells))
		}
		if len(open) > 0 {
			select {
			case <-rest:
			case <-ctx.Done():
			}
		}
	}
	results := make([]Result, len(cells))
	for i, c := range cells {
		results[i] = m.result(c)
		if err := closeAll(c.codes); err != nil && results[i].Err == nil {
			results[i].Err = fmt.Errorf("unmap the code: %w", err)
		}
	}
	return results
}

func placementsOf(cells []*cell) (n int) {
	for _, c := range cells {
		n += c.done()
	}
	return n
}

// turn measures one placement of each cell.
func (m *Measurer) turn(ctx context.Context, open []*cell) {
	release := hold()
	defer release()
	m.improveAll()
	for _, c := range open {
		if ctx.Err() != nil {
			return
		}
		if err := guard(func() { c.err = m.place(ctx, c) }); err != nil {
			c.err = err
		}
	}
}

// unfinished returns the cells that need another turn; figures taken against a nominal time that
// proved too slow are thrown away first.
func (m *Measurer) unfinished(cells []*cell) (open []*cell) {
	for _, c := range cells {
		c.dropOlder(m.nominal())
		if c.done() < wantPlacements {
			open = append(open, c)
		}
	}
	return open
}

// placement is a kernel at one place in memory.
type placement struct {
	code *Code
	ctx  *Context
}

// place puts a cell at a fresh place and measures it there.
func (m *Measurer) place(ctx context.Context, c *cell) error {
	var p placement
	var err error
	if p.code, p.ctx, err = c.fn.Place(); err != nil {
		return err
	}
	c.codes = append(c.codes, p.code)
	if p.code.entry == 0 {
		return errClosed
	}
	if c.n == 0 {
		if c.n, err = m.calls(&p); err != nil {
			return err
		}
	}
	c.placed++
	nominal := m.nominal()
	c.keep(m.windows(ctx, c, &p), nominal)
	return nil
}

// windows measures one placement and returns the cycles per call of the accepted windows.
func (m *Measurer) windows(ctx context.Context, c *cell, p *placement) (cycles []float64) {
	for range warmWindows {
		m.window(p, c.n)
	}
	for tried := 0; tried < triedWindows && ctx.Err() == nil; tried++ {
		w := m.window(p, c.n)
		c.tried++
		if !m.accepts(w) {
			continue
		}
		cycles = append(cycles, w.cycles(m, c.n))
		c.mhz = append(c.mhz, m.tickMHz*m.chain.work()/w.chain)
		if full(cycles) {
			break
		}
	}
	return cycles
}
