package inorder

import (
	"simrun/costmodel"
	"simrun/isa"
)

// Rule numbers in comments are those of boards/stm32f407-168mhz.toml, which has all of them.

// await waits until the code of an instruction is there, on a board with wait states (rules 40 to 43 and 45).
func (m *cortexM) await(f *flash, s *mStep) {
	if m.state.redirected || !f.near(s.firstLine) {
		f.redirect(s.firstLine, m.now)
		m.charge(costmodel.WaitState, f.wait(s.firstLine, m.now))
	}
	if s.newLine || m.state.redirected {
		m.charge(costmodel.WaitState, f.wait(s.lastLine, m.now))
	}
	f.advance(s.next, m.now)
}

// awaitData waits for data in memory with wait states (rules 40 and 46).
func (m *cortexM) awaitData(data []isa.Access) {
	for i := range data {
		if f := m.memory.flashAt(data[i].Addr); f != nil {
			m.charge(costmodel.WaitState, f.load(data[i].Addr, m.now))
		}
	}
}

// blockOf returns the number of the block that an instruction accesses last (rule 44).
func (m *cortexM) blockOf(data []isa.Access) uint8 {
	return uint8(m.memory.at(data[len(data)-1].Addr))
}

// retireOnBoard is retireWhole with the state of the flash. A run whose accesses are not all in one block
// without wait states is walked, and one with operand-dependent cycles, in which code arrives.
func (m *cortexM) retireOnBoard(r *isa.Retired, p *mPlan) {
	b, ok := m.memory.uniform(r.Data)
	entry, exact := p.flashState(m.now)
	if !ok || !exact || len(r.Hints) > 0 || !aligned(r.Data) {
		m.walk(r, p, false)
		return
	}
	for i := range p.known {
		if k := &p.known[i]; k.in == m.state && k.taken == r.Taken && k.block == b && k.flashIn == entry {
			m.replay(k.parts, k.cycles, uint64(r.N))
			m.state = k.out
			p.restoreFlash(&k.flashOut, m.now)
			return
		}
	}
	before, in := m.totals(), m.state
	m.walk(r, p, true)
	leave, exact := p.flashState(m.now)
	if len(p.known) < maxEntries && exact {
		p.known = append(p.known, mKnown{
			in: in, out: m.state, taken: r.Taken, cycles: m.now - before.Slots, parts: m.partsSince(&before),
			block: b, flashIn: entry, flashOut: leave,
		})
	}
}

// flashState returns the state of the flash that a run is fetched from, relative to the run.
func (p *mPlan) flashState(now uint64) (s flashState, exact bool) {
	if p.flash == nil || len(p.steps) == 0 {
		return s, true
	}
	return p.flash.state(p.steps[0].firstLine, now)
}

func (p *mPlan) restoreFlash(s *flashState, now uint64) {
	if p.flash != nil && len(p.steps) > 0 {
		p.flash.restore(s, p.steps[0].firstLine, now)
	}
}

func aligned(data []isa.Access) bool {
	for i := range data {
		if data[i].Addr&uint64(data[i].Size-1) != 0 {
			return false
		}
	}
	return true
}
