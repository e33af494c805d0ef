package bench

import (
	"fmt"
	"io"

	"simrun/costmodel"
	"simrun/internal/profile"
	"simrun/internal/result"
	"simrun/isa"
	"simrun/sim"
	"simrun/sim/trace"
)

// ProfileFirmware profiles a whole program from its start to its exit, or the first pass of f.Measure.
// exit is nil if the run ended behind the window.
func ProfileFirmware(name string, im *isa.Image, cpu *costmodel.CPU, f Firmware) (p *Profiled, exit *sim.Exit, err error) {
	r, err := newFirmwareRun(name, im, cpu, f)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.program.Close()
	p = &Profiled{Profile: profile.New(r.program.Arch(), r.program.Memory()), Source: profile.NewSource(im), Calls: 1}
	if p.Verified, exit, err = r.observe(p.Timed); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.Of = "the whole program"; f.Measure != nil {
		p.Of = "once from " + f.Measure.From + " to " + f.Measure.To
	}
	p.StackBytes = r.program.StackUsed()
	return p, exit, nil
}

// TraceFirmware writes every instruction of a whole program, or of the first pass of f.Measure.
func TraceFirmware(w io.Writer, format trace.Format, name string, im *isa.Image, cpu *costmodel.CPU, f Firmware) error {
	r, err := newFirmwareRun(name, im, cpu, f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.program.Close()
	sink := format.New(w, r.program.Arch(), r.program.Memory())
	_, _, err = r.observe(sink.Timed)
	if closed := sink.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// observe runs the program and gives sink its records, those of the window alone if there is one.
func (r *firmwareRun) observe(sink func(costmodel.Timed)) (v result.Verified, exit *sim.Exit, err error) {
	if r.pipe == nil {
		return "", nil, fmt.Errorf("%s has no cycles", r.cpu.Name)
	}
	if r.Measure != nil {
		exit, err = r.observeWindow(sink)
	} else {
		r.pipe.SetSink(sink)
		exit, err = r.program.RunTo(isa.NoAddr)
	}
	r.pipe.SetSink(nil)
	if err != nil {
		return "", nil, err
	}
	if exit == nil && (r.ExpectExit != nil || r.output != nil) {
		if exit, err = r.program.RunTo(isa.NoAddr); err != nil {
			return "", nil, err
		}
	}
	v, err = r.check(exit)
	return v, exit, err
}

func (r *firmwareRun) observeWindow(sink func(costmodel.Timed)) (exit *sim.Exit, err error) {
	from, to, err := r.window()
	if err != nil {
		return nil, err
	}
	if exit, err = r.program.RunTo(from); err == nil && exit == nil {
		r.pipe.SetSink(sink)
		exit, err = r.program.RunOn(to)
	}
	if err == nil && exit != nil {
		err = r.Measure.missed(exit, 0)
	}
	return exit, err
}
