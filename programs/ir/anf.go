package ir

import (
	"fmt"

	"simrun/programs/anf"
)

// Limits of an anf: what factoring takes grows with the third power of the terms.
const (
	maxAnfTerms   = 256
	maxAnfOutputs = 64
)

// factor gives a def that is an anf its body of gates, and proves them by the truth table.
func (d *defDecl) factor(w *work) {
	if w.spent() {
		panic(follows)
	}
	inputs := d.anfSize(d.formals[0].typ, anf.MaxInputs, "inputs")
	polys := make([]anf.Poly, d.anfSize(d.result[0], maxAnfOutputs, "outputs"))
	terms := 0
	for _, s := range d.anf.sums {
		if s.out >= len(polys) {
			fail(s.pos, "", "output %s%d is outside 0..%d", d.anf.out, s.out, len(polys)-1)
		}
		if polys[s.out] != nil {
			fail(s.pos, "", "output %s%d has two sums", d.anf.out, s.out)
		}
		polys[s.out] = d.poly(s, inputs)
		if terms += len(s.terms); terms > maxAnfTerms {
			fail(s.pos, "split it", "an anf of more than %d terms", maxAnfTerms)
		}
	}
	for i, p := range polys {
		if p == nil {
			fail(d.pos, "", "output %s%d of %s has no sum", d.anf.out, i, d.name)
		}
	}
	w.left -= terms*terms*terms/16 + terms<<inputs/64
	c := anf.Factor(inputs, polys)
	if err := c.Proves(polys); err != nil {
		fail(d.pos, "", "%s: %v", d.name, err)
	}
	d.body = d.gates(c)
}

// anfSize is the number of elements of the input or output.
func (d *defDecl) anfSize(t *typeExpr, most int, what string) int {
	n, ok := t.dims[0].(*intExpr)
	if !ok || n.val.Hi != 0 || n.val.Lo < 1 || n.val.Lo > uint64(most) {
		fail(t.dims[0].at(), "", "an anf has 1 to %d %s, written as a number", most, what)
	}
	return int(n.val.Lo)
}

// poly is the polynomial of one output. A term that stands twice is a slip.
func (d *defDecl) poly(s anfSum, inputs int) anf.Poly {
	p := anf.Poly{}
	seen := map[anf.Monomial]bool{}
	for _, t := range s.terms {
		var m anf.Monomial
		for _, x := range t.inputs {
			if x >= inputs {
				fail(t.pos, "", "input %s%d is outside 0..%d", d.anf.in, x, inputs-1)
			}
			m |= 1 << x
		}
		if seen[m] {
			fail(t.pos, "", "%s stands twice in the sum of %s%d", t.text(d.anf.in), d.anf.out, s.out)
		}
		seen[m] = true
		p = append(p, m)
	}
	return p
}

// gates writes a circuit as the body of a def. The names of the gates are such as no text can have.
func (d *defDecl) gates(c *anf.Circuit) *block {
	node := func(n int) expr {
		if n < c.Inputs {
			index := &intExpr{pos: d.pos, text: fmt.Sprint(n), val: Word{Lo: uint64(n)}}
			return &indexExpr{pos: d.pos, x: &nameExpr{pos: d.pos, name: d.anf.in}, index: []indexArg{{lo: index}}}
		}
		return &nameExpr{pos: d.pos, name: fmt.Sprintf("gate %d", n-c.Inputs)}
	}
	binary := func(op string, a, b int) expr {
		return &binaryExpr{pos: d.pos, op: op, code: binops[op].code, x: node(a), y: node(b)}
	}
	b := &block{}
	for i, g := range c.Gates {
		op := "^"
		if g.And {
			op = "&"
		}
		left := &lvalue{pos: d.pos, name: fmt.Sprintf("gate %d", i)}
		b.stmts = append(b.stmts, &assignStmt{pos: d.pos, left: []*lvalue{left}, right: binary(op, g.A, g.B)})
	}
	result := &arrayExpr{pos: d.pos}
	for _, o := range c.Outputs {
		x := binary("^", 0, 0) // the constant 0
		if o.Node >= 0 {
			x = node(o.Node)
		}
		if o.Not {
			x = &unaryExpr{pos: d.pos, op: "~", x: x}
		}
		result.elems = append(result.elems, x)
	}
	b.stmts = append(b.stmts, &returnStmt{pos: d.pos, value: result})
	return b
}
