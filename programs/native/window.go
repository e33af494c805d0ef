package native

import (
	"fmt"
	"runtime"
)

// window is one measurement.
type window struct {
	slow     float64 // slowest canary, in ticks per nominal cycle
	one, two float64 // ticks of n and of 2n calls
	chain    float64 // ticks
}

// window takes one measurement of a placement.
func (m *Measurer) window(p *placement, n int) (w window) {
	canaries := func() {
		for _, r := range m.canaries() {
			w.slow = max(w.slow, m.time(r)/r.best)
		}
	}
	canaries()
	w.one = m.run(p, n)
	canaries()
	w.two = m.run(p, 2*n)
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

// run returns the ticks of n calls without the cost of the timer.
func (m *Measurer) run(p *placement, n int) float64 { return m.ticks(p.code, p.ctx, n) - m.empty }

// ticks times n calls of c.
func ticks(c *Code, ctx *Context, n int) float64 {
	t := timed(c.entry, ctx.addr(), uint64(n))
	runtime.KeepAlive(ctx)
	return float64(int64(t))
}

// calls finds the n whose batch takes aimCycles, more where the counter is coarse.
func (m *Measurer) calls(p *placement) (n int, err error) {
	least := func(n int) float64 { // cycles of n calls, the least of a few: disturbance only adds
		ticks := m.run(p, n)
		for range warmWindows {
			ticks = min(ticks, m.run(p, n))
		}
		return ticks / m.cycleTicks()
	}
	cycles := least(1)
	if cycles > maxCycles {
		return 0, fmt.Errorf("one call takes about %.0f cycles: at most %d can be measured", cycles, maxCycles)
	}
	probe := 1
	for probe < aimCycles && cycles < aimCycles/4 { // short calls: time many
		probe *= 4
		cycles = least(probe)
	}
	aim := max(aimCycles, stepsPerBatch*m.step/m.cycleTicks())
	return max(1, int(aim*float64(probe)/max(cycles, 1))), nil
}
