package compile

import "simrun/isa"

// Loads move up after allocation, within what registers and memory allow:
// away from their first reader, by the latency of a load, or directly behind another
// load where the target pairs them.

// loadWindow is how many instructions a load or spill may move over: about as far as registers stay free.
const loadWindow = 12

// raise moves loads and spills up.
func raise(code []MInst, t *Target, latency func(string) int) {
	raiseLoads(code, t, latency)
	if t.PairLoads {
		raiseStores(code)
	}
}

// raiseStores moves spills up: directly behind a load that nothing else hides, where the store is free; or at least
// away from a load behind it, which would wait for the store. It is for targets that pair loads.
func raiseStores(code []MInst) {
	for i := range code {
		if s := &code[i]; s.Kind != KindInst || s.Slot == 0 || s.Form.Flags&isa.Store == 0 {
			continue
		}
		to := behindLoad(code, i)
		if to == i && i > 0 && i+1 < len(code) && isLoad(&code[i+1]) && rises(&code[i], &code[i-1]) {
			to = i - 1
		}
		if to < i {
			moved := code[i]
			copy(code[to+1:i+1], code[to:i])
			code[to] = moved
		}
	}
}

func isLoad(m *MInst) bool {
	return m.Kind == KindInst && m.Form.Flags&isa.Load != 0 && m.Form.Flags&isa.Store == 0
}

func isMemory(m *MInst) bool { return m.Kind == KindInst && m.Form.Flags&(isa.Load|isa.Store) != 0 }

// behindLoad finds a place for the store at i directly behind a load that no memory access follows.
func behindLoad(code []MInst, i int) int {
	for to := i; to > 0 && i-to < loadWindow; to-- {
		if isLoad(&code[to-1]) && (to == i || !isMemory(&code[to])) {
			return to
		}
		if !rises(&code[i], &code[to-1]) {
			return i
		}
	}
	return i
}

// rises reports whether spill s may move above x.
func rises(s, x *MInst) bool {
	if x.Kind != KindInst || x.Form.Flags&(isa.Branch|isa.System) != 0 {
		return false
	}
	return writesOf(x)&readsOf(s) == 0 && x.Slot != s.Slot
}

// raiseLoads reorders code in place.
func raiseLoads(code []MInst, t *Target, latency func(string) int) {
	for i := range code {
		m := &code[i]
		if m.Kind != KindInst || m.Form.Flags&isa.Load == 0 || m.Form.Flags&(isa.Store|isa.Branch) != 0 {
			continue
		}
		if to := riseTo(code, i, t, latency); to < i {
			moved := code[i]
			copy(code[to+1:i+1], code[to:i])
			code[to] = moved
		}
	}
}

// riseTo is the position to which the load at i should move.
func riseTo(code []MInst, i int, t *Target, latency func(string) int) int {
	if t.PairLoads {
		return pairWith(code, i)
	}
	gap := latency(code[i].Form.Class) - 1 // instructions wanted between the load and its first reader
	if r := firstReader(code, i, gap); r > 0 {
		gap -= r - i - 1
	} else {
		return i
	}
	to := i
	for to > 0 && gap > 0 && i-to < loadWindow && crosses(&code[i], &code[to-1]) {
		to--
		gap--
	}
	return to
}

// pairWith finds a load above i, not above another, behind which the load at i can go.
func pairWith(code []MInst, i int) int {
	for to := i; to > 0 && i-to < loadWindow; to-- {
		prev := &code[to-1]
		if prev.Kind == KindInst && prev.Form.Flags&isa.Load != 0 && prev.Form.Flags&isa.Store == 0 {
			if writesOf(prev)&addressOf(&code[i]) != 0 {
				return i
			}
			return to
		}
		if !crosses(&code[i], prev) {
			return i
		}
	}
	return i
}

// firstReader returns the position of an instruction at most gap behind i that reads what i loads, or 0.
func firstReader(code []MInst, i, gap int) int {
	d := writesOf(&code[i])
	for j := i + 1; j < len(code) && j <= i+gap; j++ {
		if code[j].Kind != KindInst {
			return 0
		}
		if readsOf(&code[j])&d != 0 {
			return j
		}
	}
	return 0
}

// crosses reports whether load l may move above x.
func crosses(l, x *MInst) bool {
	if x.Kind != KindInst || x.Form.Flags&(isa.Branch|isa.System) != 0 {
		return false
	}
	d := writesOf(l)
	if readsOf(x)&d != 0 || writesOf(x)&(d|readsOf(l)) != 0 {
		return false
	}
	if x.Form.Flags&isa.Store == 0 {
		return true
	}
	// A spill slot is reached by nothing else; all other memory may overlap.
	return l.Slot != x.Slot
}

func readsOf(m *MInst) isa.RegSet  { return regsOf(m, isa.Read) | m.Form.Reads }
func writesOf(m *MInst) isa.RegSet { return regsOf(m, isa.Write) | m.Form.Writes }

func regsOf(m *MInst, role isa.Role) isa.RegSet {
	var s isa.RegSet
	for i := range m.Form.Ops {
		if op := &m.Form.Ops[i]; op.Kind == isa.KindReg && op.Role&role != 0 {
			s = s.With(isa.Reg(m.Args[i]))
		}
	}
	return s
}

func addressOf(m *MInst) isa.RegSet {
	var s isa.RegSet
	for i := range m.Form.Ops {
		if op := &m.Form.Ops[i]; op.Kind == isa.KindReg && op.Addr {
			s = s.With(isa.Reg(m.Args[i]))
		}
	}
	return s
}
