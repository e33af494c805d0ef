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
