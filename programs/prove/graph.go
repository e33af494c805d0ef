package prove

import "math/bits"

// edge is a bit: a node, and in bit 0 whether it is complemented.
type edge uint32

const (
	zero edge = 0 // node 0 is the constant
	one  edge = 1
)

func (e edge) node() uint32   { return uint32(e >> 1) }
func (e edge) not() edge      { return e ^ 1 }
func (e edge) negated() edge  { return e & 1 }
func (e edge) constant() bool { return e <= one }
func edgeOf(node uint32) edge { return edge(node << 1) }
func (n node) input() bool    { return n.a == n.b }
func (n node) xor() bool      { return n.a > n.b }

// input makes a bit that may have any value.
func (g *graph) input() edge {
	e := g.push(node{})
	g.file(e)
	return e
}

// full reports whether the proof has become too large.
func (g *graph) full() bool { return len(g.nodes) > maxNodes }

func (g *graph) or(a, b edge) edge { return g.and(a.not(), b.not()).not() }

// node is a gate of two edges: AND if a < b, XOR if a > b, an input (or the constant) if a = b. The edges of an XOR
// are not complemented.
type node struct{ a, b edge }

// rowWords is how many words of random patterns a node is simulated on; 64 patterns in each.
const rowWords = 8

const (
	none     = ^uint32(0)  // no node
	maxTries = 4           // nodes that look the same and are tried
	maxNodes = 4 << 20     // of a proof: about a gigabyte
	maxWork  = 500_000_000 // gates of windows looked at before nothing more is tried
)

// row is the value of a node for all patterns.
type row [rowWords]uint64

// graph is all bits of a proof. Nodes are in topological order, and no two of them are known to be equal.
type graph struct {
	nodes  []node
	rows   []row             // by node
	gates  map[node]edge     // what a gate has become
	looks  map[uint64]uint32 // the latest node by hash of its row, up to complement
	before []uint32          // the one before it that looks the same
	random func() uint64
	win    window
	work   int // gates of windows looked at
	count  Merges
}

// Merges counts the nodes that were proven equal to earlier ones.
type Merges struct {
	Table int // by the truth table of a window
	Span  int // by elimination over GF(2)
}

func newGraph(random func() uint64) *graph {
	g := &graph{gates: map[node]edge{}, looks: map[uint64]uint32{}, random: random, win: newWindow()}
	g.nodes, g.rows, g.before = []node{{}}, []row{{}}, []uint32{none}
	g.file(zero)
	return g
}

// push appends a node; an input gets random patterns.
func (g *graph) push(n node) edge {
	var r row
	if n.input() {
		for i := range r {
			r[i] = g.random()
		}
	} else {
		r = g.simulate(n)
	}
	g.nodes, g.rows, g.before = append(g.nodes, n), append(g.rows, r), append(g.before, none)
	return edgeOf(uint32(len(g.nodes) - 1))
}

func (g *graph) simulate(n node) row {
	var r row
	a, b := &g.rows[n.a.node()], &g.rows[n.b.node()]
	if n.xor() {
		for i := range r {
			r[i] = a[i] ^ b[i]
		}
		return r
	}
	ma, mb := -uint64(n.a.negated()), -uint64(n.b.negated())
	for i := range r {
		r[i] = (a[i] ^ ma) & (b[i] ^ mb)
	}
	return r
}

func (g *graph) and(a, b edge) edge {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == zero || a == b.not():
		return zero
	case a == one || a == b:
		return b
	}
	return g.gate(node{a, b})
}

func (g *graph) xor(a, b edge) edge {
	sign := a.negated() ^ b.negated()
	a, b = a&^1, b&^1
	if a < b {
		a, b = b, a
	}
	switch {
	case a == b:
		return sign
	case b == zero:
		return a ^ sign
	}
	return g.gate(node{a, b}) ^ sign
}

// mux is a where c is set, else b.
func (g *graph) mux(c, a, b edge) edge {
	switch {
	case c == one || a == b:
		return a
	case c == zero:
		return b
	}
	return g.or(g.and(c, a), g.and(c.not(), b))
}

// gate finds or makes a gate: the same one, one proven equal to it, or a new one.
func (g *graph) gate(n node) edge {
	if e, ok := g.gates[n]; ok {
		return e
	}
	e := g.push(n)
	if same, ok := g.proven(e); ok {
		g.pop()
		e = same
	} else {
		g.file(e)
	}
	g.gates[n] = e
	return e
}

// proven looks for an earlier node that e is equal to.
func (g *graph) proven(e edge) (same edge, ok bool) {
	r := &g.rows[e.node()]
	c, known := g.looks[r.hash()]
	for tries := 0; known && c != none && tries < maxTries; c = g.before[c] {
		flip := edge((r[0] ^ g.rows[c][0]) & 1)
		if g.differs(e, edgeOf(c)^flip) >= 0 {
			continue // only the hashes are the same
		}
		if g.equal(e, edgeOf(c)^flip) {
			return edgeOf(c) ^ flip, true
		}
		tries++
	}
	return 0, false
}

func (g *graph) pop() {
	n := len(g.nodes) - 1
	g.nodes, g.rows, g.before = g.nodes[:n], g.rows[:n], g.before[:n]
}

// file lets later nodes find e by its row.
func (g *graph) file(e edge) {
	h := g.rows[e.node()].hash()
	if c, known := g.looks[h]; known {
		g.before[e.node()] = c
	}
	g.looks[h] = e.node()
}

// hash is the same for a row and its complement.
func (r *row) hash() uint64 {
	flip := -(r[0] & 1)
	h := uint64(0)
	for _, v := range r {
		h = bits.RotateLeft64((h^v^flip)*0x9e3779b97f4a7c15, 29)
	}
	return h
}
