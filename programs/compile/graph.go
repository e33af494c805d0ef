package compile

import (
	"slices"

	"simrun/isa"
	"simrun/programs/ir"
)

// Op is an operation of the value graph: those of ir that work on words, and the
// leaves and addresses that only a compiler has.
type Op = ir.Op

// Operations beyond the words of ir. Values of width 0 are addresses and public numbers:
// they live in general registers and are as wide as those.
const (
	OpConst  Op = 64 + iota // Value.Const
	OpLoad                  // element of Value.Mem at address Args[0] + Off bytes
	OpPhi                   // value carried through a loop, as the body sees it
	OpMerge                 // value after a loop or a condition
	OpBase                  // address of Value.Mem
	OpPublic                // public parameter Value.Name
	OpNumber                // a number, Value.Off, of width 0
	OpAddr                  // Args[0] + Off
	OpScale                 // Args[0] * Off
	OpSum                   // Args[0] + Args[1]
)

// Value is a node of the graph. Values are immutable after simplification and shared:
// equal operations on equal arguments are one value within a region and those around it.
type Value struct {
	ID    int // dense, in order of creation: arguments come before their users
	Op    Op
	Width int // bits; 0 = address or public number
	Args  []*Value
	Imm   ir.Imm
	Const ir.Word
	Mem   *ir.Mem
	Off   int64
	Name  string
	Pos   ir.Pos
	Uses  int // counted by countUses
	Field int // of Shl and Shr on 128 bits: shifts within fields of so many bits give all bits that are needed; 0 = no smaller ones do
}

// Node is an element of a region in program order: *Value, *Store, *Loop or *Cond.
type Node interface{ node() }

// Store writes element Val to Mem at address Addr + Off bytes.
type Store struct {
	Mem  *ir.Mem
	Addr *Value
	Off  int64
	Val  *Value
	Pos  ir.Pos
}

// Loop runs Body once for each of Count turns. Phis[i] is Init[i] in the first turn and Next[i]
// of the turn before in the others; Out[i] is the last Next[i].
type Loop struct {
	Phis, Init, Next, Out []*Value
	Count                 *Value // width 0; OpNumber if known
	Body                  *Region
	Pos                   ir.Pos
}

// Cond runs Then or Else by a public comparison. Out[i] is the i-th result of the one that ran.
type Cond struct {
	Compare    ir.Compare
	A, B       *Value
	Then, Else *Region
	Out        []*Value
	Pos        ir.Pos
}

func (*Value) node() {}
func (*Store) node() {}
func (*Loop) node()  {}
func (*Cond) node()  {}

// Region is a list of nodes; Results are what a branch of a Cond hands out.
type Region struct {
	Nodes   []Node
	Results []*Value
}

// Graph is an elaborated kernel: no names, no calls, no arrays, and loops only where they
// were kept.
type Graph struct {
	Kernel  *ir.Kernel
	Params  []ir.Param
	Body    *Region
	Scratch []*ir.Mem
	Loops   int // kept as loops
	Depth   int // nesting of repeat, unrolled ones included
	values  int
}

// Visit calls f for every region, outer ones first.
func (r *Region) Visit(f func(*Region)) {
	f(r)
	for _, n := range r.Nodes {
		switch n := n.(type) {
		case *Loop:
			n.Body.Visit(f)
		case *Cond:
			n.Then.Visit(f)
			n.Else.Visit(f)
		}
	}
}

// inputs calls f for every value that node n itself reads (not what its regions read).
func inputs(n Node, f func(**Value)) {
	each := func(vs []*Value) {
		for i := range vs {
			f(&vs[i])
		}
	}
	switch n := n.(type) {
	case *Value:
		each(n.Args)
	case *Store:
		f(&n.Addr)
		f(&n.Val)
	case *Loop:
		each(n.Init)
		f(&n.Count)
	case *Cond:
		f(&n.A)
		f(&n.B)
	}
}

// outputs calls f for the values that leave node n's regions at their ends.
func outputs(n Node, f func(**Value)) {
	each := func(vs []*Value) {
		for i := range vs {
			f(&vs[i])
		}
	}
	switch n := n.(type) {
	case *Loop:
		each(n.Next)
	case *Cond:
		each(n.Then.Results)
		each(n.Else.Results)
	}
}

// countUses fills Value.Uses of the whole graph.
func (g *Graph) countUses() {
	bump := func(v **Value) { (*v).Uses++ }
	g.Body.Visit(func(r *Region) {
		for _, n := range r.Nodes {
			if v, ok := n.(*Value); ok {
				v.Uses = 0
			}
			if l, ok := n.(*Loop); ok {
				for _, p := range slices.Concat(l.Phis, l.Out) {
					p.Uses = 0
				}
			}
		}
	})
	g.Body.Visit(func(r *Region) {
		for _, n := range r.Nodes {
			inputs(n, bump)
			outputs(n, bump)
		}
	})
}

// sweep removes values that nothing uses, and carried values that only carry themselves.
func (g *Graph) sweep() {
	live := map[*Value]bool{}
	mark := func(v **Value) { live[*v] = true }
	for changed := true; changed; {
		before := len(live)
		markLive(g.Body, live, mark)
		changed = len(live) != before
	}
	g.Body.Visit(func(r *Region) {
		r.Nodes = slices.DeleteFunc(r.Nodes, func(n Node) bool {
			v, ok := n.(*Value)
			return ok && !live[v]
		})
		for _, n := range r.Nodes {
			if l, ok := n.(*Loop); ok {
				l.dropDead(live)
			}
		}
	})
}

// markLive walks a region backwards and marks what its live nodes need. Loops are
// walked until nothing changes, by the caller.
func markLive(r *Region, live map[*Value]bool, mark func(**Value)) {
	for i := range r.Results {
		mark(&r.Results[i])
	}
	for i := len(r.Nodes) - 1; i >= 0; i-- {
		switch n := r.Nodes[i].(type) {
		case *Value:
			if live[n] {
				inputs(n, mark)
			}
		case *Store:
			inputs(n, mark)
		case *Loop:
			mark(&n.Count)
			for j := range n.Phis {
				if live[n.Out[j]] || live[n.Phis[j]] {
					mark(&n.Next[j])
					mark(&n.Init[j])
				}
			}
			markLive(n.Body, live, mark)
		case *Cond:
			inputs(n, mark)
			markLive(n.Then, live, mark)
			markLive(n.Else, live, mark)
		}
	}
}

func (l *Loop) dropDead(live map[*Value]bool) {
	k := 0
	for j := range l.Phis {
		if live[l.Out[j]] || live[l.Phis[j]] {
			l.Phis[k], l.Init[k], l.Next[k], l.Out[k] = l.Phis[j], l.Init[j], l.Next[j], l.Out[j]
			k++
		}
	}
	l.Phis, l.Init, l.Next, l.Out = l.Phis[:k], l.Init[:k], l.Next[:k], l.Out[:k]
}

// regClass is the register class a value lives in on a target with vector words or not. 128 bits fit no general register.
func regClass(v *Value, vec bool) isa.RegClass {
	if v.Width == 128 || vec && v.Width > 0 {
		return isa.Vec
	}
	return isa.GPR
}
