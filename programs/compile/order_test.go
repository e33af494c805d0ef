package compile

import (
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simrun/programs/ir"
)

// selected returns the selected code of a catalogue kernel on the first target.
func selected(t testing.TB, file, name string) *state {
	t.Helper()
	f, err := ir.ParseFile(os.DirFS("../../ciphers"), file)
	if err != nil {
		t.Fatal(err)
	}
	s := &state{kernel: f.Kernel(name), target: benchTarget()}
	for _, p := range passes[:3] {
		if err := p.run(s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestSearch: the order found is legal, no worse than the text's, and the same for the same seed.
func TestSearch(t *testing.T) {
	run := func(seed uint64) ([]int32, float64, float64) {
		s := selected(t, "aes/fixsliced.kir", "aes128/fixsliced")
		o := &Options{Search: Search{Tries: 300, Seed: seed}}
		cost := func() float64 { return newSearcher(s.proc, s.target, o).cost }
		before := cost()
		search := newSearcher(s.proc, s.target, o)
		search.run(o.Search.Tries)
		s.proc.Code = search.text
		order := search.best
		if !orderLegal(s.proc, order) {
			t.Fatal("the order found is not legal")
		}
		applyOrder(s.proc, order)
		return order, before, cost()
	}
	a, before, after := run(1)
	if after > before {
		t.Errorf("the search made %v cycles of %v", after, before)
	}
	if b, _, _ := run(1); !slices.Equal(a, b) {
		t.Error("the same seed gave another order")
	}
}

// TestOrderLegal: neighbours that depend on each other may not be exchanged, others may.
func TestOrderLegal(t *testing.T) {
	s := selected(t, "gift/gift128.kir", "gift128/fixsliced")
	n := len(s.proc.Code)
	rapid.Check(t, func(t *rapid.T) {
		order := make([]int32, n)
		for i := range order {
			order[i] = int32(i)
		}
		i := rapid.IntRange(0, n-2).Draw(t, "i")
		order[i], order[i+1] = order[i+1], order[i]
		if got, want := orderLegal(s.proc, order), swaps(&s.proc.Code[i], &s.proc.Code[i+1]); got != want {
			t.Errorf("exchange at %d: legal %v, want %v", i, got, want)
		}
	})
	for _, bad := range [][]int32{nil, {0}, slices.Repeat([]int32{0}, n), slices.Repeat([]int32{-1}, n)} {
		if orderLegal(s.proc, bad) {
			t.Errorf("no permutation, but legal: %d numbers", len(bad))
		}
	}
}

// BenchmarkTry is one try of the order search on a kernel of 2,000 instructions.
func BenchmarkTry(b *testing.B) {
	s := selected(b, "aes/fixsliced.kir", "aes128/fixsliced")
	o := &Options{}
	search := newSearcher(s.proc, s.target, o)
	b.ReportAllocs()
	for b.Loop() {
		search.evaluate()
	}
}

// TestResume: a search in parts, through its state, ends as one in one go.
func TestResume(t *testing.T) {
	o := &Options{Search: Search{Tries: 400, Seed: 3}}
	whole := newSearcher(selected(t, "gift/gift64.kir", "gift64/fixsliced").proc, benchTarget(), o)
	whole.run(400)
	first := newSearcher(selected(t, "gift/gift64.kir", "gift64/fixsliced").proc, benchTarget(), o)
	first.run(123)
	second := newSearcher(selected(t, "gift/gift64.kir", "gift64/fixsliced").proc, benchTarget(), o)
	second.restore(first.state())
	second.run(400)
	if !slices.Equal(whole.best, second.best) || whole.bestCost != second.bestCost {
		t.Error("the resumed search ended elsewhere")
	}
}
