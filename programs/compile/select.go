package compile

import (
	"fmt"

	"simrun/isa"
	"simrun/programs/ir"
)

// selectCode walks the graph in program order and lets the target's selector make instructions.
func selectCode(g *Graph, t *Target, ctx *Context) *Proc {
	b := &Builder{Proc: &Proc{}, Graph: g, Target: t, Context: ctx,
		scratch: map[*ir.Mem]int{}, consts: map[string]int64{}, labels: map[string]string{},
		objects: map[int64]*ir.Mem{}}
	w := &walker{b: b}
	w.layout()
	w.sel = t.NewSelector(b)
	if !t.Context {
		w.parameters()
	}
	w.region(g.Body)
	w.sel.Flush()
	preferAhead(b.Proc)
	return b.Proc
}

// preferAhead hands the wish for a register on to what a two-address instruction starts from.
func preferAhead(p *Proc) {
	for i := len(p.Code) - 1; i >= 0; i-- {
		m := &p.Code[i]
		if m.Tied != 0 && len(m.outs) == 1 {
			p.Reg(m.Tied).Prefer |= p.Reg(m.outs[0]).Prefer
		}
	}
}

type walker struct {
	b      *Builder
	sel    Selector
	labels int
}

// layout places scratch arrays at the base of the frame, or behind the parameters of a context.
func (w *walker) layout() {
	b := w.b
	if b.Context != nil {
		b.Proc.Frame = b.Context.Size
	}
	align := b.Target.SlotBytes[isa.GPR]
	if b.Target.Vector {
		align = b.Target.SlotBytes[isa.Vec]
	}
	if near := b.Target.NearSlots; len(b.Graph.Scratch) > 0 && b.Proc.Frame < near {
		b.Proc.Near = span{isa.AlignUp(b.Proc.Frame, align), near}
		b.Proc.Frame = near
	}
	for _, m := range b.Graph.Scratch {
		b.Proc.Frame = isa.AlignUp(b.Proc.Frame, align)
		b.scratch[m] = b.Proc.Frame
		b.Proc.Frame += m.Bytes() * b.Target.Lanes(b.Graph.Kernel)
	}
	b.Proc.Frame = isa.AlignUp(b.Proc.Frame, align)
	if most := b.Target.MaxFrame; b.Proc.Frame > most {
		b.Refuse(b.Graph.Scratch[0].Pos, fmt.Sprintf("scratch arrays of %d bytes, %d is the most", b.Proc.Frame, most), "use smaller ones")
	}
}

// parameters defines the values that arrive in registers.
func (w *walker) parameters() {
	args := w.b.Target.Arch.ABI().Args
	var pins []Pin
	byName := map[string]int64{}
	for i, p := range w.b.Graph.Params {
		if i >= len(args) {
			w.b.Refuse(w.b.Graph.Kernel.Pos, fmt.Sprintf("parameter %s is number %d of at most %d", p.Name, i+1, len(args)),
				"join buffers into one parameter")
		}
		r := w.b.New(isa.GPR, p.Name)
		byName[p.Name] = r
		pins = append(pins, Pin{V: r, R: args[i]})
	}
	w.b.Proc.Code = append(w.b.Proc.Code, MInst{Kind: KindPin, Pins: pins})
	w.b.Graph.Body.Visit(func(r *Region) {
		for _, n := range r.Nodes {
			v, ok := n.(*Value)
			switch {
			case ok && v.Op == OpBase && isParam(v.Mem):
				w.sel.Define(v, byName[v.Mem.Name])
			case ok && v.Op == OpPublic:
				w.sel.Define(v, byName[v.Name])
			}
		}
	})
}

func (w *walker) region(r *Region) {
	for _, n := range r.Nodes {
		switch n := n.(type) {
		case *Value:
			w.b.pos = n.Pos
			if !w.parameter(n) {
				w.sel.Value(n)
			}
		case *Store:
			w.b.pos = n.Pos
			w.sel.Store(n)
		case *Loop:
			w.loop(n)
		case *Cond:
			w.cond(n)
		}
	}
}

// parameter reports whether n is already in a register by the calling convention.
func (w *walker) parameter(n *Value) bool {
	return !w.b.Target.Context && (n.Op == OpPublic || n.Op == OpBase && isParam(n.Mem))
}

func isParam(m *ir.Mem) bool { return m.Kind != ir.Scratch && m.Kind != ir.Rom }

func (w *walker) label(kind string) string {
	w.labels++
	return fmt.Sprintf(".L%s%d", kind, w.labels)
}

func (w *walker) mark(m MInst) { w.b.Proc.Code = append(w.b.Proc.Code, m) }

func (w *walker) class(v *Value) isa.RegClass { return regClass(v, w.b.Target.Vector) }

const unknownTurns = 8 // guessed for loops with a public bound

func (w *walker) loop(n *Loop) {
	w.sel.Flush()
	l := &MLoop{Known: n.Count.Op == OpNumber, Top: w.label("loop"), Exit: w.label("done")}
	l.Turns = unknownTurns
	if l.Known {
		l.Turns = int(n.Count.Off)
	}
	for _, v := range n.Init {
		l.Init = append(l.Init, w.sel.Reg(v))
	}
	count := w.sel.Reg(n.Count)
	for _, p := range n.Phis {
		r := w.b.New(w.class(p), "phi")
		w.sel.Define(p, r)
		w.b.Points(r, w.b.objects[l.Init[len(l.Phis)]])
		l.Phis = append(l.Phis, r)
	}
	counter := w.b.New(isa.GPR, "count")
	l.Counter = len(l.Phis)
	l.Phis, l.Init = append(l.Phis, counter), append(l.Init, count)
	w.mark(MInst{Kind: KindLoopBegin, Loop: l, Pos: n.Pos})
	l.Next = w.inside(n.Body, n.Next)
	l.Next = append(l.Next, w.sel.Decrement(counter))
	for _, v := range n.Out {
		r := w.b.New(w.class(v), "out")
		w.sel.Define(v, r)
		l.Out = append(l.Out, r)
	}
	l.Out = append(l.Out, w.b.New(isa.GPR, "count"))
	w.mark(MInst{Kind: KindLoopEnd, Loop: l, Pos: n.Pos})
}

func (w *walker) cond(n *Cond) {
	w.sel.Flush()
	c := &MCond{Otherwise: w.label("else"), Exit: w.label("fi")}
	w.sel.Branch(n.Compare, w.sel.Reg(n.A), w.sel.Reg(n.B), c.Otherwise)
	// The marks say where register contents must agree; the branch itself stays the last instruction.
	w.mark(MInst{Kind: KindCondBegin, Cond: c, Pos: n.Pos})
	c.Then = w.inside(n.Then, n.Then.Results)
	w.mark(MInst{Kind: KindCondElse, Cond: c, Pos: n.Pos})
	c.Else = w.inside(n.Else, n.Else.Results)
	for _, v := range n.Out {
		r := w.b.New(w.class(v), "out")
		w.sel.Define(v, r)
		c.Out = append(c.Out, r)
	}
	w.mark(MInst{Kind: KindCondEnd, Cond: c, Pos: n.Pos})
}

// inside selects a region of its own and returns the registers of the values that leave it.
func (w *walker) inside(r *Region, results []*Value) []int64 {
	w.sel.Enter()
	defer w.sel.Leave()
	w.region(r)
	w.sel.Flush()
	var regs []int64
	for _, v := range results {
		regs = append(regs, w.sel.Reg(v))
	}
	return regs
}
