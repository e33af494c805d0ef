package bench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"simrun/costmodel"
	"simrun/internal/result"
)

// Changed is what the same code takes on a CPU with one mechanism changed.
type Changed struct {
	costmodel.Change
	Cycles float64 // a warm call
	Effect float64 // 0.1: a tenth slower than on the CPU as it is
}

// noEffect is the effect that reports round to 0.0 %.
const noEffect = 0.0005

// None reports whether the change matters too little to be shown.
func (c *Changed) None() bool { return math.Abs(c.Effect) < noEffect }

// Changes compiles and checks the kernel and counts its code, as it is, on its CPU and with each mechanism of that
// changed: the largest effect first.
func (c Cell) Changes() (*result.Row, []Changed, error) {
	p, s, err := c.checked()
	if err != nil {
		return nil, nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	return c.changes(p, s)
}

func (c Cell) changes(p *Program, s *simulated) (*result.Row, []Changed, error) {
	memory, err := s.contents()
	if err != nil {
		return nil, nil, err
	}
	now, err := s.count()
	if err != nil {
		return nil, nil, fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	}
	var list []Changed
	for _, change := range c.CPU.Changes() {
		cpu, err := c.CPU.With(change.Settings)
		if err != nil {
			return nil, nil, err
		}
		if err := s.restore(memory); err != nil {
			return nil, nil, err
		}
		n, err := s.countOn(cpu)
		if err != nil {
			return nil, nil, fmt.Errorf("%s on %s with %s: %w", c.Subject.Name, c.CPU.Name, change, err)
		}
		list = append(list, Changed{change, n.cycles, n.cycles/now.cycles - 1})
	}
	slices.SortStableFunc(list, func(a, b Changed) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return c.row(p, now), list, s.restore(memory)
}

// contents copies every buffer out.
func (s *simulated) contents() (map[string][]byte, error) {
	all := map[string][]byte{}
	for name := range s.buffers {
		data, err := s.get(name)
		if err != nil {
			return nil, err
		}
		all[name] = slices.Clone(data)
	}
	return all, nil
}

// restore puts contents back.
func (s *simulated) restore(contents map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		if err := s.set(name, contents[name]); err != nil {
			return err
		}
	}
	return nil
}
