package native

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// The limits of the measuring protocol. They were found on a Zen 3 guest with busy neighbours,
// where they give figures within 1 %, usually within 0.5 %.
const (
	aimCycles    = 20_000    // of one batch of n calls
	maxCycles    = 3_000_000 // of one call: a garbage collection waits for it
	canaryLimit  = 1.035     // canary against its nominal time
	chainLimit   = 1.10      // chain against its nominal time
	wantWindows  = 64        // accepted windows of a series
	mostWindows  = 256       // of one whose interval is not narrow before
	warmWindows  = 10        // unmeasured windows before
	widthLimit   = 0.006     // width of the interval against the median
	wantSeries   = 3         // good series of a figure
	spreadLimit  = 0.006     // of their medians
	maxSeries    = 12        // tried for a figure
	seriesTime   = 2 * time.Second
	sliceTime    = 100 * time.Millisecond // after which another kernel gets its turn
	improvedBy   = 0.98                   // a nominal time so much better makes older figures void
	defaultTotal = 60 * time.Second       // for all kernels, if the caller sets no deadline
)

// Fn is a kernel to measure: it is called again and again on the same context.
type Fn struct {
	Name string
	Code *Code
	Ctx  *Context
}

// Result is what a kernel took. With Contended there is no figure: too few windows were
// undisturbed.
type Result struct {
	Name          string
	CyclesPerCall float64 // median of core cycles per call, call and return included
	Low, High     float64 // 95 % interval of the median
	N             int     // calls in the shorter batch of a window
	Windows       int     // accepted windows behind the figure
	Acceptance    float64 // share of windows that were accepted
	ChainMHz      float64 // core clock while measuring, from the chain
	Host          string  // CPU model
	Contended     bool
	Err           error // the kernel faulted or takes too long
}

// Measurer holds the two reference loops and their best times on this computer.
//
// A batch is timed in ticks of a constant-rate counter. CHAIN, a loop of dependent rotates with
// one cycle each, says how many ticks a cycle has now; CANARY, a loop of independent vector
// logic, says whether another hyper-thread takes its share of the core, which the chain does not
// notice. A kernel that is larger than a few kilobytes gets a second canary of its own size: a
// kernel that does not fit the cache of decoded instructions suffers from a neighbour that a
// small loop does not see. One window is canary, n calls, canary, 2n calls, canary, chain; it
// counts only if all references are near their nominal times, and then gives
//
//	cycles per call = (T(2n) - T(n)) / T(chain) * cycles of the chain / n
//
// The difference removes the cost of the timer and of entering the loop. Hardware cycle counters
// are not used: they would not notice the other hyper-thread either.
type Measurer struct {
	ticks   func(c *Code, ctx *Context, n int) float64 // as raw counts
	chain   *reference
	canary  *reference
	large   map[int]*reference // more canaries, by bytes of code
	blank   *Context
	empty   float64 // ticks of timing nothing
	step    float64 // resolution of the counter, in ticks
	tickMHz float64
	host    string
}

// NewMeasurer builds the reference loops and finds their nominal times, in about 0.2 s.
func NewMeasurer() (*Measurer, error) {
	m := &Measurer{blank: NewContext(1), host: cpuModel(), ticks: ticks, large: map[int]*reference{}}
	chain, err := Map(loopCode(chainLoops, chainBody(chainOps/chainLoops)))
	if err != nil {
		return nil, err
	}
	canary, err := Map(loopCode(canaryLoops, canaryBody(canaryOps/canaryLoops)))
	if err != nil {
		return nil, errors.Join(err, chain.Close())
	}
	release := hold()
	defer release()
	m.calibrate(chain, canary)
	return m, nil
}

// Close unmaps the reference loops.
func (m *Measurer) Close() error {
	err := errors.Join(m.chain.code.Close(), m.canary.code.Close())
	for _, r := range m.large {
		err = errors.Join(err, r.code.Close())
	}
	return err
}

// ticks times n calls of c.
func ticks(c *Code, ctx *Context, n int) float64 {
	t := timed(c.entry, ctx.addr(), uint64(n))
	runtime.KeepAlive(ctx)
	return float64(int64(t))
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

// MeasureAll measures the kernels by turns, so that a disturbance does not fall on one of them
// only, and repeats what was disturbed, until each has a figure or the context ends. progress,
// which may be nil, is told how many of them are done. Results are in the order of fns.
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
	told := -1
	for open := cells; len(open) > 0 && ctx.Err() == nil; {
		m.turn(ctx, open)
		open = m.unfinished(cells)
		if done := len(cells) - len(open); progress != nil && done != told {
			told = done
			progress(done, len(cells))
		}
	}
	results := make([]Result, len(cells))
	for i, c := range cells {
		results[i] = m.result(c)
	}
	return results
}

// turn gives each cell its slice of time.
func (m *Measurer) turn(ctx context.Context, open []*cell) {
	release := hold()
	defer release()
	m.improveAll()
	for _, c := range open {
		if ctx.Err() != nil {
			return
		}
		if err := guard(func() { m.slice(c) }); err != nil {
			c.err = err
		}
	}
}

// unfinished returns the cells that need another turn; figures taken against a nominal time that
// proved too slow are thrown away first.
func (m *Measurer) unfinished(cells []*cell) (open []*cell) {
	for _, c := range cells {
		c.dropOlder()
		if !c.finished() {
			open = append(open, c)
		}
	}
	return open
}

// slice runs windows of a cell until its series is full or the slice is over.
func (m *Measurer) slice(c *cell) {
	if c.fn.Code.entry == 0 {
		c.err = errClosed
		return
	}
	if c.n == 0 {
		if c.err = m.prepare(c); c.err != nil {
			return
		}
	}
	if len(c.now) == 0 {
		c.begin()
	}
	for range warmWindows {
		m.window(c)
	}
	start := time.Now()
	for time.Since(start) < sliceTime && !c.full() {
		w := m.window(c)
		c.tried++
		if m.accepts(w) {
			c.now = append(c.now, w.cycles(m, c.n))
			c.mhz = append(c.mhz, m.tickMHz*m.chain.work()/w.chain)
		}
	}
	c.spent += time.Since(start)
	if c.full() || c.spent > seriesTime {
		c.close()
	}
}

// prepare finds the references of a cell and the n whose batch takes aimCycles, more where the
// counter is coarse.
func (m *Measurer) prepare(c *cell) error {
	least := func(n int) float64 { // cycles of n calls, the least of a few: disturbance only adds
		ticks := m.run(c, n)
		for range warmWindows {
			ticks = min(ticks, m.run(c, n))
		}
		return ticks / m.cycleTicks()
	}
	cycles := least(1)
	if cycles > maxCycles {
		return fmt.Errorf("one call takes about %.0f cycles: at most %d can be measured", cycles, maxCycles)
	}
	probe := 1
	for probe < aimCycles && cycles < aimCycles/4 { // short calls: time many
		probe *= 4
		cycles = least(probe)
	}
	aim := max(aimCycles, stepsPerBatch*m.step/m.cycleTicks())
	c.n = max(1, int(aim*float64(probe)/max(cycles, 1)))
	c.canaries = []*reference{m.canary}
	if c.fn.Code.size < largeCode {
		return nil
	}
	large, err := m.largeCanary(c.fn.Code.size)
	c.canaries = append(c.canaries, large)
	return err
}

// run returns the ticks of n calls without the cost of the timer.
func (m *Measurer) run(c *cell, n int) float64 { return m.ticks(c.fn.Code, c.fn.Ctx, n) - m.empty }

// window is one measurement.
type window struct {
	slow     float64 // slowest canary, in ticks per nominal cycle
	one, two float64 // ticks of n and of 2n calls
	chain    float64 // ticks
}

func (m *Measurer) window(c *cell) (w window) {
	canaries := func() {
		for _, r := range c.canaries {
			w.slow = max(w.slow, m.time(r)/r.best)
		}
	}
	canaries()
	w.one = m.run(c, c.n)
	canaries()
	w.two = m.run(c, 2*c.n)
	canaries()
	w.chain = m.time(m.chain)
	return w
}

// accepts says whether the window was undisturbed, as far as the references can tell.
func (m *Measurer) accepts(w window) bool {
	tick := m.chain.work() / max(w.chain, 1) // cycles of a tick
	return w.slow*tick <= canaryLimit && w.chain <= chainLimit*m.chain.best && w.two > w.one
}

// cycles returns core cycles per call.
func (w window) cycles(m *Measurer, n int) float64 {
	return (w.two - w.one) / w.chain * m.chain.work() / float64(n)
}
