package inorder

import (
	"fmt"
	"slices"

	"simrun/costmodel"
	"simrun/isa"
)

// Pipeline counts the cycles of the runs it is told of. It is an isa.Listener and an
// isa.Clock. It is not safe for concurrent use, and a Straight belongs to the last
// pipeline that saw it.
type Pipeline struct {
	ledger ledger
	model  model
}

var (
	_ isa.Listener = (*Pipeline)(nil)
	_ isa.Clock    = (*Pipeline)(nil)
)

// model is the timing of one family of cores.
type model interface {
	retire(r *isa.Retired)
	reset()
	memoise(on bool)
}

// New returns the pipeline that a CPU file names, in its reset state. The file must have
// a row for every timing class of arch. Later changes of cpu have no effect on it.
func New(cpu *costmodel.CPU, arch isa.Arch) (*Pipeline, error) {
	if cpu.ISA != arch.Name() {
		return nil, fmt.Errorf("%s: isa %s: the code is %s", cpu.File, cpu.ISA, arch.Name())
	}
	classes, err := resolve(cpu, arch.Classes())
	if err != nil {
		return nil, err
	}
	p := &Pipeline{}
	switch cpu.Pipeline {
	case "cortex-m":
		p.model, err = newCortexM(&p.ledger, cpu, classes)
	case "rocket":
		p.model = newRocket(&p.ledger, cpu, classes)
	default:
		return nil, fmt.Errorf("%s: pipeline %q is not an in-order pipeline: this CPU has no cycles", cpu.File, cpu.Pipeline)
	}
	return p, err
}

// class is a timing class of the ISA with its cost.
type class struct {
	costmodel.Class
	path []string // "load.word.reg" split at the dots
}

func resolve(cpu *costmodel.CPU, names []string) ([]class, error) {
	if !cpu.Timed() {
		return nil, nil
	}
	out := make([]class, len(names))
	for i, name := range names {
		row, err := cpu.Class(name)
		if err != nil {
			return nil, err
		}
		out[i] = class{row, splitClass(name)}
	}
	return out, nil
}

// is reports whether the class is first, or first.x with x in seconds.
func (c *class) is(first string, seconds ...string) bool {
	if c.path[0] != first {
		return false
	}
	return len(seconds) == 0 || len(c.path) > 1 && slices.Contains(seconds, c.path[1])
}

func (c *class) last() string { return c.path[len(c.path)-1] }

// Retire books the cycles of a run.
func (p *Pipeline) Retire(r *isa.Retired) { p.model.retire(r) }

// Now returns the cycles since Reset. A stall that only the next instruction can hide or
// pay is not in it yet.
func (p *Pipeline) Now() uint64 { return p.ledger.now }

// Totals returns the cycles by cause since Reset.
func (p *Pipeline) Totals() costmodel.Totals { return p.ledger.totals() }

// SetSink makes every retired instruction a record given to sink; nil turns that off.
// Records cost several times the speed.
func (p *Pipeline) SetSink(sink func(costmodel.Timed)) { p.ledger.sink = sink }

// Memoise turns the replay of known runs off or, as at first, on. Cycles and causes do
// not depend on it.
func (p *Pipeline) Memoise(on bool) { p.model.memoise(on) }

// Reset returns to the state after New: empty pipeline, predictors and caches, cycle 0.
func (p *Pipeline) Reset() {
	p.ledger = ledger{sink: p.ledger.sink}
	p.model.reset()
}
