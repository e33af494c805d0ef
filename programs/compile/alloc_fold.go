package compile

import "simrun/isa"

// Where instructions take an operand from memory, a spilled value need not come into a register: its reader takes it from the
// slot, and a copy that a two-address instruction would destroy is loaded from there.

// keepWithin is the distance in instructions up to which the next reader makes it worth to load a value into a register.
const keepWithin = 8

// fold takes the operand of m that is not tied from its slot, if that is where it is, and returns it; 0 if not. A spilled
// tied operand of a commutative instruction changes places with one that dies. The slot must not be given away before m.
func (a *allocator) fold(m *MInst) (folded int64) {
	if len(m.ins) != 2 || m.ins[0] == m.Tied || m.Form.Flags&(isa.Load|isa.Store) != 0 {
		return 0
	}
	v := m.ins[0]
	if m.Form.Flags&isa.Commute != 0 {
		inMemory, dies := a.onlyStored(m.Tied), a.dead(v) && a.at[idx(v)].reg != isa.NoReg
		copied := !a.dead(m.Tied) && !a.at[idx(m.Tied)].stored && a.at[idx(v)].stored
		if inMemory && dies || copied {
			a.swap(m, v)
			v = m.ins[0]
		}
	}
	if !a.onlyStored(v) || !a.far(v) {
		return 0
	}
	in, ok := a.t.Fold(m.Inst, a.at[idx(v)].slot)
	if !ok {
		return 0
	}
	a.needSpill(&a.at[idx(v)])
	m.Inst, m.Slot, m.ins = in, 1+a.at[idx(v)].slot, m.ins[1:]
	return v
}

// onlyStored reports whether v lies in its slot and in no register.
func (a *allocator) onlyStored(v int64) bool {
	pl := &a.at[idx(v)]
	return pl.reg == isa.NoReg && pl.stored
}

// far reports whether v is not read again soon.
func (a *allocator) far(v int64) bool {
	u := a.uses[idx(v)]
	for k := a.next[idx(v)]; k < len(u); k++ {
		if int(u[k]) > a.pos {
			return int(u[k]) > a.pos+keepWithin
		}
	}
	return true
}

// swap exchanges the tied operand of m with v.
func (a *allocator) swap(m *MInst, v int64) {
	m.Uses(func(slot int, op *isa.Operand) {
		if op.Role == isa.Read && m.Args[slot] == v {
			m.Args[slot] = m.Tied
		}
	})
	a.pair = [2]int64{m.Tied, v}
	m.ins = a.pair[:]
	m.Tied = v
}

// fromSlot reports whether the tied operand of m is copied from its slot, and needs no register of its own.
func (a *allocator) fromSlot(m *MInst) bool {
	return a.t.Fold != nil && a.onlyStored(m.Tied) && (len(m.ins) == 1 || m.ins[0] != m.Tied) &&
		(a.dead(m.Tied) || a.far(m.Tied))
}
