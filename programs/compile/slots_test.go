package compile_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
	"simrun/programs/targets"
)

// wideLoop keeps n slices through a loop: most of them in spill slots.
func wideLoop(t *testing.T, n int) *ir.Kernel {
	t.Helper()
	text := fmt.Sprintf(`
kernel wide/loop(in x: S[%[1]d], out y: S[%[1]d]) {
    a = x
    repeat i in 0..8 { for j in 0..%[1]d { a[j] ^= a[(j + 7) %% %[1]d] & a[(j + 12) %% %[1]d] } }
    y = a
}`, n)
	return parse(t, fstest.MapFS{"k.kir": {Data: []byte(text)}}, "k.kir")[0]
}

// farAccesses counts accesses to the context block with a displacement of more than a byte.
func farAccesses(c *compile.Code) (n int) {
	for i := range c.Block.Items {
		it := &c.Block.Items[i]
		if it.Inst.Form == nil || it.Note == "" {
			continue
		}
		for slot, op := range it.Inst.Form.Ops {
			if op.Addr && op.Kind != isa.KindReg && op.Name == "disp" && (it.Inst.Args[slot] < -128 || it.Inst.Args[slot] > 127) {
				n++
			}
		}
	}
	return n
}

// TestNearSlots: spill slots behind the first window are reached by short displacements, and the code is still right.
func TestNearSlots(t *testing.T) {
	tg, err := targets.For("x86")
	must(t, err)
	for _, n := range []int{20, 40, 120} {
		k := wideLoop(t, n)
		far := [2]int{}
		for i, without := range [][]string{nil, {"near-slots"}} {
			o := compile.Options{Level: 1, Without: without}
			c, err := compile.Compile(k, tg, o)
			must(t, err)
			far[i] = farAccesses(c)
			if d := differs(t, tg, c, o, 2, nil); d != "" {
				t.Error(d)
			}
		}
		if far[0] > far[1]/8 || far[1] == 0 != (n == 20) {
			t.Errorf("%d slices: %d far accesses, %d without the pass", n, far[0], far[1])
		}
	}
}

// demand is of a core whose loads take so long, and its operations so long.
func demand(load, execute float64) func(*isa.Form) compile.Demand {
	return func(f *isa.Form) compile.Demand {
		d := compile.Demand{Execute: execute}
		if f.Flags&isa.Load != 0 {
			d.Load = load
			if slices.Contains([]string{"MOVDQA_xmm_m128", "MOV_r64_m64"}, f.ID) {
				d.Execute = 0
			}
		}
		return d
	}
}

// TestCopies: copies of values that are in a register and in memory come from the register where loads are short, from
// memory where ports are; either way the code is right.
func TestCopies(t *testing.T) {
	tg, err := targets.For("x86")
	must(t, err)
	products := `
kernel many/products(in x: S[24], out y: S[24]) {
    b = x
    for j in 0..24 { for k in 0..24 { b[(j + k) % 24] ^= x[j] & (x[k] ^ b[j]) } }
    y = b
}`
	kernels := parse(t, fstest.MapFS{"k.kir": {Data: []byte(products)}}, "k.kir")
	for seed := range uint64(foreign.Count(20, 2000)) {
		for _, text := range []string{randomKernel(seed), randomWide(seed, "S"), randomLeaky(seed)} {
			kernels = append(kernels, parse(t, fstest.MapFS{"random.kir": {Data: []byte(text)}}, "random.kir")[0])
		}
	}
	moves := [2]int{}
	for seed, k := range kernels {
		for i, d := range []func(*isa.Form) compile.Demand{demand(1, 0.01), demand(0.01, 1)} {
			o := compile.Options{Level: 1, Demand: d}
			c, err := compile.Compile(k, tg, o)
			must(t, err)
			for _, it := range c.Block.Items {
				if it.Inst.Form != nil && it.Inst.Form.ID == "MOVDQA_xmm_xmm" {
					moves[i]++
				}
			}
			if d := differs(t, tg, c, o, 1, map[string]int64{"n": int64(seed % 4)}); d != "" {
				t.Fatalf("kernel %d: %s", seed, d)
			}
		}
	}
	if moves[0] <= moves[1] {
		t.Errorf("%d moves where loads are short, %d where they are not", moves[0], moves[1])
	}
}
