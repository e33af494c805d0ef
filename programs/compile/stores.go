package compile

import (
	"slices"

	"simrun/programs/ir"
)

// storeEarly moves stores of words of so many bits or more up to where their values are made, as far as no access to the same memory lies
// between. The text says what is stored behind the whole computation; a value that is in memory needs no register.
func storeEarly(g *Graph, width int) {
	slices.SortStableFunc(g.Body.Nodes, func(a, b Node) int { return isBase(b) - isBase(a) })
	g.Body.Visit(func(r *Region) {
		made := map[*Value]int{} // position
		for i, n := range r.Nodes {
			switch n := n.(type) {
			case *Value:
				made[n] = i
			case *Store:
				if n.Val.Width >= width {
					n.moveUp(r.Nodes[:i+1], made)
				}
			}
		}
	})
}

// isBase tells addresses of memory, which depend on nothing, from all else.
func isBase(n Node) int {
	if v, ok := n.(*Value); ok && v.Op == OpBase {
		return 1
	}
	return 0
}

// moveUp moves the last node, which is st. made has the positions of values, which stay in order: those that move down by one
// are put right.
func (st *Store) moveUp(nodes []Node, made map[*Value]int) {
	least := max(positionOf(made, st.Val), positionOf(made, st.Addr)) + 1
	to := len(nodes) - 1
	for to > least && st.passes(nodes[to-1]) {
		nodes[to] = nodes[to-1]
		to--
		if v, ok := nodes[to].(*Value); ok {
			made[v] = to + 1
		}
	}
	nodes[to] = st
}

// positionOf is -1 for a value from outside.
func positionOf(made map[*Value]int, v *Value) int {
	if i, ok := made[v]; ok {
		return i
	}
	return -1
}

// passes reports whether the store may change places with n.
func (st *Store) passes(n Node) bool {
	switch n := n.(type) {
	case *Value:
		return n.Op != OpLoad || st.apart(n.Mem, n.Args[0], n.Off)
	case *Store:
		return st.apart(n.Mem, n.Addr, n.Off)
	}
	return false
}

// apart reports whether an access reaches other memory than the store.
func (st *Store) apart(m *ir.Mem, addr *Value, off int64) bool {
	return m != st.Mem || addr == st.Addr && off != st.Off
}
