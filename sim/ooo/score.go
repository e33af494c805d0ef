package ooo

import (
	"fmt"

	"simrun/costmodel"
	"simrun/isa"
)

// Stretch counts the cycles of straight code that is tried in many orders. Instructions are decoded once; caches hold
// all code and data after the first run. It is not safe for concurrent use.
type Stretch struct {
	core  core
	saved core
	plan  plan
	data  [][]isa.Access
	size  []uint64

	start           uint64 // of the code
	spot, savedSpot spot
}

// spot is a place in the code.
type spot struct {
	pc   uint64 // of the next instruction
	span uint64 // of the instruction before, of code that lines of the op cache are of
	ops  int    // uops in that span
	line uint64 // of the instruction before
}

// NewStretch takes the instructions of the code in the order of their addresses, with the accesses of each.
func NewStretch(cpu *costmodel.CPU, arch isa.Arch, code []isa.Static, data [][]isa.Access) (*Stretch, error) {
	p, err := New(cpu, arch)
	if err != nil {
		return nil, err
	}
	if len(code) == 0 || len(code) != len(data) {
		return nil, fmt.Errorf("%d instructions with the accesses of %d", len(code), len(data))
	}
	s := &Stretch{core: p.core, data: data, start: code[0].PC}
	// One step more in front: the first of a plan is for what a run comes from.
	all := append([]isa.Static{code[0]}, code...)
	s.plan = *s.core.decode(&isa.Straight{PC: code[0].PC, Time: all})
	for i := range code {
		s.size = append(s.size, uint64(code[i].Size))
	}
	return s, nil
}

// Begin runs the code in an order, numbers of instructions, some times, then its first `until` instructions again. That
// is where Cycles goes on from. All loads wait for the addresses of older stores: see distrust.
func (s *Stretch) Begin(order []int32, turns, until int) {
	s.core.reset()
	s.core.distrust()
	for range turns {
		s.enter()
		s.run(order)
	}
	s.enter()
	s.run(order[:until])
	s.saved, s.savedSpot = s.core, s.spot
}

// Cycles is how many cycles the instructions of part take in this order, with those of behind after them, up to the
// retirement of the last.
func (s *Stretch) Cycles(part, behind []int32) float64 {
	s.core, s.spot = s.saved, s.savedSpot
	s.run(part)
	s.run(behind)
	return float64(s.core.slots-s.saved.slots) / float64(s.core.width)
}

// enter goes to the start of the code by a transfer that is predicted.
func (s *Stretch) enter() {
	s.spot, s.core.redirected = spot{pc: s.start, span: ^uint64(0), line: ^uint64(0)}, true
}

func (s *Stretch) run(order []int32) {
	for _, i := range order {
		if i < 0 { // the next turn
			s.enter()
			continue
		}
		k := int(i) + 1
		s.place(k)
		seen := s.core.look(&s.plan, k, s.plan.steps[k].flags&newLine != 0)
		s.core.execute(&s.plan, k, s.access(k, s.data[i]), s.core.fetch(&s.plan, k, seen))
		s.core.instructions++
		s.core.lastByte, s.core.redirected = s.spot.pc-1, false
	}
}

// access is what step k does to memory where it stands now, behind the stores that have passed.
func (s *Stretch) access(k int, data []isa.Access) (seen access) {
	c, stores := &s.core, uint64(s.plan.steps[k].storeUops)
	if a := firstOf(data, false); a != nil {
		seen |= c.loadSeen(a, s.plan.more[k].last, c.passed)
	}
	if a := firstOf(data, true); a != nil {
		seen |= c.storeSeen(a, c.passed+stores-1)
	}
	c.passed += stores
	return seen
}

// firstOf is the first load or store of an instruction, or nil.
func firstOf(data []isa.Access, store bool) *isa.Access {
	for i := range data {
		if data[i].Store == store {
			return &data[i]
		}
	}
	return nil
}

// NextTurn stands for the way back to the start of the code in an order.
const NextTurn = int32(-1)

// place gives step i the address at hand: see layOut.
func (s *Stretch) place(i int) {
	c, st, x, at := &s.core, &s.plan.steps[i], &s.plan.more[i], &s.spot
	pc, before := at.pc, c.lastByte
	at.pc += s.size[i-1]
	x.last = at.pc - 1
	st.flags &^= newLine | newOps
	st.blocks = uint8(x.last>>c.fetchShift - before>>c.fetchShift)
	if c.redirected {
		st.blocks = uint8(1 + x.last>>c.fetchShift - pc>>c.fetchShift)
	}
	if c.redirected || x.last>>c.lineShift != before>>c.lineShift {
		st.flags |= newLine
	}
	if pc>>opSpan != at.span {
		at.ops, at.span = 0, pc>>opSpan
	}
	x.ops = uint64(min(at.ops/opLine, opLine-1))<<opNumber | at.span
	at.ops += int(st.fused)
	if x.ops != at.line {
		st.flags |= newOps
	}
	at.line = x.ops
}

// Demand is what an instruction takes, in cycles: of the ports that execute, as if it could be shared out over all that it
// may use, of the load ports and of the slots of rename.
type Demand struct{ Execute, Load, Slots float64 }

// Demands lists the demand of every form by its number.
func Demands(cpu *costmodel.CPU, arch isa.Arch) ([]Demand, error) {
	d, err := newDecoder(cpu, arch)
	if err != nil {
		return nil, err
	}
	classes := map[string]uint16{}
	for i, name := range arch.Classes() {
		classes[name] = uint16(i)
	}
	var list []Demand
	for _, f := range arch.Forms() {
		var x Demand
		for _, u := range d.expand(&isa.Static{Form: f, Class: classes[f.Class], Flags: f.Flags}) {
			ports := 0
			for _, l := range u.places[:u.n] {
				ports += int(l.n)
			}
			switch {
			case ports == 0:
			case u.kind == uopLoad:
				x.Load += float64(u.busy) / float64(ports)
			case u.kind == uopExec || u.kind == uopChain:
				x.Execute += float64(u.busy) / float64(ports)
			}
			if u.starts {
				x.Slots += 1 / float64(cpu.Param("rename"))
			}
		}
		list = append(list, x)
	}
	return list, nil
}
