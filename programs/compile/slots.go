package compile

import (
	"cmp"
	"slices"

	"simrun/isa"
)

// The allocator takes spill slots as they become free, so the last loops of a long kernel spill far from the base of the
// frame, where every access has a long displacement. Here slots change places: what is accessed most comes nearest. Farther
// ones are reached from anchors, registers that nothing else uses.

// Anchors say how spill slots far from the base of the frame are reached by short displacements.
type Anchors struct {
	Regs   []isa.Reg // that may be anchors, cheapest first
	Window int       // bytes that each reaches
	Saves  int       // bytes of code that an access is shorter by
	// Point makes r reach the window that begins at begin in the frame. Access is an access to a spill slot redirected to the
	// slot at off, from r, or from the base of the frame if r is NoReg.
	Point  func(r isa.Reg, begin int) isa.Inst
	Access func(in isa.Inst, r isa.Reg, begin, off int) isa.Inst
}

// anchorPays is how many bytes all accesses of a call must save for an anchor to pay for its own instructions.
const anchorPays = 64

// farSlots reports whether there are spill slots out of reach.
func (s *state) farSlots() bool {
	return s.target.Anchors != nil && slices.ContainsFunc(s.code, func(m MInst) bool { return m.Slot > s.target.NearSlots })
}

func runNearSlots(s *state) error {
	weight := s.slotWeights()
	old := slices.Clone(s.slots)
	slices.SortStableFunc(old, func(x, y int) int { return cmp.Compare(weight[y], weight[x]) })
	now := slices.Sorted(slices.Values(s.slots))
	to := map[int]int{}
	for i, off := range old {
		to[off] = now[i]
	}
	s.moveSlots(to, s.chooseAnchors(old, now, weight))
	return nil
}

// slotWeights counts the accesses of a call to each spill slot, by its offset.
func (s *state) slotWeights() map[int]float64 {
	weight, turns := map[int]float64{}, 1.0
	for i := range s.code {
		switch m := &s.code[i]; {
		case m.Kind == KindLabel && m.Loop != nil && m.Note == m.Loop.Top:
			turns *= float64(m.Loop.Turns)
		case m.Kind == KindLabel && m.Loop != nil:
			turns /= float64(m.Loop.Turns)
		case m.Slot > 0:
			weight[m.Slot-1] += turns
		}
	}
	return weight
}

// anchor is a register that reaches a window of the frame.
type anchor struct {
	reg   isa.Reg
	begin int
}

// chooseAnchors gives free registers to windows of far slots as long as it pays. old are the slots by weight, now their
// places.
func (s *state) chooseAnchors(old, now []int, weight map[int]float64) []anchor {
	t := s.target
	var anchors []anchor
	var used isa.RegSet
	for i := range s.code {
		if m := &s.code[i]; m.Kind == KindInst {
			used |= readsOf(m) | writesOf(m)
		}
	}
	k, _ := slices.BinarySearch(now, t.NearSlots)
	for _, r := range t.Anchors.Regs {
		if k == len(now) {
			break
		}
		if used.Has(r) {
			continue
		}
		a, saved := anchor{r, now[k]}, 0.0
		for ; k < len(now) && now[k]+t.SlotBytes[isa.Vec] <= a.begin+t.Anchors.Window; k++ {
			saved += weight[old[k]] * float64(t.Anchors.Saves)
		}
		if saved < anchorPays {
			break
		}
		anchors = append(anchors, a)
	}
	return anchors
}

// moveSlots gives slots their new places and reaches them from anchors, which are made at the start.
func (s *state) moveSlots(to map[int]int, anchors []anchor) {
	var code []MInst
	for _, a := range anchors {
		s.used = s.used.With(a.reg)
		code = append(code, MInst{Inst: s.target.Anchors.Point(a.reg, a.begin), Pos: s.kernel.Pos})
	}
	for _, m := range s.code {
		if off, ok := to[m.Slot-1]; ok && m.Slot > 0 {
			m.Slot = 1 + off
			at := anchor{isa.NoReg, 0}
			for _, a := range anchors {
				if off >= a.begin && off < a.begin+s.target.Anchors.Window {
					at = a
				}
			}
			m.Inst = s.target.Anchors.Access(m.Inst, at.reg, at.begin, off)
		}
		code = append(code, m)
	}
	s.code = code
}
