package compile

import (
	"slices"

	"simrun/isa"
	"simrun/programs/ir"
)

// Values that are made again from others instead of being loaded, and stores that are then of no use. The store stands where
// the value lost its register, since only later is it known whether anybody loads it; stores that
// nobody loads are taken out at the end. Where control flow meets, every store made so far counts as needed.

// spill is a store to a spill slot.
type spill struct {
	at     int32 // index in out
	needed bool
	copies int32 // of the value that could come from a register as well
}

// read is a read of a value at a position behind the end of the code.
type read struct {
	v   int64
	pos int
}

// noteSpill records that the last instruction stored the value at pl.
func (a *allocator) noteSpill(pl *place) {
	if !a.p.again || a.p.Code[min(a.pos, len(a.p.Code)-1)].Kind != KindInst {
		return
	}
	a.spills = append(a.spills, spill{at: int32(len(a.out) - 1)})
	pl.spill = int32(len(a.spills))
}

func (a *allocator) needSpill(pl *place) {
	if pl.spill > 0 {
		a.spills[pl.spill-1].needed = true
	}
}

// keepSpills says that all stores of values still in memory are needed.
func (a *allocator) keepSpills() {
	if len(a.spills) == 0 {
		return
	}
	for i := range a.at {
		if a.at[i].stored {
			a.needSpill(&a.at[i])
			a.at[i].spill = 0
		}
	}
}

// leave counts the values that are read behind the end and are in no register as loaded there.
func (a *allocator) leave() {
	for _, r := range a.p.after {
		if pl := &a.at[idx(r.v)]; pl.reg == isa.NoReg {
			a.away++
			a.needSpill(pl)
		}
	}
}

// dropSpills takes out the stores that nobody needs.
func (a *allocator) dropSpills() {
	k := 0
	for _, s := range a.spills {
		if !s.needed {
			a.out[s.at].Kind = kindNone
			k++
		}
	}
	if k > 0 {
		a.out = slices.DeleteFunc(a.out, func(m MInst) bool { return m.Kind == kindNone })
	}
}

// otherWay is a definition of v whose operands are in registers now, or nil.
func (a *allocator) otherWay(v int64) *alt {
	if !a.p.again {
		return nil
	}
	list := a.p.alts[idx(v)]
	for i := range list {
		if x := &list[i]; a.at[idx(x.a)].reg != isa.NoReg && a.at[idx(x.b)].reg != isa.NoReg {
			return x
		}
	}
	return nil
}

// makeAgain brings v into a register without a load, if it can.
func (a *allocator) makeAgain(v int64, at ir.Pos) bool {
	if pl := &a.at[idx(v)]; pl.reg != isa.NoReg || !pl.stored {
		return false
	}
	x := a.otherWay(v)
	if x == nil {
		return false
	}
	busy := a.busy
	ra, rb := a.at[idx(x.a)].reg, a.at[idx(x.b)].reg
	a.busy = a.busy.With(ra).With(rb)
	r := a.free(a.p.Reg(v).Class, v, at)
	a.busy = busy.With(r)
	in := x.in
	in.Uses(func(slot int, _ *isa.Operand) {
		switch in.Args[slot] {
		case v:
			in.Args[slot] = int64(r)
		case x.a:
			in.Args[slot] = int64(ra)
		case x.b:
			in.Args[slot] = int64(rb)
		}
	})
	note := ""
	if !a.quiet {
		note = "again " + a.name(v)
	}
	a.emit(in, at, note)
	a.hold(v, r)
	return true
}

// findUnread marks the instructions that do nothing but make values that nobody reads.
func (a *allocator) findUnread() {
	n := len(a.p.Code)
	a.unread = slices.Grow(a.unread[:0], n)[:n]
	clear(a.unread)
	if a.p.alts == nil {
		return
	}
	a.seen = slices.Grow(a.seen[:0], len(a.p.Regs))[:len(a.p.Regs)]
	clear(a.seen)
	for _, r := range a.p.after {
		a.seen[idx(r.v)] = true
	}
	for pos := n - 1; pos >= 0; pos-- {
		m := &a.p.Code[pos]
		if m.Kind != KindInst {
			a.seeMark(m)
			continue
		}
		if a.unread[pos] = removable(m) && !slices.ContainsFunc(m.outs, func(v int64) bool { return a.seen[idx(v)] }); a.unread[pos] {
			continue
		}
		a.see(m.ins)
	}
}

func removable(m *MInst) bool {
	return movable(m) && m.Form.Flags&isa.Store == 0 && len(m.outs) > 0
}

func (a *allocator) see(vs []int64) {
	for _, v := range vs {
		a.seen[idx(v)] = true
	}
}

func (a *allocator) seeMark(m *MInst) {
	if m.Loop != nil {
		a.see(m.Loop.Init)
		a.see(m.Loop.Next)
	}
	if m.Cond != nil {
		a.see(m.Cond.Then)
		a.see(m.Cond.Else)
	}
}
