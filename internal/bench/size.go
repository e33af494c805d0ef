package bench

import (
	"math"

	"simrun/programs/compile"
)

// smallest compiles the kernel with none, one, .. of its levels of loops kept, each after a short search, and returns the
// shortest code of those that take at most factor times the cycles of the fastest.
func (c Cell) smallest(factor float64) (*Program, error) {
	type version struct {
		p      *Program
		cycles float64
	}
	var all []version
	fastest := math.Inf(1)
	for keep := 0; len(all) == 0 || keep <= all[0].p.Depth; keep++ {
		p, err := compileWith(c.Subject.Kernel, c.CPU, compile.Options{Level: 1, Keep: keep, Budget: math.MaxInt,
			Search: compile.Search{Tries: quickTries, Seed: c.Build.Seed}})
		if err != nil {
			return nil, err
		}
		s, err := simulate(p, c.Subject.Public)
		if err != nil {
			return nil, err
		}
		if _, err := c.Subject.check(p, s); err != nil {
			return nil, err
		}
		n, err := s.count()
		if err != nil {
			return nil, err
		}
		all = append(all, version{p, n.cycles})
		fastest = min(fastest, n.cycles)
	}
	best := all[0].p
	for _, v := range all {
		if v.cycles <= factor*fastest && codeBytes(v.p.Image) < codeBytes(best.Image) {
			best = v.p
		}
	}
	return best, nil
}
