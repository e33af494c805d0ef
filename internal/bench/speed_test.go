package bench

import (
	"math/bits"
	"testing"
	"time"
)

// loads are the programs that speed is measured on: unrolled within the code budget, and looped.
var loads = []struct {
	name   string
	looped bool
}{{"unrolled", false}, {"looped", true}}

// speedMachine is a machine with aes128/fixsliced, and the pipeline of its CPU unless functional.
func speedMachine(t testing.TB, cpuName string, looped, timed bool) *simulated {
	t.Helper()
	cpu := load(t, cpuName)
	if looped {
		cpu.CodeBudget.Value = 0
	}
	p, err := Compile(find(t, "aes128/fixsliced").Kernel, cpu, nil)
	if err != nil {
		t.Fatal(err)
	}
	if looped != (p.Roll > 0) {
		t.Fatalf("%s: %d levels of loops are kept", cpuName, p.Roll)
	}
	s, err := simulate(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !timed {
		return s
	}
	pipe, err := newPipeline(cpu, p.Arch)
	if err != nil {
		t.Fatal(err)
	}
	s.machine.SetListener(pipe)
	return s
}

// BenchmarkSimulator reports the cycles of this computer's core that one simulated instruction takes.
func BenchmarkSimulator(b *testing.B) {
	for _, cpu := range []string{"cortex-m4", "sifive-e31", "x86-64-ssse3", "core2-merom"} {
		for _, load := range loads {
			b.Run(cpu+"/"+load.name+"/functional", func(b *testing.B) { benchmark(b, cpu, load.looped, false) })
			if cpu != "x86-64-ssse3" {
				b.Run(cpu+"/"+load.name+"/causes", func(b *testing.B) { benchmark(b, cpu, load.looped, true) })
			}
		}
	}
}

func benchmark(b *testing.B, cpu string, looped, timed bool) {
	s := speedMachine(b, cpu, looped, timed)
	if err := s.call(); err != nil {
		b.Fatal(err)
	}
	before := s.machine.Core().Retired()
	best := time.Duration(1 << 62) // of one call: the share of other processes is not ours
	for b.Loop() {
		start := time.Now()
		if err := s.call(); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	perCall := float64(s.machine.Core().Retired()-before) / float64(b.N)
	b.ReportMetric(float64(best.Nanoseconds())/cycleTime()/perCall, "hostcycles/inst")
	b.ReportMetric(perCall/float64(best.Nanoseconds())*1e3, "MIPS")
}

var sink uint64

// cycleTime is the time of one core cycle in ns, by the best of several chains of dependent operations
// with one cycle each.
func cycleTime() float64 {
	const turns, links = 20_000, 4
	best := time.Duration(1 << 62)
	for range 50 {
		x := sink
		start := time.Now()
		for range turns {
			x = bits.RotateLeft64(x, 7) + 1
			x = bits.RotateLeft64(x, 9) + 1
		}
		best = min(best, time.Since(start))
		sink = x
	}
	return float64(best.Nanoseconds()) / (turns * links)
}

// TestNoAllocations runs warm calls with causes: nothing may be allocated, however long the kernel is.
func TestNoAllocations(t *testing.T) {
	for _, load := range loads {
		noAllocations(t, "cortex-m4", load.looped)
		noAllocations(t, "sifive-e31", load.looped)
		noAllocations(t, "core2-merom", load.looped)
	}
}

func noAllocations(t *testing.T, cpu string, looped bool) {
	t.Helper()
	s := speedMachine(t, cpu, looped, true)
	call := func() {
		if err := s.call(); err != nil {
			t.Fatal(err)
		}
	}
	for range 50 { // every state of the predictors has been seen
		call()
	}
	if n := testing.AllocsPerRun(20, call); n != 0 {
		t.Errorf("%s, looped %v: %v allocations a call", cpu, looped, n)
	}
}
