//go:build unix

package native

import (
	"context"
	"math"
	"testing"
	"time"
)

// TestMeasureKnown measures kernels of known cycles: dependent rotates take one each, independent
// vector logic what the reference loop takes.
func TestMeasureKnown(t *testing.T) {
	m, err := NewMeasurer()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	perCycle := math.Round(m.vector.work() / m.vector.best)
	fn := func(name string, bytes ...byte) Fn {
		return Fn{name, func() (*Code, *Context, error) {
			c, err := Map(bytes)
			return c, NewContext(64), err
		}}
	}
	fns := []Fn{
		fn("chain", append(chainBody(1000), 0xc3)...),
		fn("logic", append(vectorBody(1200), 0xc3)...),
		fn("fault", 0x31, 0xc0, 0x48, 0x8b, 0x00, 0xc3),
	}
	last := 0
	results := m.MeasureAll(ctx, fns, func(done, total int) {
		if done < last || done > total || total != wantPlacements*len(fns) {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	})
	if results[2].Err == nil {
		t.Errorf("a kernel that faults: %+v", results[2])
	}
	for i, want := range []float64{1000, 1200 / perCycle} {
		r := results[i]
		if r.Contended {
			t.Skipf("%s: the computer is contended (%.0f %% of the windows accepted), no figure to judge", r.Name, 100*r.Acceptance)
		}
		if r.Err != nil || math.Abs(r.CyclesPerCall/want-1) > 0.015 {
			t.Errorf("%+v, want %v cycles", r, want)
		}
		if r.Host == "" || r.ChainMHz < 100 || r.ChainMHz > 10_000 {
			t.Errorf("%+v", r)
		}
	}
}
