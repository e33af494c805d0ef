package prove

import (
	"fmt"
	"slices"

	"simrun/programs/ir"
)

// text is the domain of symbolic words: the kernel text run on bits.
type text struct {
	g      *graph
	pos    ir.Pos
	public map[string]int64
	memory map[*ir.Mem][]word // bytes of parameters; elements of scratch arrays are bytes, too
}

func (d *text) At(p ir.Pos) { d.pos = p }

func (d *text) refuse(format string, args ...any) {
	panic(&ir.Error{Pos: d.pos, Msg: fmt.Sprintf(format, args...)})
}

func (d *text) Const(w int, c ir.Word) word { return constWord(w, c.Lo, c.Hi) }

func (d *text) Public(name string) ir.Index { return ir.Index{Base: d.public[name]} }

// element is the bytes of an element in memory.
func (d *text) element(m *ir.Mem, i ir.Index) []word {
	if d.memory[m] == nil { // of a scratch array, which is written before it is read
		d.memory[m] = constBytes(make([]byte, m.Bytes()))
	}
	n := m.Width / 8
	return d.memory[m][int(i.Base)*n:][:n]
}

func (d *text) Load(m *ir.Mem, i ir.Index) word {
	if m.Kind == ir.Rom {
		return d.Const(m.Width, m.Table.Entries[i.Base])
	}
	return word(slices.Concat(d.element(m, i)...)).ordered(m.BigEndian)
}

func (d *text) Store(m *ir.Mem, i ir.Index, v word) {
	v = v.ordered(m.BigEndian)
	for k, place := 0, d.element(m, i); k < len(place); k++ {
		place[k] = v[8*k : 8*k+8]
	}
}

func (d *text) Repeat(lo, hi ir.Index, step int64, carried []word, body func(ir.Index, []word) []word) []word {
	for i := lo.Base; step > 0 && i < hi.Base || step < 0 && i > hi.Base; i += step {
		carried = body(ir.Index{Base: i}, carried)
	}
	return carried
}

// If is not reached: every public number is known.
func (d *text) If(ir.Compare, ir.Index, ir.Index, []word, func([]word) []word, func([]word) []word) []word {
	d.refuse("a condition that is not known")
	return nil
}

// Op computes an operation as ir.Apply says.
func (d *text) Op(op ir.Op, w int, a []word, imm ir.Imm) word {
	switch {
	case d.g.full():
		d.refuse(tooLarge)
	case op == ir.Lookup:
		d.refuse("a look-up by a secret index: tables that depend on secrets are not proven")
	case op == ir.Mrot:
		return d.maskedRotations(w, a[0], imm.Rots)
	case op == ir.ZipLo:
		return word(slices.Concat(a...)).picked(w, byTurns(w, imm.N, 0))
	case op == ir.ZipHi:
		return word(slices.Concat(a...)).picked(w, byTurns(w, imm.N, w/2))
	case gates[op] != nil:
		return gates[op](d.g, a)
	}
	return a[0].picked(w, moves[op](len(a[0]), w, imm))
}

// gates are the operations without constants that do more than move bits.
var gates = map[ir.Op]func(g *graph, a []word) word{
	ir.Xor:    (*graph).xorAll,
	ir.And:    func(g *graph, a []word) word { return zip(a[0], a[1], g.and) },
	ir.Or:     func(g *graph, a []word) word { return zip(a[0], a[1], g.or) },
	ir.Not:    func(_ *graph, a []word) word { return a[0].not() },
	ir.AndNot: func(g *graph, a []word) word { return zip(a[0].not(), a[1], g.and) },
	ir.OrNot:  func(g *graph, a []word) word { return zip(a[0].not(), a[1], g.or) },
	ir.Mux:    (*graph).muxAll,
	ir.Pack:   func(_ *graph, a []word) word { return slices.Concat(a...) },
	ir.Add: func(g *graph, a []word) word {
		sum, _ := g.add(a[0], a[1], zero)
		return sum
	},
	ir.Sub: func(g *graph, a []word) word {
		sum, _ := g.add(a[0], a[1].not(), one)
		return sum
	},
}

func (g *graph) xorAll(a []word) word {
	x := a[0]
	for _, b := range a[1:] {
		x = zip(x, b, g.xor)
	}
	return x
}

// muxAll is the bits of a[1] where a[0] is set, else those of a[2].
func (g *graph) muxAll(a []word) word {
	out := make(word, len(a[0]))
	for i, c := range a[0] {
		out[i] = g.mux(c, a[1][i], a[2][i])
	}
	return out
}

func (d *text) maskedRotations(w int, a word, rots []ir.Rot) word {
	sum := make(word, w)
	for _, r := range rots {
		part := zip(a, d.Const(w, r.Mask), d.g.and)
		sum = zip(sum, part.picked(w, rotation(r.N, w)), d.g.or)
	}
	return sum
}

// byTurns takes fields of n bits from two words, one behind the other, by turns, from bit first on.
func byTurns(w, n, first int) func(int) int {
	return func(i int) int { return i/n%2*w + first + i/(2*n)*n + i%n }
}

func rotation(n, w int) func(int) int {
	return func(i int) int { return ((i-n)%w + w) % w }
}

// moves gives, for the operations that only move bits from a word of width from to one of width w, the place that each
// bit comes from; places outside are 0.
var moves = map[ir.Op]func(from, w int, imm ir.Imm) func(i int) int{
	ir.Shl:   func(_, _ int, imm ir.Imm) func(int) int { return func(i int) int { return i - imm.N } },
	ir.Shr:   func(_, _ int, imm ir.Imm) func(int) int { return func(i int) int { return i + imm.N } },
	ir.Rotl:  func(_, w int, imm ir.Imm) func(int) int { return rotation(imm.N, w) },
	ir.Perm:  func(_, _ int, imm ir.Imm) func(int) int { return func(i int) int { return 8*imm.Perm[i/8] + i%8 } },
	ir.Rev:   func(_, w int, _ ir.Imm) func(int) int { return func(i int) int { return w - 8 - i/8*8 + i%8 } },
	ir.Rev16: func(_, _ int, _ ir.Imm) func(int) int { return func(i int) int { return i ^ 8 } },
	ir.Zext:  func(_, _ int, _ ir.Imm) func(int) int { return func(i int) int { return i } },
	ir.Trunc: func(_, _ int, _ ir.Imm) func(int) int { return func(i int) int { return i } },
	ir.Lane:  func(_, _ int, imm ir.Imm) func(int) int { return func(i int) int { return i + 32*imm.N } },
	ir.Splat: func(_, _ int, imm ir.Imm) func(int) int { return func(i int) int { return i % imm.N } },
}
