package compile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"simrun/internal/foreign"
	"simrun/programs/targets"
)

// wide makes a random kernel on v128, or on S, which every target has: operations of every kind, loops, scratch memory that is
// written between loads.
type wide struct {
	writer
	typ string // of the words
}

func (w *wide) mask() string {
	if w.typ == "S" {
		return "rep(" + w.writer.mask() + ")"
	}
	return w.pick("0x5555555555555555_5555555555555555", "0x00ff00ff00ff00ff_00ff00ff00ff00ff", "0x33333333_33333333", "1", "0xffffffffffffffff",
		"0x80000000000000000000000000000001")
}

func (w *wide) leaf() string {
	return w.pick(w.v(), w.v(), w.key(w.index()), "x["+w.index()+"]", "s["+w.index()+"]", "s["+w.index()+"]")
}

// key is a word of the key, which is of 32 bits beside slices.
func (w *wide) key(index string) string {
	if w.typ == "S" {
		return "splat(rk[" + index + "])"
	}
	return "rk[" + index + "]"
}

func (w *wide) expr(depth int) string {
	if depth == 0 {
		return w.leaf()
	}
	a, b := w.expr(depth-1), w.expr(w.rng.IntN(depth))
	n := 1 + w.rng.IntN(31)
	if w.typ == "v128" {
		n = w.rng.IntN(127) + 1
		if w.rng.IntN(2) == 0 {
			n = 8 * (1 + w.rng.IntN(15))
		}
	}
	switch w.rng.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s ^ %s)", a, b)
	case 3:
		return fmt.Sprintf("(%s & %s)", a, b)
	case 4:
		return fmt.Sprintf("(%s | %s)", a, b)
	case 5:
		return fmt.Sprintf("~%s", a)
	case 6:
		return fmt.Sprintf("(%s %s %d)", a, w.pick("<<<", ">>>", "<<", ">>"), n)
	case 7:
		return fmt.Sprintf("((%s %s %d) & %s)", a, w.pick("<<", ">>"), 1+w.rng.IntN(4), w.mask())
	case 8:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("+", "-"), b)
	case 9:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("+", "-", "^", "&", "|"), w.mask())
	case 10:
		return fmt.Sprintf("%s(%s, %s)", w.pick("andn", "orn"), a, b)
	case 11:
		return fmt.Sprintf("mux(%s, %s, %s)", a, b, w.leaf())
	}
	return w.move(a, b)
}

// move is an operation that moves bytes or changes the width and comes back.
func (w *wide) move(a, b string) string {
	if w.typ == "S" {
		return fmt.Sprintf("splat(-((rk[%s] >> %d) & 1))", w.index(), w.rng.IntN(32))
	}
	switch w.rng.IntN(7) {
	case 0:
		return fmt.Sprintf("%s(%s)", w.pick("rev", "rev16"), a)
	case 1:
		return fmt.Sprintf("lanes(%s, %s)", a, w.list(4, 4))
	case 2:
		return fmt.Sprintf("pack(lane(%s, %d), w32(%s), lane(%s, 3) + 5, lane(rk[1], 2))", a, w.rng.IntN(4), b, b)
	case 3:
		return fmt.Sprintf("v128(lane(%s, %d) <<< 7)", a, w.rng.IntN(4))
	}
	return fmt.Sprintf("bperm(%s, %s)", a, w.pick(w.list(16, 16), w.turned(), w.halves()))
}

// list is n random indices below most.
func (w *wide) list(n, most int) string {
	var list []string
	for range n {
		list = append(list, fmt.Sprint(w.rng.IntN(most)))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// turned is a rotation by bytes; halves shuffles the 16-bit parts of one half.
func (w *wide) turned() string {
	var list []string
	for n, k := w.rng.IntN(16), 0; k < 16; k++ {
		list = append(list, fmt.Sprint((n+k)%16))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func (w *wide) halves() string {
	half := w.rng.IntN(2)
	var list []string
	for k := 0; k < 16; k += 2 {
		from := k
		if k/8 == half {
			from = 8*half + 2*w.rng.IntN(4)
		}
		list = append(list, fmt.Sprint(from), fmt.Sprint(from+1))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func (w *wide) block(statements, nest int) { w.lines(statements, func() { w.statement(nest) }) }

func (w *wide) statement(nest int) {
	kind := w.rng.IntN(9)
	if nest == 0 {
		kind %= 8
	}
	a, b := w.rng.IntN(variables), w.rng.IntN(variables-1)
	if b >= a {
		b++
	}
	switch kind {
	case 0, 1, 2, 3:
		w.line("a%d = %s", a, w.expr(2))
	case 4:
		w.line("a%d, a%d = swapmove(a%d, a%d, %s, %d)", a, b, a, b, w.mask(), w.rng.IntN(8))
	case 5, 6:
		w.line("s[%s] = %s", w.index(), w.expr(1))
	case 7:
		fields := []string{"8", "16"}
		if w.typ == "v128" {
			fields = append(fields, "32", "64")
		}
		w.line("a%d, a%d = zip(a%d, %s, %s)", a, b, a, w.leaf(), w.pick(fields...))
	case 8:
		w.repeat(w.pick("0..3", "0..2", "1..4", "0..4 by 2", "0..n"), func() { w.block(1+w.rng.IntN(4), nest-1) })
	}
}

func randomWide(seed uint64, typ string) string {
	w := &wide{writer{rng: rand.New(rand.NewPCG(seed, 11))}, typ}
	order := w.pick("le", "be")
	key := typ
	if typ == "S" {
		key = "w32"
	}
	w.line("kernel random/wide(in x: %s[8] %s, out y: %s[%d] %s, key rk: %s[8], public n: int in 0..4) {", typ, order, typ, variables, order, key)
	w.depth = 1
	w.line("scratch s: %s[8]", typ)
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
		w.line("y[%d] = a%d ^ s[%d] ^ %s", i, i, i%8, w.key("n"))
	}
	w.depth = 0
	w.line("}")
	return w.b.String()
}

// TestRandomWide compares random kernels on wide words and slices on every target that takes them with the interpreter.
func TestRandomWide(t *testing.T) {
	for seed := range uint64(foreign.Count(50, 10000)) {
		for _, typ := range []string{"v128", "S"} {
			text := randomWide(seed, typ)
			k := parse(t, fstest.MapFS{"random.kir": {Data: []byte(text)}}, "random.kir")[0]
			for _, tg := range targets.All() {
				if !tg.Takes(k) {
					continue
				}
				for _, o := range forms {
					if d := difference(t, tg, k, o, 1, map[string]int64{"n": int64(seed % 4)}); d != "" {
						t.Fatalf("seed %d: %s\n%s", seed, d, text)
					}
				}
			}
		}
	}
}
