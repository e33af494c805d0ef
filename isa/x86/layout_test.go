package x86

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// label sets the symbol of an instruction.
func label(in isa.Inst, sym string) isa.Inst {
	in.Sym = sym
	return in
}

// randomProgram has two functions with branches near and far, calls, and constants that
// instructions reach through RIP.
func randomProgram(rng *rand.Rand, n int) []*isa.Block {
	var branches []*row
	for _, r := range rows {
		if r.relative() && r.kind != kJcount {
			branches = append(branches, r)
		}
	}
	var blocks []*isa.Block
	for f := range 2 {
		b := &isa.Block{Name: fmt.Sprintf("f%d", f), Align: 16 << f}
		for i := range n {
			if i%8 == 0 {
				b.Items = append(b.Items, isa.Item{Label: fmt.Sprintf(".L%d_%d", f, i/8)})
			}
			it := isa.Item{Inst: Make("PXOR_xmm_m128", int64(XMM(rng.IntN(16))), int64(RIP), int64(isa.NoReg), 1, int64(16*rng.IntN(2)))}
			it.Inst.Sym = fmt.Sprintf(".Lconst%d", f)
			if rng.IntN(2) == 0 {
				r := branches[rng.IntN(len(branches))]
				it = isa.Item{Inst: label(isa.Inst{Form: &r.Form}, fmt.Sprintf(".L%d_%d", f, rng.IntN((n+7)/8)))}
				if r.kind == kCall {
					it.Inst.Sym = fmt.Sprintf("f%d", rng.IntN(2))
				}
			}
			b.Items = append(b.Items, it)
		}
		b.Items = append(b.Items,
			isa.Item{Inst: Make("RET")},
			isa.Item{Label: fmt.Sprintf(".Lconst%d", f), Align: 16},
			isa.Item{Data: bytes.Repeat([]byte{byte(f + 1)}, 33), Note: "constants"})
		blocks = append(blocks, b)
	}
	return blocks
}

func TestWriteGNU(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range foreign.Count(5, 200) {
		blocks := randomProgram(rng, 8+rng.IntN(120))
		const org = 0x40000
		im, err := New().Assemble(blocks, org)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := isa.WriteGNU(&text, New(), blocks); err != nil {
			t.Fatal(err)
		}
		if got, want := gnu(t, text.String(), org), im.Segments[0].Data; !bytes.Equal(got, want) {
			t.Fatal(firstDifference(got, want))
		}
		back, err := New().Parse("listing.s", text.String())
		if err != nil {
			t.Fatal(err)
		}
		im2, err := New().Assemble(back, org)
		if err != nil || !bytes.Equal(im2.Segments[0].Data, im.Segments[0].Data) {
			t.Fatalf("the listing read back: %v, other bytes", err)
		}
	}
}

// TestBranchReach puts the target at the last distance of the short form and one beyond, in both
// directions.
func TestBranchReach(t *testing.T) {
	fill := func(n int) isa.Item { return isa.Item{Data: make([]byte, n)} }
	jmp := isa.Item{Inst: label(isa.Inst{Form: New().Form("JMP_rel")}, ".L")}
	je := isa.Item{Inst: label(isa.Inst{Form: New().Form("JE_rel")}, ".L")}
	at := isa.Item{Label: ".L"}
	for _, c := range []struct {
		items []isa.Item
		size  int
	}{
		{[]isa.Item{jmp, fill(127), at}, 2 + 127},
		{[]isa.Item{jmp, fill(128), at}, 5 + 128},
		{[]isa.Item{je, fill(127), at}, 2 + 127},
		{[]isa.Item{je, fill(128), at}, 6 + 128},
		{[]isa.Item{at, fill(126), jmp}, 126 + 2},
		{[]isa.Item{at, fill(127), jmp}, 127 + 5},
		{[]isa.Item{je, jmp, fill(125), at}, 2 + 2 + 125}, // both just reach
		{[]isa.Item{je, jmp, fill(126), at}, 6 + 2 + 126}, // only the first grows
	} {
		im, err := New().Assemble([]*isa.Block{{Name: "f", Items: c.items}}, 0x1000)
		if err != nil || len(im.Segments[0].Data) != c.size {
			t.Errorf("%d bytes, want %d (%v)", len(im.Segments[0].Data), c.size, err)
		}
	}
}

func TestImage(t *testing.T) {
	blocks := []*isa.Block{
		{Name: "a", Items: []isa.Item{{Inst: Make("NOP"), Line: 3}, {Inst: Make("RET"), Line: 3}}},
		{Name: "b", Align: 16, Items: []isa.Item{{Inst: Make("RET"), Line: 9}}},
	}
	im, err := New().Assemble(blocks, 0x1000)
	if err != nil {
		t.Fatal(err)
	}
	want := "{x86 4096 [{4096 [144 195 0 0 0 0 0 0 0 0 0 0 0 0 0 0 195] 17 5}] [{a 4096 2 true} {b 4112 1 true}] [{4096 3 } {4097 3 } {4112 9 }] }"
	if got := fmt.Sprint(*im); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAssembleRefuses(t *testing.T) {
	ret := isa.Item{Inst: Make("RET")}
	for _, c := range []struct {
		block isa.Block
		want  string
	}{
		{isa.Block{Items: []isa.Item{{Inst: label(Make("JMP_rel", 0), "x"), Line: 7}}}, "f: line 7: label x is not defined"},
		{isa.Block{Items: []isa.Item{{Label: "f"}}}, "f: item 0: label f is defined twice"},
		{isa.Block{Items: []isa.Item{ret, {Inst: Make("PXOR_xmm_xmm", 0, 0)}}}, "f: item 1: PXOR_xmm_xmm: 0 is no xmm register"},
		{isa.Block{Items: []isa.Item{{Inst: label(Make("LEA_r64_m", 0, 0, int64(isa.NoReg), 1, 0), "f")}}}, "f: item 0: LEA_r64_m cannot use label f: only branches and addresses from RIP can"},
		{isa.Block{Items: slices.Repeat([]isa.Item{{Align: 1 << 16, Data: []byte{1}}}, 257)}, "the program has 16777217 bytes, more than 16777216"},
		{isa.Block{Align: 3}, "f: alignment 3, want a power of two up to 65536"},
		{isa.Block{Items: []isa.Item{{Inst: label(Make("LEA_r64_m", 0, int64(RIP), int64(isa.NoReg), 1, 0), "y")}}}, "f: item 0: label y is not defined"},
	} {
		c.block.Name = "f"
		if _, err := New().Assemble([]*isa.Block{&c.block}, 0); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestAssembleConcurrent assembles from many goroutines at once, for the race detector.
func TestAssembleConcurrent(t *testing.T) {
	blocks := randomProgram(rand.New(rand.NewPCG(6, 1)), 40)
	want, err := New().Assemble(blocks, 0)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 8 {
		go func() {
			im, err := New().Assemble(blocks, 0)
			if err == nil && !bytes.Equal(im.Segments[0].Data, want.Segments[0].Data) {
				err = fmt.Errorf("other bytes")
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkAssemble(b *testing.B) {
	blocks := randomProgram(rand.New(rand.NewPCG(7, 1)), 1000)
	for b.Loop() {
		if _, err := New().Assemble(blocks, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2002, "ns/instr")
}
