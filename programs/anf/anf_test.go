package anf

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFactorEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "inputs")
		monomial := rapid.Map(rapid.IntRange(0, 1<<n-1), func(m int) Monomial { return Monomial(m) })
		var ps []Poly
		for _, p := range rapid.SliceOfN(rapid.SliceOfN(monomial, 0, 14), 1, 6).Draw(t, "outputs") {
			ps = append(ps, Poly(p))
		}
		c := Factor(n, ps)
		if err := c.Proves(ps); err != nil {
			t.Fatal(err)
		}
		if d := Factor(n, ps); fmt.Sprint(c) != fmt.Sprint(d) {
			t.Fatal("two runs give two circuits")
		}
		reference(t, c, ps)
	})
}

// reference evaluates circuit and polynomials one input at a time, by itself.
func reference(t *rapid.T, c *Circuit, ps []Poly) {
	for x := range 1 << c.Inputs {
		var nodes []bool
		for i := range c.Inputs {
			nodes = append(nodes, x>>i&1 == 1)
		}
		for _, g := range c.Gates {
			if g.And {
				nodes = append(nodes, nodes[g.A] && nodes[g.B])
			} else {
				nodes = append(nodes, nodes[g.A] != nodes[g.B])
			}
		}
		for i, o := range c.Outputs {
			want := false
			for _, m := range ps[i] {
				want = want != (int(m)&x == int(m))
			}
			if got := (o.Node >= 0 && nodes[o.Node]) != o.Not; got != want {
				t.Fatalf("input %d, output %d: %v, want %v", x, i, got, want)
			}
		}
	}
}

func TestProvesFindsAWrongGate(t *testing.T) {
	ps := []Poly{{3, 5, 6}, {1, 6, 0}}
	c := Factor(3, ps)
	for i := range c.Gates {
		d := *c
		d.Gates = slices.Clone(c.Gates)
		d.Gates[i].And = !d.Gates[i].And
		if d.Proves(ps) == nil {
			t.Errorf("gate %d is wrong and nothing is found", i)
		}
	}
}
