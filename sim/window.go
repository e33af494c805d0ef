package sim

import "fmt"

// MaxWindow bounds the calls n of a window of n and 2n.
const MaxWindow = 1 << 20

// Window counts a call as the project counts everywhere: call and return included, warm.
// It calls n times and n times more; warm is the difference of the cycles of 2n calls and of n
// calls, per call. cold is the first call. now returns the cycle after everything that ran.
func Window(call func() error, now func() uint64, n int) (warm float64, cold uint64, err error) {
	var t [1]uint64
	ws, cs, err := WindowTotals(call, func() []uint64 { t[0] = now(); return t[:] }, n)
	if err != nil {
		return 0, 0, err
	}
	return ws[0], cs[0], nil
}

// WindowTotals is Window for several running totals at once, for example the slots of each cause:
// snapshot returns them, always the same number in the same order; it may reuse its slice.
func WindowTotals(call func() error, snapshot func() []uint64, n int) (warm []float64, cold []uint64, err error) {
	if n < 1 || n > MaxWindow {
		return nil, nil, fmt.Errorf("measuring window of %d calls: it has 1 to %d", n, MaxWindow)
	}
	read := func() []uint64 { return append([]uint64(nil), snapshot()...) }
	var one, half []uint64
	start := read()
	for i := 1; i <= 2*n; i++ {
		if err := call(); err != nil {
			return nil, nil, fmt.Errorf("call %d of %d: %w", i, 2*n, err)
		}
		if i == 1 {
			one = read()
		}
		if i == n {
			half = read()
		}
	}
	end := read()
	warm, cold = make([]float64, len(end)), make([]uint64, len(end))
	for i := range end {
		warm[i] = float64(end[i]-half[i]) / float64(n)
		cold[i] = one[i] - start[i]
	}
	return warm, cold, nil
}
