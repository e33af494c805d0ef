package bench

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"

	"simrun/internal/result"
	"simrun/programs/compile"
	"simrun/programs/targets"
)

// SmallFactor bounds the small end of a table: the shortest code that takes at most so many times the cycles of the row.
const SmallFactor = 2

// smallest returns the shortest code that takes at most factor times the cycles of the fastest, which is what is made
// without a bound on the size. Its candidates are found by a search each, as long as the level says.
func (c Cell) smallest(factor float64) (*Program, error) {
	fast := c
	fast.Build.Size = 0
	p, err := fast.Compile()
	if err != nil {
		return nil, err
	}
	n, err := c.quickCount(p)
	if err != nil {
		return nil, err
	}
	tries := quickTries
	if c.Build.Level == O2 {
		tries = longTries
	}
	return c.shortest(p, factor*n, tries)
}

// shortest returns the shortest of fast and the other versions of the kernel that take at most so many cycles: those with
// all, .. one, none of its levels of loops kept. The order of each is the stored schedule where that has as many levels, else
// that of a search of so many tries.
func (c Cell) shortest(fast *Program, cycles float64, tries int) (*Program, error) {
	best := fast
	for keep := fast.Depth; keep >= 0; keep-- {
		list, err := c.versions(keep, tries, codeBytes(best.Image))
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			n, err := c.quickCount(p)
			if err != nil {
				return nil, err
			}
			if n <= cycles {
				best = p
				break
			}
		}
	}
	return best, nil
}

// versions compiles the kernel with so many levels of loops kept and more or less done for its size. It returns those
// shorter than limit bytes, the shortest first.
func (c Cell) versions(keep, tries, limit int) ([]*Program, error) {
	target, err := targets.For(c.CPU.ISA)
	if err != nil {
		return nil, err
	}
	o := compile.Options{Level: 1, Keep: keep, Budget: math.MaxInt, Without: c.Build.Without, Search: compile.Search{Tries: tries, Seed: c.Build.Seed}}
	s, err := compile.NewSearcher(c.Subject.Kernel, target, forCPU(c.CPU, o))
	if err != nil || s.Operations()*compile.ShortestInst >= limit {
		return nil, err
	}
	if o.Order, err = c.orderFor(s, keep, tries); err != nil {
		return nil, err
	}
	var list []*Program
	for _, o.Short = range []compile.Short{0, compile.ShortEncodings, compile.ShortAccesses, compile.ShortEncodings | compile.ShortAccesses} {
		p, err := compileWith(c.Subject.Kernel, c.CPU, o)
		if errors.Is(err, compile.ErrOrder) { // what is stored is settled for other code
			o.Order = searched(s, tries)
			p, err = compileWith(c.Subject.Kernel, c.CPU, o)
		}
		if err != nil {
			return nil, err
		}
		if codeBytes(p.Image) < limit && !slices.ContainsFunc(list, p.same) {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *Program) int { return cmp.Compare(codeBytes(a.Image), codeBytes(b.Image)) })
	return list, nil
}

func (p *Program) same(q *Program) bool {
	return bytes.Equal(p.Image.Segments[0].Data, q.Image.Segments[0].Data)
}

// orderFor is the order for a version with keep levels of loops, by the search or stored.
func (c Cell) orderFor(s *compile.Searcher, keep, tries int) (*compile.Order, error) {
	stored, err := c.Subject.schedule(c.CPU)
	if err != nil {
		return nil, err
	}
	if stored != nil && stored.Roll == keep && stored.Code == s.Code() {
		return stored.Order(), nil
	}
	return searched(s, tries), nil
}

func searched(s *compile.Searcher, tries int) *compile.Order {
	s.Run(tries)
	best := s.Best()
	return &best
}

// quickCount counts the cycles of a program that may not have been checked: whatever is returned to a user is.
func (c Cell) quickCount(p *Program) (float64, error) {
	s, err := simulate(p, c.Subject.Public)
	if err != nil {
		return 0, err
	}
	if err := s.call(); err != nil {
		return 0, err
	}
	n, err := s.count()
	if err != nil {
		return 0, err
	}
	return n.cycles, nil
}

// small is the small end of a row: the shortest code within SmallFactor of its cycles, proven right and counted in the same
// way.
func (c Cell) small(row *result.Row, p *Program) (*result.Small, error) {
	small, err := c.shortest(p, SmallFactor*float64(row.Cycles), 0)
	if err != nil {
		return nil, err
	}
	r := row
	if small != p {
		n, err := c.proven(small)
		if err != nil {
			return nil, err
		}
		r = c.row(small, n)
	}
	return &result.Small{CodeBytes: r.CodeBytes, StackBytes: r.StackBytes, Form: r.Form, Cycles: r.Cycles, CyclesPerByte: r.CyclesPerByte}, nil
}

// proven counts a program on the machine that has proven it right.
func (c Cell) proven(p *Program) (*counted, error) {
	s, err := simulate(p, c.Subject.Public)
	if err != nil {
		return nil, err
	}
	if _, err := c.Subject.check(p, s); err != nil {
		return nil, err
	}
	return s.count()
}
