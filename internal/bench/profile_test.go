package bench

import (
	"math"
	"testing"

	"simrun/internal/result"
)

// TestProfileAgreesWithResult compares the profile of a kernel with its row: the same cycles and
// causes per call, and as many in the lines as in the whole.
func TestProfileAgreesWithResult(t *testing.T) {
	s := find(t, "gift64/fixsliced")
	for _, cpu := range []string{"cortex-m3", "sifive-e31"} {
		cell := Cell{Subject: s, CPU: load(t, cpu)}
		row, _, err := cell.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		warm, err := cell.Profile(Span{})
		if err != nil {
			t.Fatal(err)
		}
		cold, err := cell.Profile(Span{Cold: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Figure(warm.Totals().Slots) / result.Figure(warm.Calls); got != row.Cycles {
			t.Errorf("%s: %v cycles in the profile, %v in the row", cpu, got, row.Cycles)
		}
		if got := result.Figure(cold.Totals().Slots); got != row.ColdCycles || cold.Calls != 1 {
			t.Errorf("%s: %v cycles in the cold profile, %v in the row", cpu, got, row.ColdCycles)
		}
		for name, n := range warm.Totals().Map() {
			if got := float64(n) / float64(warm.Calls); math.Abs(got-row.Causes[name]) > 1e-9 {
				t.Errorf("%s: %s: %v cycles in the profile, %v in the row", cpu, name, got, row.Causes[name])
			}
		}
		var lines uint64
		for _, e := range warm.Lines(warm.Source) {
			lines += e.Own.Slots
		}
		if lines != warm.Totals().Slots {
			t.Errorf("%s: %d cycles in the lines, %d in the whole", cpu, lines, warm.Totals().Slots)
		}
		if e := warm.Functions(warm.Source)[1]; e.Func != callSite || e.Cumulative != warm.Totals().Slots {
			t.Errorf("%s: %+v, want the call with all cycles inside", cpu, e)
		}
	}
}
