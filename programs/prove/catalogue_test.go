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

const (
	secretIndex = "a look-up by a secret index"
	tooLarge    = "the proof needs more than 4 million bits"
)

// unproven are the kernels without a proof, on all instruction sets or on one, and what a refusal says; "" for bits that stay
// open.
var unproven = map[string]string{
	"aes128-ctr/bitsliced on t32": "", // why is not known; RV32 is proven
	"aes128-ctr/bitsliced on x86": tooLarge,
	"aes128-ctr/byteshuffle":      "", // additions of 128 bits find the carry in another way than the text
	"aes128/table":                secretIndex,
	"aes128-ctr/table":            secretIndex,
	"kasumi/table":                secretIndex,
	"kasumi-f8/table":             secretIndex,
	"kasumi-f8/bitsliced":         tooLarge,
}

// TestCatalogue proves every kernel and keys function of the catalogue on every CPU, but for those in unproven.
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
				if !c.Possible() {
					t.Skip("the CPU has no words as wide")
				}
				p, err := c.Compile()
				if err != nil {
					t.Fatal(err)
				}
				why, open := unproven[e.Name]
				if w, ok := unproven[e.Name+" on "+cpu.ISA]; ok {
					why, open = w, true
				}
				if open {
					notEqual(t, p, why)
				} else {
					equal(t, p)
				}
				if e.Kernel.Keys == nil || e.Kernel.Keys.Leaky {
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

// notEqual expects a refusal, or without one bits that are neither proven nor refuted.
func notEqual(t *testing.T, p *bench.Program, refusal string) {
	t.Helper()
	r, err := prove.Kernel(prove.Job{Code: p.Code, Target: p.Target, Features: p.CPU.Features})
	switch {
	case refusal != "" && (err == nil || !strings.Contains(err.Error(), refusal)):
		t.Errorf("%s on %s: %v, want a refusal: %s", p.Kernel.Name, p.CPU.Name, err, refusal)
	case refusal == "" && (err != nil || r.Equal() || r.Counter != nil):
		t.Errorf("%s on %s: %v, %+v; want open bits and no counterexample", p.Kernel.Name, p.CPU.Name, err, r)
	}
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
