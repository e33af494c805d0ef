package x86

import (
	"math/rand/v2"
	"testing"

	"simrun/isa"
)

// TestPendingFlags compares every condition on pending flags with that on the same flags when settled, and the flags with
// those of the operation itself.
func TestPendingFlags(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	quick := []string{"ADD", "SUB", "CMP", "AND", "OR", "XOR", "TEST"}
	for range 20_000 {
		w := uint8(4 << rng.IntN(2))
		name := quick[rng.IntN(len(quick))]
		in := Make(name+"_r64_r64", int64(RCX), int64(RDX))
		if w == 4 {
			in = Make(name+"_r32_r32", int64(RCX), int64(RDX))
		}
		if n := rng.IntN(5); n < 2 {
			in = Make([]string{"INC_r64", "DEC_r64"}[n], int64(RCX))
		}
		s := step(&in, 0, 4)
		var a core
		for _, r := range []uint8{uint8(RCX), uint8(RDX)} {
			a.r[r] = uint64(int64(rng.Uint64()) >> rng.IntN(64))
		}
		if rng.IntN(4) == 0 {
			a.r[RDX] = a.r[RCX]
		}
		a.flags = rng.Uint64() & flagsAll
		want := a.flags
		alus[rowOf(&in).Num](&want, a.r[RCX]&mask(s.Flags), a.r[RDX]&mask(s.Flags), s.Flags)
		steps := []isa.Step{s}
		if a.exec(steps) != 1 || a.pending.op == settled {
			t.Fatalf("%s: not quick", New().Print(in))
		}
		for cc := range uint8(16) {
			b := a
			if got := b.condition(cc); got != holds(want, cc) {
				t.Fatalf("%s: condition %d is %v: %+v", New().Print(in), cc, got, a.pending)
			}
		}
		if a.settle(); a.flags != want {
			t.Fatalf("%s: flags %#x, want %#x", New().Print(in), a.flags, want)
		}
	}
}
