package compile

import (
	"cmp"
	"slices"

	"simrun/isa"
)

// A two-address instruction that would destroy a value which lies in a register and in its slot takes a copy: from the
// register, which costs a port that executes, or from the slot, which costs a load. The walk takes the slot; at its end
// copies change to the register as far as that relieves the bottleneck of their straight run.

// copied is a copy that may come from a register.
type copied struct {
	at    int32 // index in out
	src   isa.Reg
	class isa.RegClass
	spill int32 // see place
}

// copyFromSlot emits a copy of the value at pl from its slot.
func (a *allocator) copyFromSlot(c isa.RegClass, d isa.Reg, pl *place, in MInst) {
	if a.t.demand == nil || pl.reg == isa.NoReg {
		a.needSpill(pl)
	} else {
		a.copies = append(a.copies, copied{int32(len(a.out)), pl.reg, c, pl.spill})
		if pl.spill > 0 {
			a.spills[pl.spill-1].copies++
		}
	}
	in.Inst, in.Slot = a.t.Reload(c, d, pl.slot), 1+pl.slot
	a.out = append(a.out, in)
}

// chooseCopies decides where copies come from, run by run.
func (a *allocator) chooseCopies() {
	if len(a.copies) == 0 {
		return
	}
	for i := range a.spills {
		if s := &a.spills[i]; !s.needed && s.copies == 0 {
			a.out[s.at].Kind = kindNone
		}
	}
	first, begin := 0, 0
	for end := 0; end <= len(a.out); end++ {
		if end < len(a.out) && (a.out[end].Kind != KindLabel || a.out[end].Loop == nil) {
			continue
		}
		n := first
		for n < len(a.copies) && int(a.copies[n].at) < end {
			n++
		}
		a.copiesOfRun(a.out[begin:end], a.copies[first:n])
		first, begin = n, end
	}
}

// copiesOfRun takes as many of the copies of a run from registers as pay, evenly spread: first those whose store nobody
// needs then.
func (a *allocator) copiesOfRun(run []MInst, list []copied) {
	if len(list) == 0 {
		return
	}
	var sum Demand
	for i := range run {
		if run[i].Kind == KindInst {
			sum.add(a.t.demand(run[i].Form), 1)
		}
	}
	lone := func(c copied) int {
		if c.spill > 0 && !a.spills[c.spill-1].needed && a.spills[c.spill-1].copies == 1 {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(x, y copied) int { return cmp.Compare(lone(x), lone(y)) })
	alone := 0
	for alone < len(list) && lone(list[alone]) == 0 {
		alone++
	}
	n := a.pays(sum, list)
	a.spreadCopies(list[:alone], min(n, alone))
	a.spreadCopies(list[alone:], n-min(n, alone))
}

// pays is how many of the copies are to come from registers: the cost is convex in that number.
func (a *allocator) pays(sum Demand, list []copied) int {
	c := &list[0]
	change := a.t.demand(a.t.Move(c.class, c.src, c.src).Form)
	change.add(a.t.demand(a.out[c.at].Form), -1)
	n := 0
	for cost := sum.cost(); n < len(list); n++ {
		sum.add(change, 1)
		next := sum.cost()
		if next >= cost {
			break
		}
		cost = next
	}
	return n
}

// spreadCopies takes n of the copies from registers, the others from slots.
func (a *allocator) spreadCopies(list []copied, n int) {
	for i, c := range list {
		if (i+1)*n/len(list) == i*n/len(list) {
			if c.spill > 0 {
				a.spills[c.spill-1].needed = true
			}
			continue
		}
		m := &a.out[c.at]
		m.Inst, m.Slot, m.Note = a.t.Move(c.class, m.Reg(0), c.src), 0, ""
	}
}
