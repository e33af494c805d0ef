package compile

import (
	"slices"

	"simrun/isa"
	"simrun/programs/ir"
)

// Conditions: both branches begin in the state of the branch instruction and end in one state.

type snapshot struct {
	taken isa.RegSet
	at    []place
	held  [isa.NoReg + 1]int64
	own   [2][]slot
}

func (a *allocator) condBegin(m *MInst) {
	c := m.Cond
	h := home{begin: c.begin, end: c.end, reg: map[int64]int{}}
	for r := isa.Reg(0); r < isa.NoReg; r++ {
		if v := a.held[r]; v != 0 && a.lastUse(v) > c.end {
			h.reg[v] = 1 + int(r)
		}
	}
	h.saved = a.snapshot()
	a.homes = append(a.homes, h)
	a.other = append(a.other, span{c.mid, c.end})
}

func (a *allocator) snapshot() *snapshot {
	s := &snapshot{at: slices.Clone(a.at), held: a.held, taken: a.taken}
	for c := range a.slots {
		s.own[c] = slices.Clone(a.slots[c])
	}
	return s
}

// restore goes back to the state of s; slots made since are free.
func (a *allocator) restore(s *snapshot) {
	a.at, a.held, a.taken = slices.Clone(s.at), s.held, s.taken
	for c := range a.slots {
		n := copy(a.slots[c], s.own[c])
		for i := n; i < len(a.slots[c]); i++ {
			a.slots[c][i].owner, a.slots[c][i].pinned = 0, 0
		}
	}
}

// resultHomes decides where the results of a condition are: in the registers that the first branch leaves them in, each
// its own, and not one that a value from outside must be back in; else in slots.
func (a *allocator) resultHomes(results, outs []int64, h *home) {
	var taken isa.RegSet
	for _, k := range h.reg {
		taken = taken.With(isa.Reg(k - 1))
	}
	for j, v := range results {
		r := a.at[idx(v)].reg
		if r == isa.NoReg || taken.Has(r) {
			off := a.resultSlot(outs[j], h.saved)
			h.want = append(h.want, want{isa.NoReg, off, 0})
			continue
		}
		taken = taken.With(r)
		h.want = append(h.want, want{reg: r})
	}
}

// resultSlot finds a slot that is free now and was at the branch: the other branch may still read what lay there.
func (a *allocator) resultSlot(v int64, saved *snapshot) int {
	c := a.p.Reg(v).Class
	for i := range a.slots[c] {
		s := &a.slots[c][i]
		before := i < len(saved.own[c]) && (saved.own[c][i].owner != 0 || saved.own[c][i].pinned != 0)
		if s.owner == 0 && s.pinned == 0 && !before {
			s.owner, s.pinned = v, v
			return s.off
		}
	}
	off := a.newSlot(v)
	a.slotAt(c, off).pinned = v
	return off
}

// branchEnd brings the results of a branch and all other values home.
func (a *allocator) branchEnd(results []int64, h home, at ir.Pos) {
	a.busy = 0
	var moves []move
	for j, v := range results {
		if w := h.want[j]; w.reg != isa.NoReg {
			moves = append(moves, move{dst: w.reg, v: v})
			continue
		}
		r := a.ensure(v, at)
		a.busy = 0
		a.emitSlot(a.t.Spill(a.p.Reg(v).Class, r, h.want[j].slot), h.want[j].slot, at, "result")
	}
	a.bringHome(append(moves, a.homeMoves(h)...), at)
}

func (a *allocator) condElse(m *MInst) {
	h := &a.homes[len(a.homes)-1]
	a.resultHomes(m.Cond.Then, m.Cond.Out, h)
	a.branchEnd(m.Cond.Then, *h, m.Pos)
	a.emit(a.t.Jump(m.Cond.Exit), m.Pos, "")
	a.label(m.Cond.Otherwise)
	a.restore(h.saved)
	a.other = a.other[:len(a.other)-1]
	for j, w := range h.want { // the slots of the results stay theirs in the other branch
		if w.reg == isa.NoReg {
			s := a.slotAt(a.p.Reg(m.Cond.Out[j]).Class, w.slot)
			s.owner, s.pinned = m.Cond.Out[j], m.Cond.Out[j]
		}
	}
}

func (a *allocator) condEnd(m *MInst) {
	h := a.homes[len(a.homes)-1]
	a.branchEnd(m.Cond.Else, h, m.Pos)
	a.label(m.Cond.Exit)
	a.homes = a.homes[:len(a.homes)-1]
	a.restore(h.saved)
	a.settle(h)
	for j, v := range m.Cond.Out {
		if w := h.want[j]; w.reg != isa.NoReg {
			a.hold(v, w.reg)
		} else {
			s := a.slotAt(a.p.Reg(v).Class, w.slot)
			s.owner, s.pinned = v, 0
			a.at[idx(v)] = place{isa.NoReg, w.slot, true, 0}
		}
		if a.last[idx(v)] < 0 {
			a.release(v)
		}
	}
}
