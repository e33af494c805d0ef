package layout

import (
	"fmt"

	"simrun/programs/ir"
)

// source is what a variable belongs to: the bits of a memory object, or a word made by a step that is
// not linear.
type source struct {
	mem  *ir.Mem // nil for a word
	elem int     // element of mem
	pos  ir.Pos
}

func (s source) message() bool {
	return s.mem != nil && (s.mem.Kind == ir.In || s.mem.Kind == ir.InOut)
}

// tracer is an ir.Domain over linear forms. It notes the words of the packed state:
// those with one message bit in each place that meet a key word or a step that is not linear.
type tracer struct {
	pos     ir.Pos
	sources []source
	loads   map[elem]int  // source number of each element of in, inout and key memory
	stored  map[elem]word // what was written, for inout, out and scratch
	packed  []State
	seen    map[variable]bool // first variables of the words in packed
	outputs []output
}

type elem struct {
	mem *ir.Mem
	i   int
}

type output struct {
	mem *ir.Mem
	i   int
	w   word
}

func newTracer() *tracer {
	return &tracer{loads: map[elem]int{}, stored: map[elem]word{}, seen: map[variable]bool{}}
}

func (t *tracer) At(p ir.Pos) { t.pos = p }

func (t *tracer) refuse(format string, args ...any) {
	panic(&ir.Error{Pos: t.pos, Msg: fmt.Sprintf(format, args...)})
}

func (t *tracer) number(i ir.Index) int {
	if !i.Const() {
		t.refuse("layout follows no index that is known at run time only")
	}
	return int(i.Base)
}

func (t *tracer) Const(w int, c ir.Word) word {
	out := make(word, w)
	for i := range out {
		out[i].one = wordBit(c, i)
	}
	return out
}

func wordBit(c ir.Word, i int) bool {
	if i < 64 {
		return c.Lo>>i&1 != 0
	}
	return c.Hi>>(i-64)&1 != 0
}

// fresh makes a word of w new variables.
func (t *tracer) fresh(w int, s source) word {
	n := len(t.sources)
	t.sources = append(t.sources, s)
	out := make(word, w)
	for i := range out {
		out[i].vars = []variable{newVariable(n, i)}
	}
	return out
}

func (t *tracer) Load(m *ir.Mem, i ir.Index) word {
	e := elem{m, t.number(i)}
	if m.Kind == ir.Rom {
		return t.Const(m.Width, m.Table.Entries[e.i])
	}
	if w, ok := t.stored[e]; ok {
		return w
	}
	if n, ok := t.loads[e]; ok {
		out := make(word, m.Width)
		for b := range out {
			out[b].vars = []variable{newVariable(n, b)}
		}
		return out
	}
	t.loads[e] = len(t.sources)
	return t.fresh(m.Width, source{mem: m, elem: e.i, pos: t.pos})
}

func (t *tracer) Store(m *ir.Mem, i ir.Index, v word) {
	e := elem{m, t.number(i)}
	t.stored[e] = v
	if m.Kind == ir.Out || m.Kind == ir.InOut {
		t.outputs = append(t.outputs, output{m, e.i, v})
	}
}

func (t *tracer) Public(name string) ir.Index {
	t.refuse("layout follows no kernel with public parameters, and %s is one", name)
	return ir.Index{}
}

func (t *tracer) Repeat(lo, hi ir.Index, step int64, carried []word, body func(ir.Index, []word) []word) []word {
	from, to := int64(t.number(lo)), int64(t.number(hi))
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		carried = body(ir.Index{Base: i}, carried)
	}
	return carried
}

func (t *tracer) If(c ir.Compare, a, b ir.Index, carried []word, then, otherwise func([]word) []word) []word {
	t.refuse("layout follows no condition that is known at run time only")
	return nil
}
