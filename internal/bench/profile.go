package bench

import (
	"fmt"

	"simrun/costmodel"
	"simrun/internal/profile"
	"simrun/internal/result"
	"simrun/isa"
	"simrun/sim"
	"simrun/sim/inorder"
)

// Profiled is the profile of some calls of a program. Over the warm window the cycles of a call are
// those of its result row, since both come from the same records.
type Profiled struct {
	*profile.Profile
	Image    *isa.Image
	Calls    int // calls in the profile
	Verified result.Verified
}

// Span says which calls a profile covers.
type Span struct {
	Calls int  // n calls after n others, as in the measuring window; 0 = the default
	Cold  bool // the very first call alone
}

// Profile profiles a kernel after its check.
func (c Cell) Profile(span Span) (*Profiled, error) {
	p, err := Compile(c.Subject.Kernel, c.CPU, nil)
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	s, err := simulate(p, c.Subject.Public)
	if err != nil {
		return nil, err
	}
	if _, err := c.Subject.check(p, s); err != nil {
		return nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	return profiled(s.machine, c.CPU, span, c.Subject.Verified(), s.call)
}

// ProfileCall profiles a function of a user's own program. The first call is checked against
// what c expects.
func ProfileCall(name string, im *isa.Image, cpu *costmodel.CPU, c Call, span Span) (*Profiled, error) {
	f, err := newFunction(im, cpu, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if _, err := f.call(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	buffers, err := f.contents()
	if err != nil {
		return nil, err
	}
	verified, err := c.verify(name, buffers)
	if err != nil {
		return nil, err
	}
	return profiled(f.machine, cpu, span, verified, func() error { _, err := f.call(); return err })
}

func profiled(m *sim.Machine, cpu *costmodel.CPU, span Span, v result.Verified, call func() error) (*Profiled, error) {
	pipe, err := inorder.New(cpu, m.Arch())
	if err != nil {
		return nil, err
	}
	m.SetListener(pipe)
	defer m.SetListener(nil)
	before, calls := window, window
	if span.Calls > 0 {
		before, calls = span.Calls, span.Calls
	}
	if span.Cold {
		before, calls = 0, 1
	}
	for range before {
		if err := call(); err != nil {
			return nil, err
		}
	}
	start := pipe.Totals()
	p := profile.New(m.Arch(), m.Memory())
	pipe.SetSink(p.Timed)
	for range calls {
		p.Restart()
		if err := call(); err != nil {
			return nil, err
		}
	}
	if got, want := p.Totals(), pipe.Totals().Sub(start); got != want {
		return nil, fmt.Errorf("profile accounting: %d cycles in samples, the clock shows %d", got.Cycles, want.Cycles)
	}
	return &Profiled{Profile: p, Image: m.Image(), Calls: calls, Verified: v}, nil
}
