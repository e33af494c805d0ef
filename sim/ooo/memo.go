package ooo

import "simrun/isa"

type memo struct{ state *int }

func (m *core) retireRun(r *isa.Retired, p *plan) {
	m.foresee(r, p)
	m.walk(r, p)
}
