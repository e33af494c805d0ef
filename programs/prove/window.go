package prove

import (
	"math/bits"
	"slices"
)

const (
	maxLeaves = 8   // inputs of a window: its truth table has 256 bits
	maxInside = 200 // gates of a window
	maxSpan   = 400 // gates that an elimination opens
)

// table is a truth table over the leaves of a window.
type table [1 << maxLeaves / 64]uint64

// leafTables are the tables of the leaves themselves: bit i of leaf k is bit k of i.
var leafTables = func() (t [maxLeaves]table) {
	for k := range t {
		for i := range 1 << maxLeaves {
			t[k][i/64] |= uint64(i>>k&1) << (i % 64)
		}
	}
	return t
}()

// window is the work space of one comparison.
type window struct {
	leaves, inside []uint32          // nodes, ascending
	roots          []uint32          // what it grew from
	below          map[uint32]uint16 // bit k is set if root k depends on the node
	tables         map[uint32]table
}

func newWindow() window {
	return window{below: map[uint32]uint16{}, tables: map[uint32]table{}}
}

// equal proves that two bits are the same for all values of the inputs, or gives up.
func (g *graph) equal(x, y edge) bool {
	rest, sign := g.eliminate(x, y)
	switch {
	case len(rest) == 0 && sign == zero:
		g.count.Span++
		return true
	case len(rest) == 0:
		return false
	}
	choosers := []chooser{(*graph).frontier, (*graph).cheapest}
	if x.constant() || y.constant() {
		choosers = choosers[1:] // one cone has no frontier
	}
	for _, next := range choosers {
		if g.windowed(next, x.negated()^y.negated(), x.node(), y.node()) || len(rest) <= maxLeaves && g.windowed(next, sign, rest...) {
			g.count.Table++
			return true
		}
	}
	return false
}

// eliminate writes x ^ y as a sum over GF(2) of nodes that are no XOR, and a constant. Where that takes too many steps,
// XORs are left in the sum.
func (g *graph) eliminate(x, y edge) (rest []uint32, sign edge) {
	sign = x.negated() ^ y.negated()
	var sum []uint32 // nodes that count once, ascending
	toggle := func(n uint32) {
		if i, found := slices.BinarySearch(sum, n); found {
			sum = slices.Delete(sum, i, i+1)
		} else if n != 0 {
			sum = slices.Insert(sum, i, n)
		}
	}
	toggle(x.node())
	toggle(y.node())
	for range maxSpan {
		if len(sum) == 0 {
			return rest, sign
		}
		top := sum[len(sum)-1]
		sum = sum[:len(sum)-1]
		if n := g.nodes[top]; n.xor() {
			toggle(n.a.node())
			toggle(n.b.node())
		} else {
			rest = append(rest, top)
		}
	}
	return append(rest, sum...), sign
}

// windowed proves that the XOR of nodes is the constant, by the truth table of windows that grow from them
// towards the inputs.
func (g *graph) windowed(next chooser, constant edge, roots ...uint32) bool {
	w := &g.win
	w.roots, w.leaves, w.inside = append(w.roots[:0], roots...), append(w.leaves[:0], roots...), w.inside[:0]
	slices.Sort(w.leaves)
	for len(w.inside) < maxInside && g.work < maxWork {
		g.work += len(w.inside)
		leaf, ok := next(g, w)
		if !ok {
			return false
		}
		g.open(w, leaf)
		if len(w.leaves) <= maxLeaves && g.isConstant(w, constant, roots) {
			return true
		}
	}
	return false
}

// A chooser says which leaf of a window is opened next; ok is false if it may not grow.
type chooser func(g *graph, w *window) (leaf uint32, ok bool)

// How many leaves a window may have in between: slack more than in the end, and maxWide before the cones of its roots have met.
const (
	slack   = 4
	maxWide = 64
)

// cheapest chooses the leaf whose opening adds the fewest leaves, the latest of them.
func (g *graph) cheapest(w *window) (leaf uint32, ok bool) {
	best := maxLeaves + slack - len(w.leaves) + 1
	for _, l := range slices.Backward(w.leaves) {
		n := g.nodes[l]
		if n.input() {
			continue
		}
		cost := -1
		for _, e := range [2]edge{n.a, n.b} {
			if !w.holds(e.node()) {
				cost++
			}
		}
		if cost < best {
			best, leaf, ok = cost, l, true
		}
	}
	return leaf, ok
}

// frontier chooses the latest leaf that only one root depends on. As nodes are in topological order, none that several
// depend on is opened before that is known, so the window first stops growing where the cones of the roots meet. Then
// the cheapest is next.
func (g *graph) frontier(w *window) (leaf uint32, ok bool) {
	g.spread(w)
	for _, l := range slices.Backward(w.leaves) {
		if m := w.below[l]; m&(m-1) == 0 && !g.nodes[l].input() {
			return l, len(w.leaves) <= maxWide
		}
	}
	return g.cheapest(w)
}

// spread finds which roots depend on each node of the window.
func (g *graph) spread(w *window) {
	clear(w.below)
	for k, r := range w.roots {
		w.below[r] = 1 << k
	}
	for _, i := range slices.Backward(w.inside) {
		n := g.nodes[i]
		w.below[n.a.node()] |= w.below[i]
		w.below[n.b.node()] |= w.below[i]
	}
}

func (w *window) holds(n uint32) bool {
	_, leaf := slices.BinarySearch(w.leaves, n)
	if leaf {
		return true
	}
	_, inside := slices.BinarySearch(w.inside, n)
	return inside || n == 0
}

// open makes a leaf an inner node.
func (g *graph) open(w *window, leaf uint32) {
	i, _ := slices.BinarySearch(w.leaves, leaf)
	w.leaves = slices.Delete(w.leaves, i, i+1)
	i, _ = slices.BinarySearch(w.inside, leaf)
	w.inside = slices.Insert(w.inside, i, leaf)
	n := g.nodes[leaf]
	for _, e := range [2]edge{n.a, n.b} {
		if !w.holds(e.node()) {
			i, _ := slices.BinarySearch(w.leaves, e.node())
			w.leaves = slices.Insert(w.leaves, i, e.node())
		}
	}
}

// isConstant computes the table of the window.
func (g *graph) isConstant(w *window, constant edge, roots []uint32) bool {
	clear(w.tables)
	w.tables[0] = table{}
	for k, l := range w.leaves {
		w.tables[l] = leafTables[k]
	}
	for _, i := range w.inside {
		w.tables[i] = gateTable(g.nodes[i], w.tables)
	}
	want := -uint64(constant)
	var sum table
	for _, r := range roots {
		for i, v := range w.tables[r] {
			sum[i] ^= v
		}
	}
	for _, v := range sum {
		if v != want {
			return false
		}
	}
	return true
}

func gateTable(n node, tables map[uint32]table) (t table) {
	a, b := tables[n.a.node()], tables[n.b.node()]
	ma, mb := -uint64(n.a.negated()), -uint64(n.b.negated())
	for i := range t {
		if n.xor() {
			t[i] = a[i] ^ b[i]
		} else {
			t[i] = (a[i] ^ ma) & (b[i] ^ mb)
		}
	}
	return t
}

// differs returns a pattern for which two bits differ, -1 if none of the rows has one.
func (g *graph) differs(x, y edge) int {
	a, b := &g.rows[x.node()], &g.rows[y.node()]
	flip := -uint64(x.negated() ^ y.negated())
	for i := range a {
		if d := a[i] ^ b[i] ^ flip; d != 0 {
			return 64*i + bits.TrailingZeros64(d)
		}
	}
	return -1
}

// value is a bit for one pattern.
func (g *graph) value(e edge, pattern int) uint64 {
	return g.rows[e.node()][pattern/64]>>(pattern%64)&1 ^ uint64(e.negated())
}

// again gives the inputs new random patterns and simulates everything. Nothing may be added to the graph
// afterwards: it no longer looks as it did.
func (g *graph) again() {
	for i := range g.nodes {
		switch n := g.nodes[i]; {
		case i == 0:
		case n.input():
			for k := range g.rows[i] {
				g.rows[i][k] = g.random()
			}
		default:
			g.rows[i] = g.simulate(n)
		}
	}
}
