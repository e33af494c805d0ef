package compile

import (
	"testing"

	"simrun/isa"
	"simrun/programs/ir"
)

// TestConflicts: which pairs of instructions on physical registers must keep their order.
func TestConflicts(t *testing.T) {
	reg := func(name string, role isa.Role) isa.Operand {
		return isa.Operand{Name: name, Kind: isa.KindReg, Role: role}
	}
	address := []isa.Operand{{Name: "base", Kind: isa.KindReg, Role: isa.Read, Addr: true}, {Name: "disp", Kind: isa.KindImm, Addr: true}}
	const flags = isa.Reg(32)
	add := &isa.Form{ID: "add", Ops: []isa.Operand{reg("d", isa.ReadWrite), reg("s", isa.Read)}, Writes: isa.Set(flags)}
	carry := &isa.Form{ID: "adc", Ops: add.Ops, Reads: isa.Set(flags), Writes: isa.Set(flags)}
	load := &isa.Form{ID: "load", Ops: append([]isa.Operand{reg("d", isa.Write)}, address...), Flags: isa.Load}
	store := &isa.Form{ID: "store", Ops: append(append([]isa.Operand{}, address...), reg("s", isa.Read)), Flags: isa.Store}
	in := func(f *isa.Form, args ...int64) MInst {
		m := MInst{Inst: isa.Inst{Form: f}}
		copy(m.Args[:], args)
		return m
	}
	slot := func(m MInst, n int) MInst { m.Slot = n; return m }
	to := func(m MInst, o *ir.Mem) MInst { m.object = o; return m }
	var x, y ir.Mem
	for _, c := range []struct {
		name string
		code []MInst // the first and the last are looked at
		want bool
	}{
		{"the last flags stay last", []MInst{in(add, 1, 2), in(add, 3, 4)}, true},
		{"a reader in the run fixes all flags", []MInst{in(add, 1, 2), in(carry, 7, 8), in(add, 3, 4)}, true},
		{"result read", []MInst{in(load, 1, 2, 0), in(store, 4, 0, 1)}, true},
		{"read, then written", []MInst{in(load, 1, 2, 0), in(load, 2, 3, 0)}, true},
		{"written twice", []MInst{in(load, 1, 2, 0), in(load, 1, 3, 0)}, true},
		{"two loads", []MInst{in(load, 1, 2, 0), in(load, 3, 2, 0)}, false},
		{"load and store that may overlap", []MInst{in(load, 1, 2, 0), in(store, 3, 0, 4)}, true},
		{"of two objects", []MInst{to(in(load, 1, 2, 0), &x), to(in(store, 3, 0, 4), &y)}, false},
		{"of one object", []MInst{to(in(load, 1, 2, 0), &x), to(in(store, 3, 0, 4), &x)}, true},
		{"far enough from one register", []MInst{in(load, 1, 2, 0), in(store, 2, 16, 4)}, false},
		{"too near", []MInst{in(load, 1, 2, 0), in(store, 2, 15, 4)}, true},
		{"the register has moved on", []MInst{in(load, 1, 2, 0), in(load, 2, 9, 0), in(store, 2, 16, 4)}, true},
		{"two spill slots", []MInst{slot(in(load, 1, 2, 0), 1), slot(in(store, 2, 0, 4), 17)}, false},
		{"one spill slot", []MInst{slot(in(load, 1, 2, 0), 1), slot(in(store, 2, 0, 4), 1)}, true},
		{"a spill slot and anything else", []MInst{slot(in(load, 1, 2, 0), 1), in(store, 3, 0, 4)}, false},
	} {
		deps := dependences(c.code)
		a, b := &deps[0], &deps[len(deps)-1]
		if got := a.conflicts(b); got != c.want || b.conflicts(a) != c.want {
			t.Errorf("%s: conflict %v and %v, want %v", c.name, got, b.conflicts(a), c.want)
		}
	}
	if deps := dependences([]MInst{in(add, 1, 2), in(add, 3, 4), in(add, 5, 6)}); deps[0].conflicts(&deps[1]) {
		t.Error("two results that nobody reads must keep their order")
	}
}
