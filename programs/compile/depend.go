package compile

import (
	"slices"

	"simrun/isa"
	"simrun/programs/ir"
)

// dependence is what an instruction on physical registers shares with others.
type dependence struct {
	reads, writes isa.RegSet // flags are in writes only where what is written may be read
	flags         isa.RegSet // implicit results that nothing reads
	memory, store bool
	slot          int     // see MInst
	object        *ir.Mem // nil = not known
	address       address
}

// address is a memory operand: its registers, with how often they were written before, and the immediates.
type address struct {
	parts [isa.MaxArgs][2]int64
	off   int64 // the displacement, the last immediate
	label bool  // constants behind the code
}

// widestAccess is the largest access in bytes: accesses at offsets that far apart do not overlap.
const widestAccess = 16

// straight reports whether an instruction may be a part of a run whose order changes.
func straight(m *MInst) bool { return m.Kind == KindInst && m.Form.Flags&(isa.Branch|isa.System) == 0 }

// dependences describes a straight run.
func dependences(code []MInst) []dependence {
	deps := make([]dependence, len(code))
	var writes [isa.NoReg + 1]int32
	for i := range code {
		m := &code[i]
		deps[i] = dependence{reads: readsOf(m), writes: writesOf(m), memory: isMemory(m), store: m.Form.Flags&isa.Store != 0,
			slot: m.Slot, object: m.object}
		if isMemory(m) {
			deps[i].address = addressAt(m, &writes)
		}
		eachReg(deps[i].writes, func(r isa.Reg) { writes[r]++ })
	}
	if !slices.ContainsFunc(code, func(m MInst) bool { return m.Form.Reads&implicitResults(code) != 0 }) {
		freeFlags(code, deps)
	}
	return deps
}

// implicitResults are the registers that instructions write which no instruction names as an operand.
func implicitResults(code []MInst) isa.RegSet {
	var implicit, named isa.RegSet
	for i := range code {
		implicit |= code[i].Form.Writes
		named |= regsOf(&code[i], isa.ReadWrite)
	}
	return implicit &^ named
}

// freeFlags lets results that nothing in the run reads change places, but for the last ones.
func freeFlags(code []MInst, deps []dependence) {
	free := implicitResults(code)
	last := free
	for i := len(code) - 1; i >= 0; i-- {
		d := &deps[i]
		if w := d.writes & free; w&last != 0 {
			last &^= w
		} else {
			d.flags, d.writes = w, d.writes&^w
		}
	}
}

// addressAt reads the address of an access; writes counts the writes of each register before it.
func addressAt(m *MInst, writes *[isa.NoReg + 1]int32) address {
	a := address{label: m.Sym != ""}
	n, last := 0, -1
	for i := range m.Form.Ops {
		op := &m.Form.Ops[i]
		if !op.Addr {
			continue
		}
		a.parts[n] = [2]int64{m.Args[i] + 1, 0}
		if op.Kind == isa.KindReg {
			a.parts[n][1] = int64(writes[m.Reg(i)&isa.NoReg])
		} else {
			last = n
		}
		n++
	}
	if last >= 0 {
		a.off = a.parts[last][0]
		a.parts[last] = [2]int64{}
	}
	return a
}

// conflicts reports whether two instructions must keep their order.
func (a *dependence) conflicts(b *dependence) bool {
	if a.writes&(b.reads|b.writes|b.flags) != 0 || b.writes&(a.reads|a.flags) != 0 {
		return true
	}
	return a.memory && b.memory && (a.store || b.store) && a.overlaps(b)
}

// overlaps reports whether two accesses may touch the same byte. A spill slot is reached by nothing else, and constants
// behind the code are not written.
func (a *dependence) overlaps(b *dependence) bool {
	switch {
	case a.slot != 0 || b.slot != 0:
		return a.slot == b.slot
	case a.address.label || b.address.label:
		return false
	case a.object != nil && b.object != nil && a.object != b.object:
		return false
	}
	d := a.address.off - b.address.off
	return a.address.parts != b.address.parts || d < widestAccess && d > -widestAccess
}
