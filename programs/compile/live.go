package compile

import "simrun/isa"

// readBy and writtenBy are the registers of an instruction, lists and implicit ones included.
func readBy(in *isa.Inst) isa.RegSet { return listed(in, isa.Read, isa.Store) | in.Form.Reads }

func writtenBy(in *isa.Inst) isa.RegSet { return listed(in, isa.Write, isa.Load) | in.Form.Writes }

// listed are the registers of operands with that role; a register list is of stores or of loads.
func listed(in *isa.Inst, role isa.Role, list isa.FormFlags) isa.RegSet {
	var s isa.RegSet
	for i := range in.Form.Ops {
		switch op := &in.Form.Ops[i]; {
		case op.Kind == isa.KindReg && op.Role&role != 0:
			s = s.With(isa.Reg(in.Args[i]))
		case op.Kind == isa.KindList && in.Form.Flags&list != 0:
			s |= isa.RegSet(in.Args[i])
		}
	}
	return s
}

// callerReads are the registers that may be read behind the return: those that calls keep. The others, flags too, are
// dead.
func callerReads(abi *isa.ABI) isa.RegSet {
	return abi.CalleeSaved | isa.Set(abi.SP, abi.Link, abi.Ret)
}

// liveBehind gives for each item of a function the registers that may be read behind it before they are written; caller
// are those that are read behind its end.
func liveBehind(items []isa.Item, caller isa.RegSet) []isa.RegSet {
	live := make([]isa.RegSet, len(items))
	at := map[string]isa.RegSet{} // at each label
	for changed := true; changed; {
		changed = false
		now := caller
		for i := len(items) - 1; i >= 0; i-- {
			it := &items[i]
			if it.Label != "" && at[it.Label] != now {
				at[it.Label], changed = now, true
			}
			if it.Inst.Form == nil {
				continue
			}
			now = behind(&it.Inst, now, caller, at)
			live[i] = now
			now = now&^writtenBy(&it.Inst) | readBy(&it.Inst)
		}
	}
	return live
}

// behind is what is live behind an instruction: next is what is live at the item below it.
func behind(in *isa.Inst, next, caller isa.RegSet, at map[string]isa.RegSet) isa.RegSet {
	switch f := in.Form.Flags; {
	case f&isa.Branch == 0:
		return next
	case in.Sym == "":
		return caller // a return
	case f&isa.Cond == 0:
		return at[in.Sym]
	}
	return next | at[in.Sym]
}
