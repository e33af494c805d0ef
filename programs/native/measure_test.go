package native

import (
	"context"
	"errors"
	"math"
	"math/rand"
	"testing"
	"time"
)

// bench is a simulated computer: its counter has a coarse step, its clock wanders, and a
// neighbour takes a share of the throughput from time to time.
type bench struct {
	rand      *rand.Rand
	m         *Measurer
	cycles    map[*Code]float64 // of one call on an undisturbed core
	neighbour float64           // share of windows that it disturbs
	slow      float64           // factor while it does
	left      int               // calls until it changes its mind
	placed    map[*Code]float64 // factor of a placement of the kernel
	dim       float64           // factor of the chain alone
}

const (
	benchTick = 0.7 // ticks of a cycle
	benchStep = 20.0
)

func (b *bench) ticks(c *Code, _ *Context, n int) float64 {
	if b.left--; b.left < 0 {
		b.left, b.slow = 30, 1
		if b.rand.Float64() < b.neighbour {
			b.slow = 1.2 + b.rand.Float64()/2
		}
	}
	cycles := b.cycles[c] * float64(n)
	if b.m.chain != nil && c == b.m.chain.code { // the chain does not notice a neighbour
		cycles *= b.dim
	} else {
		cycles *= b.slow
	}
	if f, ok := b.placed[c]; ok {
		cycles *= f
	}
	t := 40 + cycles*benchTick*(1+0.005*b.rand.Float64())
	return math.Floor((t+b.rand.Float64()*benchStep)/benchStep) * benchStep
}

// newBench returns a measurer of a simulated computer with a kernel of so many cycles. factor
// gives that of each placement in turn.
func newBench(seed int64, neighbour, kernel float64, factor func(i int) float64) (*bench, Fn) {
	chain, vector, mixed := &Code{entry: 1}, &Code{entry: 1}, &Code{entry: 1}
	b := &bench{rand: rand.New(rand.NewSource(seed)), neighbour: neighbour, dim: 1, placed: map[*Code]float64{}}
	b.cycles = map[*Code]float64{chain: chainOps, vector: vectorOps / 4, mixed: mixedOps / 6}
	b.m = &Measurer{ticks: b.ticks, host: "simulated"}
	b.m.chain = &reference{code: chain}
	b.m.calibrate(chain, vector, mixed)
	return b, Fn{Place: func() (*Code, *Context, error) {
		c := &Code{entry: 1}
		b.cycles[c], b.placed[c] = kernel, factor(len(b.placed))
		return c, nil, nil
	}}
}

func everywhere(int) float64 { return 1 }

// TestProtocol demands the right figure of a computer that is disturbed more than half of the time.
func TestProtocol(t *testing.T) {
	for _, kernel := range []float64{37, 1234, 55_000} {
		for seed := range int64(3) {
			b, fn := newBench(seed, 0.6, kernel, everywhere)
			r := b.m.Measure(context.Background(), fn)
			if r.Contended || r.Err != nil || math.Abs(r.CyclesPerCall/kernel-1) > 0.01 {
				t.Errorf("kernel of %v cycles: %+v", kernel, r)
			}
			if r.Low > r.CyclesPerCall || r.High < r.CyclesPerCall || r.Windows < wantSeries*wantWindows || r.Acceptance > 0.8 {
				t.Errorf("kernel of %v cycles: %+v", kernel, r)
			}
		}
	}
}

// TestContended demands that a computer that is disturbed all the time, from the start or later,
// gives no figure, in the time allowed.
func TestContended(t *testing.T) {
	for _, start := range []float64{0, 1} {
		b, fn := newBench(1, start, 1000, everywhere)
		b.neighbour, b.left = 1, 0
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		began := time.Now()
		r := b.m.Measure(ctx, fn)
		if !r.Contended || r.CyclesPerCall != 0 || r.Err != nil {
			t.Errorf("neighbour %v at the start: %+v", start, r)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	}
}

// TestNominal demands that a time in which only the chain is slow does not make the canaries look
// fast for good.
func TestNominal(t *testing.T) {
	b, _ := newBench(1, 0, 1000, everywhere)
	was := b.m.nominal()
	for i := range 50 {
		b.dim = 1
		if i%20 == 7 {
			b.dim = 1.1
		}
		b.m.improveAll()
	}
	for i, now := range b.m.nominal() {
		if math.Abs(now/was[i]-1) > 0.03 { // the counter is coarse
			t.Errorf("canary %d: nominal %.0f cycles, then %.0f", i, was[i], now)
		}
	}
}

func TestTooLong(t *testing.T) {
	b, fn := newBench(1, 0, 2*maxCycles, everywhere)
	if r := b.m.Measure(context.Background(), fn); r.Err == nil || r.CyclesPerCall != 0 {
		t.Errorf("%+v", r)
	}
	fn.Place = func() (*Code, *Context, error) { return &Code{}, nil, nil }
	if r := b.m.Measure(context.Background(), fn); !errors.Is(r.Err, errClosed) {
		t.Errorf("closed code: %+v", r)
	}
}

func TestInterval(t *testing.T) {
	v := make([]float64, 64)
	for i := range v {
		v[(i*37)%64] = float64(i)
	}
	median, low, high := interval(v)
	if median != 31 && median != 31.5 || low != 24 || high != 40 { // ranks 32 -+ 7.84
		t.Errorf("median %v, interval %v to %v", median, low, high)
	}
	if median, low, high := interval([]float64{5}); median != 5 || low != 5 || high != 5 {
		t.Errorf("of one value: %v, %v to %v", median, low, high)
	}
}

// TestPlacements demands the lowest figure that placements agree on: most places are slow, one
// seems too fast.
func TestPlacements(t *testing.T) {
	b, fn := newBench(1, 0, 1000, func(i int) float64 {
		switch {
		case i == 5:
			return 0.97
		case i%4 == 0:
			return 1
		case i%4 == 1:
			return 1.06
		}
		return 1.9
	})
	r := b.m.Measure(context.Background(), fn)
	if r.Contended || r.Err != nil || math.Abs(r.CyclesPerCall/1000-1) > 0.005 || r.Placements < wantPlacements {
		t.Errorf("%+v", r)
	}
	b, fn = newBench(1, 0, 1000, func(i int) float64 { return math.Pow(1.02, float64(i)) })
	if r := b.m.Measure(context.Background(), fn); !r.Contended || r.CyclesPerCall != 0 {
		t.Errorf("no two placements agree: %+v", r)
	}
}

// TestAgreement demands three series that agree; one that is off does not count.
func TestAgreement(t *testing.T) {
	c := &cell{}
	for i, want := range []float64{0, 0, 0, 100.2} {
		c.series = append(c.series, series{median: []float64{100, 130, 100.4, 100.2}[i]})
		got := 0.0
		if s := c.agreed(); s != nil {
			got = s[1].median
		}
		if got != want {
			t.Errorf("after %d series: %v, want %v", i+1, got, want)
		}
	}
}
