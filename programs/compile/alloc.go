package compile

import (
	"fmt"
	"math/bits"
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
	spill  int32   // 1 + index in allocator.spills of the store that put it there, 0 = that is needed anyway
}

type allocator struct {
	t      *Target
	p      *Proc
	out    []MInst
	pos    int // index in p.Code
	at     []place
	uses   [][]int32            // positions of reads of each virtual register, ascending
	kept   [][]int32            // ends of the loops that a value from outside lives through
	next   []int                // index into uses
	last   []int                // position after which the value is dead
	held   [isa.NoReg + 1]int64 // virtual register in a physical one, 0 = none
	taken  isa.RegSet           // physical registers that hold something
	order  [isa.NoReg + 1]uint8 // place of a register in the list of its class
	all    [2]isa.RegSet        // by class: those that there are
	busy   isa.RegSet           // may not be evicted: operands of the current instruction
	used   isa.RegSet           // registers ever written
	toSave isa.RegSet           // registers that the convention wants back
	stamp  [isa.NoReg + 1]int   // length of out when a register was freed: the oldest is taken first
	slots  [2][]slot            // by class
	homes  []home               // of the loops and conditions around, innermost last
	other  []span               // branches that the current one excludes, innermost last
	frame  int                  // bytes so far
	near   int                  // end of the slots in p.Near
	own    MInst                // a copy of the current instruction, which fold changes
	pair   [2]int64             // its operands, if swapped
	quiet  bool                 // write no notes
	made   []int32              // by register: position of its maker
	away   int                  // values read behind the end that are in no register there
	early  map[int64]bool       // values to be stored before the loop: found by an earlier run
	late   map[int64]bool       // values first stored inside a loop although made outside

	spills []spill  // stores that may turn out to be of no use
	copies []copied // that may come from a register or a slot
	unread []bool   // by position: an instruction whose results nobody reads
	seen   []bool   // by register: read behind the position that liveness is at
}

// span is a range of positions.
type span struct{ begin, end int }

type slot struct {
	off    int
	owner  int64 // 0 = free
	pinned int64 // kept for this value of a loop, 0 = not
}

// allocate replaces virtual registers by physical ones. frame is the size of the stack frame or context
// block in bytes, slots are the offsets of the spill slots for vectors.
func allocate(p *Proc, t *Target) (code []MInst, used isa.RegSet, frame int, slots []int) {
	a := &allocator{t: t}
	a.run(p)
	for _, s := range a.slots[isa.Vec] {
		slots = append(slots, s.off)
	}
	return a.out, a.used, a.frame, slots
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
	a.begin(p, early)
	a.place(len(p.Code))
	a.leave()
	a.chooseCopies()
	a.dropSpills()
}

// begin gets ready to place p.
func (a *allocator) begin(p *Proc, early map[int64]bool) {
	n := len(p.Regs)
	*a = allocator{t: a.t, p: p, quiet: a.quiet, used: p.used, frame: p.Frame, near: p.Near.begin, early: early,
		spills: a.spills[:0], copies: a.copies[:0], unread: a.unread, seen: a.seen, made: a.made,
		out: slices.Grow(a.out[:0], len(p.Code)+len(p.Code)/4), at: slices.Grow(a.at[:0], n)[:n],
		uses: slices.Grow(a.uses[:0], n)[:n], kept: slices.Grow(a.kept[:0], n)[:n], next: slices.Grow(a.next[:0], n)[:n], last: slices.Grow(a.last[:0], n)[:n]}
	for i := range a.at {
		a.at[i] = place{isa.NoReg, -1, false, 0}
		a.last[i], a.next[i], a.uses[i], a.kept[i] = -1, 0, a.uses[i][:0], a.kept[i][:0]
	}
	abi := a.t.Arch.ABI()
	for c, list := range a.t.Regs {
		a.all[c] = isa.Set(list...)
		for i, r := range list {
			a.order[r] = uint8(i)
		}
	}
	a.toSave = ^abi.CallerSaved | isa.Set(abi.Link)
	a.liveness()
}

func idx(v int64) int { return int(v - isa.VirtBase) }

// place walks the code up to position end.
func (a *allocator) place(end int) {
	for a.pos = 0; a.pos < end; a.pos++ {
		m := &a.p.Code[a.pos]
		if m.Kind == KindInst {
			if !a.unread[a.pos] {
				a.inst(m)
			}
			continue
		}
		a.keepSpills()
		switch m.Kind {
		case KindPin:
			a.arrive(m.Pins)
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

// arrive puts values where they are at the beginning.
func (a *allocator) arrive(pins []Pin) {
	for _, p := range pins {
		if a.last[idx(p.V)] < 0 {
			continue
		}
		if p.R != isa.NoReg {
			a.hold(p.V, p.R)
		}
		if p.Stored {
			a.at[idx(p.V)].slot, a.at[idx(p.V)].stored = a.newSlot(p.V), true
		}
	}
}

// inst allocates one instruction: operands into registers, dead ones freed, result placed.
func (a *allocator) inst(m *MInst) {
	a.busy = 0
	folded := int64(0)
	if a.t.Fold != nil && m.Tied != 0 {
		a.own = *m
		m = &a.own
		folded = a.fold(m)
	}
	for _, v := range m.ins { // those already in registers must not be evicted for the others
		if r := a.at[idx(v)].reg; r != isa.NoReg {
			a.busy = a.busy.With(r)
		}
	}
	for _, v := range m.ins {
		if v == m.Tied && a.fromSlot(m) || a.makeAgain(v, m.Pos) {
			continue
		}
		a.ensure(v, m.Pos)
	}
	args, tiedTo := m.Args, m.Tied
	if tiedTo != 0 && !a.dead(tiedTo) && a.at[idx(tiedTo)].reg != isa.NoReg && m.Form.Flags&isa.Commute != 0 {
		tiedTo = a.commute(m, &args)
	}
	for i := range m.Form.Ops {
		if op := &m.Form.Ops[i]; op.Kind == isa.KindReg && op.Role&isa.Write == 0 && isVirtual(args[i]) {
			args[i] = int64(a.at[idx(args[i])].reg)
		}
	}
	tied := isa.NoReg
	if tiedTo != 0 {
		tied = a.tie(tiedTo, m.Pos)
	}
	for _, v := range m.ins {
		if r := a.at[idx(v)].reg; a.dead(v) && r != isa.NoReg {
			a.busy &^= isa.Set(r)
			a.release(v)
		}
	}
	a.define(m, &args, tied)
	a.out = append(a.out, *m)
	a.out[len(a.out)-1].Args, a.out[len(a.out)-1].Tied = args, tiedTo
	if folded != 0 && a.dead(folded) {
		a.release(folded)
	}
}

// define gives registers to the results of m.
func (a *allocator) define(m *MInst, args *[isa.MaxArgs]int64, tied isa.Reg) {
	for i := range m.Form.Ops {
		op, v := &m.Form.Ops[i], args[i]
		if op.Kind != isa.KindReg || op.Role&isa.Write == 0 || !isVirtual(v) {
			continue
		}
		r := tied
		if op.Role&isa.Read == 0 || r == isa.NoReg {
			r = a.free(a.p.Reg(v).Class, v, m.Pos)
		}
		args[i] = int64(r)
		a.hold(v, r)
		if a.last[idx(v)] < a.pos { // result never read
			a.release(v)
		}
	}
}

// tie prepares a two-address operand: it returns the register that holds the old value v and will
// hold the new one. A copy is made if v is needed later.
func (a *allocator) tie(v int64, at ir.Pos) isa.Reg {
	pl := &a.at[idx(v)]
	if r := pl.reg; a.dead(v) && r != isa.NoReg {
		a.release(v)
		return r
	}
	c := a.p.Reg(v).Class
	d := a.free(c, 0, at)
	if a.t.Fold != nil && pl.stored {
		a.copyFromSlot(c, d, pl, MInst{Pos: at, Note: "reload " + a.name(v)})
	} else {
		a.emit(a.t.Move(c, d, pl.reg), at, "")
	}
	if a.dead(v) {
		a.release(v)
	}
	a.busy = a.busy.With(d)
	a.used = a.used.With(d)
	return d
}

// commute swaps the tied operand with a dying one, and returns which is tied then.
func (a *allocator) commute(m *MInst, args *[isa.MaxArgs]int64) int64 {
	for i := range m.Form.Ops {
		op, v := &m.Form.Ops[i], args[i]
		if op.Kind == isa.KindReg && op.Role == isa.Read && isVirtual(v) && v != m.Tied && a.dead(v) &&
			a.p.Reg(v).Class == a.p.Reg(m.Tied).Class {
			args[i] = m.Tied
			return v
		}
	}
	return m.Tied
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
	a.taken = a.taken.With(r)
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
		pl.slot, pl.stored, pl.spill = -1, false, 0
	}
}

// drop takes v out of its register.
func (a *allocator) drop(v int64) {
	pl := &a.at[idx(v)]
	if pl.reg != isa.NoReg {
		a.held[pl.reg] = 0
		a.taken &^= isa.Set(pl.reg)
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

// fill loads or recomputes v in r.
func (a *allocator) fill(v int64, r isa.Reg, at ir.Pos) {
	vr := a.p.Reg(v)
	pl := &a.at[idx(v)]
	switch {
	case pl.stored:
		a.needSpill(pl)
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
	room := a.all[c] &^ (a.taken | a.busy)
	if room == 0 {
		return a.evict(c, at)
	}
	if v != 0 {
		if liked := room & a.p.Reg(v).Prefer; liked != 0 {
			room = liked
		}
	}
	best, least := isa.NoReg, 0
	for ; room != 0; room &= room - 1 {
		r := isa.Reg(bits.TrailingZeros64(uint64(room)))
		n := a.rank(r)
		if best == isa.NoReg || n < least || n == least && a.order[r] < a.order[best] {
			best, least = r, n
		}
	}
	return best
}

// rank orders free registers: those that would have to be saved and are not yet come last.
func (a *allocator) rank(r isa.Reg) int {
	if a.toSave.Has(r) && !a.used.Has(r) {
		return never
	}
	return a.stamp[r]
}
