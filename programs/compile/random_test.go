package compile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simrun/internal/foreign"
	"simrun/programs/targets"
)

// writer makes a random kernel text: word operations of every kind, loops with carried values,
// conditions on public numbers, scratch memory.
type writer struct {
	rng   *rand.Rand
	b     strings.Builder
	depth int
	loops []string // public variables in scope, each below 4
	leaky bool     // tables are read at secret indices
	wide  bool     // there are words of 64 bits
}

const variables = 9 // words a0..a8: with masks and pointers more than Thumb-2 has registers for

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, "%s%s\n", strings.Repeat("    ", w.depth), fmt.Sprintf(format, args...))
}

func (w *writer) pick(s ...string) string { return s[w.rng.IntN(len(s))] }

func (w *writer) v() string { return fmt.Sprintf("a%d", w.rng.IntN(variables)) }

// index is a public number below 8.
func (w *writer) index() string {
	if len(w.loops) > 0 && w.rng.IntN(2) == 0 {
		return w.loops[w.rng.IntN(len(w.loops))] + w.pick("", "+1", "+4")
	}
	return fmt.Sprint(w.rng.IntN(8))
}

func (w *writer) mask() string {
	return w.pick("0x55555555", "0x0f0f0f0f", "0x00ff00ff", "0x11111111", "0xdeadbeef", "0xff", "0x80000001", "1")
}

func (w *writer) expr(depth int) string {
	if depth == 0 {
		return w.pick(w.v(), w.v(), "rk["+w.index()+"]", "x["+w.index()+"]", "s["+w.index()+"]", "T["+w.index()+"]")
	}
	a, b := w.expr(depth-1), w.expr(w.rng.IntN(depth))
	n := 1 + w.rng.IntN(31)
	kinds := 16
	if w.leaky {
		kinds = 20
	}
	switch w.rng.IntN(kinds) {
	case 16, 17:
		return fmt.Sprintf("(%s ^ L[w8(%s >> %d)])", a, b, w.rng.IntN(4)*8)
	case 18:
		return fmt.Sprintf("w32(%s)", w.pick("H["+b+" >> 27]", "B["+b+" & 15]", "H[w16("+b+") >> 11]"))
	case 19:
		if w.wide {
			return fmt.Sprintf("w32(%s)", w.word64(2))
		}
		return fmt.Sprintf("(L[w8(%s)] %s %s)", a, w.pick("^", "&", "|", "+", "-"), b)
	case 14:
		return fmt.Sprintf("w32(%s)", w.narrow(8, 2))
	case 15:
		return fmt.Sprintf("w32(%s)", w.narrow(16, 2))
	case 0, 1:
		return fmt.Sprintf("(%s ^ %s)", a, b)
	case 2:
		return fmt.Sprintf("(%s & %s)", a, b)
	case 3:
		return fmt.Sprintf("(%s | %s)", a, b)
	case 4:
		return fmt.Sprintf("~%s", a)
	case 5:
		return fmt.Sprintf("(%s %s %d)", a, w.pick("<<<", ">>>"), n)
	case 6:
		return fmt.Sprintf("(%s %s %d)", a, w.pick("<<", ">>"), n)
	case 7:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("&", "^", "|", "+"), w.mask())
	case 8:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("+", "-"), b)
	case 9:
		return fmt.Sprintf("%s(%s, %s)", w.pick("andn", "orn"), a, b)
	case 10:
		return fmt.Sprintf("rotin(%s, %s, %d)", a, w.pick("4", "8", "16"), n%4)
	case 11:
		return fmt.Sprintf("mux(%s, %s, %s)", a, b, w.v())
	case 12:
		return fmt.Sprintf("%s(%s)", w.pick("rev", "rev16"), a)
	}
	return fmt.Sprintf("bperm(%s, [%s])", a, w.pick("1, 2, 3, 0", "0, 0, 2, 1", "3, 2, 1, 0"))
}

// word64 is an expression on words of 64 bits.
func (w *writer) word64(depth int) string {
	if depth == 0 {
		return w.pick("w64("+w.v()+")", "Q["+w.v()+" >> 28]", "(w64("+w.v()+") << 32)")
	}
	a, b := w.word64(depth-1), w.word64(w.rng.IntN(depth))
	switch w.rng.IntN(6) {
	case 0:
		return fmt.Sprintf("~%s", a)
	case 1:
		return fmt.Sprintf("(%s %s %d)", a, w.pick("<<<", ">>>", "<<", ">>"), 1+w.rng.IntN(63))
	case 2:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("&", "^", "|", "+", "-"), w.pick("0xff", "0x123456789abcdef0", "0xffffffff00000000", "0x80000000", "3"))
	case 3:
		return fmt.Sprintf("%s(%s)", w.pick("rev", "rev16"), a)
	}
	return fmt.Sprintf("(%s %s %s)", a, w.pick("&", "^", "|", "+", "-"), b)
}

// narrow is an expression on words of 8 or 16 bits.
func (w *writer) narrow(width, depth int) string {
	if depth == 0 {
		return fmt.Sprintf("w%d(%s)", width, w.v())
	}
	a, b := w.narrow(width, depth-1), w.narrow(width, w.rng.IntN(depth))
	n := 1 + w.rng.IntN(width-1)
	switch w.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("~%s", a)
	case 1:
		return fmt.Sprintf("(%s %s %d)", a, w.pick("<<<", ">>>", "<<", ">>"), n)
	case 2:
		return fmt.Sprintf("(%s %s 0x%x)", a, w.pick("&", "^", "|", "+", "-"), 1+w.rng.IntN(1<<width-1))
	case 3:
		return fmt.Sprintf("%s(%s, %s)", w.pick("andn", "orn"), a, b)
	}
	return fmt.Sprintf("(%s %s %s)", a, w.pick("&", "^", "|", "+", "-"), b)
}

func (w *writer) block(statements, nest int) { w.lines(statements, func() { w.statement(nest) }) }

// lines writes n statements one step further in.
func (w *writer) lines(n int, statement func()) {
	w.depth++
	for range n {
		statement()
	}
	w.depth--
}

// repeat writes a loop.
func (w *writer) repeat(bounds string, body func()) {
	name := fmt.Sprintf("i%d", len(w.loops))
	w.line("repeat %s in %s {", name, bounds)
	w.loops = append(w.loops, name)
	body()
	w.loops = w.loops[:len(w.loops)-1]
	w.line("}")
}

func (w *writer) statement(nest int) {
	kind := w.rng.IntN(10)
	if nest == 0 {
		kind %= 7
	}
	switch kind {
	case 0, 1, 2, 3:
		w.line("%s = %s", w.v(), w.expr(2))
	case 4:
		a, b := w.v(), w.v()
		if a != b {
			w.line("%s, %s = swapmove(%s, %s, %s, %d)", a, b, a, b, w.pick("0x55555555", "0x0f0f0f0f", "0x00ff00ff"), w.rng.IntN(8))
		}
	case 5:
		w.line("s[%s] = %s", w.index(), w.expr(1))
	case 6:
		w.line("%s ^= rk[%s]", w.v(), w.index())
	case 7, 8:
		bounds := w.pick("0..3", "0..2", "1..4", "0..4 by 2")
		if w.rng.IntN(4) == 0 {
			bounds = w.pick("0..n", "1..n", "n..3")
			if len(w.loops) > 0 {
				bounds = w.pick(bounds, w.loops[0]+"..n", w.loops[0]+"..3")
			}
		}
		w.repeat(bounds, func() { w.block(1+w.rng.IntN(4), nest-1) })
	case 9:
		w.line("if n %s %d {", w.pick("<", ">", "==", "!=", "<=", ">="), w.rng.IntN(4))
		w.block(1+w.rng.IntN(3), nest-1)
		w.line("} else {")
		w.block(w.rng.IntN(3), nest-1)
		w.line("}")
	}
}

// secretTables are read at secret indices.
const secretTables = `table L: w32[256] = { %s }
table H: w16[32] = { %s }
table B: w8[16] = { 1, 0x80, 0xff, 0, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41 }
table Q: w64[16] = { %s }
`

// numbers lists n random entries of so many bits.
func (w *writer) numbers(n, bits int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%#x", w.rng.Uint64()>>(64-bits))
	}
	return strings.Join(list, ", ")
}

func randomKernel(seed uint64) string {
	return (&writer{rng: rand.New(rand.NewPCG(seed, 7))}).kernel()
}

// randomLeaky is a kernel with tables at secret indices and words of 64 bits.
func randomLeaky(seed uint64) string {
	return (&writer{rng: rand.New(rand.NewPCG(seed, 8)), leaky: true, wide: true}).kernel()
}

func (w *writer) kernel() string {
	order := w.pick("le", "be")
	w.line("table T: w32[8] = { 1, 0x80000000, 0xffffffff, 0x12345678, 5, 6, 0xcafe, 8 }")
	kind := "kernel"
	if w.leaky {
		kind = "leaky kernel"
		w.line(secretTables, w.numbers(256, 32), w.numbers(32, 16), w.numbers(16, 64))
	}
	w.line("%s random/text(in x: w32[8] %s, out y: w32[%d] %s, key rk: w32[8], public n: int in 0..4) {", kind, order, variables, order)
	w.depth = 1
	w.line("scratch s: w32[8]")
	for i := range 8 {
		w.line("s[%d] = x[%d]", i, i)
	}
	for i := range variables {
		w.line("a%d = x[%d]", i, i%8)
	}
	w.depth = 0
	w.block(4+w.rng.IntN(8), 2)
	w.depth = 1
	for i := range variables {
		w.line("y[%d] = a%d ^ s[%d] ^ T[n] ^ rk[n]", i, i, i%8)
	}
	w.depth = 0
	w.line("}")
	return w.b.String()
}

// TestRandomKernels compares random kernels on every target with the interpreter.
func TestRandomKernels(t *testing.T) {
	for seed := range uint64(foreign.Count(50, 10000)) {
		text := randomKernel(seed)
		ks := parse(t, fstest.MapFS{"random.kir": {Data: []byte(text)}}, "random.kir")
		for _, tg := range targets.All() {
			for _, o := range slices.Concat(forms, searched) {
				if d := difference(t, tg, ks[0], o, 1, map[string]int64{"n": int64(seed % 4)}); d != "" {
					t.Fatalf("seed %d: %s\n%s", seed, d, text)
				}
			}
		}
	}
}

// TestRandomLeakyKernels does the same with tables at secret indices and, on x86, words of 64 bits: in general
// registers there.
func TestRandomLeakyKernels(t *testing.T) {
	for seed := range uint64(foreign.Count(50, 10000)) {
		for _, tg := range targets.All() {
			w := &writer{rng: rand.New(rand.NewPCG(seed, 8)), leaky: true, wide: tg.Arch.ABI().WordBytes == 8}
			text := w.kernel()
			k := parse(t, fstest.MapFS{"random.kir": {Data: []byte(text)}}, "random.kir")[0]
			for _, o := range forms {
				if d := difference(t, tg, k, o, 1, map[string]int64{"n": int64(seed % 4)}); d != "" {
					t.Fatalf("seed %d: %s\n%s", seed, d, text)
				}
			}
		}
	}
}
