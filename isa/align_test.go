package isa

import "testing"

func TestAlignUp(t *testing.T) {
	for _, c := range []struct{ n, align, want int }{
		{0, 8, 0}, {1, 8, 8}, {8, 8, 8}, {9, 8, 16}, {9, 1, 9}, {9, 0, 9}, {9, -4, 9},
	} {
		if got := AlignUp(c.n, c.align); got != c.want {
			t.Errorf("AlignUp(%d, %d) = %d, want %d", c.n, c.align, got, c.want)
		}
	}
	if got := AlignUp(uint64(1)<<40+1, uint64(1)<<33); got != 1<<40+1<<33 {
		t.Errorf("AlignUp beyond 32 bits: %#x", got)
	}
}
