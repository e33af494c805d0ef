package inorder

import (
	"fmt"
	"slices"
	"testing"

	"simrun/costmodel"
)

func TestPseudoLRU(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 28} {
		p := &pseudoLRU{n: n}
		p.reset()
		seen := map[int]bool{}
		for range 8 * n {
			v := p.victim()
			if v < 0 || v >= n {
				t.Fatalf("%d ways: victim %d", n, v)
			}
			seen[v] = true
			p.touch(v)
			if n > 1 && p.victim() == v {
				t.Fatalf("%d ways: way %d goes right after its use", n, v)
			}
		}
		if len(seen) != n {
			t.Errorf("%d ways: only %d of them are ever replaced", n, len(seen))
		}
	}
}

// TestPseudoLRUOrder follows the tree of 4 by hand: fills go left, right, left, right.
func TestPseudoLRUOrder(t *testing.T) {
	p := &pseudoLRU{n: 4}
	p.reset()
	var order []int
	for range 6 {
		v := p.victim()
		order = append(order, v)
		p.touch(v)
	}
	if want := []int{0, 2, 1, 3, 0, 2}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

func TestRoundRobin(t *testing.T) {
	r := &roundRobin{n: 3}
	var order []int
	for range 4 {
		order = append(order, r.victim())
		r.touch(0)
	}
	if want := []int{0, 1, 2, 0}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

func newTestCache(t *testing.T, bytes, line string) icache {
	t.Helper()
	cpu := load(t, "sifive-e31")
	for _, kv := range [][2]string{{"icache_bytes", bytes}, {"icache_line", line}} {
		if err := cpu.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	c := newICache(cpu)
	c.reset()
	return c
}

func TestICacheHoldsItsSize(t *testing.T) {
	c := newTestCache(t, "16384", "64")
	misses := func(lines uint64) (n int) {
		for line := range lines {
			n += c.touch(line, line, true)
		}
		return n
	}
	if n := misses(256); n != 256 {
		t.Errorf("cold: %d misses, want 256", n)
	}
	if n := misses(256); n != 0 {
		t.Errorf("16 KiB again: %d misses, want 0", n)
	}
	if n := misses(260); n == 0 || n > 40 {
		t.Errorf("four lines more: %d misses", n)
	}
}

func TestICacheReplacesAtRandom(t *testing.T) {
	c := newTestCache(t, "128", "32") // two sets of two
	ways := [2]int{}
	for i := range uint64(1000) {
		line := 2 * i // always set 0
		before := slices.Clone(c.set(line))
		c.fetchLine(line)
		for way, tag := range c.set(line) {
			if tag != before[way] {
				ways[way]++
			}
		}
	}
	if ways[0]+ways[1] != 1000 || ways[0] < 400 || ways[1] < 400 {
		t.Errorf("replaced %v of 1000", ways)
	}
}

func testPredictor(t *testing.T, cpu string) *predictor {
	t.Helper()
	p := newPredictor(load(t, cpu))
	p.reset()
	return &p
}

// TestPredictorLearns counts the mispredictions of a branch with a pattern, after warming up.
func TestPredictorLearns(t *testing.T) {
	for _, c := range []struct {
		cpu, pattern string
		want         int // of 16 periods
	}{
		{"sifive-e31", "T", 0}, {"fe310-g000", "T", 0},
		{"sifive-e31", "N", 0}, {"fe310-g000", "N", 0},
		{"fe310-g000", "TTN", 0},  // seven outcomes tell the place in the period
		{"sifive-e31", "TTN", 32}, // the folded history is the same at each place: the last outcome errs twice
	} {
		p, wrong := testPredictor(t, c.cpu), 0
		branch := transfer{branch: true, cond: true, word: 0x1000, pc: 0x1000, link: 0x1004}
		for i := range 80 {
			if i == 64 {
				wrong = 0
			}
			for _, outcome := range c.pattern {
				next := uint64(0x1004)
				if outcome == 'T' {
					next = 0x2000
				}
				if p.resolve(&branch, outcome == 'T', next) != predicted {
					wrong++
				}
			}
		}
		if wrong != c.want {
			t.Errorf("%s, pattern %s: %d wrong of 16 periods, want %d", c.cpu, c.pattern, wrong, c.want)
		}
	}
}

func TestReturnStackDepth(t *testing.T) {
	for cpu, depth := range map[string]int{"sifive-e31": 6, "fe310-g000": 2} {
		p := testPredictor(t, cpu)
		for i := range uint64(depth + 1) {
			p.returnStack(&transfer{call: true, link: 100 + i})
		}
		for i := range uint64(depth) {
			if p.rasDepth == 0 || p.ras[p.rasTop] != 100+uint64(depth)-i {
				t.Errorf("%s: return %d goes to %d", cpu, i, p.ras[p.rasTop])
			}
			p.returnStack(&transfer{returns: true})
		}
		if p.rasDepth != 0 {
			t.Errorf("%s: %d entries left after %d returns", cpu, p.rasDepth, depth)
		}
	}
}

// TestManyPendingRegisters has more waiting registers than a run's state holds, as --set can make.
func TestManyPendingRegisters(t *testing.T) {
	cpu := load(t, "sifive-e31")
	if err := cpu.Set("load.word", "60"); err != nil {
		t.Fatal(err)
	}
	b := newTestbed(t, cpu, "\t.global f\n\t.type f, @function\nf:\n\tli t0, 4\nl:\n\tlw a0, 0(s0)\n\tlw a1, 0(s0)\n\tlw a2, 0(s0)\n"+
		"\tlw a3, 0(s0)\n\tlw a6, 0(s0)\n\tlw a7, 0(s0)\n\taddi t0, t0, -1\n\tbnez t0, l\n\tadd a0, a0, a7\n\tret\n")
	replayed := b.totals(t, 3, func(*Pipeline) {})
	walked := b.totals(t, 3, func(p *Pipeline) { p.Memoise(false) })
	if replayed != walked {
		t.Errorf("replayed %v, walked %v", replayed.Map(), walked.Map())
	}
	if replayed.By[costmodel.LoadUse] < 3*4*50 {
		t.Errorf("only %d cycles of load-use", replayed.By[costmodel.LoadUse])
	}
}

// TestReplayForgetsAnOverwrittenLoad: without the wait of rule 9 a register can be written while its load
// is pending, and nobody waits for that load afterwards.
func TestReplayForgetsAnOverwrittenLoad(t *testing.T) {
	cpu := load(t, "sifive-e31")
	for _, kv := range [][2]string{{"waw", "0"}, {"load.word", "3"}, {"csr", "1"}, {"div", "1"}, {"div.max", "1"}} {
		if err := cpu.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	b := newTestbed(t, cpu, fmt.Sprintf(frames["rv32"], 3, "\tlw a0, 0(a4)\n\tcsrr a0, mcycle\n\tsw a0, 0(a4)\n\tdivu a0, a4, a1\n"))
	replayed := b.totals(t, 3, func(*Pipeline) {})
	walked := b.totals(t, 3, func(p *Pipeline) { p.Memoise(false) })
	if replayed != walked || walked.By[costmodel.LoadUse] != 0 {
		t.Errorf("replayed %v, walked %v", replayed.Map(), walked.Map())
	}
}
