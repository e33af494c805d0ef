package compile

import (
	"fmt"

	"simrun/isa"
	"simrun/programs/ir"
)

// Which value leaves its register, where it is kept, and when it comes back.

// aheadWindow is how many instructions ahead a reload is done early, to pair with one that is due.
const aheadWindow = 6

// reloadAhead, called behind a reload, brings values that will be reloaded soon into registers that
// are free, or whose own value is needed later and is in memory already.
func (a *allocator) reloadAhead(at ir.Pos) {
	for i := a.pos + 1; i < len(a.p.Code) && i <= a.pos+aheadWindow && a.p.Code[i].Kind == KindInst; i++ {
		for _, v := range a.p.Code[i].ins {
			pl := &a.at[idx(v)]
			if !pl.stored || pl.reg != isa.NoReg || a.otherWay(v) != nil {
				continue
			}
			if r := a.spare(a.p.Reg(v).Class, i); r != isa.NoReg {
				a.fill(v, r, at)
				return
			}
		}
	}
}

// spare is a register that can be taken until position use without a store: a free one, or one whose value
// is read later than that.
func (a *allocator) spare(c isa.RegClass, use int) isa.Reg {
	best, latest := isa.NoReg, use
	for _, r := range a.t.Regs[c] {
		v := a.held[r]
		switch {
		case a.busy.Has(r):
		case v == 0:
			return r
		case a.at[idx(v)].stored || len(a.p.Reg(v).Remat) > 0:
			if n := a.nextUse(v); n > latest {
				best, latest = r, n
			}
		}
	}
	if best != isa.NoReg {
		a.drop(a.held[best])
	}
	return best
}

// evict empties the register whose value is needed last and returns it.
func (a *allocator) evict(c isa.RegClass, at ir.Pos) isa.Reg {
	victim, worst := isa.NoReg, -1
	for _, r := range a.t.Regs[c] {
		v := a.held[r]
		if v == 0 || a.busy.Has(r) {
			continue
		}
		if s := a.score(v); s > worst {
			victim, worst = r, s
		}
	}
	if victim == isa.NoReg {
		panic(fmt.Sprintf("compile: no register of class %d left at instruction %d", c, a.pos))
	}
	a.save(a.held[victim], at)
	a.drop(a.held[victim])
	return victim
}

// score says how good it is to evict v: the distance to its next use, doubled if no store is needed.
func (a *allocator) score(v int64) int {
	d := a.nextUse(v)
	if d == never {
		return never
	}
	d -= a.pos
	if a.at[idx(v)].stored || len(a.p.Reg(v).Remat) > 0 {
		d *= 2
	}
	return d
}

// save makes sure that v survives the loss of its register.
func (a *allocator) save(v int64, at ir.Pos) {
	pl := &a.at[idx(v)]
	if pl.stored || len(a.p.Reg(v).Remat) > 0 || a.lastUse(v) < a.pos {
		return
	}
	if pl.slot < 0 {
		pl.slot = a.takeSlot(v)
	}
	a.emitSlot(a.t.Spill(a.p.Reg(v).Class, pl.reg, pl.slot), pl.slot, at, "spill "+a.name(v))
	pl.stored = true
	a.noteSpill(pl)
	a.noteLate(v)
}

// takeSlot finds a free slot for v.
func (a *allocator) takeSlot(v int64) int {
	c := a.p.Reg(v).Class
	if off := a.slotWish(v); off >= 0 {
		a.slotAt(c, off).owner = v
		return off
	}
	for i := range a.slots[c] {
		if s := &a.slots[c][i]; s.owner == 0 && s.pinned == 0 {
			s.owner = v
			return s.off
		}
	}
	return a.newSlot(v)
}

// newSlot makes a slot for v: near, or at the end of the frame.
func (a *allocator) newSlot(v int64) int {
	c := a.p.Reg(v).Class
	size := a.t.SlotBytes[c]
	if off := isa.AlignUp(a.near, size); off+size <= a.p.Near.end {
		a.near = off + size
		a.slots[c] = append(a.slots[c], slot{off: off, owner: v})
		return off
	}
	a.frame = isa.AlignUp(a.frame, size)
	a.slots[c] = append(a.slots[c], slot{off: a.frame, owner: v})
	a.frame += size
	return a.frame - size
}

func (a *allocator) slotAt(c isa.RegClass, off int) *slot {
	for i := range a.slots[c] {
		if a.slots[c][i].off == off {
			return &a.slots[c][i]
		}
	}
	panic("compile: unknown spill slot")
}
