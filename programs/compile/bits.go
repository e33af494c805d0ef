package compile

import (
	"simrun/programs/ir"
)

// bitPass looks at which bits of each word are ever needed and which are known to be zero, and
// rewrites operations that need not be exact:
//   - a mask that removes nothing needed is dropped;
//   - where rotations are free (32-bit words on Thumb-2), a shift whose zeros nobody reads becomes a rotation;
//   - where not, a rotation of which only one part is read becomes a shift.
//
// It works on words of up to 64 bits. Users are seen before what they use, and a rewrite
// that relies on a bit marks it as needed, so later rewrites keep it.
type bitPass struct {
	free   int // width of the words whose rotations cost nothing, 0 = none
	needed map[*Value]uint64
	zero   map[*Value]uint64 // bits known to be 0
	alias  map[*Value]*Value // dropped masks
}

func narrowBits(g *Graph, free int) {
	p := &bitPass{free, map[*Value]uint64{}, map[*Value]uint64{}, map[*Value]*Value{}}
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

func wordMask(w int) uint64 { return ones(w).Lo }

// knownZero returns the bits of v that are always 0.
func (p *bitPass) knownZero(v *Value) uint64 {
	if v.Width == 0 || v.Width > 64 {
		return 0
	}
	m := wordMask(v.Width)
	arg := func(i int) uint64 { return p.zero[v.Args[i]] }
	switch v.Op {
	case OpConst:
		return ^v.Const.Lo & m
	case ir.And:
		return arg(0) | arg(1)
	case ir.Or, ir.Xor:
		return arg(0) & arg(1)
	case ir.Rotl:
		return rotWord(arg(0), v.Imm.N, v.Width)
	case ir.Shl:
		return (arg(0)<<v.Imm.N | (1<<v.Imm.N - 1)) & m
	case ir.Shr:
		return arg(0)>>v.Imm.N | m&^(m>>v.Imm.N)
	case ir.Zext:
		return arg(0) | m&^wordMask(v.Args[0].Width)
	case ir.Trunc:
		return arg(0) & m
	}
	return 0
}

// region walks backwards, inner regions with their uses first.
func (p *bitPass) region(r *Region) {
	for _, v := range r.Results {
		p.need(v, ^uint64(0))
	}
	for i := len(r.Nodes) - 1; i >= 0; i-- {
		n := r.Nodes[i]
		outputs(n, func(v **Value) { p.need(*v, ^uint64(0)) })
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
		inputs(n, func(v **Value) { p.need(*v, ^uint64(0)) })
	}
}

func (p *bitPass) need(v *Value, bits uint64) {
	if v.Width > 0 && v.Width <= 64 {
		p.needed[v] |= bits & wordMask(v.Width)
	}
}

// value rewrites v if its needed bits allow it, and passes the need on to its arguments.
func (p *bitPass) value(v *Value) {
	if v.Width == 0 || v.Width > 64 {
		for _, a := range v.Args {
			p.need(a, ^uint64(0))
		}
		return
	}
	p.rewrite(v)
	need := p.needed[v]
	m := wordMask(v.Width)
	switch v.Op {
	case ir.Xor, ir.Or, ir.Not:
		for _, a := range v.Args {
			p.need(a, need)
		}
	case ir.And:
		for i, a := range v.Args {
			if other := v.Args[len(v.Args)-1-i]; other.Op == OpConst {
				p.need(a, need&other.Const.Lo)
			} else {
				p.need(a, need)
			}
		}
	case ir.Rotl:
		p.need(v.Args[0], rotWord(need, -v.Imm.N, v.Width))
	case ir.Shl:
		p.need(v.Args[0], need>>v.Imm.N)
	case ir.Shr:
		p.need(v.Args[0], need<<v.Imm.N&m)
	default:
		for _, a := range v.Args {
			p.need(a, ^uint64(0))
		}
	}
}

func (p *bitPass) rewrite(v *Value) {
	w := v.Width
	m := wordMask(w)
	need := p.needed[v]
	switch v.Op {
	case ir.And:
		x, c := v.Args[0], v.Args[1]
		if c.Op != OpConst {
			return
		}
		// bits that the mask clears, that are needed and not known to be zero already
		if cleared := m &^ c.Const.Lo & need; cleared&^p.zero[x] == 0 {
			p.need(x, need)
			p.alias[v] = x
		}
	case ir.Shl, ir.Shr:
		if w != p.free {
			return
		}
		n := v.Imm.N // as a rotation left
		fresh := uint64(1)<<n - 1
		if v.Op == ir.Shr {
			n, fresh = w-v.Imm.N, m&^(m>>v.Imm.N)
		}
		if p.rely(v.Args[0], rotWord(fresh&need, -n, w)) {
			v.Op, v.Imm = ir.Rotl, ir.Imm{N: n}
		}
	case ir.Rotl:
		if w == p.free {
			return
		}
		low := uint64(1)<<v.Imm.N - 1 // bits that came round the top
		switch {
		case p.rely(v.Args[0], rotWord(low&need, -v.Imm.N, w)):
			v.Op = ir.Shl
		case p.rely(v.Args[0], rotWord(m&^low&need, -v.Imm.N, w)):
			v.Op, v.Imm = ir.Shr, ir.Imm{N: w - v.Imm.N}
		}
	}
}

// rely reports whether all the given bits of x are known to be zero, and then holds
// x to it.
func (p *bitPass) rely(x *Value, bits uint64) bool {
	if bits&^p.zero[x] != 0 {
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
