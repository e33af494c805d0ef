package anf

// builder writes a finished factoring as gates, each where it is first needed.
type builder struct {
	f     *factoring
	c     *Circuit
	atoms map[int]int
	sums  map[int]int
	gates map[Gate]int
}

func (f *factoring) circuit(nots []bool) *Circuit {
	b := &builder{f, &Circuit{Inputs: f.inputs}, map[int]int{}, map[int]int{}, map[Gate]int{}}
	for i, not := range nots {
		b.c.Outputs = append(b.c.Outputs, Output{b.sum(i), not})
	}
	return b.c
}

func (b *builder) gate(and bool, x, y int) int {
	g := Gate{and, min(x, y), max(x, y)}
	n, ok := b.gates[g]
	if !ok {
		b.c.Gates = append(b.c.Gates, g)
		n = b.c.Inputs + len(b.c.Gates) - 1
		b.gates[g] = n
	}
	return n
}

// sum is the node of sum i, -1 if it is empty.
func (b *builder) sum(i int) int {
	if n, ok := b.sums[i]; ok {
		return n
	}
	n := -1
	for _, a := range b.f.sums[i] {
		v := b.atom(a)
		if n < 0 {
			n = v
		} else {
			n = b.gate(false, n, v)
		}
	}
	b.sums[i] = n
	return n
}

func (b *builder) atom(i int) int {
	if n, ok := b.atoms[i]; ok {
		return n
	}
	a := b.f.list[i]
	n := a.a
	switch a.kind {
	case product:
		n = b.gate(true, b.sum(a.a), b.sum(a.b))
	case pair:
		n = b.gate(false, b.atom(a.a), b.atom(a.b))
	}
	b.atoms[i] = n
	return n
}
