package compile

import (
	"os"
	"reflect"
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
	s.opt.Level = 1
	if err := s.runTo("equivalents"); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSearch: what is found is legal, no worse than the text, and the same for the same seed.
func TestSearch(t *testing.T) {
	run := func(seed uint64) (arrangement, float64, float64) {
		s := selected(t, "aes/fixsliced.kir", "aes128/fixsliced")
		search := newSearcher(s.proc, s.target, &Options{Search: Search{Tries: 300, Seed: seed}})
		before := search.cost
		search.run(300)
		if !legal(s.proc, search.text, search.base) {
			t.Fatal("what was found is not legal")
		}
		if c := search.evaluate(); c != search.cost {
			t.Fatalf("the code takes %v cycles, the search says %v", c, search.cost)
		}
		return search.base, before, search.cost
	}
	a, before, after := run(1)
	if after >= before {
		t.Errorf("the search made %v cycles of %v", after, before)
	}
	if b, _, _ := run(1); !reflect.DeepEqual(a, b) {
		t.Error("the same seed gave another result")
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
	fresh := func() *searcher {
		return newSearcher(selected(t, "gift/gift64.kir", "gift64/fixsliced").proc, benchTarget(), o)
	}
	whole := fresh()
	whole.run(400)
	parts := fresh()
	for n := 0; n < 400; n += 37 {
		parts.run(n)
		next := fresh()
		if !next.restore(parts.state()) {
			t.Fatal("the state was refused")
		}
		parts = next
	}
	parts.run(400)
	if !reflect.DeepEqual(whole.base, parts.base) || whole.cost != parts.cost {
		t.Error("the resumed search ended elsewhere")
	}
}
