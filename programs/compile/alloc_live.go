package compile

import "slices"

// What the allocator knows of the future: where each virtual register is read next on this path, and where it dies.

// liveness records the uses of every virtual register and where it dies.
func (a *allocator) liveness() {
	use := func(v int64, pos int) {
		i := idx(v)
		a.uses[i] = append(a.uses[i], int32(pos))
		a.last[i] = max(a.last[i], pos)
	}
	made := slices.Grow(a.made[:0], len(a.p.Regs))[:len(a.p.Regs)]
	clear(made)
	a.made = made
	a.findUnread()
	var loops []span
	for pos := range a.p.Code {
		m := &a.p.Code[pos]
		if a.unread[pos] {
			continue
		}
		all := func(vs []int64) {
			for _, v := range vs {
				use(v, pos)
			}
		}
		def := func(vs []int64) {
			for _, v := range vs {
				made[idx(v)] = int32(pos)
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
	for _, r := range a.p.after {
		use(r.v, r.pos)
	}
	// A value made before a loop and used in it lives until the loop's end.
	for _, l := range loops { // inner loops come first
		for i := range a.uses {
			if int(made[i]) < l.begin && a.usedIn(i, l.begin, l.end) {
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
