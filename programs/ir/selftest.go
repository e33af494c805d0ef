package ir

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// RunTests runs the closed tests and the equivalences of the file, in text order, and joins
// the failures. Vectors clauses are for the caller, see Vectors.
func (f *File) RunTests() error {
	var errs errorList
	for _, d := range f.decls {
		switch d := d.(type) {
		case *testDecl:
			if d.kernel == "" {
				errs.add(catch(d.run))
			}
		case *equivDecl:
			errs.add(catch(d.run))
		}
	}
	return errs.err()
}

// closedSlice is the width of S in a closed test where no argument binds it.
const closedSlice = 32

// run evaluates both sides of a closed test.
func (d *testDecl) run() {
	e := newEvaluator[Word](&memory{}, closedSlice, maxSteps)
	e.leaky = true
	a, b := e.owned(d.a), e.owned(d.b)
	a, b = e.sameType(d.pos, a, b)
	if got, want := printValue(a), printValue(b); got != want {
		fail(d.pos, "", "test failed: the left side is %s, the right side is %s", got, want)
	}
}

// sameType gives the numbers of one side the type of the other.
func (e *evaluator[V]) sameType(p Pos, a, b value[V]) (value[V], value[V]) {
	if a.kind == kTuple && b.kind == kTuple && len(a.tup) == len(b.tup) {
		for i := range a.tup {
			a.tup[i], b.tup[i] = e.sameType(p, a.tup[i], b.tup[i])
		}
		return a, b
	}
	if b.width == 0 && a.width != 0 {
		b, a = e.sameType(p, b, a)
		return a, b
	}
	dims := []int(nil)
	if b.kind == kArray {
		dims = b.arr.dims
	}
	if b.width != 0 || b.kind == kArray && b.width == 0 && a.kind != kArray {
		a = e.convert(p, a, b.width, dims, "the right side")
	}
	return a, b
}

// printValue prints a closed value.
func printValue(v value[Word]) string {
	v = settled(v)
	switch v.kind {
	case kInt:
		return fmt.Sprint(int64(v.c.Lo))
	case kArray:
		list := make([]string, len(v.arr.cells))
		for i := range list {
			list[i] = printValue(v.elem(i))
		}
		return "[" + strings.Join(list, " ") + "]"
	case kTuple:
		list := make([]string, len(v.tup))
		for i := range list {
			list[i] = printValue(v.tup[i])
		}
		return "(" + strings.Join(list, ", ") + ")"
	case kWord, kBig:
		return v.c.String()
	}
	return v.describe()
}

// equivalence: up to exactBits bits of input all values are tried, else randomTries.
const (
	exactBits   = 12
	randomTries = 1000
	equivSteps  = 100_000_000 // of one clause, all inputs together
)

// inputs is the flattened list of argument words of a def.
type inputs struct {
	steps  int // used by the comparisons so far
	widths []int
	shapes []value[Word] // one per formal, with the cells to fill
}

// signature returns the inputs that both defs take.
func (d *equivDecl) signature() *inputs {
	f, g := d.f.ref.def, d.g.ref.def
	for _, n := range []*nameExpr{d.f, d.g} {
		if n.ref.def == nil {
			fail(n.pos, "", "%s is not a def", n.name)
		}
	}
	if len(f.formals) != len(g.formals) {
		fail(d.pos, "", "%s takes %s, %s takes %d", f.name, count(len(f.formals), "argument"), g.name, len(g.formals))
	}
	in := &inputs{}
	e := newEvaluator[Word](&memory{}, closedSlice, maxSteps)
	for i := range f.formals {
		in.add(d.pos, e, &f.formals[i], &g.formals[i])
	}
	return in
}

func (in *inputs) add(p Pos, e *evaluator[Word], a, b *formal) {
	if a.kind != formalWord || b.kind != formalWord {
		fail(p, "write a def that fixes the other arguments", "equiv compares defs of words and arrays")
	}
	width, dims := e.typ(a.typ)
	width2, dims2 := e.typ(b.typ)
	if width != width2 || !sameDims(dims, dims2) || (a.typ.base == "S") != (b.typ.base == "S") {
		fail(p, "", "argument %s is %s, argument %s is %s", a.name, typeName(width, dims), b.name, typeName(width2, dims2))
	}
	v := value[Word]{kind: kWord, width: width}
	n := 1
	if len(dims) > 0 {
		n = e.cells(p, dims)
		v = value[Word]{kind: kArray, width: width, arr: &array[Word]{dims, make([]cell[Word], n)}}
	}
	for range n {
		in.widths = append(in.widths, width)
	}
	in.shapes = append(in.shapes, v)
}

// fill returns the arguments that hold the words.
func (in *inputs) fill(words []Word) []value[Word] {
	args := make([]value[Word], len(in.shapes))
	for i, v := range in.shapes {
		v = v.clone()
		n := 1
		if v.kind == kArray {
			n = len(v.arr.cells)
			for j := range n {
				v.arr.cells[j] = cell[Word]{w: words[j], st: running}
			}
		} else {
			v.cell = cell[Word]{w: words[0], st: running}
		}
		args[i], words = v, words[n:]
	}
	return args
}

// run compares the two defs on all inputs if there are few, else on random ones.
func (d *equivDecl) run() {
	in := d.signature()
	if d.bitwise(in) {
		d.allBits(in)
		return
	}
	total := 0
	for _, w := range in.widths {
		total += w
	}
	words := make([]Word, len(in.widths))
	if total <= exactBits {
		for n := range 1 << total {
			rest := Word{Lo: uint64(n)}
			for i, w := range in.widths {
				words[i], rest = rest.cut(w), rest.shr(w)
			}
			d.compare(in, words, closedSlice)
		}
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range randomTries {
		for i, w := range in.widths {
			words[i] = Word{r.Uint64(), r.Uint64()}.cut(w)
		}
		d.compare(in, words, closedSlice)
	}
}

// compare runs both defs on one input.
func (d *equivDecl) compare(in *inputs, words []Word, slice int) {
	a, _ := d.apply(d.f, in, words, slice)
	b, _ := d.apply(d.g, in, words, slice)
	if got, want := printValue(a), printValue(b); got != want {
		fail(d.pos, "", "%s and %s differ: for %v they give %s and %s", d.f.name, d.g.name, words, got, want)
	}
}

// apply calls a def with the words and reports whether it was bitwise.
func (d *equivDecl) apply(fn *nameExpr, in *inputs, words []Word, slice int) (value[Word], bool) {
	dom := &bitwiseDomain{bitwise: true}
	args := in.fill(words)
	e := newEvaluator[Word](dom, slice, min(maxSteps, equivSteps-in.steps))
	e.leaky = true
	e.push(len(args))
	call := &callExpr{pos: d.pos, fn: fn}
	for i := range args {
		*e.slot(i) = args[i]
		call.args = append(call.args, &nameExpr{pos: d.pos, name: "_", ref: ref{kind: refLocal, slot: i}})
	}
	v := settled(e.callDef(call, fn.ref.def))
	in.steps += e.steps
	return v, dom.bitwise
}
