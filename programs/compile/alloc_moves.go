package compile

import (
	"slices"

	"simrun/isa"
	"simrun/programs/ir"
)

// Several moves at once: register moves in an order that destroys nothing, then loads.

// move is one of several moves that happen at once: v must get into dst.
type move struct {
	dst isa.Reg
	v   int64
	src isa.Reg // NoReg = not in a register
}

// bringHome emits moves as if all happened at once: register moves first, in an order that destroys nothing
// still needed, then loads.
func (a *allocator) bringHome(moves []move, at ir.Pos) {
	var regs, loads []move
	var targets isa.RegSet
	for _, m := range moves {
		targets = targets.With(m.dst)
		m.src = a.at[idx(m.v)].reg
		switch {
		case m.src == isa.NoReg:
			loads = append(loads, m)
		case m.src != m.dst:
			regs = append(regs, m)
		}
	}
	for len(regs) > 0 {
		i := slices.IndexFunc(regs, func(m move) bool {
			return !slices.ContainsFunc(regs, func(o move) bool { return o.src == m.dst })
		})
		if i < 0 {
			loads = append(loads, a.breakCycle(regs, targets, at)...)
			if regs[0].src == isa.NoReg {
				regs = regs[1:]
			}
			continue
		}
		m := regs[i]
		a.emit(a.t.Move(a.p.Reg(m.v).Class, m.dst, m.src), at, "")
		a.used = a.used.With(m.dst)
		regs = slices.Delete(regs, i, i+1)
	}
	for _, m := range loads {
		a.load(m, at)
	}
}

// load fills m.dst from the slot or the recipe of m.v.
func (a *allocator) load(m move, at ir.Pos) {
	pl := a.at[idx(m.v)]
	pl.reg = isa.NoReg
	a.at[idx(m.v)] = pl
	a.fill(m.v, m.dst, at)
	a.at[idx(m.v)].reg = isa.NoReg
	a.held[m.dst] = 0
	a.taken &^= isa.Set(m.dst)
}

// breakCycle frees the source of regs[0]: into a spare register, or through a spill slot, in which case
// the move becomes a load (its src is set to NoReg).
func (a *allocator) breakCycle(regs []move, targets isa.RegSet, at ir.Pos) []move {
	m := &regs[0]
	c := a.p.Reg(m.v).Class
	for _, r := range a.t.Regs[c] {
		inUse := targets.Has(r) || slices.ContainsFunc(regs, func(o move) bool { return o.src == r })
		if !inUse && a.used.Has(r) {
			a.emit(a.t.Move(c, r, m.src), at, "")
			old := m.src
			for i := range regs {
				if regs[i].src == old {
					regs[i].src = r
				}
			}
			return nil
		}
	}
	pl := &a.at[idx(m.v)]
	if !pl.stored && len(a.p.Reg(m.v).Remat) == 0 {
		pl.slot = a.takeSlot(m.v)
		a.emitSlot(a.t.Spill(c, m.src, pl.slot), pl.slot, at, "swap")
		pl.stored = true
		a.noteLate(m.v)
	}
	m.src = isa.NoReg
	return []move{*m}
}
