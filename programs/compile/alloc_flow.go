package compile

import (
	"slices"

	"simrun/isa"
	"simrun/programs/ir"
)

// Where control flow meets, register contents must agree. At the top of a loop every value
// that lives through it has a home: the register or the spill slot it is in at that moment. At the
// end of the body all are brought home again. A condition does the same at the end of both branches
// (alloc_cond.go); its results are where the first branch leaves them, in registers or else in spill slots.

type home struct {
	begin, end int
	reg        map[int64]int // values from outside: 1 + register they are kept in
	want       []want        // loops: by carried value; conditions: by result, behind the first branch
	loop       *MLoop
	stored     map[int64]bool // loops that may not run: values from outside that lie in memory before
	saved      *snapshot      // conditions: the state at the branch
}

type want struct {
	reg  isa.Reg // NoReg: in the slot
	slot int
	pin  int64 // for whom the slot was kept before: the value of a loop around this one
}

func (a *allocator) label(name string) {
	a.out = append(a.out, MInst{Kind: KindLabel, Note: name})
}

func (a *allocator) loopLabel(name string, l *MLoop) {
	a.out = append(a.out, MInst{Kind: KindLabel, Note: name, Loop: l})
}

func (a *allocator) emitAll(ins []isa.Inst, at ir.Pos) {
	for _, in := range ins {
		a.emit(in, at, "")
	}
}

// wish is the register that the innermost loop wants v in at its end.
func (a *allocator) wish(v int64) isa.Reg {
	if j, h := a.carriedAs(v); j >= 0 {
		return h.want[j].reg
	}
	return isa.NoReg
}

// slotWish is the slot that the innermost loop wants v in at its end, if the value it
// holds now is dead; else -1.
func (a *allocator) slotWish(v int64) int {
	j, h := a.carriedAs(v)
	if j < 0 || h.want[j].reg != isa.NoReg {
		return -1
	}
	if s := a.slotAt(a.p.Reg(v).Class, h.want[j].slot); s.owner != 0 {
		return -1
	}
	return h.want[j].slot
}

// carriedAs finds v among the next values of the innermost loop.
func (a *allocator) carriedAs(v int64) (int, *home) {
	if len(a.homes) == 0 {
		return -1, nil
	}
	h := &a.homes[len(a.homes)-1]
	if h.loop == nil {
		return -1, nil
	}
	return slices.Index(h.loop.Next, v), h
}

// noteLate remembers that a value from outside a loop was first stored inside.
func (a *allocator) noteLate(v int64) {
	for i := range a.homes {
		if a.homes[i].loop != nil && a.homes[i].reg[v] != 0 {
			if a.late == nil {
				a.late = map[int64]bool{}
			}
			a.late[v] = true
		}
	}
}

func (a *allocator) loopBegin(m *MInst) {
	l := m.Loop
	a.busy = 0
	a.clearFor(l, m.Pos)
	for j := range l.Phis {
		dies := a.dead(l.Init[j]) && !slices.Contains(l.Init[j+1:], l.Init[j])
		a.enterPhi(l.Init[j], l.Phis[j], dies, m.Pos)
	}
	counter := a.ensure(l.Phis[l.Counter], m.Pos)
	h := home{begin: l.begin, end: l.end, reg: map[int64]int{}, want: make([]want, len(l.Phis)), loop: l}
	for j, p := range l.Phis {
		pl := &a.at[idx(p)]
		if pl.reg != isa.NoReg {
			a.forgetSlot(p) // it holds the value of the first turn only
			h.want[j] = want{reg: pl.reg}
			continue
		}
		s := a.slotAt(a.p.Reg(p).Class, pl.slot)
		h.want[j] = want{isa.NoReg, pl.slot, s.pinned}
		s.pinned = p
	}
	for r := isa.Reg(0); r < isa.NoReg; r++ {
		if v := a.held[r]; v != 0 && slices.Index(l.Phis, v) < 0 && a.lastUse(v) > a.pos {
			h.reg[v] = 1 + int(r)
		}
	}
	if !l.Known {
		h.stored = map[int64]bool{}
		for v := range h.reg {
			h.stored[v] = a.at[idx(v)].stored
		}
	}
	a.homes = append(a.homes, h)
	if !l.Known {
		a.emitAll(a.t.Guard(counter, l.Exit), m.Pos)
	}
	a.loopLabel(l.Top, l)
}

// clearFor stores what was found to be stored inside the loop, and where registers are short takes values that the loop
// does not use out of them.
func (a *allocator) clearFor(l *MLoop, at ir.Pos) {
	for r := isa.Reg(0); r < isa.NoReg; r++ {
		v := a.held[r]
		if v == 0 || a.lastUse(v) <= a.pos {
			continue
		}
		if a.early[v] {
			a.save(v, at)
		}
		if !a.usedIn(idx(v), l.begin, l.end) && a.spareRegs(a.p.Reg(v).Class) < roomy {
			a.save(v, at)
			a.drop(v)
		}
	}
}

// roomy is how many registers must be free for values that a loop does not use to stay in theirs.
const roomy = 6

// spareRegs counts the free registers.
func (a *allocator) spareRegs(c isa.RegClass) int {
	n := 0
	for _, r := range a.t.Regs[c] {
		if a.held[r] == 0 {
			n++
		}
	}
	return n
}

// enterPhi gives phi the place of its first value, or a copy of it if that is needed later.
func (a *allocator) enterPhi(init, phi int64, dies bool, at ir.Pos) {
	pl := a.at[idx(init)]
	c := a.p.Reg(phi).Class
	switch {
	case dies && pl.reg != isa.NoReg:
		a.release(init)
		a.hold(phi, pl.reg)
		return
	case dies && pl.stored:
		a.slotAt(c, pl.slot).owner = phi
		a.at[idx(init)] = place{isa.NoReg, -1, false, 0}
		a.at[idx(phi)] = place{isa.NoReg, pl.slot, true, 0}
		return
	}
	if pl.reg != isa.NoReg {
		a.busy = isa.Set(pl.reg)
	}
	r := a.free(c, 0, at)
	if pl.reg != isa.NoReg {
		a.emit(a.t.Move(c, r, pl.reg), at, "")
	} else {
		a.fill(init, r, at)
		a.drop(init)
	}
	a.busy = 0
	a.hold(phi, r)
}

func (a *allocator) forgetSlot(v int64) {
	pl := &a.at[idx(v)]
	if pl.slot >= 0 {
		a.slotAt(a.p.Reg(v).Class, pl.slot).owner = 0
	}
	pl.slot, pl.stored, pl.spill = -1, false, 0
}

func (a *allocator) loopEnd(m *MInst) {
	l := m.Loop
	h := a.homes[len(a.homes)-1]
	a.busy = 0
	for j := range l.Phis {
		if h.want[j].reg == isa.NoReg {
			a.toSlot(l, j, h.want[j].slot, m.Pos)
		}
	}
	var moves []move
	for j, w := range h.want {
		if w.reg != isa.NoReg {
			moves = append(moves, move{dst: w.reg, v: l.Next[j]})
		}
	}
	a.bringHome(append(moves, a.homeMoves(h)...), m.Pos)
	a.emitAll(a.t.LoopBranch(h.want[l.Counter].reg, l.Top), m.Pos)
	a.loopLabel(l.Exit, l)
	a.homes = a.homes[:len(a.homes)-1]
	a.settle(h)
	for v, was := range h.stored {
		if !was && a.last[idx(v)] > a.pos {
			a.forgetSlot(v) // the store stands in a body that may not have run
		}
	}
	for j, w := range h.want {
		out := l.Out[j]
		a.release(l.Phis[j])
		if w.reg == isa.NoReg {
			s := a.slotAt(a.p.Reg(out).Class, w.slot)
			s.owner, s.pinned = out, w.pin
			a.at[idx(out)] = place{isa.NoReg, w.slot, true, 0}
		} else {
			a.hold(out, w.reg)
		}
		if a.last[idx(out)] < 0 {
			a.release(out)
		}
	}
}

// toSlot stores the next value of carried value j in its slot.
func (a *allocator) toSlot(l *MLoop, j, slot int, at ir.Pos) {
	n, p := l.Next[j], l.Phis[j]
	pl := &a.at[idx(n)]
	if pl.stored && pl.slot == slot {
		return
	}
	if q := &a.at[idx(p)]; q.stored && q.slot == slot && slices.Contains(l.Next, p) {
		// The old value goes on as another carried value: take it out of the slot first.
		a.ensure(p, at)
		q.slot, q.stored, q.spill = -1, false, 0
		a.slotAt(a.p.Reg(p).Class, slot).owner = 0
		a.busy = 0
	}
	r := a.ensure(n, at)
	a.busy = 0
	a.emitSlot(a.t.Spill(a.p.Reg(n).Class, r, slot), slot, at, "carried "+a.name(n))
}

// homeMoves are the registers that values from outside must be back in.
func (a *allocator) homeMoves(h home) []move {
	var moves []move
	for r := isa.Reg(0); r < isa.NoReg; r++ {
		for v, k := range h.reg {
			if k == 1+int(r) && a.last[idx(v)] > h.begin {
				moves = append(moves, move{dst: r, v: v})
			}
		}
	}
	return moves
}

// settle makes the books say what holds behind the end of h: only values that live on, at home.
func (a *allocator) settle(h home) {
	a.held, a.taken = [isa.NoReg + 1]int64{}, 0
	for i := range a.at {
		a.at[i].reg = isa.NoReg
	}
	for c := range a.slots {
		for i := range a.slots[c] {
			if v := a.slots[c][i].owner; v != 0 && a.last[idx(v)] <= a.pos {
				a.release(v)
			}
		}
	}
	for v, k := range h.reg {
		if a.last[idx(v)] > a.pos {
			a.hold(v, isa.Reg(k-1))
		}
	}
}
