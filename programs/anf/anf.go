// Package anf turns polynomials over GF(2) into gates: the algebraic normal form of an S-box into AND and XOR.
package anf

import (
	"fmt"
	"math/bits"
	"slices"
)

// MaxInputs bounds the variables: Proves tries all values.
const MaxInputs = 12

// Monomial is a product of variables: bit i stands for variable i. 0 is the constant 1.
type Monomial uint16

// Poly is a sum of monomials. The same one twice is none.
type Poly []Monomial

// Gate is A AND B or A XOR B. Nodes 0 to Inputs-1 are the variables, node Inputs+i is gate i.
type Gate struct {
	And  bool
	A, B int
}

// Output is a node, perhaps complemented; Node -1 is the constant 0.
type Output struct {
	Node int
	Not  bool
}

// Circuit computes Outputs from Inputs variables.
type Circuit struct {
	Inputs  int
	Gates   []Gate
	Outputs []Output
}

// Cost counts the gates of each kind.
func (c *Circuit) Cost() (and, xor int) {
	for _, g := range c.Gates {
		if g.And {
			and++
		}
	}
	return and, len(c.Gates) - and
}

// Proves says where the circuit differs from the polynomials, trying all inputs; nil = nowhere.
func (c *Circuit) Proves(outputs []Poly) error {
	for block := 0; block < 1<<c.Inputs; block += 64 {
		nodes := columns(c.Inputs, block)
		for _, g := range c.Gates {
			v := nodes[g.A] ^ nodes[g.B]
			if g.And {
				v = nodes[g.A] & nodes[g.B]
			}
			nodes = append(nodes, v)
		}
		for i, p := range outputs {
			diff := p.value(nodes) ^ c.Outputs[i].value(nodes)
			if rest := 1<<c.Inputs - block; rest < 64 {
				diff &= 1<<rest - 1
			}
			if diff != 0 {
				return fmt.Errorf("output %d of the circuit is wrong for input %d", i, block+bits.TrailingZeros64(diff))
			}
		}
	}
	return nil
}

// columns gives each variable its values in the inputs block to block+63, one input a bit.
func columns(n, block int) []uint64 {
	inner := [6]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}
	cols := make([]uint64, n)
	for i := range cols {
		switch {
		case i < 6:
			cols[i] = inner[i]
		case block>>i&1 == 1:
			cols[i] = ^uint64(0)
		}
	}
	return cols
}

func (p Poly) value(vars []uint64) uint64 {
	var sum uint64
	for _, m := range p {
		v := ^uint64(0)
		for i := 0; m>>i != 0; i++ {
			if m>>i&1 == 1 {
				v &= vars[i]
			}
		}
		sum ^= v
	}
	return sum
}

func (o Output) value(nodes []uint64) (v uint64) {
	if o.Node >= 0 {
		v = nodes[o.Node]
	}
	if o.Not {
		v = ^v
	}
	return v
}

// reduced is p in ascending order, what stands twice removed.
func (p Poly) reduced() Poly {
	p = slices.Sorted(slices.Values(p))
	var out Poly
	for _, m := range p {
		if n := len(out); n > 0 && out[n-1] == m {
			out = out[:n-1]
		} else {
			out = append(out, m)
		}
	}
	return out
}
