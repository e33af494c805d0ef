package x86

import (
	"math/rand/v2"
	"strings"
	"testing"

	"simrun/isa"
)

// TestPendingFlags runs short sequences of quick operations in the hot loop and by their own functions. Registers must agree
// after each, and so must every condition and the settled flags.
func TestPendingFlags(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	names := []string{"ADD_r%_r%", "SUB_r%_r%", "CMP_r%_r%", "AND_r%_r%", "OR_r%_imm32", "XOR_r%_r%", "TEST_r%_r%", "INC_r%", "DEC_r%",
		"SHL_r%_imm8", "SHR_r%_imm8", "SAR_r%_imm8", "ROL_r%_imm8", "ROR_r%_imm8"}
	seen := map[string]bool{}
	for range 30_000 {
		var c core
		c.flags = rng.Uint64() & flagsAll
		c.r[RCX], c.r[RDX] = uint64(int64(rng.Uint64())>>rng.IntN(64)), uint64(int64(rng.Uint64())>>rng.IntN(64))
		if rng.IntN(4) == 0 {
			c.r[RDX] = c.r[RCX]
		}
		plain := c
		text := ""
		for range 1 + rng.IntN(4) {
			in := quickInst(rng, names[rng.IntN(len(names))])
			s := step(&in, 0, 4)
			text += New().Print(in) + "; "
			plainStep(&plain, &in)
			c.exec([]isa.Step{s})
			seen[in.Form.ID] = true
			if c.r != plain.r {
				t.Fatalf("%s: %#x %#x, want %#x %#x", text, c.r[RCX], c.r[RDX], plain.r[RCX], plain.r[RDX])
			}
			for cc := range uint8(16) {
				other := c
				if got := other.condition(cc); got != holds(plain.flags, cc) {
					t.Fatalf("%s: condition %d is %v: %+v", text, cc, got, c.pending)
				}
			}
		}
		if c.settle(); c.flags != plain.flags {
			t.Fatalf("%s: flags %#x, want %#x", text, c.flags, plain.flags)
		}
	}
	if len(seen) != 2*len(names) {
		t.Errorf("%d forms seen, want %d", len(seen), 2*len(names))
	}
}

func quickInst(rng *rand.Rand, name string) isa.Inst {
	size := []string{"32", "64"}[rng.IntN(2)]
	r := byID[strings.ReplaceAll(name, "%", size)]
	in := isa.Inst{Form: &r.Form}
	for i, o := range r.operands {
		in.Args[o.slot] = int64(RCX) + int64(i+rng.IntN(2))%2
		if o.what == opImm {
			in.Args[o.slot] = randomImm(rng, o.size)
		}
	}
	return in
}

// plainStep executes a step by the function of its row, flags at once.
func plainStep(c *core, in *isa.Inst) {
	r := rowOf(in)
	w := uint8(r.width())
	var b uint64
	if len(r.operands) > 1 {
		if b = uint64(in.Args[1]); r.operands[1].what == opReg {
			b = c.r[in.Reg(1)]
		}
	}
	v := r.alu(&c.flags, c.r[in.Reg(0)]&mask(w), b&mask(w), w)
	if r.kind != kCmpRR {
		c.set(uint8(in.Reg(0)), v, w)
	}
}
