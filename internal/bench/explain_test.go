package bench

import (
	"math"
	"testing"
)

// TestExplain: the parts of a kernel add up to its cycles, and the estimate that the order search goes by is near the
// pipeline: within 3 % on every kernel, CPU and what-if that makes things easier does not make them slower.
func TestExplain(t *testing.T) {
	for _, name := range []string{"aes128/fixsliced", "aes128/barrel", "gift64/fixsliced", "gift128/bitsliced"} {
		s := find(t, name)
		for _, cpu := range []string{"cortex-m3", "cortex-m4", "sifive-e31"} {
			c := Cell{Subject: s, CPU: load(t, cpu)}
			e, err := c.Explain()
			if err != nil {
				t.Fatal(err)
			}
			row, _, err := c.Simulate()
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(e.Cycles-float64(row.Cycles)) > 0.5 {
				t.Errorf("%s on %s: the parts add up to %v of %v cycles", name, cpu, e.Cycles, row.Cycles)
			}
			w := e.Estimate
			if off := math.Abs(w.Now/e.Cycles - 1); off > 0.03 {
				t.Errorf("%s on %s: the estimate is %v, the pipeline says %v (%.1f %%)", name, cpu, w.Now, e.Cycles, 100*off)
			}
			if w.Unlimited > w.Now || w.FreeLoads > w.Now || w.FreeRotate > w.Now {
				t.Errorf("%s on %s: easier is slower: %+v", name, cpu, w)
			}
		}
	}
}

// TestExplainParts wants every instruction under the part that its place in the text says, on every instruction set: what the
// compiler adds at entry and exit is a handful.
func TestExplainParts(t *testing.T) {
	s := find(t, "gift64/fixsliced")
	for _, cpu := range []string{"cortex-m4", "sifive-e31", "core2-merom", "znver3"} {
		e, err := Cell{Subject: s, CPU: load(t, cpu)}.Explain()
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range e.Parts {
			if part.Name == partFrame && part.Instructions > 30 {
				t.Errorf("%s: %v instructions of %s", cpu, part.Instructions, part.Name)
			}
		}
	}
}
