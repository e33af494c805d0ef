package compile

import (
	"simrun/programs/ir"
)

// bitPass looks at which bits of each word are ever needed and which are known to be zero, and
// rewrites operations that need not be exact:
//
//   - a mask that removes nothing needed is dropped;
//
//   - where rotations are free (32-bit words on Thumb-2), a shift whose zeros nobody reads becomes a rotation;
//
//   - where not, a rotation of which only one part is read becomes a shift.
//
//   - a shift of 128 bits of which no needed bit crosses the 32- or 64-bit fields becomes one of the fields.
//
// Users are seen before what they use, and a rewrite
// that relies on a bit marks it as needed, so later rewrites keep it.
type bitPass struct {
	free   int // width of the words whose rotations cost nothing, 0 = none
	needed map[*Value]ir.Word
	zero   map[*Value]ir.Word // bits known to be 0
	alias  map[*Value]*Value  // dropped masks
}

func narrowBits(g *Graph, free int) {
	p := &bitPass{free, map[*Value]ir.Word{}, map[*Value]ir.Word{}, map[*Value]*Value{}}
	g.Body.Visit(func(r *Region) {
		for _, n := range r.Nodes {
			if v, ok := n.(*Value); ok {
				p.zero[v] = p.knownZero(v)
			}
		}
	})
	p.region(g.Body)
	p.redirect(g)
	g.sweep()
}

func both(a, b ir.Word) ir.Word   { return ir.Word{Lo: a.Lo & b.Lo, Hi: a.Hi & b.Hi} }
func either(a, b ir.Word) ir.Word { return ir.Word{Lo: a.Lo | b.Lo, Hi: a.Hi | b.Hi} }

// less takes the bits of b out of a.
func less(a, b ir.Word) ir.Word { return ir.Word{Lo: a.Lo &^ b.Lo, Hi: a.Hi &^ b.Hi} }

// moved is a shifted or rotated by n within w bits.
func moved(op ir.Op, w int, a ir.Word, n int) ir.Word {
	return ir.Apply(op, w, []ir.Word{a}, ir.Imm{N: n})
}

func rotated(w int, a ir.Word, n int) ir.Word { return moved(ir.Rotl, w, a, ((n%w)+w)%w) }

// fresh are the bits that a shift fills with zeros.
func fresh(op ir.Op, w, n int) ir.Word { return less(ones(w), moved(op, w, ones(w), n)) }

// knownZero returns the bits of v that are always 0.
func (p *bitPass) knownZero(v *Value) ir.Word {
	if v.Width == 0 {
		return ir.Word{}
	}
	m := ones(v.Width)
	arg := func(i int) ir.Word { return p.zero[v.Args[i]] }
	switch v.Op {
	case OpConst:
		return less(m, v.Const)
	case ir.And:
		return either(arg(0), arg(1))
	case ir.Or, ir.Xor:
		return both(arg(0), arg(1))
	case ir.Rotl:
		return rotated(v.Width, arg(0), v.Imm.N)
	case ir.Shl, ir.Shr:
		return either(moved(v.Op, v.Width, arg(0), v.Imm.N), fresh(v.Op, v.Width, v.Imm.N))
	case ir.Zext:
		return either(arg(0), less(m, ones(v.Args[0].Width)))
	case ir.Trunc:
		return both(arg(0), m)
	}
	return ir.Word{}
}

var all = ones(128)

// region walks backwards, inner regions with their uses first.
func (p *bitPass) region(r *Region) {
	for _, v := range r.Results {
		p.need(v, all)
	}
	for i := len(r.Nodes) - 1; i >= 0; i-- {
		n := r.Nodes[i]
		outputs(n, func(v **Value) { p.need(*v, all) })
		switch n := n.(type) {
		case *Loop:
			p.region(n.Body)
		case *Cond:
			p.region(n.Then)
			p.region(n.Else)
		}
		if v, ok := n.(*Value); ok {
			p.value(v)
			continue
		}
		inputs(n, func(v **Value) { p.need(*v, all) })
	}
}

func (p *bitPass) need(v *Value, bits ir.Word) {
	if v.Width > 0 {
		p.needed[v] = either(p.needed[v], both(bits, ones(v.Width)))
	}
}

// value rewrites v if its needed bits allow it, and passes the need on to its arguments.
func (p *bitPass) value(v *Value) {
	if v.Width == 0 {
		for _, a := range v.Args {
			p.need(a, all)
		}
		return
	}
	p.rewrite(v)
	need, w := p.needed[v], v.Width
	switch v.Op {
	case ir.Xor, ir.Or, ir.Not:
		for _, a := range v.Args {
			p.need(a, need)
		}
	case ir.And:
		for i, a := range v.Args {
			if other := v.Args[len(v.Args)-1-i]; other.Op == OpConst {
				p.need(a, both(need, other.Const))
			} else {
				p.need(a, need)
			}
		}
	case ir.Rotl:
		p.need(v.Args[0], rotated(w, need, -v.Imm.N))
	case ir.Shl:
		p.need(v.Args[0], moved(ir.Shr, w, need, v.Imm.N))
	case ir.Shr:
		p.need(v.Args[0], moved(ir.Shl, w, need, v.Imm.N))
	default:
		for _, a := range v.Args {
			p.need(a, all)
		}
	}
}

func (p *bitPass) rewrite(v *Value) {
	w := v.Width
	m, need := ones(w), p.needed[v]
	switch v.Op {
	case ir.And:
		x, c := v.Args[0], v.Args[1]
		if c.Op != OpConst {
			return
		}
		// bits that the mask clears, that are needed and not known to be zero already
		if cleared := both(less(m, c.Const), need); less(cleared, p.zero[x]) == (ir.Word{}) {
			p.need(x, need)
			p.alias[v] = x
		}
	case ir.Shl, ir.Shr:
		if w == 128 {
			p.fields(v)
		}
		if w != p.free {
			return
		}
		n := v.Imm.N // as a rotation left
		if v.Op == ir.Shr {
			n = w - n
		}
		if p.rely(v.Args[0], rotated(w, both(fresh(v.Op, w, v.Imm.N), need), -n)) {
			v.Op, v.Imm = ir.Rotl, ir.Imm{N: n}
		}
	case ir.Rotl:
		if w == p.free {
			return
		}
		low := fresh(ir.Shl, w, v.Imm.N) // bits that came round the top
		switch {
		case p.rely(v.Args[0], rotated(w, both(low, need), -v.Imm.N)):
			v.Op = ir.Shl
		case p.rely(v.Args[0], rotated(w, both(less(m, low), need), -v.Imm.N)):
			v.Op, v.Imm = ir.Shr, ir.Imm{N: w - v.Imm.N}
		}
	}
}

// fields looks for smaller fields within which the shift v may be done: a bit that would come from the next one is not
// needed or zero anyway.
func (p *bitPass) fields(v *Value) {
	for _, size := range [2]int{32, 64} {
		n := v.Imm.N
		if n >= size {
			continue
		}
		inside := ir.Apply(ir.Splat, 128, []ir.Word{moved(v.Op, size, ones(size), n)}, ir.Imm{N: size})
		crossing := both(less(p.needed[v], inside), less(all, fresh(v.Op, 128, n)))
		back := ir.Shr
		if v.Op == ir.Shr {
			back = ir.Shl
		}
		if p.rely(v.Args[0], moved(back, 128, crossing, n)) {
			v.Field = size
			return
		}
	}
}

// rely reports whether all the given bits of x are known to be zero, and then holds
// x to it.
func (p *bitPass) rely(x *Value, bits ir.Word) bool {
	if less(bits, p.zero[x]) != (ir.Word{}) {
		return false
	}
	p.need(x, bits)
	return true
}

// redirect makes users of dropped masks use what was masked.
func (p *bitPass) redirect(g *Graph) {
	to := func(v **Value) {
		for a := p.alias[*v]; a != nil; a = p.alias[*v] {
			*v = a
		}
	}
	g.Body.Visit(func(r *Region) {
		for _, n := range r.Nodes {
			inputs(n, to)
			outputs(n, to)
		}
	})
}
