package compile

import (
	"fmt"
	"math"

	"simrun/programs/ir"
)

// elaborator builds a Graph as the Domain of ir.Eval. Loops nested less deep than roll
// stay loops; all others are unrolled.
type elaborator struct {
	g      *Graph
	t      *Target
	roll   int
	depth  int
	scopes int
	pos    ir.Pos
	scope  *scope
	public []*Value   // by variable number: the public parameter or loop variable
	ranges [][2]int64 // by variable number: least and most
	loops  []*loopVar
	tables map[*ir.Table]*ir.Mem // those looked up by a secret index
}

// scope is a region under construction, with what is known to be computed in it.
type scope struct {
	number int // tells scopes apart
	outer  *scope
	region *Region
	seen   map[key]*Value
	stores map[*ir.Mem]int // number of stores so far: loads before and after differ
	loop   *loopVar        // set if this is the body of a loop
}

// loopVar is the variable of a rolled loop and the pointers that step with it.
type loopVar struct {
	number int // of the public variable
	lo     ir.Index
	step   int64
	loop   *Loop
	scope  *scope // of the body
}

// key identifies a computation for sharing.
type key struct {
	op      Op
	width   int
	a, b, c int // IDs of up to three arguments, -1 = none
	extra   string
}

// elaborate evaluates the kernel into a graph. roll is the nesting depth down to which
// repeat stays a loop: 0 unrolls everything that has a known count.
func elaborate(k *ir.Kernel, t *Target, roll int) (*Graph, error) {
	g := &Graph{Kernel: k, Params: k.Params(t.SliceBits), Body: &Region{}}
	e := &elaborator{g: g, t: t, roll: roll, tables: map[*ir.Table]*ir.Mem{}}
	e.scope = &scope{region: g.Body, seen: map[key]*Value{}, stores: map[*ir.Mem]int{}}
	if err := ir.Eval[*Value](k, e, t.SliceBits); err != nil {
		return nil, err
	}
	g.sweep()
	return g, nil
}

func (e *elaborator) At(p ir.Pos) { e.pos = p }

func (e *elaborator) refuse(msg, hint string) {
	panic(&ir.Error{Pos: e.pos, Msg: msg, Hint: hint})
}

// add appends v to the current region, or returns the equal value computed before.
func (e *elaborator) add(v Value, extra string) *Value {
	k := key{op: v.Op, width: v.Width, a: -1, b: -1, c: -1, extra: extra}
	for i, p := range []*int{&k.a, &k.b, &k.c} {
		if i < len(v.Args) {
			*p = v.Args[i].ID
		}
	}
	for i := 3; i < len(v.Args); i++ {
		k.extra += fmt.Sprint(",", v.Args[i].ID)
	}
	for s := e.scope; s != nil; s = s.outer {
		if old := s.seen[k]; old != nil {
			return old
		}
	}
	n := e.fresh(v)
	e.scope.region.Nodes = append(e.scope.region.Nodes, n)
	e.scope.seen[k] = n
	return n
}

// fresh numbers a value without placing it.
func (e *elaborator) fresh(v Value) *Value {
	v.ID, v.Pos = e.g.values, e.pos
	e.g.values++
	return &v
}

func (e *elaborator) Const(w int, c ir.Word) *Value {
	return e.add(Value{Op: OpConst, Width: w, Const: c}, fmt.Sprintf("%x.%x", c.Hi, c.Lo))
}

func (e *elaborator) number(n int64) *Value {
	return e.add(Value{Op: OpNumber, Off: n}, fmt.Sprint(n))
}

// Public hands out the variable of a public parameter.
func (e *elaborator) Public(name string) ir.Index {
	v := e.addRoot(Value{Op: OpPublic, Name: name}, name)
	r := [2]int64{math.MinInt32, math.MaxInt32}
	for _, p := range e.g.Params {
		if p.Name == name && p.Lo < p.Hi {
			r = [2]int64{p.Lo, p.Hi - 1}
		}
	}
	return ir.Index{Terms: []ir.Term{{Var: e.variable(v, r), Coef: 1}}}
}

// variable returns the number of the public variable that v is, with its range.
func (e *elaborator) variable(v *Value, r [2]int64) int {
	for i, p := range e.public {
		if p == v {
			return i
		}
	}
	e.public, e.ranges = append(e.public, v), append(e.ranges, r)
	return len(e.public) - 1
}

// base is the address of element 0 of m.
func (e *elaborator) base(m *ir.Mem) *Value {
	if m.Kind == ir.Scratch {
		known := false
		for _, s := range e.g.Scratch {
			known = known || s == m
		}
		if !known {
			e.g.Scratch = append(e.g.Scratch, m)
		}
	}
	return e.addRoot(Value{Op: OpBase, Mem: m}, m.Name)
}

// addRoot places v at the top of the kernel, where it is known everywhere.
func (e *elaborator) addRoot(v Value, extra string) *Value {
	at := e.scope
	for e.scope.outer != nil {
		e.scope = e.scope.outer
	}
	n := e.add(v, extra)
	e.scope = at
	return n
}

// address splits the address of element i of m into a pointer and an offset in bytes.
func (e *elaborator) address(m *ir.Mem, i ir.Index) (*Value, int64) {
	size := int64(m.Width / 8)
	if m.Kind == ir.Scratch {
		size *= int64(e.t.Lanes(e.g.Kernel)) // an element of every lane
	}
	return e.pointer(m, i.Terms, size), i.Base * size
}

// pointer is base(m) + the sum of the terms times size, or that sum alone if m is nil. A term of a
// loop variable becomes a pointer that steps with the loop.
func (e *elaborator) pointer(m *ir.Mem, terms []ir.Term, size int64) *Value {
	switch {
	case len(terms) == 0 && m == nil:
		return e.number(0)
	case len(terms) == 0:
		return e.base(m)
	}
	last := terms[len(terms)-1]
	rest := terms[:len(terms)-1]
	if lv := e.loopOf(last.Var); lv != nil {
		return e.stepping(lv, m, rest, last.Coef*size, size)
	}
	return e.sum(e.pointer(m, rest, size), e.scale(e.public[last.Var], last.Coef*size))
}

func (e *elaborator) loopOf(variable int) *loopVar {
	for _, lv := range e.loops {
		if lv.number == variable {
			return lv
		}
	}
	return nil
}

// stepping returns the pointer of loop lv that starts at pointer(m, rest) + lo*stride and advances by
// step*stride bytes a turn.
func (e *elaborator) stepping(lv *loopVar, m *ir.Mem, rest []ir.Term, stride, size int64) *Value {
	at := e.scope
	defer func() { e.scope = at }()
	k := key{op: OpPhi, a: -1, b: -1, c: -1, extra: fmt.Sprint(memName(m), rest, stride)}
	if p := lv.scope.seen[k]; p != nil {
		return p
	}
	e.scope = lv.scope.outer
	init := e.pointer(m, rest, size)
	if !lv.lo.Const() {
		init = e.sum(e.pointer(nil, lv.lo.Terms, stride), init)
	}
	init = e.offset(init, lv.lo.Base*stride)
	phi := e.fresh(Value{Op: OpPhi})
	lv.scope.seen[k] = phi
	l := lv.loop
	l.Phis, l.Init = append(l.Phis, phi), append(l.Init, init)
	l.Out = append(l.Out, e.fresh(Value{Op: OpMerge}))
	next := e.fresh(Value{Op: OpAddr, Args: []*Value{phi}, Off: lv.step * stride})
	l.Next = append(l.Next, next) // placed at the end of the body by Repeat
	return phi
}

func (e *elaborator) scale(v *Value, n int64) *Value {
	if n == 1 {
		return v
	}
	return e.add(Value{Op: OpScale, Args: []*Value{v}, Off: n}, fmt.Sprint(n))
}

func (e *elaborator) sum(a, b *Value) *Value {
	if a.Op == OpNumber {
		return e.offset(b, a.Off)
	}
	return e.add(Value{Op: OpSum, Args: []*Value{a, b}}, "")
}

func memName(m *ir.Mem) string {
	if m == nil {
		return ""
	}
	return m.Name
}

func (e *elaborator) offset(p *Value, off int64) *Value {
	switch {
	case off == 0:
		return p
	case p.Op == OpNumber:
		return e.number(p.Off + off)
	}
	return e.add(Value{Op: OpAddr, Args: []*Value{p}, Off: off}, fmt.Sprint(off))
}

func (e *elaborator) Load(m *ir.Mem, i ir.Index) *Value {
	if m.Kind == ir.Rom && i.Const() {
		return e.Const(m.Width, m.Table.Entries[i.Base])
	}
	p, off := e.address(m, i)
	version := ""
	if m.Kind == ir.Scratch || m.Kind == ir.InOut {
		version = fmt.Sprint(e.scope.number, ".", e.scope.stores[m])
	}
	return e.add(Value{Op: OpLoad, Width: m.Width, Args: []*Value{p}, Mem: m, Off: off},
		fmt.Sprint(m.Name, "+", off, "@", version))
}

func (e *elaborator) Store(m *ir.Mem, i ir.Index, v *Value) {
	p, off := e.address(m, i)
	for s := e.scope; s != nil; s = s.outer {
		s.stores[m]++
	}
	e.scope.region.Nodes = append(e.scope.region.Nodes, &Store{m, p, off, v, e.pos})
}

// index makes a value of a public number. It must fit the registers that addresses are in, as must what it is
// made of on the way.
func (e *elaborator) index(x ir.Index) *Value {
	if lo, hi := e.span(x); e.t.Arch.ABI().WordBytes == 4 && (lo < math.MinInt32 || hi > math.MaxInt32) {
		e.refuse(fmt.Sprintf("%s: a public number may be %d to %d, which does not fit 32 bits", e.t.Arch.Name(), lo, hi),
			"give the public parameter a narrower range: public n: int in a..b")
	}
	return e.offset(e.pointer(nil, x.Terms, 1), x.Base)
}

// span bounds a public number and its partial sums, by the ranges of its variables.
func (e *elaborator) span(x ir.Index) (lo, hi int64) {
	least, most := x.Base, x.Base
	lo, hi = x.Base, x.Base
	for _, t := range x.Terms {
		r := e.ranges[t.Var]
		a, b := clamp(r[0], t.Coef), clamp(r[1], t.Coef)
		least, most = least+min(a, b), most+max(a, b)
		lo, hi = min(lo, least, a, b), max(hi, most, a, b)
	}
	return lo, hi
}

// clamp multiplies within bounds that no real range exceeds.
func clamp(x, coef int64) int64 {
	const far = 1 << 40
	x, coef = min(max(x, -far), far), min(max(coef, -1<<20), 1<<20)
	return x * coef
}

// enter opens a region inside the current one.
func (e *elaborator) enter() *scope {
	e.scopes++
	s := &scope{number: e.scopes, outer: e.scope, region: &Region{}, seen: map[key]*Value{}, stores: map[*ir.Mem]int{}}
	e.scope = s
	return s
}

func (e *elaborator) leave() { e.scope = e.scope.outer }

func (e *elaborator) Repeat(lo, hi ir.Index, step int64, carried []*Value, body func(ir.Index, []*Value) []*Value) []*Value {
	known := lo.Const() && hi.Const()
	turns := (hi.Base - lo.Base + step - sign(step)) / step
	if known && turns <= 0 {
		return carried
	}
	e.depth++
	e.g.Depth = max(e.g.Depth, e.depth)
	defer func() { e.depth-- }()
	if known && (e.depth > e.roll || turns == 1) {
		for i := lo.Base; (step > 0 && i < hi.Base) || (step < 0 && i > hi.Base); i += step {
			carried = body(ir.Index{Base: i}, carried)
		}
		return carried
	}
	return e.loop(lo, hi, e.count(lo, hi, step, turns, known), step, carried, body)
}

func sign(n int64) int64 {
	if n < 0 {
		return -1
	}
	return 1
}

// count is the number of turns.
func (e *elaborator) count(lo, hi ir.Index, step, turns int64, known bool) *Value {
	if known {
		return e.number(turns)
	}
	if step != 1 {
		e.refuse("a loop with public bounds must step by 1", "count turns and multiply inside")
	}
	return e.index(difference(hi, lo))
}

// difference is a - b.
func difference(a, b ir.Index) ir.Index {
	d := ir.Index{Base: a.Base - b.Base, Terms: append([]ir.Term(nil), a.Terms...)}
	for _, t := range b.Terms {
		d.Terms = append(d.Terms, ir.Term{Var: t.Var, Coef: -t.Coef})
	}
	return d
}

func (e *elaborator) loop(lo, hi ir.Index, count *Value, step int64, carried []*Value, body func(ir.Index, []*Value) []*Value) []*Value {
	e.g.Loops++
	l := &Loop{Init: append([]*Value(nil), carried...), Count: count, Pos: e.pos}
	for _, v := range carried {
		l.Phis = append(l.Phis, e.fresh(Value{Op: OpPhi, Width: v.Width}))
		l.Out = append(l.Out, e.fresh(Value{Op: OpMerge, Width: v.Width}))
	}
	s := e.enter()
	l.Body = s.region
	marker := e.fresh(Value{Op: OpPhi})
	a, _ := e.span(lo)
	c, b := e.span(hi)
	lv := &loopVar{number: e.variable(marker, [2]int64{min(a, c), max(a, b)}), lo: lo, step: step, loop: l, scope: s}
	s.loop = lv
	e.loops = append(e.loops, lv)
	next := body(ir.Index{Terms: []ir.Term{{Var: lv.number, Coef: 1}}}, l.Phis[:len(carried):len(carried)])
	pointers := l.Next
	l.Next = append(append([]*Value(nil), next...), pointers...)
	for _, p := range pointers {
		s.region.Nodes = append(s.region.Nodes, p)
	}
	e.loops = e.loops[:len(e.loops)-1]
	e.leave()
	e.scope.region.Nodes = append(e.scope.region.Nodes, l)
	return l.Out[:len(carried):len(carried)]
}

func (e *elaborator) If(c ir.Compare, a, b ir.Index, carried []*Value, then, otherwise func([]*Value) []*Value) []*Value {
	n := &Cond{Compare: c, A: e.index(a), B: e.index(b), Pos: e.pos}
	branch := func(f func([]*Value) []*Value) *Region {
		s := e.enter()
		s.region.Results = append([]*Value(nil), f(append([]*Value(nil), carried...))...)
		e.leave()
		return s.region
	}
	n.Then, n.Else = branch(then), branch(otherwise)
	for _, v := range n.Then.Results {
		n.Out = append(n.Out, e.fresh(Value{Op: OpMerge, Width: v.Width}))
	}
	e.scope.region.Nodes = append(e.scope.region.Nodes, n)
	return append([]*Value(nil), n.Out...)
}
