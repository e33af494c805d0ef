package sim_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

// BenchmarkPrograms gives the host cycles per simulated instruction of compiled programs, without and with
// a pipeline. A host cycle is measured by a chain of dependent additions in the same run.
func BenchmarkPrograms(b *testing.B) {
	for _, tool := range slices.Concat(builders, hostBuilders) {
		for _, program := range []string{"chacha20.c", "aes.c"} {
			im := loadProgram(b, tool.link(b, "-O2 -ffreestanding -nostdlib -DBLOCKS=2000", "start.c", program, "-lgcc"))
			b.Run(tool.arch+"/"+program+"/functional", func(b *testing.B) {
				benchmark(b, func() *sim.Program { return newProgram(b, im, nil) })
			})
			if cpus[tool.arch] == "" {
				continue
			}
			b.Run(tool.arch+"/"+program+"/in-order", func(b *testing.B) {
				benchmark(b, func() *sim.Program { p, _ := timed(b, im, 0); return p })
			})
		}
	}
}

func loadProgram(t testing.TB, path string) *isa.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	im, err := sim.LoadELF(data, all.Archs(), sim.DefaultPlace)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// benchmark runs fresh programs and reports the best run, since others disturb the computer.
func benchmark(b *testing.B, fresh func() *sim.Program) {
	best := 1e9
	for b.Loop() {
		b.StopTimer()
		p := fresh()
		b.StartTimer()
		begin := time.Now()
		if _, err := p.RunTo(isa.NoAddr); err != nil {
			b.Fatal(err)
		}
		spent := time.Since(begin)
		best = min(best, float64(spent.Nanoseconds())/float64(p.Core().Retired())/hostCycle())
	}
	b.ReportMetric(best, "host-cycles/instr")
}

var sink uint64

// hostCycle is the length of a host cycle in ns: a step of the chain is a rotate and an addition that
// depend on each other, of a cycle each.
func hostCycle() float64 {
	const steps = 200000
	best := time.Hour
	for range 3 {
		x := sink
		begin := time.Now()
		for i := range uint64(steps) {
			x = (x<<7 | x>>57) + i
		}
		best = min(best, time.Since(begin))
		sink = x
	}
	return float64(best.Nanoseconds()) / (2 * steps)
}
