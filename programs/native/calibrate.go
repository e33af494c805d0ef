package native

import (
	"math"
	"time"
)

// The reference loops.
const (
	chainOps    = 8192 // dependent rotates, one cycle each
	chainLoops  = 16
	vectorOps   = 40 * 96  // vector logic on vectorRegs registers in turn
	mixedOps    = 40 * 192 // half of it vector logic, half integer additions on integerRegs registers
	canaryLoops = 40
	vectorRegs  = 12
	integerRegs = 4
)

// Shares that are faster than the nominal time: of the chain's samples, of the samples in a group
// of the canary's, and of the groups.
const (
	chainShare  = 0.05
	sampleShare = 0.25
	groupShare  = 0.05
)

// Samples from which the nominal times are taken, at the start and before each turn.
const (
	startSamples = 20_000
	turnSamples  = 500
	groupSamples = 20
)

// A reference must be long against the resolution of the counter, which is 10 ns on some hosts:
// so many steps make its error small against its limit.
const (
	stepsPerChain  = 400
	stepsPerCanary = 100
	stepsPerBatch  = 300
	maxRuns        = 64
)

// steadyClock is how much the chain may differ before and behind a group of samples of a canary.
const steadyClock = 1.01

// wholeRate is how far the vector canary's operations per cycle may be from a whole number. Vector units
// take a whole number of simple operations per cycle; another hyper-thread that is busy all the
// time leaves a broken one.
const wholeRate = 0.05

// reference is a loop of known work and its best time on this computer.
type reference struct {
	code  *Code
	ops   int // operations of one call
	calls int // calls that make it long against the resolution of the counter
	// best is the nominal time of all calls: of the chain in ticks, of a canary in core cycles,
	// since the clock may change by more than a canary's limit. 0 = not known yet: then no window
	// is accepted.
	best   float64
	groups []float64 // cycles of all calls of a canary, one value a group of samples
}

// work returns the operations of all calls; those of a chain take one cycle each.
func (r *reference) work() float64 { return float64(r.ops * r.calls) }

// time runs a reference and returns its ticks. One call before is not counted, so that it does
// not matter which code ran last.
func (m *Measurer) time(r *reference) float64 {
	m.ticks(r.code, m.blank, 1)
	return m.ticks(r.code, m.blank, r.calls) - m.empty
}

// cycleTicks returns the nominal ticks of a core cycle.
func (m *Measurer) cycleTicks() float64 { return m.chain.best / m.chain.work() }

// calibrate finds the timer's cost and resolution and the nominal times of the references: low
// percentiles, because disturbance only adds.
func (m *Measurer) calibrate(chain, vector, mixed *Code) {
	m.empty, m.step = m.timer(chain)
	m.chain = m.newReference(chain, chainOps, stepsPerChain)
	m.chain.best = percentile(chainShare, m.samples(m.chain, startSamples/4))
	m.vector = m.newReference(vector, vectorOps, stepsPerCanary)
	m.mixed = m.newReference(mixed, mixedOps, stepsPerCanary)
	for _, r := range m.canaries() {
		m.improve(r, startSamples)
	}
	m.tickMHz = m.rate()
}

// newReference makes a reference that lasts so many steps of the counter.
func (m *Measurer) newReference(code *Code, ops int, steps float64) *reference {
	r := &reference{code: code, ops: ops, calls: 1}
	once := max(percentile(chainShare, m.samples(r, turnSamples)), 1)
	r.calls = min(max(int(math.Ceil(steps*m.step/once)), 1), maxRuns)
	return r
}

// canaries returns the references that notice another hyper-thread.
func (m *Measurer) canaries() [2]*reference { return [...]*reference{m.vector, m.mixed} }

// nominal returns the nominal cycles of the canaries.
func (m *Measurer) nominal() (cycles [2]float64) {
	for i, r := range m.canaries() {
		cycles[i] = r.best
	}
	return cycles
}

// rate returns the ticks of a microsecond, the best of a few: disturbance between the two clocks
// only lowers it.
func (m *Measurer) rate() (best float64) {
	const tries, runs = 5, 500
	for range tries {
		start := time.Now()
		t := m.ticks(m.chain.code, m.blank, runs)
		best = max(best, t*1e3/float64(time.Since(start).Nanoseconds()))
	}
	return best
}

// timer returns the least ticks of timing nothing, and the smallest difference between two such
// times, which is the resolution of the counter (1 if it does not show).
func (m *Measurer) timer(probe *Code) (empty, step float64) {
	v := make([]float64, startSamples)
	for i := range v {
		v[i] = m.ticks(probe, m.blank, 0)
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

// samples times a reference n times.
func (m *Measurer) samples(r *reference, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = m.time(r)
	}
	return v
}

// improve takes n more samples of a canary for its nominal cycles. The chain before and behind
// each group of them tells the clock; where the two differ, the group is left out. Where a
// disturbance slows both and leaves out the group between, the canary looks too fast. So the
// nominal time is not the least ever seen, but one that a share of all groups reaches.
func (m *Measurer) improve(canary *reference, n int) {
	before := m.time(m.chain)
	for range n / groupSamples {
		ticks := percentile(sampleShare, m.samples(canary, groupSamples))
		behind := m.time(m.chain)
		if max(before, behind) <= steadyClock*min(before, behind) {
			canary.groups = append(canary.groups, ticks*m.chain.work()/min(before, behind))
		}
		before = behind
	}
	if len(canary.groups) > 0 {
		canary.best = percentile(groupShare, canary.groups)
	}
}

// improveAll looks for better nominal times: at the start the computer may have been disturbed all
// the time.
func (m *Measurer) improveAll() {
	m.chain.best = min(m.chain.best, percentile(chainShare, m.samples(m.chain, turnSamples/4)))
	for _, r := range m.canaries() {
		m.improve(r, turnSamples)
	}
}

// trusted says whether the nominal times of the canaries are those of an undisturbed core.
func (m *Measurer) trusted() bool {
	if m.vector.best == 0 || m.mixed.best == 0 {
		return false
	}
	rate := m.vector.work() / m.vector.best
	whole := math.Round(rate)
	return whole >= 1 && math.Abs(rate-whole) <= wholeRate*whole
}
