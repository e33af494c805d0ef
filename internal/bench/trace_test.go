package bench

import (
	"io"
	"testing"
	"time"

	"simrun/sim/trace"
)

// BenchmarkTrace reports the cycles of this computer's core for one simulated instruction that is
// executed, timed and written.
func BenchmarkTrace(b *testing.B) {
	for _, f := range trace.Formats {
		for _, cpu := range []string{"cortex-m4", "sifive-e31"} {
			b.Run(f.Name+"/"+cpu, func(b *testing.B) { benchmarkTrace(b, f, cpu) })
		}
	}
}

func benchmarkTrace(b *testing.B, f trace.Format, cpu string) {
	s := speedMachine(b, cpu, true, false)
	pipe, err := newPipeline(load(b, cpu), s.prog.Arch)
	if err != nil {
		b.Fatal(err)
	}
	sink := f.New(io.Discard, s.prog.Arch, s.machine.Memory())
	pipe.SetSink(sink.Timed)
	s.machine.SetListener(pipe)
	if err := s.call(); err != nil {
		b.Fatal(err)
	}
	before := s.machine.Core().Retired()
	best := time.Duration(1 << 62)
	for b.Loop() {
		start := time.Now()
		if err := s.call(); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	perCall := float64(s.machine.Core().Retired()-before) / float64(b.N)
	b.ReportMetric(float64(best.Nanoseconds())/cycleTime()/perCall, "hostcycles/inst")
}
