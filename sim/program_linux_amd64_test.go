package sim_test

import (
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

// hostBuilders compile for this computer, which runs the programs itself.
var hostBuilders = []builder{{"x86", "gcc", "", "-static -mssse3 -fno-stack-protector"}}

// hostLibraries are the C libraries of this computer, linked into programs at a fixed address and into such as can be anywhere.
var hostLibraries = []builder{
	{"x86", "gcc", "", "-static -no-pie"},
	{"x86", "gcc", "", "-static-pie"},
	{"x86", "musl-gcc", "", "-static -no-pie -DNO_X87"},
}

// TestHostLibraries runs programs from the first instruction of the C library to its exit as they run on this computer, where the
// library may choose other functions by the features of the processor.
func TestHostLibraries(t *testing.T) {
	for i, b := range hostLibraries {
		for j, program := range []string{"printf.c", "library.c"} {
			for k, level := range levels {
				if (i+j+k)%foreign.Count(3, 1) != 0 {
					continue
				}
				t.Run(b.gcc+b.flags+"/"+program+level, func(t *testing.T) {
					t.Parallel()
					path := b.link(t, level, program, "-lm")
					if got, want := simulate(t, path), emulate(t, "", path); got != want {
						t.Errorf("simulated %+v\non this computer %+v", got, want)
					}
				})
			}
		}
	}
}

// TestHostCPlusPlus runs a program that unwinds its stack.
func TestHostCPlusPlus(t *testing.T) {
	path := builder{"x86", "g++", "", "-static"}.link(t, "-O2", "throws.cpp")
	if got, want := simulate(t, path), emulate(t, "", path); got != want {
		t.Errorf("simulated %+v\non this computer %+v", got, want)
	}
}

// TestHostSSE41 runs vectorized code with and without the feature it needs.
func TestHostSSE41(t *testing.T) {
	b := builder{"x86", "gcc", "", "-static -msse4.1 -fno-stack-protector"}
	path := b.link(t, "-O3 -ffreestanding -nostdlib", "start.c", "widths.c", "-lgcc")
	want := emulate(t, "", path)
	programFeatures := []string{"sse3", "ssse3", "sse4.1"}
	if got := simulateWith(t, path, func(c *sim.ProgramConfig) { c.Features = programFeatures }); got != want {
		t.Errorf("simulated %+v\non this computer %+v", got, want)
	}
	p := newProgram(t, loadProgram(t, path), nil)
	if _, err := p.RunTo(isa.NoAddr); err == nil || !strings.Contains(err.Error(), "needs sse4.1, which this CPU does not have") {
		t.Errorf("without the feature: %v", err)
	}
}

// TestHostCall calls a function of a linked program whose data lies where the map of called functions has code.
func TestHostCall(t *testing.T) {
	b := builder{"x86", "gcc", "", "-static -fno-stack-protector"}
	im := loadProgram(t, b.link(t, "-O1 -ffreestanding -nostdlib", "start.c", "counter.c"))
	m, err := sim.New(sim.Config{Arch: all.Arch("x86"), Image: im, Features: programFeatures["x86"], Areas: []sim.Area{
		{Name: "code", Base: 0x400000, Size: 0x100000, Perm: isa.R | isa.X},
		{Name: "data", Base: 0x10000000, Size: 0x100000, Perm: isa.R | isa.W, Use: sim.Data},
		{Name: "stack", Base: 0x10100000, Size: 0x10000, Perm: isa.R | isa.W, Use: sim.Stack},
	}})
	if err != nil {
		t.Fatal(err)
	}
	entry, err := m.Symbol("count")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint64{8, 11} {
		if got, _, err := m.Call(entry, []uint64{3}, 0); err != nil || got != want {
			t.Errorf("count(3) = %d, %v, want %d", got, err, want)
		}
	}
}
