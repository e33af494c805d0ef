package rv32

import (
	"math/rand/v2"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// orderly checks that what a listener is told hangs together, whatever runs.
type orderly struct {
	tb   testing.TB
	core *core
	next uint64
	n    uint64
}

func (l *orderly) Retire(r *isa.Retired) {
	if r.Code.PC != l.next || r.N > len(r.Code.Steps) || r.N == 0 && r.Trap == 0 {
		l.tb.Fatalf("run at %#x, not %#x: %d of %d steps, trap %d", r.Code.PC, l.next, r.N, len(r.Code.Steps), r.Trap)
	}
	l.next = r.Next
	l.n += uint64(r.N)
	if l.n%5 == 0 {
		l.core.SetPending(l.n)
	}
}

// runWild executes any bytes as a program with a trap handler inside them.
func runWild(tb testing.TB, code []byte, features []string) {
	const limit, size = 500, 512
	mem := &isa.Memory{}
	data := make([]byte, size)
	copy(data, code)
	if err := mem.Add(&isa.Region{Name: "all", Base: progBase, Data: data, Perm: isa.R | isa.W | isa.X}); err != nil {
		tb.Fatal(err)
	}
	c := New().NewCore(mem, features).(*core)
	for r := isa.Reg(1); r < numRegs; r++ {
		c.SetReg(r, progBase+uint64(r)*size/numRegs)
	}
	c.SetPC(progBase)
	c.csr.mtvec = progBase + size/2 + 1
	l := &orderly{tb: tb, core: c, next: progBase}
	for c.Retired() < limit {
		before := c.Retired()
		s := c.Run(l, limit-before, isa.NoAddr)
		if l.n != c.Retired() || l.next != c.PC() {
			tb.Fatalf("%+v: %d steps reported of %d, next %#x, not %#x", s, l.n, c.Retired(), l.next, c.PC())
		}
		if c.Retired() == before {
			return
		}
	}
}

// TestWildCode runs random words, most of them near a row, as they stand and with few extensions.
func TestWildCode(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for range foreign.Count(3000, 300_000) {
		var code []byte
		for range 60 {
			e := entries[rnd.IntN(len(entries))]
			in := randomInst(e, 0, func(lo, hi int64) int64 { return lo + rnd.Int64N(hi-lo+1) })
			for i, op := range e.form.Ops {
				if op.Name == "csr" && rnd.IntN(4) > 0 {
					in.Args[i] = int64(csrRows[rnd.IntN(len(csrRows))].num)
				}
				if op.Kind == isa.KindLabel {
					in.Args[i] = int64(rnd.IntN(64) * 2)
				}
			}
			code = append(code, mustEncode(in, 0)...)
		}
		features := [][]string{append([]string{"u"}, allFeatures...), {"zicsr", "m"}}[rnd.IntN(2)]
		runWild(t, code, features)
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte{0x73, 0x00, 0x20, 0x30, 0x13, 0x05, 0x10, 0x00})
	f.Fuzz(func(t *testing.T, code []byte) { runWild(t, code, append([]string{"u"}, allFeatures...)) })
}
