package native

import (
	"math"
	"time"
)

// The reference loops.
const (
	chainOps    = 8192 // dependent rotates, one cycle each
	chainLoops  = 16
	canaryOps   = 40 * 96 // vector logic on canaryRegs registers in turn
	canaryLoops = 40
	canaryRegs  = 12
)

// Samples from which the nominal times are taken, at the start and before each turn.
const (
	startSamples = 20_000
	turnSamples  = 500
)

// A reference must be long against the resolution of the counter, which is 10 ns on some hosts:
// so many steps make its error small against its limit.
const (
	stepsPerChain  = 400
	stepsPerCanary = 100
	stepsPerBatch  = 300
	maxRuns        = 64
)

// wholeRate is how far the canary's operations per cycle may be from a whole number. Vector units
// take a whole number of simple operations per cycle; another hyper-thread that is busy all the
// time leaves a broken one.
const wholeRate = 0.05

// calibrate finds the timer's cost and resolution and the nominal times of the references: low
// percentiles, because disturbance only adds.
func (m *Measurer) calibrate() {
	m.empty, m.step = m.timer()
	one := func(c *Code) float64 {
		v := make([]float64, turnSamples)
		for i := range v {
			v[i] = m.ticks(c, m.blank, 1) - m.empty
		}
		return max(percentile(0.05, v), 1)
	}
	runs := func(steps float64, c *Code) int {
		return min(max(int(math.Ceil(steps*m.step/one(c))), 1), maxRuns)
	}
	m.chainRuns = runs(stepsPerChain, m.chain)
	m.canaryRuns = runs(stepsPerCanary, m.canary)
	m.canaryBest, m.chainBest = m.nominal(startSamples)
	m.tickMHz = m.rate()
}

// rate returns the ticks of a microsecond, the best of a few: disturbance between the two clocks
// only lowers it.
func (m *Measurer) rate() (best float64) {
	const tries, runs = 5, 500
	for range tries {
		start := time.Now()
		t := m.ticks(m.chain, m.blank, runs)
		best = max(best, t*1e3/float64(time.Since(start).Nanoseconds()))
	}
	return best
}

// timer returns the least ticks of timing nothing, and the smallest difference between two such
// times, which is the resolution of the counter (1 if it does not show).
func (m *Measurer) timer() (empty, step float64) {
	v := make([]float64, startSamples)
	for i := range v {
		v[i] = m.ticks(m.chain, m.blank, 0)
	}
	empty = percentile(0, v)
	step = math.Inf(1)
	for i := 1; i < len(v); i++ {
		if d := v[i] - v[i-1]; d > 0 {
			step = min(step, d)
		}
	}
	if math.IsInf(step, 1) {
		step = 1
	}
	return empty, step
}

// nominal returns the 1st percentile of the canary and the 5th of the chain.
func (m *Measurer) nominal(samples int) (canary, chain float64) {
	a, b := make([]float64, samples), make([]float64, samples/4)
	for i := range a {
		a[i] = m.runCanary()
	}
	for i := range b {
		b[i] = m.runChain()
	}
	return percentile(0.01, a), percentile(0.05, b)
}

// improve keeps the better of the old and of new nominal times: at the start the computer may
// have been disturbed all the time.
func (m *Measurer) improve() {
	canary, chain := m.nominal(turnSamples)
	m.canaryBest, m.chainBest = min(m.canaryBest, canary), min(m.chainBest, chain)
}

// trusted says whether the canary's nominal time is one of an undisturbed core.
func (m *Measurer) trusted() bool {
	rate := canaryOps * float64(m.canaryRuns) / (m.canaryBest / m.cycleTicks())
	whole := math.Round(rate)
	return whole >= 1 && math.Abs(rate-whole) <= wholeRate*whole
}
