package rv32

import (
	"testing"
	"time"

	"simrun/isa"
)

// loopSteps is the length of the measured loop, the jump included.
const loopSteps = 2001

// straightCore returns a core at the start of n instructions of the mix of a bitsliced cipher:
// XOR, AND, loads and stores of spills, closed by a jump back.
func straightCore(tb testing.TB, n int) isa.Core {
	tb.Helper()
	b := &isa.Block{Name: "f", Items: []isa.Item{{Label: "top"}}}
	add := func(in isa.Inst) { b.Items = append(b.Items, isa.Item{Inst: in}) }
	for i := range int64(n) {
		rd, a, c := 10+i%8, 10+(i*3)%8, 10+(i*5+1)%8
		switch i % 8 {
		case 0, 1, 4:
			add(Make("XOR", rd, a, c))
		case 2, 5:
			add(Make("AND", rd, a, c))
		case 3:
			add(Make("LW", rd, i%64*4, int64(SP)))
		case 6:
			add(Make("SW", rd, i%64*4, int64(SP)))
		case 7:
			add(Make("SRLI", rd, a, 7))
		}
	}
	jump := Make("JAL", int64(Zero), 0)
	jump.Sym = "top"
	add(jump)
	im, err := Arch{}.Assemble([]*isa.Block{b}, 0x2000_0000)
	if err != nil {
		tb.Fatal(err)
	}
	c := New().NewCore(memoryFor(tb, im), []string{"m", "c"})
	c.SetPC(im.Entry)
	c.SetReg(SP, 0x8000_0000)
	return c
}

// memoryFor maps an image and 64 KiB of data at 0x80000000.
func memoryFor(tb testing.TB, im *isa.Image) *isa.Memory {
	tb.Helper()
	mem := &isa.Memory{}
	for _, s := range im.Segments {
		if err := mem.Add(&isa.Region{Name: "code", Base: s.Addr, Data: s.Data, Perm: s.Perm}); err != nil {
			tb.Fatal(err)
		}
	}
	if err := mem.Add(&isa.Region{Name: "data", Base: 0x8000_0000, Data: make([]byte, 1<<16), Perm: isa.R | isa.W}); err != nil {
		tb.Fatal(err)
	}
	return mem
}

type countListener struct{ steps, accesses int }

func (l *countListener) Retire(r *isa.Retired) {
	l.steps += r.N
	l.accesses += len(r.Data)
}

func BenchmarkStraight(b *testing.B) { benchmarkRun(b, nil) }
func BenchmarkEvents(b *testing.B)   { benchmarkRun(b, &countListener{}) }

// BenchmarkShortLoop is a table look-up loop of 6 instructions: what a run costs besides its steps.
func BenchmarkShortLoop(b *testing.B) {
	im := mustAssemble(`
	lui a0, 0x80000
loop:	andi a1, a2, 255
	add a1, a1, a0
	lbu a3, 0(a1)
	xor a4, a4, a3
	addi a2, a2, 1
	j loop`, progBase)
	c := New().NewCore(memoryFor(b, im), allFeatures)
	c.SetPC(im.Entry)
	measure(b, c, nil)
}

func benchmarkRun(b *testing.B, l isa.Listener) {
	measure(b, straightCore(b, loopSteps-1), l)
}

// measure runs c for as long as the benchmark wants and reports the best chunk in host core
// cycles per instruction: neighbours on the machine disturb the mean, not the best.
func measure(b *testing.B, c isa.Core, l isa.Listener) {
	const chunk = 50 * loopSteps
	best, cycle := time.Hour, time.Hour
	for b.Loop() {
		for range 10 {
			start := time.Now()
			if s := c.Run(l, chunk, isa.NoAddr); s.Kind != isa.StopLimit {
				b.Fatal(s)
			}
			best = min(best, time.Since(start))
		}
		cycle = min(cycle, chain())
	}
	b.ReportMetric(float64(best)/chunk/(float64(cycle)/chainCycles), "cycles/inst")
}

const chainCycles = 3 * 30_000

var chainResult uint64

// chain takes chainCycles core cycles: multiplications that wait for each other, 3 cycles each.
func chain() time.Duration {
	start := time.Now()
	x := chainResult | 1
	for range chainCycles / 3 {
		x *= 0x9e3779b97f4a7c15
	}
	chainResult = x
	return time.Since(start)
}

func TestRunAllocatesNothing(t *testing.T) {
	for _, l := range []isa.Listener{nil, &countListener{}} {
		c := straightCore(t, loopSteps-1)
		c.Run(l, 32*loopSteps, isa.NoAddr)
		if n := testing.AllocsPerRun(10, func() { c.Run(l, 32*loopSteps, isa.NoAddr) }); n != 0 {
			t.Errorf("listener %T: %v allocations per run", l, n)
		}
	}
}
