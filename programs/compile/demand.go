package compile

import "simrun/isa"

// Demand is what an instruction takes of an out-of-order core, in cycles: of the ports that execute, of the load port and
// of the slots in which all instructions pass.
type Demand struct{ Execute, Load, Slots float64 }

const (
	// demandScale makes an instruction cost about one, as it does in order: temperatures of the search are for that.
	demandScale = 3
	// demandRest is the weight of what is not the bottleneck.
	demandRest = 0.15
)

// demanding is the target with the demands of a CPU, which the estimate then goes by.
func (t *Target) demanding(demand func(*isa.Form) Demand) *Target {
	if demand == nil {
		return t
	}
	u := *t
	u.demand = demand
	return &u
}

func (d *Demand) add(e Demand, times float64) {
	d.Execute, d.Load, d.Slots = d.Execute+times*e.Execute, d.Load+times*e.Load, d.Slots+times*e.Slots
}

// cost of a straight run that asks for d.
func (d *Demand) cost() float64 {
	return demandScale * (max(d.Execute, d.Load, d.Slots) + demandRest*(d.Execute+d.Load+d.Slots))
}

// estimateDemand is the estimate for cores that execute out of order and hide latencies: what each straight run asks of
// its bottleneck, and a part of the rest.
func estimateDemand(code []MInst, demand func(*isa.Form) Demand) float64 {
	total, turns := 0.0, 1.0
	var sum Demand
	finish := func() {
		total += turns * sum.cost()
		sum = Demand{}
	}
	for i := range code {
		switch m := &code[i]; {
		case m.Kind == KindInst:
			sum.add(demand(m.Form), 1)
		case m.Kind == KindLabel && m.Loop != nil && m.Note == m.Loop.Top:
			finish()
			turns *= float64(m.Loop.Turns)
		case m.Kind == KindLabel && m.Loop != nil:
			finish()
			turns /= float64(m.Loop.Turns)
		}
	}
	finish()
	return total
}
