package t32

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"simrun/isa"
)

// groups of eight instructions and the branch back make one round of longRun.
const (
	groups   = 250
	perRound = groups*8 + 1
)

// longRun is straight-line code as a cipher has it: groups of logic with rotations, a load and a
// store, then a branch back.
func longRun(t testing.TB) *Core {
	var b strings.Builder
	b.WriteString("again:\n")
	for i := range groups {
		fmt.Fprintf(&b, "\teor r1, r2, r3, ror #%d\n\tand r4, r1, r5\n\teors r5, r4\n\tldr r2, [r0, #%d]\n", 1+i%31, i%30*4)
		fmt.Fprintf(&b, "\tbic r6, r2, r1, lsr #%d\n\teor r3, r6, r4\n\torr r7, r3, r5, lsl #3\n\tstr r7, [r0, #%d]\n", 1+i%31, i%30*4)
	}
	b.WriteString("\tb again\n")
	c, _ := load(t, b.String())
	return c
}

// hostCycle measures the host's clock with a chain of dependent multiplications by way of the
// compiler: three cycles each on the cores of the last fifteen years.
func hostCycle() time.Duration {
	best := time.Duration(1 << 62)
	x := uint64(3)
	const n = 200_000
	for range 50 {
		start := time.Now()
		for range n {
			x *= x
		}
		best = min(best, time.Since(start))
	}
	sink = x
	return best * 1000 / (3 * n) // per thousand cycles
}

var sink uint64

type countListener struct{ n int }

func (l *countListener) Retire(e *isa.Retired) { l.n += e.N }

func benchmark(b *testing.B, l isa.Listener) {
	c := longRun(b)
	const per = 100 * perRound
	c.Run(l, per, isa.NoAddr)
	cycle := hostCycle()
	best := time.Duration(1 << 62)
	for b.Loop() {
		start := time.Now()
		c.Run(l, per, isa.NoAddr)
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best)/per, "ns/instr")
	b.ReportMetric(float64(best)*1000/float64(cycle)/per, "host-cycles/instr")
}

func BenchmarkFunctional(b *testing.B) { benchmark(b, nil) }
func BenchmarkListener(b *testing.B)   { benchmark(b, new(countListener)) }

// The hot loop allocates nothing, with a listener neither.
func TestNoAllocations(t *testing.T) {
	for _, l := range []isa.Listener{nil, new(countListener)} {
		c := longRun(t)
		c.Run(l, 5*perRound, isa.NoAddr)
		if n := testing.AllocsPerRun(10, func() { c.Run(l, 5*perRound, isa.NoAddr) }); n != 0 {
			t.Errorf("%v allocations in a run", n)
		}
	}
}
