package compile_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"simrun/internal/foreign"
	"simrun/programs/compile"
	"simrun/programs/prove"
	"simrun/programs/targets"
)

// TestRandomKernelsProven proves random kernels on every target equal to their text for all inputs.
func TestRandomKernelsProven(t *testing.T) {
	programs, bits, proven := 0, 0, 0
	// In the last one a window that opens the cheapest gate first never ends where the two sides meet.
	for _, seed := range append(first(foreign.Count(20, 400)), 849) {
		text := randomKernel(seed)
		ks := parse(t, fstest.MapFS{"random.kir": {Data: []byte(text)}}, "random.kir")
		for _, tg := range targets.All() {
			if tg.Vector && strings.Contains(text, "w8(") || tg.Vector && strings.Contains(text, "w16(") {
				continue // narrow words are refused there
			}
			for _, o := range forms {
				c, err := compile.Compile(ks[0], tg, o)
				must(t, err)
				r, err := prove.Kernel(prove.Job{Code: c, Target: tg, Features: []string{"m", "ssse3"}, Public: map[string]int64{"n": int64(seed % 4)}})
				if err != nil || r.Counter != nil {
					t.Fatalf("seed %d on %s: %+v, %v\n%s", seed, tg.Arch.Name(), r, err, text)
				}
				if !r.Equal() {
					t.Errorf("seed %d on %s: %d of %d bits", seed, tg.Arch.Name(), r.Proven, r.Bits)
				}
				programs, bits, proven = programs+1, bits+r.Bits, proven+r.Proven
			}
		}
	}
	t.Logf("%d programs, %d of %d bits proven", programs, proven, bits)
}

// first is the seeds below n.
func first(n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = uint64(i)
	}
	return list
}
