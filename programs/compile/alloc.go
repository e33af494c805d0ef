package compile

import (
	"fmt"
	"slices"

	"simrun/isa"
	"simrun/programs/ir"
)

// The allocator walks the code once, top to bottom, and keeps for every virtual register where it
// is now: in a physical register, in a spill slot, or both. When a register is needed it evicts
// the value whose next use is farthest (Belady); a value is stored only at its first eviction
// (lazily), and not at all if it can be recomputed. Loops and conditions are handled where
// control flow meets: see alloc_flow.go.

const never = 1 << 30

type place struct {
	reg    isa.Reg // NoReg = in no register
	slot   int     // -1 = none
	stored bool    // slot holds the value
}

type allocator struct {
	t     *Target
	p     *Proc
	out   []MInst
	pos   int // index in p.Code
	at    []place
	uses  [][]int32            // positions of reads of each virtual register, ascending
	kept  [][]int32            // ends of the loops that a value from outside lives through
	next  []int                // index into uses
	last  []int                // position after which the value is dead
	held  [isa.NoReg + 1]int64 // virtual register in a physical one, 0 = none
	busy  isa.RegSet           // may not be evicted: operands of the current instruction
	used  isa.RegSet           // registers ever written
	stamp [isa.NoReg + 1]int   // length of out when a register was freed: the oldest is taken first
	slots [2][]slot            // by class
	homes []home               // of the loops and conditions around, innermost last
	other []span               // branches that the current one excludes, innermost last
	frame int                  // bytes so far
	quiet bool                 // write no notes
	early map[int64]bool       // values to be stored before the loop: found by an earlier run
	late  map[int64]bool       // values first stored inside a loop although made outside
}

// span is a range of positions.
type span struct{ begin, end int }

type slot struct {
	off    int
	owner  int64 // 0 = free
	pinned int64 // kept for this value of a loop, 0 = not
}

// allocate replaces virtual registers by physical ones. frame is the size of the stack frame or context
// block in bytes.
func allocate(p *Proc, t *Target) (code []MInst, used isa.RegSet, frame int) {
	a := &allocator{t: t}
	a.run(p)
	return a.out, a.used, a.frame
}

// run allocates p. What the first walk spilled inside loops a second one stores in front of them.
// An allocator may be used again; out is then overwritten.
func (a *allocator) run(p *Proc) {
	a.walk(p, nil)
	if len(a.late) > 0 {
		a.walk(p, a.late)
	}
}

func (a *allocator) walk(p *Proc, early map[int64]bool) {
	n := len(p.Regs)
	*a = allocator{t: a.t, p: p, quiet: a.quiet, frame: p.Frame, early: early, late: map[int64]bool{},
		out: slices.Grow(a.out[:0], len(p.Code)+len(p.Code)/4), at: slices.Grow(a.at[:0], n)[:n],
		uses: slices.Grow(a.uses[:0], n)[:n], kept: slices.Grow(a.kept[:0], n)[:n], next: slices.Grow(a.next[:0], n)[:n], last: slices.Grow(a.last[:0], n)[:n]}
	for i := range a.at {
		a.at[i] = place{isa.NoReg, -1, false}
		a.last[i], a.next[i], a.uses[i], a.kept[i] = -1, 0, a.uses[i][:0], a.kept[i][:0]
	}
	a.liveness()
	a.place()
}

func idx(v int64) int { return int(v - isa.VirtBase) }

// liveness records the uses of every virtual register and where it dies.
func (a *allocator) liveness() {
	use := func(v int64, pos int) {
		i := idx(v)
		a.uses[i] = append(a.uses[i], int32(pos))
		a.last[i] = max(a.last[i], pos)
	}
	made := make([]int, len(a.p.Regs)) // position of definition
	var loops []span
	for pos := range a.p.Code {
		m := &a.p.Code[pos]
		all := func(vs []int64) {
			for _, v := range vs {
				use(v, pos)
			}
		}
		def := func(vs []int64) {
			for _, v := range vs {
				made[idx(v)] = pos
			}
		}
		all(m.ins)
		def(m.outs)
		switch m.Kind {
		case KindLoopBegin:
			m.Loop.begin = pos
			all(m.Loop.Init)
			def(m.Loop.Phis)
			for _, v := range m.Loop.Phis { // placed even if never read
				a.last[idx(v)] = pos
			}
		case KindLoopEnd:
			m.Loop.end = pos
			all(m.Loop.Next)
			def(m.Loop.Out)
			loops = append(loops, span{m.Loop.begin, pos})
		case KindCondBegin:
			m.Cond.begin = pos
		case KindCondElse:
			m.Cond.mid = pos
			all(m.Cond.Then)
		case KindCondEnd:
			m.Cond.end = pos
			all(m.Cond.Else)
			def(m.Cond.Out)
		}
	}
	// A value made before a loop and used in it lives until the loop's end.
	for _, l := range loops { // inner loops come first
		for i := range a.uses {
			if made[i] < l.begin && a.usedIn(i, l.begin, l.end) {
				a.last[i] = max(a.last[i], l.end)
				a.kept[i] = append(a.kept[i], int32(l.end))
			}
		}
	}
}

func (a *allocator) usedIn(i, begin, end int) bool {
	k, _ := slices.BinarySearch(a.uses[i], int32(begin+1))
	return k < len(a.uses[i]) && int(a.uses[i][k]) <= end
}

// nextUse is the position of the next read of v at or after the current position; a value that a
// loop keeps in a register counts as read at the loop's end.
func (a *allocator) nextUse(v int64) int {
	i := idx(v)
	u := a.uses[i]
	k := a.next[i]
	for k < len(u) && int(u[k]) < a.pos {
		k++
	}
	a.next[i] = k
	for k < len(u) && a.elsewhere(int(u[k])) {
		k++
	}
	n := never
	if k < len(u) {
		n = int(u[k])
	}
	for j := range a.homes {
		h := &a.homes[j]
		if h.end >= a.pos && h.end < n && h.reg[v] != 0 {
			n = h.end
		}
	}
	return n
}

// elsewhere reports whether a position lies in the other branch of a condition that we are in: it is not on this path.
func (a *allocator) elsewhere(pos int) bool {
	for _, s := range a.other {
		if pos > s.begin && pos <= s.end {
			return true
		}
	}
	return false
}

// lastUse is the position behind which v is dead on this path.
func (a *allocator) lastUse(v int64) int {
	i := idx(v)
	if !a.elsewhere(a.last[i]) {
		return a.last[i]
	}
	last := -1
	for _, list := range [2][]int32{a.uses[i], a.kept[i]} {
		for _, pos := range list {
			if !a.elsewhere(int(pos)) {
				last = max(last, int(pos))
			}
		}
	}
	return last
}

// dead reports whether v is not needed after the current position.
func (a *allocator) dead(v int64) bool { return a.lastUse(v) <= a.pos }

// place walks the code.
func (a *allocator) place() {
	for a.pos = range a.p.Code {
		m := &a.p.Code[a.pos]
		switch m.Kind {
		case KindInst:
			a.inst(*m)
		case KindPin:
			for _, p := range m.Pins {
				if a.last[idx(p.V)] >= 0 {
					a.hold(p.V, p.R)
				}
			}
		case KindLoopBegin:
			a.loopBegin(m)
		case KindLoopEnd:
			a.loopEnd(m)
		case KindCondBegin:
			a.condBegin(m)
		case KindCondElse:
			a.condElse(m)
		case KindCondEnd:
			a.condEnd(m)
		}
	}
}

// inst allocates one instruction: operands into registers, dead ones freed, result placed.
func (a *allocator) inst(m MInst) {
	a.busy = 0
	for _, v := range m.ins { // those already in registers must not be evicted for the others
		if r := a.at[idx(v)].reg; r != isa.NoReg {
			a.busy = a.busy.With(r)
		}
	}
	for _, v := range m.ins {
		a.ensure(v, m.Pos)
	}
	if m.Tied != 0 && !a.dead(m.Tied) && m.Form.Flags&isa.Commute != 0 {
		a.commute(&m)
	}
	m.Uses(func(slot int, op *isa.Operand) {
		if op.Role&isa.Write == 0 && isVirtual(m.Args[slot]) {
			m.Args[slot] = int64(a.at[idx(m.Args[slot])].reg)
		}
	})
	tied := isa.NoReg
	if m.Tied != 0 {
		tied = a.tie(m.Tied, m.Pos)
	}
	for _, v := range m.ins {
		if r := a.at[idx(v)].reg; a.dead(v) && r != isa.NoReg {
			a.busy &^= isa.Set(r)
			a.release(v)
		}
	}
	a.define(&m, tied)
	a.out = append(a.out, m)
}

// define gives registers to the results of m.
func (a *allocator) define(m *MInst, tied isa.Reg) {
	m.Uses(func(slot int, op *isa.Operand) {
		v := m.Args[slot]
		if op.Role&isa.Write == 0 || !isVirtual(v) {
			return
		}
		r := tied
		if op.Role&isa.Read == 0 || r == isa.NoReg {
			r = a.free(a.p.Reg(v).Class, v, m.Pos)
		}
		m.Args[slot] = int64(r)
		a.hold(v, r)
		if a.last[idx(v)] < a.pos { // result never read
			a.release(v)
		}
	})
}

// tie prepares a two-address operand: it returns the register that holds the old value v and will
// hold the new one. A copy is made if v is needed later.
func (a *allocator) tie(v int64, at ir.Pos) isa.Reg {
	r := a.at[idx(v)].reg
	if a.dead(v) {
		a.release(v)
		return r
	}
	c := a.p.Reg(v).Class
	d := a.free(c, 0, at)
	a.emit(a.t.Move(c, d, r), at, "")
	a.busy = a.busy.With(d)
	a.used = a.used.With(d)
	return d
}

// commute swaps the tied operand with a dying one.
func (a *allocator) commute(m *MInst) {
	swapped := false
	m.Uses(func(slot int, op *isa.Operand) {
		v := m.Args[slot]
		if !swapped && op.Role == isa.Read && isVirtual(v) && v != m.Tied && a.dead(v) &&
			a.p.Reg(v).Class == a.p.Reg(m.Tied).Class {
			m.Args[slot], m.Tied, swapped = m.Tied, v, true
		}
	})
}

func (a *allocator) emit(in isa.Inst, at ir.Pos, note string) {
	a.out = append(a.out, MInst{Inst: in, Pos: at, Note: note})
}

// emitSlot emits an access to the spill slot at off.
func (a *allocator) emitSlot(in isa.Inst, off int, at ir.Pos, note string) {
	a.out = append(a.out, MInst{Inst: in, Pos: at, Note: note, Slot: 1 + off})
}

// hold puts v into r in the books.
func (a *allocator) hold(v int64, r isa.Reg) {
	a.held[r] = v
	a.at[idx(v)].reg = r
	a.used = a.used.With(r)
}

// release forgets v altogether.
func (a *allocator) release(v int64) {
	a.drop(v)
	pl := &a.at[idx(v)]
	if pl.slot >= 0 {
		s := a.slotAt(a.p.Reg(v).Class, pl.slot)
		if s.owner == v {
			s.owner = 0
		}
		pl.slot, pl.stored = -1, false
	}
}

// drop takes v out of its register.
func (a *allocator) drop(v int64) {
	pl := &a.at[idx(v)]
	if pl.reg != isa.NoReg {
		a.held[pl.reg] = 0
		a.stamp[pl.reg] = len(a.out)
		pl.reg = isa.NoReg
	}
}

// ensure brings v into a register.
func (a *allocator) ensure(v int64, at ir.Pos) isa.Reg {
	pl := &a.at[idx(v)]
	if pl.reg != isa.NoReg {
		a.busy = a.busy.With(pl.reg)
		return pl.reg
	}
	r := a.free(a.p.Reg(v).Class, v, at)
	a.fill(v, r, at)
	a.busy = a.busy.With(r)
	if a.t.PairLoads && pl.stored {
		a.reloadAhead(at)
	}
	return r
}

// aheadWindow is how many instructions ahead a reload is done early, to pair with one that is due.
const aheadWindow = 6

// reloadAhead, called behind a reload, brings values that will be reloaded soon into registers that
// are free, or whose own value is needed later and is in memory already.
func (a *allocator) reloadAhead(at ir.Pos) {
	for i := a.pos + 1; i < len(a.p.Code) && i <= a.pos+aheadWindow && a.p.Code[i].Kind == KindInst; i++ {
		for _, v := range a.p.Code[i].ins {
			pl := &a.at[idx(v)]
			if !pl.stored || pl.reg != isa.NoReg {
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

// fill loads or recomputes v in r.
func (a *allocator) fill(v int64, r isa.Reg, at ir.Pos) {
	vr := a.p.Reg(v)
	pl := &a.at[idx(v)]
	switch {
	case pl.stored:
		a.emitSlot(a.t.Reload(vr.Class, r, pl.slot), pl.slot, at, "reload "+a.name(v))
	case len(vr.Remat) > 0:
		for _, in := range vr.Remat {
			in.Uses(func(slot int, _ *isa.Operand) {
				if in.Args[slot] == v {
					in.Args[slot] = int64(r)
				}
			})
			a.emit(in, at, "")
		}
	default:
		panic(fmt.Sprintf("compile: value %s is nowhere at instruction %d", a.name(v), a.pos))
	}
	a.hold(v, r)
}

func (a *allocator) name(v int64) string {
	if a.quiet {
		return ""
	}
	if n := a.p.Reg(v).Name; n != "" {
		return n
	}
	return fmt.Sprint("v", idx(v))
}

// free returns a register of class c for v (0 = a temporary), evicting if none is free. It prefers the home that a
// loop wants v in, then the register that has been free longest, so that loads can move up.
func (a *allocator) free(c isa.RegClass, v int64, at ir.Pos) isa.Reg {
	if h := a.wish(v); h != isa.NoReg && a.held[h] == 0 && !a.busy.Has(h) {
		return h
	}
	best := isa.NoReg
	for _, r := range a.t.Regs[c] {
		if a.held[r] == 0 && !a.busy.Has(r) && (best == isa.NoReg || a.rank(r) < a.rank(best)) {
			best = r
		}
	}
	if best == isa.NoReg {
		best = a.evict(c, at)
	}
	return best
}

// rank orders free registers: those that would have to be saved and are not yet come last.
func (a *allocator) rank(r isa.Reg) int {
	abi := a.t.Arch.ABI()
	if !a.used.Has(r) && (!abi.CallerSaved.Has(r) || r == abi.Link) {
		return never
	}
	return a.stamp[r]
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

// newSlot makes a slot for v at the end of the frame.
func (a *allocator) newSlot(v int64) int {
	c := a.p.Reg(v).Class
	size := a.t.SlotBytes[c]
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
