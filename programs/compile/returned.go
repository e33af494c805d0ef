package compile

import (
	"slices"

	"simrun/programs/ir"
)

// storeReturned moves stores to outputs behind the values that they store. A keys function returns all its words at the
// end, more than there are registers and slots for. Nothing reads an output, and each element is written once, so
// the order of the stores does not matter.
func (g *Graph) storeReturned() {
	slices.SortStableFunc(g.Body.Nodes, func(a, b Node) int { return isBase(b) - isBase(a) })
	g.Body.Visit(func(r *Region) {
		after := map[*Value][]Node{}
		made := map[*Value]int{}
		var rest []Node
		for i, n := range r.Nodes {
			switch n := n.(type) {
			case *Value:
				made[n] = i
			case *Store:
				_, inside := made[n.Val]
				if last := n.Val; n.Mem.Kind == ir.Out && inside {
					if made[n.Addr] > made[last] {
						last = n.Addr
					}
					after[last] = append(after[last], n)
					continue
				}
			}
			rest = append(rest, n)
		}
		r.Nodes = r.Nodes[:0]
		for _, n := range rest {
			r.Nodes = append(r.Nodes, n)
			if v, ok := n.(*Value); ok {
				r.Nodes = append(r.Nodes, after[v]...)
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
