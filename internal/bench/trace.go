package bench

import (
	"errors"
	"fmt"
	"io"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/sim"
	"simrun/sim/trace"
)

// Trace writes every instruction of the first, cold call of a checked kernel with its cycles.
func (c Cell) Trace(w io.Writer, f trace.Format) error {
	_, s, err := c.checked()
	if err != nil {
		return fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	return traced(w, f, s.machine, c.CPU, s.call)
}

// TraceCall is Trace for a function of a user's own program.
func TraceCall(w io.Writer, f trace.Format, im *isa.Image, cpu *costmodel.CPU, c Call) error {
	fn, err := newFunction(im, cpu, c)
	if err != nil {
		return err
	}
	return traced(w, f, fn.machine, cpu, func() error { _, err := fn.call(); return err })
}

func traced(w io.Writer, f trace.Format, m *sim.Machine, cpu *costmodel.CPU, call func() error) error {
	pipe, err := newPipeline(cpu, m.Arch())
	if err != nil {
		return err
	}
	sink := f.New(w, m.Arch(), m.Memory())
	pipe.SetSink(sink.Timed)
	m.SetListener(pipe)
	defer m.SetListener(nil)
	return errors.Join(call(), pipe.Totals().Check(), sink.Close())
}
