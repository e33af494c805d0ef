package layout

import (
	"fmt"
	"io"
	"strings"

	"simrun/programs/ir"
)

// Place names one bit of the message: block, byte of the block, bit of the byte, all from 0.
type Place struct{ Block, Byte, Bit int }

func (p Place) String() string { return fmt.Sprintf("%d.%d.%d", p.Block, p.Byte, p.Bit) }

// State is one word of the packed state: Bits[i] is where bit i comes from, or goes to.
type State struct {
	Pos   ir.Pos // the statement that uses or makes the word
	Bits  []Place
	Known []bool // false: this bit is no single bit of the message
}

// Layout is what could be traced of a kernel.
type Layout struct {
	Kernel string
	First  []State // words with message bits in place when the first key word or nonlinear step meets them, in text order
	Last   []State // words from which the output is unpacked
	Left   []string
}

// Trace finds the layout of the packed state at the first and after the last round.
// sliceBits is the width of S where the kernel uses it.
func Trace(k *ir.Kernel, sliceBits int) (*Layout, error) {
	t := newTracer()
	if err := ir.Eval(k, ir.Domain[word](t), sliceBits); err != nil {
		return nil, err
	}
	l := &Layout{Kernel: k.Name, First: t.packed}
	want, have := 0, 0
	for _, p := range k.Params(sliceBits) {
		if p.Mem != nil && (p.Mem.Kind == ir.In || p.Mem.Kind == ir.InOut) {
			want += p.Mem.Len * p.Mem.Width
		}
	}
	for _, s := range t.packed {
		have += len(s.Bits)
	}
	if have < want {
		l.Left = append(l.Left, fmt.Sprintf("%d of %d message bits: they are mixed with others before a key word or a nonlinear step meets them", want-have, want))
	}
	var outside int
	l.Last, outside = t.unpacked()
	if outside > 0 {
		l.Left = append(l.Left, fmt.Sprintf("%d output bits: each is a sum of several bits of the last state", outside))
	}
	l.Left = append(l.Left, "the rounds in between")
	return l, nil
}

// note adds w to the packed state if it holds message bits and nothing else, each once.
func (t *tracer) note(w word) {
	if !w.full() || t.seen[w[0].vars[0]] {
		return
	}
	s := State{Pos: t.pos, Bits: make([]Place, len(w)), Known: make([]bool, len(w))}
	for i, b := range w {
		v := b.vars[0]
		src := t.sources[v.source()]
		if !src.message() {
			return
		}
		s.Bits[i], s.Known[i] = place(src.mem, src.elem, v.index()), true
	}
	for _, b := range w {
		t.seen[b.vars[0]] = true
	}
	t.packed = append(t.packed, s)
}

// unpacked groups the output bits by the word that they are copied from. The second result counts
// the output bits that are no copy of one bit.
func (t *tracer) unpacked() ([]State, int) {
	var states []State
	index := map[int]int{}
	outside := 0
	for _, o := range t.outputs {
		for i, b := range o.w {
			if !b.pure() {
				outside++
				continue
			}
			v := b.vars[0]
			n, ok := index[v.source()]
			if !ok {
				n = len(states)
				index[v.source()] = n
				states = append(states, State{
					Pos: t.sources[v.source()].pos, Bits: make([]Place, len(o.w)), Known: make([]bool, len(o.w)),
				})
			}
			states[n].set(v.index(), place(o.mem, o.i, i))
		}
	}
	sortBySource(states, index)
	return states, outside
}

func (s *State) set(i int, p Place) {
	for len(s.Bits) <= i {
		s.Bits, s.Known = append(s.Bits, Place{}), append(s.Known, false)
	}
	s.Bits[i], s.Known[i] = p, true
}

// sortBySource puts states in the order in which their words were made.
func sortBySource(states []State, index map[int]int) {
	order := make([]State, 0, len(states))
	for source, left := 0, len(states); left > 0; source++ {
		if n, ok := index[source]; ok {
			order = append(order, states[n])
			left--
		}
	}
	copy(states, order)
}

// place is bit b of element e of m, by the order of bytes in memory.
func place(m *ir.Mem, e, b int) Place {
	if m.Sliced {
		return Place{Block: b, Byte: e / 8, Bit: 7 - e%8}
	}
	perBlock := m.Len
	if m.Blocks > 1 {
		perBlock = m.Len / m.Blocks
	}
	byteInWord := b / 8
	if m.BigEndian {
		byteInWord = m.Width/8 - 1 - byteInWord
	}
	return Place{Block: e / perBlock, Byte: e%perBlock*m.Width/8 + byteInWord, Bit: b % 8}
}

// Text writes the layout: eight places a line, the most significant bit first.
func (l *Layout) Text(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: bits of the message as block.byte.bit, the most significant bit of each word first\n", l.Kernel)
	writeStates(&out, "packed, before the first round", l.First)
	writeStates(&out, "packed, after the last round", l.Last)
	for _, what := range l.Left {
		fmt.Fprintf(&out, "not traced: %s\n", what)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func writeStates(w io.Writer, title string, states []State) {
	if len(states) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for i, s := range states {
		fmt.Fprintf(w, "  word %d (line %d)\n", i, s.Pos.Line)
		for hi := len(s.Bits) - 1; hi >= 0; hi -= 8 {
			fmt.Fprintf(w, "    %3d..%-3d", hi, max(hi-7, 0))
			for b := hi; b >= max(hi-7, 0); b-- {
				text := "-"
				if s.Known[b] {
					text = s.Bits[b].String()
				}
				fmt.Fprintf(w, " %7s", text)
			}
			fmt.Fprintln(w)
		}
	}
}
