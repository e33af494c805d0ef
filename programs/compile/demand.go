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

// estimateDemand is the estimate for cores that execute out of order and hide latencies: what each straight run asks of
// its bottleneck, and a part of the rest.
func estimateDemand(code []MInst, demand func(*isa.Form) Demand) float64 {
	total, turns := 0.0, 1.0
	var sum Demand
	finish := func() {
		all := sum.Execute + sum.Load + sum.Slots
		total += turns * demandScale * (max(sum.Execute, sum.Load, sum.Slots) + demandRest*all)
		sum = Demand{}
	}
	for i := range code {
		switch m := &code[i]; {
		case m.Kind == KindInst:
			d := demand(m.Form)
			sum.Execute, sum.Load, sum.Slots = sum.Execute+d.Execute, sum.Load+d.Load, sum.Slots+d.Slots
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
