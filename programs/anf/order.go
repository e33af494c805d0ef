package anf

import "math/rand/v2"

// Values beyond wantLive that live at the same time will have to leave their registers.
const (
	wantLive  = 9
	orderings = 100
)

// ordered puts the gates into an order that keeps few values alive, the best of some draws.
func (c *Circuit) ordered() *Circuit {
	var best []int
	least := 0
	rng := rand.New(rand.NewPCG(1, 2))
	for try := range orderings {
		order, excess := c.draw(rng, try == 0)
		if best == nil || excess < least {
			best, least = order, excess
		}
	}
	return c.permuted(best)
}

// draw takes, step by step, a gate whose operands are there and after which the fewest values are alive, the one with the
// youngest operands among equals; plain says to draw no lots. excess adds up the values beyond wantLive.
func (c *Circuit) draw(rng *rand.Rand, plain bool) (order []int, excess int) {
	uses := c.uses()
	age := make([]int, len(uses)) // when a node was made; -1 = not yet
	for i := c.Inputs; i < len(age); i++ {
		age[i] = -1
	}
	live := c.Inputs
	for len(order) < len(c.Gates) {
		best, most := -1, 0
		for i, g := range c.Gates {
			if age[c.Inputs+i] >= 0 || age[g.A] < 0 || age[g.B] < 0 {
				continue
			}
			score := 4*len(c.Gates)*dying(g, uses) + age[g.A] + age[g.B]
			if !plain {
				score += rng.IntN(len(c.Gates)/2 + 1)
			}
			if best < 0 || score > most {
				best, most = i, score
			}
		}
		g := c.Gates[best]
		live += 1 - dying(g, uses)
		excess += max(0, live-wantLive)
		uses[g.A]--
		uses[g.B]--
		order = append(order, best)
		age[c.Inputs+best] = len(order)
	}
	return order, excess
}

// uses counts the readers of each node; an output is read once more.
func (c *Circuit) uses() []int {
	n := make([]int, c.Inputs+len(c.Gates))
	for _, g := range c.Gates {
		n[g.A]++
		n[g.B]++
	}
	return n
}

// dying is how many operands of g have no other reader left.
func dying(g Gate, uses []int) (n int) {
	for _, x := range [2]int{g.A, g.B} {
		if uses[x] == 1 {
			n++
		}
	}
	return n
}

// permuted is the circuit with its gates in that order.
func (c *Circuit) permuted(order []int) *Circuit {
	place := make([]int, c.Inputs+len(c.Gates))
	for i := range c.Inputs {
		place[i] = i
	}
	out := &Circuit{Inputs: c.Inputs}
	for i, old := range order {
		g := c.Gates[old]
		out.Gates = append(out.Gates, Gate{g.And, place[g.A], place[g.B]})
		place[c.Inputs+old] = c.Inputs + i
	}
	for _, o := range c.Outputs {
		if o.Node >= 0 {
			o.Node = place[o.Node]
		}
		out.Outputs = append(out.Outputs, o)
	}
	return out
}
