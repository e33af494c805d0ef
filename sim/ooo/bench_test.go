package ooo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/x86"
)

// hostCycle is the time of one core cycle, by the best of several chains of dependent additions.
func hostCycle() time.Duration {
	best := time.Hour
	x := uint64(1)
	for range 20 {
		start := time.Now()
		for range 1_000_000 {
			x = x<<1 ^ x
			x = x<<1 ^ x
		}
		best = min(best, time.Since(start))
	}
	if x == 0 {
		return 0
	}
	return best // of 4,000,000 cycles
}

// recorder keeps one run.
type recorder struct{ runs []isa.Retired }

func (l *recorder) Retire(r *isa.Retired) {
	c := *r
	c.Data = append([]isa.Access(nil), r.Data...)
	l.runs = append(l.runs, c)
}

// sliced is straight code of the mix of bitsliced kernels: logic, moves, loads and stores.
func sliced(n int) string {
	var s strings.Builder
	for i := range n {
		r := func(k int) int { return (i*5 + k) % 16 }
		fmt.Fprintf(&s, "\tmovdqa xmm%d, xmm%d\n\tpand xmm%d, xmm%d\n\tpxor xmm%d, xmm%d\n\tpxor xmm%d, [rdi+%d]\n\tpor xmm%d, xmm%d\n",
			r(0), r(1), r(0), r(2), r(3), r(0), r(4), i%8*16, r(5), r(3))
		fmt.Fprintf(&s, "\tmovdqa [rdi+%d], xmm%d\n\tpxor xmm%d, xmm%d\n\tmovdqa xmm%d, [rdi+%d]\n\tpaddd xmm%d, xmm%d\n",
			128+i%8*16, r(6), r(7), r(6), r(1), 128+(i+5)%8*16, r(8), r(7))
	}
	return s.String()
}

// record runs a text once and returns its runs.
func record(tb testing.TB, text string) []isa.Retired {
	tb.Helper()
	arch := x86.New()
	blocks, err := arch.Parse("t.s", "f:\n"+text+"\tret\n")
	if err != nil {
		tb.Fatal(err)
	}
	im, err := arch.Assemble(blocks, 0x10000)
	if err != nil {
		tb.Fatal(err)
	}
	mem := &isa.Memory{}
	for _, r := range []*isa.Region{
		{Name: "code", Base: 0x10000, Data: im.Segments[0].Data, Perm: isa.R | isa.X},
		{Name: "data", Base: 0x80000, Data: make([]byte, 65536), Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			tb.Fatal(err)
		}
	}
	c := arch.NewCore(mem, []string{"ssse3"})
	c.SetReg(x86.RDI, 0x80000)
	c.SetReg(x86.RSP, 0x8fff0)
	c.SetPC(0x10000)
	l := &recorder{}
	if stop := c.Run(l, 1_000_000, 0); stop.Kind != isa.StopAddr {
		tb.Fatalf("stopped: %+v", stop)
	}
	return l.runs
}

// BenchmarkPipeline reports the cycles of this computer's core that an instruction takes in the pipeline alone.
func BenchmarkPipeline(b *testing.B) {
	for _, name := range []string{"core2-merom", "znver3"} {
		for _, replay := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/replay=%v", name, replay), func(b *testing.B) {
				cpu, err := costmodel.Load(name)
				if err != nil {
					b.Fatal(err)
				}
				p := newPipe(b, cpu)
				p.Memoise(replay)
				runs := record(b, sliced(100))
				best := time.Hour
				for b.Loop() {
					start := time.Now()
					for i := range runs {
						p.Retire(&runs[i])
					}
					best = min(best, time.Since(start))
				}
				n := 0
				for i := range runs {
					n += runs[i].N
				}
				cycle := float64(hostCycle().Nanoseconds()) / 4e6
				b.ReportMetric(float64(best.Nanoseconds())/float64(n)/cycle, "hostcycles/inst")
			})
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	for _, name := range []string{"core2-merom", "core2-penryn", "znver3"} {
		for _, replay := range []bool{true, false} {
			cpu, err := costmodel.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			p, runs := newPipe(t, cpu), record(t, sliced(50))
			p.Memoise(replay)
			retire := func() {
				for i := range runs {
					p.Retire(&runs[i])
				}
			}
			for range 5 { // until a state comes back
				retire()
			}
			if n := testing.AllocsPerRun(10, retire); n != 0 {
				t.Errorf("%s, replay %v: %v allocations a run", name, replay, n)
			}
			if err := p.Totals().Check(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
