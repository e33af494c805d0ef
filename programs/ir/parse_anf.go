package ir

import (
	"strconv"
	"strings"
)

// anfBody is a def given by its algebraic normal form: one sum of products for each output.
type anfBody struct {
	in, out string   // names of the arrays
	sums    []anfSum // in the order of the text
}

// anfSum is an output and its terms: each a product of inputs, none = the constant 1.
type anfSum struct {
	pos   Pos
	out   int
	terms []anfTerm
}

type anfTerm struct {
	pos    Pos
	inputs []int
}

// anf parses "anf NAME(x: T[n]) -> y: T[m] { y0 = x1*x2 ^ x0 ^ 1 .. }".
func (p *parser) anf(f *File) {
	n := p.name("the name of the anf")
	d := &defDecl{pos: n.pos, name: n.text, anf: &anfBody{}, body: &block{}}
	p.expect("(", "after the name of the anf")
	in, typ := p.anfArray("input")
	d.anf.in = in.text
	d.formals = []formal{{pos: in.pos, name: in.text, typ: typ}}
	p.expect(")", "after the input of "+n.text)
	p.expect("->", "before the output of "+n.text)
	out, result := p.anfArray("output")
	d.anf.out, d.result = out.text, []*typeExpr{result}
	p.expect("{", "before the sums of "+n.text)
	for {
		p.skipEnds()
		if p.accept("}") {
			break
		}
		d.anf.sums = append(d.anf.sums, p.anfSum(d.anf))
		p.endOfStatement()
	}
	f.decls = append(f.decls, d)
}

// anfArray parses NAME ":" type, an array of one dimension.
func (p *parser) anfArray(what string) (token, *typeExpr) {
	n := p.name("the name of the " + what)
	p.expect(":", "after the "+what+" "+n.text)
	t := p.typ()
	if len(t.dims) != 1 {
		fail(t.pos, "write for example S[7]", "the %s of an anf is an array of one dimension", what)
	}
	return n, t
}

func (p *parser) anfSum(b *anfBody) anfSum {
	t := p.name("an output, such as " + b.out + "0")
	s := anfSum{pos: t.pos, out: anfIndex(t, b.out, "output")}
	p.expect("=", "after the output "+t.text)
	for {
		s.terms = append(s.terms, p.anfTerm(b))
		if !p.accept("^") {
			return s
		}
	}
}

func (p *parser) anfTerm(b *anfBody) anfTerm {
	t := p.peek()
	term := anfTerm{pos: t.pos}
	if t.kind == tokInt {
		if p.next().val != (Word{Lo: 1}) {
			fail(t.pos, "", "the constant of a sum is 1, not %s", t.text)
		}
		return term
	}
	for {
		x := p.name("an input, such as " + b.in + "0, or 1")
		term.inputs = append(term.inputs, anfIndex(x, b.in, "input"))
		if !p.accept("*") {
			return term
		}
	}
}

// anfIndex reads the number behind the name of an array: y12 is 12 of y.
func anfIndex(t token, array, what string) int {
	digits, ok := strings.CutPrefix(t.text, array)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || strconv.Itoa(n) != digits {
		fail(t.pos, "", "%s is no %s: expected %s0, %s1 and so on", t.text, what, array, array)
	}
	return n
}

func (t anfTerm) text(in string) string {
	if len(t.inputs) == 0 {
		return "1"
	}
	var s []string
	for _, x := range t.inputs {
		s = append(s, in+strconv.Itoa(x))
	}
	return strings.Join(s, "*")
}

func (s anfSum) text(b *anfBody) string {
	var terms []string
	for _, t := range s.terms {
		terms = append(terms, t.text(b.in))
	}
	return b.out + strconv.Itoa(s.out) + " = " + strings.Join(terms, " ^ ")
}
