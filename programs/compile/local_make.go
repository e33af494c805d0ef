package compile

import (
	"slices"

	"simrun/isa"
)

// localBuilder makes the procedure of a part, with registers of its own numbering.
type localBuilder struct {
	s          *searcher
	begin, end int
	ids        map[int64]int64 // registers of the whole, in the part
	back       []int64         // the other way
	p          *Proc
}

func (b *localBuilder) id(v int64) int64 {
	if n, ok := b.ids[v]; ok {
		return n
	}
	n := int64(isa.VirtBase + len(b.p.Regs))
	b.ids[v] = n
	b.back = append(b.back, v)
	r := *b.s.p.Reg(v)
	r.Remat = slices.Clone(r.Remat)
	for i := range r.Remat {
		in := &r.Remat[i]
		in.Uses(func(slot int, _ *isa.Operand) {
			if in.Args[slot] == v {
				in.Args[slot] = n
			}
		})
	}
	b.p.Regs = append(b.p.Regs, r)
	return n
}

// inst is an instruction on the registers of the part.
func (b *localBuilder) inst(m MInst) MInst {
	rename := func(vs []int64) []int64 {
		vs = slices.Clone(vs)
		for i := range vs {
			vs[i] = b.id(vs[i])
		}
		return vs
	}
	m.Uses(func(slot int, _ *isa.Operand) {
		if isVirtual(m.Args[slot]) {
			m.Args[slot] = b.id(m.Args[slot])
		}
	})
	if m.Tied != 0 {
		m.Tied = b.id(m.Tied)
	}
	m.ins, m.outs = rename(m.ins), rename(m.outs)
	return m
}

// arrival begins the part with the mark that says where values are.
func (b *localBuilder) arrival() {
	a := &b.s.a
	a.run(b.s.p)
	a.begin(b.s.p, a.early)
	a.place(b.begin)
	m := MInst{Kind: KindPin}
	for i := range a.at {
		v := int64(isa.VirtBase + i)
		if pl := a.at[i]; a.last[i] >= b.begin && (pl.reg != isa.NoReg || pl.stored) {
			m.Pins = append(m.Pins, Pin{b.id(v), pl.reg, pl.stored})
		}
	}
	b.p.used = a.used
	b.p.Code = append(b.p.Code, m)
}

// farReads says when values are read behind the part, in its numbering of positions.
func (b *localBuilder) farReads() {
	a := &b.s.a
	for _, v := range b.back {
		i := idx(v)
		k, _ := slices.BinarySearch(a.uses[i], int32(b.end))
		pos := a.last[i]
		if k < len(a.uses[i]) {
			pos = int(a.uses[i][k])
		}
		if pos >= b.end {
			b.p.after = append(b.p.after, read{b.ids[v], pos - b.begin + 1})
		}
	}
}

// alternatives gives the part the definitions of the whole that are on its registers.
func (b *localBuilder) alternatives() {
	b.p.alts = make([][]alt, len(b.p.Regs))
	for n, v := range b.back {
		d := int64(isa.VirtBase + n)
		for _, x := range b.alts(v) {
			if b.ids[x.a] != 0 && b.ids[x.b] != 0 {
				b.p.alts[n] = append(b.p.alts[n], b.alt(d, x))
			}
		}
	}
}

func (b *localBuilder) alts(v int64) []alt {
	if b.s.p.alts == nil {
		return nil
	}
	return b.s.p.alts[idx(v)]
}

func (b *localBuilder) alt(d int64, x alt) alt {
	m := MInst{Inst: x.in}
	m = b.inst(m)
	x.in, x.a, x.b = m.Inst, b.id(x.a), b.id(x.b)
	x.ins = []int64{x.a, x.b}
	return x
}

// listOptions lists for every instruction of the stretch the definitions that all copies have alike.
func (b *localBuilder) listOptions(g *group, rep int) [][]option {
	s := b.s
	options := make([][]option, g.length)
	copies := make([]map[int64]int64, len(g.starts))
	for c, start := range g.starts {
		copies[c] = s.correspond(s.base.places, g.starts[rep], start, g.length)
	}
	inside := b.inside(g.length)
	for k := range g.length {
		first := option{def: b.p.Code[1+k]}
		for _, start := range g.starts {
			first.choice = append(first.choice, s.base.choice[s.base.places[start+k]])
		}
		options[k] = append(options[k], first)
		options[k] = append(options[k], b.otherOptions(g, k, copies, inside)...)
	}
	return options
}

// inside are the values that a definition may be of: those there are at the beginning, and those that the stretch makes of
// such. An instruction that nobody needs may read values that are gone.
func (b *localBuilder) inside(length int) map[int64]bool {
	in := map[int64]bool{}
	for _, pin := range b.p.Code[0].Pins {
		in[b.back[idx(pin.V)]] = true
	}
	for k := range length {
		m := &b.s.p.Code[b.begin+k]
		if slices.ContainsFunc(m.ins, func(v int64) bool { return !in[v] && len(b.s.p.Reg(v).Remat) == 0 }) {
			continue
		}
		for _, v := range m.outs {
			in[v] = true
		}
	}
	return in
}

// otherOptions are those of instruction k besides its present one.
func (b *localBuilder) otherOptions(g *group, k int, copies []map[int64]int64, inside map[int64]bool) []option {
	s := b.s
	j := s.base.places[b.begin+k]
	m := &s.text[j]
	if !redefinable(m) {
		return nil
	}
	v := m.outs[0]
	var list []option
	for choice := range int32(len(b.alts(v)) + 1) {
		def := *m
		if choice > 0 {
			b.alts(v)[choice-1].as(&def)
		}
		if choice == s.base.choice[j] || slices.ContainsFunc(def.ins, func(u int64) bool { return !inside[u] }) {
			continue
		}
		if names := b.inCopies(g, k, choice, v, copies); !slices.Contains(names, -1) {
			list = append(list, option{b.inst(def), names})
		}
	}
	return list
}

// inCopies is what definition `choice` of v, made by instruction k, is called in every copy; -1 = there is none.
func (b *localBuilder) inCopies(g *group, k int, choice int32, v int64, copies []map[int64]int64) []int32 {
	var names []int32
	for c, start := range g.starts {
		n := int32(0)
		if choice > 0 {
			d := b.s.text[b.s.base.places[start+k]].outs[0]
			n = b.s.sameChoice(&b.alts(v)[choice-1], d, func(v int64) int64 { return copies[c][v] })
		}
		names = append(names, n)
	}
	return names
}

// sameChoice is the number that definition x has for register d of a copy; -1 = none.
func (s *searcher) sameChoice(x *alt, d int64, to func(int64) int64) int32 {
	a, b := to(x.a), to(x.b)
	for k, y := range s.p.alts[idx(d)] {
		if y.truth == x.truth && (y.a == a && y.b == b || symmetric(x.truth) && y.a == b && y.b == a) {
			return int32(k + 1)
		}
	}
	return -1
}

// correspond says which register of the stretch at `to` plays the part of which of that at from. What plays two parts
// is left out.
func (s *searcher) correspond(places []int32, from, to, length int) map[int64]int64 {
	same := map[int64]int64{}
	pair := func(x, y []int64) {
		for i := range min(len(x), len(y)) {
			if old, ok := same[x[i]]; ok && old != y[i] {
				same[x[i]] = 0
				continue
			}
			same[x[i]] = y[i]
		}
	}
	for k := range length {
		x, y := &s.text[places[from+k]], &s.text[places[to+k]]
		pair(x.ins, y.ins)
		pair(x.outs, y.outs)
	}
	return same
}
