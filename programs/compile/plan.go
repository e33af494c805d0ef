package compile

import (
	"cmp"
	"slices"
)

// The plan of a search: which parts of the code it looks at, one after the other, and for how long. Stretches that recur
// come first, since what is found there counts as often; then those from the middle of one such stretch to the middle of the
// next (the rounds), those from one beginning to the next, and at last parts that stand alone.

// phase is the annealing of one stretch, or of the whole code: a group without copies.
type phase struct {
	group      group
	tries      int
	start, end float64 // temperatures, cycles
}

func (ph *phase) whole() bool { return len(ph.group.starts) == 0 }

// level is a set of stretches that are looked at in passes.
type level struct {
	groups []group
	share  float64 // of the tries
	passes []heat
}

// heat is one pass over the stretches of a level.
type heat struct {
	start float64 // temperature, as a part of the hottest that a stretch of its length gets
	share float64 // of the tries of the level
}

const (
	endTemperature  = 0.07 // cycles: next to none, as a step is half a cycle at least
	hottest         = 2.0  // for a short stretch
	hotLength       = 120  // cycles times instructions: longer stretches start cooler
	coolest         = 0.25
	longestStretch  = 500
	triesAgain      = 20000
	mostAgain       = 30
	wholeShare      = 0.5 // where loads wait for their latency
	wholePaired     = 0.1 // where they pair: what a part does to its neighbours is little there
	wholeStart      = 0.4
	wholeEnd        = 0.1
	standaloneParts = 220 // instructions of a part that stands alone
)

// makePlan is the plan for the code as it is in the text.
func (s *searcher) makePlan() []phase {
	sig, fixed := signatures(s.p.Code)
	groups := findGroups(s.p.Code)
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(b.weight(), a.weight()) })
	levels := []level{
		{groups, 0.7, s.again()},
		{between(groups, sig, fixed, 2), 0.1, []heat{{0.4, 1}}},
		{between(groups, sig, fixed, 1), 0.1, []heat{{0.4, 1}}},
		{tiles(fixed, 0), 0.05, []heat{{0.4, 1}}},
		{tiles(fixed, standaloneParts/2), 0.05, []heat{{0.3, 1}}},
	}
	total := 0.0
	for _, l := range levels {
		if len(l.groups) > 0 {
			total += l.share
		}
	}
	var plan []phase
	share := wholeShare
	if s.t.PairLoads {
		share = wholePaired
	}
	last := int(float64(s.search.Tries) * share)
	for _, l := range levels {
		plan = append(plan, l.phases(float64(s.search.Tries-last)*l.share/total)...)
	}
	return append(plan, phase{tries: last, start: wholeStart, end: wholeEnd})
}

// again are the passes over stretches that recur: from hot as often as there is time for, since the parts where one ends
// differ more by luck than by time; the best counts, by the whole code. Then once from cooler. Where loads wait for their
// latency the whole code decides, and one pass is enough.
func (s *searcher) again() []heat {
	n := 1
	if s.t.PairLoads {
		n = max(1, min(mostAgain, s.search.Tries/triesAgain))
	}
	list := slices.Repeat([]heat{{1, 0.85 / float64(n)}}, n)
	return append(list, heat{0.4, 0.15})
}

// weight is what a stretch deserves: longer ones are harder, and what is found counts in every copy.
func (g *group) weight() int { return g.length * g.length * len(g.starts) }

// phases shares the tries out over passes and stretches.
func (l *level) phases(tries float64) []phase {
	all := 0
	for i := range l.groups {
		all += l.groups[i].weight()
	}
	var list []phase
	for _, h := range l.passes {
		for _, g := range l.groups {
			n := int(tries * h.share * float64(g.weight()) / float64(all))
			hot := min(hottest, max(coolest, hotLength/float64(g.length)))
			list = append(list, phase{g, n, max(endTemperature, hot*h.start), endTemperature})
		}
	}
	return list
}

// between makes stretches from one copy of the heaviest recurring one to the next: from a copy's beginning, or from its
// 1/cut. Equal ones are one group.
func between(groups []group, sig []likeness, fixed []bool, cut int) []group {
	if len(groups) == 0 {
		return nil
	}
	g := groups[0]
	skip := 0
	if cut > 1 {
		skip = g.length / cut
	}
	var out []group
	for c := 0; c+1 < len(g.starts); c++ {
		begin, end := g.starts[c]+skip, g.starts[c+1]+skip
		if end-begin > longestStretch || slices.Contains(fixed[begin:end], true) {
			continue
		}
		i := slices.IndexFunc(out, func(o group) bool {
			return slices.Equal(sig[o.starts[0]:o.starts[0]+o.length], sig[begin:end])
		})
		if i < 0 {
			out = append(out, group{end - begin, []int{begin}})
			continue
		}
		out[i].starts = append(out[i].starts, begin)
	}
	return out
}

// tiles cuts straight runs of code into parts, the first of which is shorter by offset.
func tiles(fixed []bool, offset int) []group {
	var out []group
	for i := 0; i < len(fixed); {
		j := i
		for j < len(fixed) && !fixed[j] {
			j++
		}
		for at := i; at < j; {
			n := min(standaloneParts, j-at)
			if at == i && offset > 0 && n > offset {
				n -= offset
			}
			if n > 1 {
				out = append(out, group{n, []int{at}})
			}
			at += n
		}
		i = max(j, i+1)
	}
	return out
}
