package rv32

import (
	"testing"

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

func benchmarkRun(b *testing.B, l isa.Listener) {
	c := straightCore(b, loopSteps-1)
	const chunk = 500 * loopSteps
	for b.Loop() {
		if s := c.Run(l, chunk, isa.NoAddr); s.Kind != isa.StopLimit {
			b.Fatal(s)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*chunk), "ns/inst")
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
