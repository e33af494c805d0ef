package sim_test

import (
	"errors"
	"strings"
	"testing"

	"simrun/sim"
)

// TestWindow counts a call whose first costs 100, whose second to fourth cost 20 and whose others cost 10.
func TestWindow(t *testing.T) {
	var calls, cycle uint64
	call := func() error {
		switch calls++; {
		case calls == 1:
			cycle += 100
		case calls <= 4:
			cycle += 20
		default:
			cycle += 10
		}
		return nil
	}
	cycle = 7
	warm, cold, err := sim.Window(call, func() uint64 { return cycle }, 4)
	if err != nil || warm != 10 || cold != 100 || calls != 8 {
		t.Errorf("warm %v, cold %v, %d calls, %v; want 10, 100, 8", warm, cold, calls, err)
	}
	calls, cycle = 0, 0
	one := make([]uint64, 2)
	totals := func() []uint64 { one[0], one[1] = cycle, 3*calls; return one }
	ws, cs, err := sim.WindowTotals(call, totals, 2)
	if err != nil || ws[0] != 20 || ws[1] != 3 || cs[0] != 100 || cs[1] != 3 {
		t.Errorf("warm %v, cold %v, %v; want [20 3], [100 3]", ws, cs, err)
	}
}

func TestWindowErrors(t *testing.T) {
	broken := errors.New("broken")
	calls := 0
	call := func() error {
		if calls++; calls == 3 {
			return broken
		}
		return nil
	}
	_, _, err := sim.Window(call, func() uint64 { return 0 }, 4)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "call 3 of 8") {
		t.Errorf("error %v", err)
	}
	if _, _, err := sim.Window(call, func() uint64 { return 0 }, 0); err == nil {
		t.Error("a window of no calls was accepted")
	}
}
