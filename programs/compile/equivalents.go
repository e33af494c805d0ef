package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Other definitions of the same values. A window is a set of gates that depend on few inputs; in it every value has an exact
// truth table, or, where all gates are xors, an exact set of inputs. Two registers combined by one gate that give the
// table of a third are another definition of it. Nothing here is a guess: equal tables are equal functions.

// window is a set of gates. All lie in one straight run of code.
type window struct {
	inputs  []int64
	members []int32 // positions in the code, ascending
	linear  bool    // xors only
}

const (
	windowReach  = 400 // instructions that a window spans at most
	windowSkips  = 64  // instructions in a row that do not fit, after which it ends
	windowLeast  = 6   // gates that are worth a window
	linearInputs = 40  // of a linear window at most; a table has room for 256
)

// gateAt is an instruction read as a gate.
type gateAt struct {
	gate    int
	a, b, d int64
	ok      bool
}

// findEquivalents fills p.alts.
func findEquivalents(p *Proc, t *Target) {
	p.alts = make([][]alt, len(p.Regs))
	if len(t.Gates) == 0 {
		return
	}
	gates := make([]gateAt, len(p.Code))
	for i := range p.Code {
		if g, a, b, ok := asGate(t, &p.Code[i]); ok {
			gates[i] = gateAt{g, a, b, p.Code[i].outs[0], true}
		}
	}
	e := newEnumerator(p, t, gates)
	for _, linear := range []bool{false, true} {
		for _, w := range findWindows(p, t, gates, linear) {
			e.window(&w)
		}
	}
}

// findWindows looks from every gate for the window that begins there, and keeps those with the most gates that bring
// something new.
func findWindows(p *Proc, t *Target, gates []gateAt, linear bool) []window {
	var all, kept []window
	f := &windowFinder{p: p, t: t, gates: gates, linear: linear, mark: make([]int32, len(p.Regs))}
	for at := range gates {
		if gates[at].ok {
			if w := f.from(at); len(w.members) >= windowLeast {
				all = append(all, w)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b window) int { return cmp.Compare(len(b.members), len(a.members)) })
	covered := make([]bool, len(gates))
	for _, w := range all {
		if fresh := w.fresh(covered); fresh >= windowLeast && 3*fresh >= len(w.members) {
			kept = append(kept, w)
			for _, m := range w.members {
				covered[m] = true
			}
		}
	}
	return kept
}

// fresh counts the gates that are not covered.
func (w *window) fresh(covered []bool) int {
	n := 0
	for _, m := range w.members {
		if !covered[m] {
			n++
		}
	}
	return n
}

type windowFinder struct {
	p      *Proc
	t      *Target
	gates  []gateAt
	linear bool
	mark   []int32 // by register: 1 + start of the window that it is in
}

// from grows the window of the gate at start: every gate behind it whose operands are in the window or can
// still become inputs.
func (f *windowFinder) from(start int) window {
	w := window{linear: f.linear}
	skipped := 0
	for i := start; i < len(f.gates) && i-start < windowReach && skipped < windowSkips; i++ {
		if f.p.Code[i].Kind != KindInst {
			break
		}
		skipped++
		if f.gates[i].ok && f.add(&w, i, int32(start+1)) {
			skipped = 0
		}
	}
	return w
}

// add takes gate i into w if its operands are there or there is room for them. Registers of the window are marked with id.
func (f *windowFinder) add(w *window, i int, id int32) bool {
	g := &f.gates[i]
	most, need := mostInputs, 0
	if f.linear {
		most = linearInputs
	}
	operands := [2]int64{g.a, g.b}
	for _, v := range operands {
		if f.mark[idx(v)] != id {
			need++
		}
	}
	if len(w.inputs)+need > most || f.linear && (f.t.Gates[g.gate].Truth != xorTruth || need == 2 && len(w.members) > 0) {
		return false
	}
	for _, v := range operands {
		if f.mark[idx(v)] != id {
			f.mark[idx(v)] = id
			w.inputs = append(w.inputs, v)
		}
	}
	f.mark[idx(g.d)] = id
	w.members = append(w.members, int32(i))
	return true
}

// enumerator lists all pairs of a window that give a third value.
type enumerator struct {
	p      *Proc
	t      *Target
	gates  []gateAt
	maker  []int32 // by register: 1 + position of the gate that makes it
	tables []table // by register, of the window at hand
	nodes  []int64
	first  map[uint64][]int64 // registers by the first word of their table
	filter [filterBits / 64]uint64
}

const filterBits = 1 << 14

// newEnumerator is for one procedure.
func newEnumerator(p *Proc, t *Target, gates []gateAt) *enumerator {
	e := &enumerator{p: p, t: t, gates: gates, maker: make([]int32, len(p.Regs)), tables: make([]table, len(p.Regs))}
	for i := range gates {
		if gates[i].ok {
			e.maker[idx(gates[i].d)] = int32(i + 1)
		}
	}
	return e
}

func filterOf(w uint64) (word, bit uint64) {
	h := w * 0x9e3779b97f4a7c15 >> 50
	return h / 64, 1 << (h % 64)
}

// window adds the definitions that w shows.
func (e *enumerator) window(w *window) {
	e.load(w)
	for i, a := range e.nodes {
		for j := i + 1; j < len(e.nodes); j++ {
			e.pair(a, e.nodes[j], w.linear)
		}
	}
}

// load computes the tables of w.
func (e *enumerator) load(w *window) {
	e.nodes, e.first, e.filter = e.nodes[:0], map[uint64][]int64{}, [filterBits / 64]uint64{}
	add := func(v int64, t table) {
		e.tables[idx(v)] = t
		e.nodes = append(e.nodes, v)
		e.first[t[0]] = append(e.first[t[0]], v)
		word, bit := filterOf(t[0])
		e.filter[word] |= bit
	}
	for i, v := range w.inputs {
		if w.linear {
			var t table
			t[i/64] = 1 << (i % 64)
			add(v, t)
		} else {
			add(v, inputTable(i))
		}
	}
	for _, m := range w.members {
		g := &e.gates[m]
		add(g.d, gateTable(e.t.Gates[g.gate].Truth, &e.tables[idx(g.a)], &e.tables[idx(g.b)]))
	}
}

// pair looks for what a and b give by each gate.
func (e *enumerator) pair(a, b int64, linear bool) {
	x, y := &e.tables[idx(a)], &e.tables[idx(b)]
	for g := range e.t.Gates {
		truth := e.t.Gates[g].Truth
		if linear && truth != xorTruth {
			continue
		}
		e.look(gateWord(truth, x[0], y[0]), g, a, b)
		if !symmetric(truth) {
			e.look(gateWord(truth, y[0], x[0]), g, b, a)
		}
	}
}

// look adds gate g of a and b to the definitions of each register whose table that is; first is its first word.
func (e *enumerator) look(first uint64, g int, a, b int64) {
	if word, bit := filterOf(first); e.filter[word]&bit == 0 {
		return
	}
	for _, d := range e.first[first] {
		if d == a || d == b || e.tables[idx(d)] != gateTable(e.t.Gates[g].Truth, &e.tables[idx(a)], &e.tables[idx(b)]) {
			continue
		}
		if e.isText(d, g, a, b) || hasAlt(e.p.alts[idx(d)], e.t.Gates[g].Truth, a, b) {
			continue
		}
		e.p.alts[idx(d)] = append(e.p.alts[idx(d)], newAlt(e.t, g, d, a, b))
	}
}

// isText reports whether the text makes d so.
func (e *enumerator) isText(d int64, g int, a, b int64) bool {
	at := e.maker[idx(d)]
	if at == 0 {
		return false
	}
	o := &e.gates[at-1]
	return o.gate == g && (o.a == a && o.b == b || symmetric(e.t.Gates[g].Truth) && o.a == b && o.b == a)
}

func hasAlt(list []alt, truth uint8, a, b int64) bool {
	for i := range list {
		x := &list[i]
		if x.truth == truth && (x.a == a && x.b == b || symmetric(truth) && x.a == b && x.b == a) {
			return true
		}
	}
	return false
}

// altsText lists what was found.
func altsText(s *state) string {
	var b strings.Builder
	for v, list := range s.proc.alts {
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "v%d", v)
		for i := range list {
			fmt.Fprintf(&b, " = %s v%d v%d", truthName(list[i].truth), idx(list[i].a), idx(list[i].b))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
