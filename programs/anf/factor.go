package anf

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// restarts is how many orders of equal choices Factor tries.
const restarts = 8

// Factor finds a circuit of few gates. It is greedy: products that one output alone needs are grouped by a
// common factor, then the pair of terms that most sums share becomes a gate, again and again. Equally good
// choices are drawn, always in the same way; the best of some draws is kept.
func Factor(inputs int, outputs []Poly) *Circuit {
	var best *Circuit
	for seed := range uint64(restarts) {
		f := &factoring{inputs: inputs, rng: rand.New(rand.NewPCG(seed, 1)), atoms: map[atom]int{}}
		if c := f.run(outputs); best == nil || len(c.Gates) < len(best.Gates) {
			best = c
		}
	}
	return best.ordered()
}

// An atom is a term of a sum: a variable, a product of two sums, or the sum of two atoms that several sums share.
type atom struct {
	kind atomKind
	a, b int // variable: a; product: sums; pair: atoms
}

type atomKind uint8

const (
	variable atomKind = iota
	product
	pair
)

// factoring is one draw.
type factoring struct {
	inputs int
	rng    *rand.Rand
	list   []atom
	atoms  map[atom]int // places in list
	sums   [][]int      // atoms of each sum, ascending
	single map[int]int  // the sum that is one atom only, by atom
	polys  []Poly       // what is left to be written in atoms, by sum
	split  map[Monomial]int
}

func (f *factoring) run(outputs []Poly) *Circuit {
	f.single, f.split = map[int]int{}, map[Monomial]int{}
	nots := make([]bool, len(outputs))
	for i, p := range outputs {
		p = p.reduced()
		if len(p) > 0 && p[0] == 0 {
			nots[i], p = true, p[1:]
		}
		f.polys, f.sums = append(f.polys, p), append(f.sums, nil)
	}
	f.group()
	f.multiply()
	f.share()
	return f.circuit(nots)
}

// uses counts in how many polynomials each monomial stands.
func (f *factoring) uses() map[Monomial]int {
	n := map[Monomial]int{}
	for _, p := range f.polys {
		for _, m := range p {
			n[m]++
		}
	}
	return n
}

// group takes out of a polynomial the largest group of monomials that stand nowhere else and have a common
// factor, as long as there is one of two or more.
func (f *factoring) group() {
	for {
		uses := f.uses()
		type choice struct {
			sum    int
			factor Monomial
			n      int
		}
		var best []choice
		for i, p := range f.polys {
			for _, d := range factors(p, f.inputs) {
				c := choice{i, d, 0}
				for _, m := range p {
					if m&d == d && m != d && uses[m] == 1 {
						c.n++
					}
				}
				switch {
				case c.n < 2 || len(best) > 0 && c.n < best[0].n:
				case len(best) > 0 && c.n == best[0].n:
					best = append(best, c)
				default:
					best = []choice{c}
				}
			}
		}
		if len(best) == 0 {
			return
		}
		c := best[f.rng.IntN(len(best))]
		f.takeOut(c.sum, c.factor, uses)
	}
}

// factors are the variables and the products of two that occur in p.
func factors(p Poly, inputs int) []Monomial {
	seen := map[Monomial]bool{}
	for _, m := range p {
		for i := range inputs {
			for j := i; j < inputs; j++ {
				if d := Monomial(1)<<i | Monomial(1)<<j; m&d == d && m != d {
					seen[d] = true
				}
			}
		}
	}
	return sortedKeys(seen)
}

func sortedKeys[V any](m map[Monomial]V) []Monomial {
	var list []Monomial
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// takeOut writes a group of sum i as factor times a new sum.
func (f *factoring) takeOut(i int, factor Monomial, uses map[Monomial]int) {
	var rest, quotient Poly
	for _, m := range f.polys[i] {
		if m&factor == factor && m != factor && uses[m] == 1 {
			quotient = append(quotient, m&^factor)
		} else {
			rest = append(rest, m)
		}
	}
	f.polys[i] = rest
	q := len(f.sums)
	f.polys, f.sums = append(f.polys, quotient.reduced()), append(f.sums, nil)
	// The factor may be a product: it is a sum of its own, written in atoms with the others.
	d := len(f.sums)
	f.polys, f.sums = append(f.polys, Poly{factor}), append(f.sums, nil)
	f.sums[i] = append(f.sums[i], f.atom(atom{product, d, q}))
}

func (f *factoring) atom(a atom) int {
	if n, ok := f.atoms[a]; ok {
		return n
	}
	f.list = append(f.list, a)
	f.atoms[a] = len(f.list) - 1
	return len(f.list) - 1
}

// one is the sum that consists of an atom.
func (f *factoring) one(a int) int {
	n, ok := f.single[a]
	if !ok {
		n = len(f.sums)
		f.sums = append(f.sums, []int{a})
		f.single[a] = n
	}
	return n
}

// multiply writes all monomials as atoms. Of three variables and more, one is split off so that the
// rest is a product needed anyway, or else one that most others can use.
func (f *factoring) multiply() {
	need := map[Monomial]bool{}
	for _, p := range f.polys {
		for _, m := range p {
			need[m] = true
		}
	}
	for degree := f.inputs; degree > 2; degree-- {
		for {
			var open []Monomial
			for _, m := range sortedKeys(need) {
				if _, done := f.split[m]; !done && bits.OnesCount16(uint16(m)) == degree {
					open = append(open, m)
				}
			}
			if len(open) == 0 {
				break
			}
			f.splitBest(open, need)
		}
	}
	for i, p := range f.polys {
		for _, m := range p {
			f.sums[i] = append(f.sums[i], f.monomial(m))
		}
		slices.Sort(f.sums[i])
	}
}

// splitBest chooses a rest that most open monomials can be split to, needed ones first.
func (f *factoring) splitBest(open []Monomial, need map[Monomial]bool) {
	score := map[Monomial]int{}
	for _, m := range open {
		for i := range f.inputs {
			if rest := m &^ (1 << i); rest != m {
				score[rest]++
				if need[rest] {
					score[rest] |= 1 << 10
				}
			}
		}
	}
	var best []Monomial
	for _, rest := range sortedKeys(score) {
		switch {
		case len(best) == 0 || score[rest] > score[best[0]]:
			best = []Monomial{rest}
		case score[rest] == score[best[0]]:
			best = append(best, rest)
		}
	}
	rest := best[f.rng.IntN(len(best))]
	need[rest] = true
	for _, m := range open {
		if m&rest == rest {
			f.split[m] = bits.TrailingZeros16(uint16(m &^ rest))
		}
	}
}

// monomial is the atom of a product of variables.
func (f *factoring) monomial(m Monomial) int {
	first, ok := f.split[m]
	if !ok {
		first = bits.TrailingZeros16(uint16(m))
	}
	v := f.atom(atom{variable, first, 0})
	rest := m &^ (1 << first)
	if rest == 0 {
		return v
	}
	return f.atom(atom{product, f.one(v), f.one(f.monomial(rest))})
}

// share makes a pair of atoms that most sums have in common an atom, as long as two sums do.
func (f *factoring) share() {
	for {
		count := map[[2]int]int{}
		for _, s := range f.sums {
			for i := range s {
				for j := range i {
					count[[2]int{s[j], s[i]}]++
				}
			}
		}
		most := 1
		var best [][2]int
		for p, n := range count {
			switch {
			case n > most:
				most, best = n, [][2]int{p}
			case n == most && n > 1:
				best = append(best, p)
			}
		}
		if len(best) == 0 {
			return
		}
		slices.SortFunc(best, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
		f.replace(best[f.rng.IntN(len(best))])
	}
}

// replace puts a new atom for the pair into every sum that has both.
func (f *factoring) replace(p [2]int) {
	a := f.atom(atom{pair, p[0], p[1]})
	for i, s := range f.sums {
		if slices.Contains(s, p[0]) && slices.Contains(s, p[1]) {
			s = slices.DeleteFunc(s, func(x int) bool { return x == p[0] || x == p[1] })
			f.sums[i] = append(s, a)
		}
	}
}
