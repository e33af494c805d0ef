package compile

import "simrun/isa"

// Which orders of straight-line code keep its meaning.

// permutation reports whether order has each number below n once.
func permutation(order []int32, n int) bool {
	seen := make([]bool, n)
	for _, j := range order {
		if j < 0 || int(j) >= n || seen[j] {
			return false
		}
		seen[j] = true
	}
	return len(order) == n
}

// orderLegal reports whether order is a permutation that keeps every dependence and every mark in place.
func orderLegal(p *Proc, order []int32) bool {
	if !permutation(order, len(p.Code)) {
		return false
	}
	where := make([]int32, len(order))
	for i, j := range order {
		where[j] = int32(i)
	}
	fence := int32(-1) // the last place that nothing may cross
	made := map[int64]int32{}
	for i, j := range order {
		m := &p.Code[j]
		if !movable(m) {
			if int(j) != i {
				return false
			}
			fence = j
		} else if j < fence {
			return false
		}
		for _, v := range m.outs {
			made[v] = int32(i)
		}
	}
	return dependencesKept(p, order, where, made)
}

// dependencesKept checks values against their makers and memory accesses against stores.
func dependencesKept(p *Proc, order, where []int32, made map[int64]int32) bool {
	store := int32(-1) // the last store in the order of the text
	for j := range p.Code {
		m := &p.Code[j]
		for _, v := range m.ins {
			if at, ok := made[v]; ok && at > where[j] {
				return false
			}
		}
		if !isMemory(m) {
			continue
		}
		if store >= 0 && where[store] > where[j] {
			return false
		}
		if m.Form.Flags&isa.Store != 0 {
			for k := int(store) + 1; k < j; k++ {
				if isMemory(&p.Code[k]) && where[k] > where[j] {
					return false
				}
			}
			store = int32(j)
		}
	}
	return true
}

// movable reports whether an instruction may change places: plain, and touching no flags.
func movable(m *MInst) bool {
	return m.Kind == KindInst && m.Form.Flags&(isa.Branch|isa.System) == 0 && m.Form.Reads == 0 && m.Form.Writes == 0
}

// swaps reports whether neighbours a (first) and b may change places.
func swaps(a, b *MInst) bool {
	if !movable(a) || !movable(b) {
		return false
	}
	for _, v := range a.outs {
		for _, u := range b.ins {
			if u == v {
				return false
			}
		}
	}
	return !isMemory(a) || !isMemory(b) || (a.Form.Flags|b.Form.Flags)&isa.Store == 0
}

// rotate moves the element at from to to; those between close up.
func rotate[E any](list []E, from, to int) {
	x := list[from]
	if from < to {
		copy(list[from:to], list[from+1:to+1])
	} else {
		copy(list[to+1:from+1], list[to:from])
	}
	list[to] = x
}
