package prove_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/internal/foreign"
	"simrun/programs/prove"
)

// quick are the CPUs of the short form, one of each instruction set; it takes the fixsliced kernels only.
var quick = []string{"cortex-m4", "fe310-g000", "x86-64-ssse3"}

// TestCatalogue proves every kernel and keys function of the catalogue on every CPU.
func TestCatalogue(t *testing.T) {
	entries, err := ciphers.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		s, err := bench.NewSubject(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range costmodel.Names() {
			if !foreign.Long() && !(slices.Contains(quick, name) && strings.HasSuffix(e.Name, "/fixsliced")) {
				continue
			}
			t.Run(e.Name+"/"+name, func(t *testing.T) {
				cpu := load(t, name)
				c := bench.Cell{Subject: s, CPU: cpu}
				switch {
				case !c.Possible():
					t.Skip("the CPU has no words as wide")
				case e.Name == "aes128-ctr/byteshuffle":
					t.Skip("additions of 128 bits find the carry in another way than the text: neither proven nor refuted")
				}
				p, err := c.Compile()
				if err != nil {
					t.Fatal(err)
				}
				equal(t, p)
				if e.Kernel.Keys == nil {
					return
				}
				if p, err = bench.Compile(e.Kernel.Keys, cpu, nil); err != nil {
					t.Fatal(err)
				}
				equal(t, p)
			})
		}
	}
}

func load(t *testing.T, name string) *costmodel.CPU {
	t.Helper()
	cpu, err := costmodel.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return cpu
}

// equal proves a program.
func equal(t *testing.T, p *bench.Program) {
	t.Helper()
	start := time.Now()
	r, err := prove.Kernel(prove.Job{Code: p.Code, Target: p.Target, Features: p.CPU.Features})
	if err != nil {
		t.Errorf("%s on %s: %v", p.Kernel.Name, p.CPU.Name, err)
		return
	}
	t.Logf("%s on %s: %d of %d bits, %d nodes, %+v, %d instructions, %v", p.Kernel.Name, p.CPU.Name, r.Proven, r.Bits, r.Nodes, r.Merges, r.Steps, time.Since(start))
	if r.Bits == 0 || !r.Equal() {
		t.Errorf("%s on %s: %d of %d bits proven; open: %v; counterexample %+v", p.Kernel.Name, p.CPU.Name, r.Proven, r.Bits, r.Open, r.Counter)
	}
}
