package inorder

import (
	"fmt"
	"testing"
	"time"

	"simrun/isa"
)

// hostCycle is the time of one cycle of this computer now: the best of some chains of dependent
// multiplications, of 3 cycles each.
func hostCycle() time.Duration {
	const n = 1 << 16
	best := time.Hour
	for range 20 {
		x, start := uint64(3), time.Now()
		for range n {
			x *= x | 1
		}
		if d := time.Since(start); d < best && x != 0 {
			best = d
		}
	}
	return best * 1000 / (3 * n) // thousandths
}

// BenchmarkPipelines reports host cycles per simulated instruction: function alone, with
// causes, and with causes but nothing replayed.
func BenchmarkPipelines(b *testing.B) {
	short := map[string]string{
		"t32":  "\tldr r0, [r6]\n\teor.w r0, r0, r1, ror #3\n\tstr r0, [r6]\n\tadds r1, r1, r0\n",
		"rv32": "\tlw a0, 0(a4)\n\txor a0, a0, a1\n\tsw a0, 0(a4)\n\tadd a1, a1, a0\n",
	}
	for _, name := range []string{"cortex-m4", "stm32f103-72mhz", "stm32f407-168mhz", "sifive-e31"} {
		cpu := load(b, name)
		looped := fmt.Sprintf(frames[cpu.ISA], 4000, short[cpu.ISA])
		for _, code := range []struct{ name, text string }{{"unrolled", unrolled(cpu.ISA)}, {"looped", looped}} {
			tb := newTestbed(b, cpu, code.text)
			p := tb.pipeline(b)
			b.Run(name+"/"+code.name+"/functional", func(b *testing.B) { perInstruction(b, tb, nil) })
			b.Run(name+"/"+code.name+"/causes", func(b *testing.B) { perInstruction(b, tb, p) })
			b.Run(name+"/"+code.name+"/walked", func(b *testing.B) {
				p.Memoise(false)
				perInstruction(b, tb, p)
				p.Memoise(true)
			})
		}
	}
}

func perInstruction(b *testing.B, tb *testbed, l isa.Listener) {
	core := tb.core(b)
	if err := tb.call(core, l); err != nil {
		b.Fatal(err)
	}
	best := time.Hour
	var n uint64
	for b.Loop() {
		before, start := core.Retired(), time.Now()
		if err := tb.call(core, l); err != nil {
			b.Fatal(err)
		}
		if d := time.Since(start); d < best {
			best, n = d, core.Retired()-before
		}
	}
	perInst := float64(best) / float64(n)
	b.ReportMetric(perInst, "ns/inst")
	b.ReportMetric(1000*perInst/float64(hostCycle()), "hostcycles/inst")
}
