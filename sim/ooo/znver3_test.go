package ooo

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"simrun/costmodel"
)

// patterns are the measured cycles of 96 independent operations on a Zen 3 (EPYC, family 25 model 1): P shuffles on two
// pipes, L logic on four. They show that an operation is bound to one of two schedulers before it is ready.
var patterns = []struct {
	ops      string
	measured float64
	within   float64 // of the measured: how well the model does
}{
	{"PPLL", 23.95, 0.03}, {"PLLP", 23.95, 0.03}, {"PLL", 23.95, 0.03}, {"PPLLLL", 23.95, 0.03}, {"PLLLLP", 23.95, 0.03}, {"PLLL", 24.7, 0.03},
	{"PPPLLL", 25.8, 0.10}, {"PPPPLLLL", 26.5, 0.09}, {"PLPLL", 26.0, 0.07}, {"LLLPLLP", 24.3, 0.03}, {"PLPLLLPLLPPLLLPL", 25.3, 0.06},
	{"PL", 30.9, 0.07}, // every shuffle reaches the same scheduler
}

// patternCycles is what 96 operations take in a long row.
func patternCycles(t *testing.T, cpu *costmodel.CPU, ops string) float64 {
	var s strings.Builder
	const count = 96 * 30
	for i := range count {
		if ops[i%len(ops)] == 'P' {
			fmt.Fprintf(&s, "\tpshufd xmm%d, xmm15, 1\n", i%14)
		} else {
			fmt.Fprintf(&s, "\tpxor xmm%d, xmm15\n", i%14)
		}
	}
	runs, p := record(t, s.String()), newPipe(t, cpu)
	retire := func() {
		for i := range runs {
			p.Retire(&runs[i])
		}
	}
	retire()
	before := p.Totals()
	retire()
	return p.Totals().Sub(before).InCycles() / (count / 96)
}

func TestZen3Patterns(t *testing.T) {
	cpu, err := costmodel.Load("znver3")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range patterns {
		got := patternCycles(t, cpu, c.ops)
		off := got/c.measured - 1
		t.Logf("%-16s %5.1f, measured %5.2f: %+.1f %%", c.ops, got, c.measured, 100*off)
		if math.Abs(off) > c.within {
			t.Errorf("%s: %.1f cycles, measured %.2f", c.ops, got, c.measured)
		}
	}
}
