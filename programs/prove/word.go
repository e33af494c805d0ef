package prove

import "slices"

// word is bits, the lowest first.
type word []edge

func constWord(width int, lo, hi uint64) word {
	w := make(word, width)
	for i := range w {
		if i < 64 {
			w[i] = edge(lo >> i & 1)
		} else {
			w[i] = edge(hi >> (i - 64) & 1)
		}
	}
	return w
}

// number is the value of a word of constants.
func (w word) number() (v uint64, ok bool) {
	for i, e := range w {
		if !e.constant() {
			return 0, false
		}
		if i < 64 {
			v |= uint64(e) << i
		}
	}
	return v, true
}

func (g *graph) inputs(width int) word {
	w := make(word, width)
	for i := range w {
		w[i] = g.input()
	}
	return w
}

func zip(a, b word, f func(x, y edge) edge) word {
	w := make(word, len(a))
	for i := range w {
		w[i] = f(a[i], b[i])
	}
	return w
}

func (w word) not() word {
	out := make(word, len(w))
	for i, e := range w {
		out[i] = e.not()
	}
	return out
}

// add is a + b + carry, with the carry out. Both sides of a proof add in this way, so that equal sums are equal gates.
func (g *graph) add(a, b word, carry edge) (sum word, out edge) {
	sum = make(word, len(a))
	for i := range sum {
		half := g.xor(a[i], b[i])
		sum[i] = g.xor(half, carry)
		carry = g.or(g.and(a[i], b[i]), g.and(half, carry))
	}
	return sum, carry
}

// allZero is set if no bit is. A tree has fewer gates that are hardly ever set, and so look alike, than a chain.
func (g *graph) allZero(w word) edge {
	if len(w) == 1 {
		return w[0].not()
	}
	half := len(w) / 2
	return g.and(g.allZero(w[:half]), g.allZero(w[half:]))
}

// picked is bits of w by place; -1 is 0.
func (w word) picked(width int, from func(i int) int) word {
	out := make(word, width)
	for i := range out {
		if k := from(i); k >= 0 && k < len(w) {
			out[i] = w[k]
		}
	}
	return out
}

// reversed has the bytes in the other order.
func (w word) reversed() word {
	n := len(w) / 8
	return w.picked(len(w), func(i int) int { return 8*(n-1-i/8) + i%8 })
}

// ordered is a word as memory holds it, or back.
func (w word) ordered(bigEndian bool) word {
	if bigEndian {
		return w.reversed()
	}
	return slices.Clone(w)
}
