package bench

import (
	"cmp"
	"fmt"
	"slices"

	"simrun/costmodel"
	"simrun/internal/profile"
	"simrun/internal/result"
	"simrun/isa"
	"simrun/sim"
)

// Profiled is the profile of some calls of a program. Over the warm window the cycles of a call are
// those of its result row, since both come from the same records.
type Profiled struct {
	*profile.Profile
	Source     *profile.Source
	Of         string // what is in it: "8 warm calls, figures per call"
	Calls      int    // calls in the profile, 1 for a program
	Verified   result.Verified
	StackBytes int
}

// callSite is the function that the call instruction of the simulator stands in.
const callSite = "[call]"

// Span says which calls a profile covers.
type Span struct {
	Calls int  // n calls after n others, as in the measuring window; 0 = the default
	Cold  bool // the very first call alone
}

// Profile profiles a kernel after its check.
func (c Cell) Profile(span Span) (*Profiled, error) {
	p, s, err := c.checked()
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	out, err := profiled(s.machine, c.CPU, span, s.call)
	if err != nil {
		return nil, err
	}
	out.Verified, out.StackBytes = c.Subject.Verified(), p.StackBytes
	out.Source = sourceOf(s.machine, s.entry)
	return out, nil
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
	out, err := profiled(f.machine, cpu, span, func() error { _, err := f.call(); return err })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out.Verified, out.StackBytes = verified, f.machine.StackUsed()
	out.Source = sourceOf(f.machine, f.entry)
	return out, nil
}

func profiled(m *sim.Machine, cpu *costmodel.CPU, span Span, call func() error) (*Profiled, error) {
	pipe, err := newPipeline(cpu, m.Arch())
	if err != nil {
		return nil, err
	}
	m.SetListener(pipe)
	defer m.SetListener(nil)
	before, calls := windowOf(cpu), windowOf(cpu)
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
		return nil, fmt.Errorf("profile accounting: %d slots in samples, the clock shows %d", got.Slots, want.Slots)
	}
	of := fmt.Sprintf("%d warm calls, figures per call", calls)
	if span.Cold {
		of = "the first call"
	}
	return &Profiled{Profile: p, Of: of, Calls: calls}, nil
}

// sourceOf is the source of the image and of the instruction that calls entry.
func sourceOf(m *sim.Machine, entry uint64) *profile.Source {
	im := *m.Image()
	if pc, ret, ok := m.CallSite(entry); ok {
		im.Symbols = append(slices.Clone(im.Symbols), isa.Symbol{Name: callSite, Addr: pc, Size: ret - pc, Func: true})
		slices.SortStableFunc(im.Symbols, func(a, b isa.Symbol) int { return cmp.Compare(a.Addr, b.Addr) })
	}
	return profile.NewSource(&im)
}
