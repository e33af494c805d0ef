package prove

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func testGraph() *graph { return newGraph(rand.New(rand.NewPCG(7, 8)).Uint64) }

// TestMergesAreRight builds random gates over eight inputs beside their truth tables: whatever the graph has made of a gate
// has the gate's table for all 256 inputs, and gates of one table differ only where the windows are too small.
func TestMergesAreRight(t *testing.T) {
	merged := 0
	rapid.Check(t, func(t *rapid.T) {
		g := testGraph()
		edges, tables := g.inputs(8), leafTables[:]
		for range rapid.IntRange(1, 60).Draw(t, "gates") {
			i, j := rapid.IntRange(0, len(edges)-1).Draw(t, "a"), rapid.IntRange(0, len(edges)-1).Draw(t, "b")
			a, b, ta, tb := edges[i], edges[j], tables[i], tables[j]
			if rapid.Bool().Draw(t, "not") {
				a = a.not()
				ta = tableOf(ta, ta, func(x, _ uint64) uint64 { return ^x })
			}
			if rapid.Bool().Draw(t, "xor") {
				edges, tables = append(edges, g.xor(a, b)), append(tables, tableOf(ta, tb, func(x, y uint64) uint64 { return x ^ y }))
			} else {
				edges, tables = append(edges, g.and(a, b)), append(tables, tableOf(ta, tb, func(x, y uint64) uint64 { return x & y }))
			}
		}
		all := g.allTables()
		for i, e := range edges {
			got := all[e.node()]
			if e.negated() != 0 {
				got = tableOf(got, got, func(x, _ uint64) uint64 { return ^x })
			}
			if got != tables[i] {
				t.Fatalf("gate %d of %d is wrong", i, len(edges))
			}
		}
		merged += g.count.Span + g.count.Table
	})
	if merged == 0 {
		t.Error("nothing was merged")
	}
}

func tableOf(a, b table, f func(x, y uint64) uint64) (t table) {
	for i := range t {
		t[i] = f(a[i], b[i])
	}
	return t
}

// allTables computes every node of a graph whose first nodes are eight inputs.
func (g *graph) allTables() map[uint32]table {
	all := map[uint32]table{0: {}}
	for i := uint32(1); i < uint32(len(g.nodes)); i++ {
		if i <= maxLeaves {
			all[i] = leafTables[i-1]
			continue
		}
		all[i] = gateTable(g.nodes[i], all)
	}
	return all
}

// TestIdentities builds both sides of equations that hold, and of some that do not.
func TestIdentities(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(g *graph, x word) (a, b edge)
		equal bool
	}{
		{"xor in another order", func(g *graph, x word) (a, b edge) {
			return g.xor(g.xor(x[0], x[1]), g.xor(x[2], x[3])), g.xor(x[0], g.xor(g.xor(x[3], x[1]), x[2]))
		}, true},
		{"two forms of a choice", func(g *graph, x word) (a, b edge) {
			return g.mux(x[0], x[1], x[2]), g.xor(g.and(g.xor(x[1], x[2]), x[0]), x[2])
		}, true},
		{"and over xor", func(g *graph, x word) (a, b edge) {
			return g.and(x[0], g.xor(x[1], x[2])), g.xor(g.and(x[0], x[1]), g.and(x[0], x[2]))
		}, true},
		{"absorption", func(g *graph, x word) (a, b edge) { return g.and(x[0], g.or(x[0], x[1])), x[0] }, true},
		{"choices by conditions that hold the choice", func(g *graph, x word) (a, b edge) {
			d, y := x[0], x[1]
			c0, c1 := g.xor(g.mux(x[2], x[3], x[4]), d), g.xor(g.mux(x[5], g.mux(x[6], x[7], x[8]), g.and(x[9], x[10])), d)
			return g.mux(c1, d, g.mux(c0, d, y)), g.xor(g.and(c1.not(), g.and(c0.not(), g.xor(d, y))), d)
		}, true},
		{"and in another order", func(g *graph, x word) (a, b edge) {
			return g.and(g.and(x[0], x[1]), g.and(x[2], x[3])), g.and(x[3], g.and(x[1], g.and(x[2], x[0])))
		}, true},
		{"or for xor", func(g *graph, x word) (a, b edge) { return g.or(x[0], x[1]), g.xor(x[0], x[1]) }, false},
		{"a wide and for zero", func(g *graph, x word) (a, b edge) {
			a = one
			for _, e := range x {
				a = g.and(a, e)
			}
			return a, zero
		}, false},
	} {
		g := testGraph()
		a, b := c.build(g, g.inputs(40))
		if (a == b) != c.equal {
			t.Errorf("%s: the same node is %v", c.name, a == b)
		}
	}
}
