package ooo

import (
	"fmt"

	"simrun/costmodel"
	"simrun/isa"
)

// Name is the pipeline of CPU files that this package is for.
const Name = costmodel.OutOfOrder

// Pipeline counts the cycles of the runs it is told of. It is an isa.Listener and an isa.Clock. It is not safe for
// concurrent use, and a Straight belongs to the last pipeline that saw it.
type Pipeline struct{ core }

var (
	_ isa.Listener = (*Pipeline)(nil)
	_ isa.Clock    = (*Pipeline)(nil)
)

// New returns the pipeline of a CPU file in its reset state. The file must have a row for every timing class of
// arch. Later changes of cpu have no effect on it.
func New(cpu *costmodel.CPU, arch isa.Arch) (*Pipeline, error) {
	if cpu.ISA != arch.Name() {
		return nil, fmt.Errorf("%s: isa %s: the code is %s", cpu.File, cpu.ISA, arch.Name())
	}
	if cpu.Pipeline != Name {
		return nil, fmt.Errorf("%s: pipeline %q is not the out-of-order pipeline", cpu.File, cpu.Pipeline)
	}
	d, err := newDecoder(cpu, arch)
	if err != nil {
		return nil, err
	}
	p := &Pipeline{core{decoder: d, numbers: newNumbers(cpu), predictor: newPredictor(cpu)}}
	p.l1d = newCache(cpu.Param("l1d_bytes"), cpu.Param("l1d_ways"), cpu.Param("line"))
	p.l1i = newCache(cpu.Param("l1i_bytes"), cpu.Param("l1i_ways"), cpu.Param("line"))
	if ops := cpu.Param("op_cache"); ops > 0 {
		p.opCache = newCache(ops, 8, opLine)
	}
	p.memo = memo{states: map[uint64]*state{}, room: memoWords}
	p.Reset()
	return p, nil
}

// Retire books the cycles of a run.
func (p *Pipeline) Retire(r *isa.Retired) { p.retireRun(r, p.plan(r.Code)) }

// Now returns the cycle in which the youngest instruction so far has retired.
func (p *Pipeline) Now() uint64 { return p.slots / p.width }

// Totals returns the issue slots by cause since Reset.
func (p *Pipeline) Totals() costmodel.Totals { return p.totals() }

// SetSink makes every retired instruction a record given to sink; nil turns that off.
func (p *Pipeline) SetSink(sink func(costmodel.Timed)) { p.sink = sink }

// Memoise turns replay on, as it is after New, or off: then every run is walked.
func (p *Pipeline) Memoise(on bool) { p.off = !on }

// Reset returns to the state after New: empty pipeline, predictors and caches, cycle 0.
func (p *Pipeline) Reset() { p.reset() }
