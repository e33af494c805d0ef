package bench

import (
	"slices"
	"testing"

	"simrun/internal/result"
)

// TestSweep moves a kernel: at the first place it takes the cycles of its row, at another it does not on flash.
func TestSweep(t *testing.T) {
	c := Cell{Subject: find(t, "gift64/fixsliced"), CPU: load(t, "stm32f103-72mhz")}
	row, p, err := c.Simulate()
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Sweep()
	if err != nil {
		t.Fatal(err)
	}
	if s.Row.Cycles != row.Cycles || s.Places[0].Cycles != float64(row.Cycles) || s.Row.Verified != result.Vectors {
		t.Errorf("first place %+v of %v, want %v cycles", s.Places[0], s.Row.Verified, row.Cycles)
	}
	differs := slices.ContainsFunc(s.Places, func(p Place) bool { return p.Cycles != s.Places[0].Cycles })
	if len(s.Places) != 8 || !differs || s.Places[7].Offset != 14 {
		t.Errorf("places %+v", s.Places)
	}
	if again, err := p.moved(c.CPU); err != nil || p.Block.Align != 64 || again.Block.Align != 0 {
		t.Errorf("moving has changed the program: alignments %d and %d, error %v", p.Block.Align, again.Block.Align, err)
	}
}

// TestCodeStep takes the compressed instructions away.
func TestCodeStep(t *testing.T) {
	cpu := *load(t, "sifive-e31")
	if codeStep(&cpu) != 2 || codeStep(load(t, "cortex-m3")) != 2 {
		t.Error("code of Thumb and of RV32 with C can be moved by 2 bytes")
	}
	cpu.Features = []string{"m"}
	if codeStep(&cpu) != 4 {
		t.Error("code of RV32 without C can be moved by 4 bytes")
	}
}
