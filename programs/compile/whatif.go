package compile

import (
	"slices"

	"simrun/isa"
	"simrun/programs/ir"
)

// WhatIf is what a kernel would take, by the estimate of the order search, if the CPU or the compiler were other than
// they are. All in cycles, by straight-line rules only: the pipeline's own count differs by a few per cent.
type WhatIf struct {
	Now        float64 // as it is
	OneMore    float64 // with one register more
	Unlimited  float64 // with so many registers that nothing is spilled: the floor of this selection
	FreeLoads  float64 // if a load took no cycle
	FreeRotate float64 // if a rotation by a constant took no instruction
}

// Registers that no instruction can name stand for more of them; nothing is encoded.
const spareRegisters = 40

// Explore looks at finished code: with the same instructions in the same order it allocates registers in each way.
func (c *Code) Explore() *WhatIf {
	s, t := c.state, c.state.target
	now := s.estimated(t)
	w := &WhatIf{Now: now, OneMore: s.estimated(withRegisters(t, 1)), Unlimited: s.estimated(withRegisters(t, spareRegisters))}
	w.FreeLoads = now - s.loadCycles(t)
	w.FreeRotate = now - s.rotateCycles()
	return w
}

func (s *state) finished(t *Target) []MInst {
	a := &allocator{t: t, quiet: true}
	a.run(s.proc)
	if s.opt.Level > 0 && !slices.Contains(s.opt.Without, "raise-loads") {
		raise(a.out, t, s.opt.latency)
	}
	return a.out
}

func (s *state) estimated(t *Target) float64 { return estimate(s.finished(t), t, s.opt.latency) }

// withRegisters is t with n registers more in the class that words live in.
func withRegisters(t *Target, n int) *Target {
	more := *t
	c := isa.GPR
	if t.Vector {
		c = isa.Vec
	}
	used := isa.RegSet(0)
	for _, list := range t.Regs {
		used |= isa.Set(list...)
	}
	regs := append([]isa.Reg(nil), t.Regs[c]...)
	for r := isa.Reg(0); r < isa.NoReg && n > 0; r++ {
		if !used.Has(r) && int(r) >= t.Arch.NumRegs() {
			regs = append(regs, r)
			n--
		}
	}
	more.Regs[c] = regs
	return &more
}

// loadCycles is what loads take: the estimate with them minus that without.
func (s *state) loadCycles(t *Target) float64 {
	code := s.finished(t)
	kept := make([]MInst, 0, len(code))
	for i := range code {
		if !isLoad(&code[i]) {
			kept = append(kept, code[i])
		}
	}
	return estimate(code, t, s.opt.latency) - estimate(kept, t, s.opt.latency)
}

// rotateCycles is what rotations by a constant take on a target where they are not free: three instructions
// each, two shifts and an or.
func (s *state) rotateCycles() float64 {
	if s.target.FreeRotate != 0 {
		return 0
	}
	return rotations(s.graph.Body, 1) * 3
}

func rotations(r *Region, turns float64) float64 {
	n := 0.0
	for _, node := range r.Nodes {
		switch node := node.(type) {
		case *Value:
			if node.Op == ir.Rotl {
				n += turns
			}
		case *Loop:
			t := float64(unknownTurns)
			if node.Count.Op == OpNumber {
				t = float64(node.Count.Off)
			}
			n += rotations(node.Body, turns*t)
		case *Cond: // the longer branch
			n += max(rotations(node.Then, turns), rotations(node.Else, turns))
		}
	}
	return n
}
