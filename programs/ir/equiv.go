package ir

import "math/rand/v2"

const (
	exactBits   = 12          // up to so many bits of input all values are tried
	randomTries = 1000        // where nothing can be proven
	equivSteps  = 100_000_000 // of one clause, all inputs together
)

// inputs is the list of argument words of two defs.
type inputs struct {
	steps  int             // used by the comparisons so far
	widths []int           // of the words, arrays flattened
	shapes []value[traced] // one per formal, with the cells to fill
}

// run compares two defs of the same parameters: completely where that is possible, else on
// random words. It says which.
func (d *equivDecl) run() Evidence {
	in := d.signature()
	bits := 0
	for _, w := range in.widths {
		bits += w
	}
	bitwise, affine := d.kinds(in)
	switch {
	case bitwise && len(in.widths) <= exactBits:
		d.eachColumn(in)
	case bits <= exactBits:
		d.eachValue(in, bits)
	case affine:
		d.eachUnit(in)
	default:
		d.eachRandom(in)
		return Sampled
	}
	return Proven
}

// signature returns the inputs that both defs take.
func (d *equivDecl) signature() *inputs {
	for _, n := range []*nameExpr{d.f, d.g} {
		if n.ref.kind == refNone {
			panic(follows)
		}
		if n.ref.def == nil {
			fail(n.pos, "", "%s is not a def", n.name)
		}
	}
	f, g := d.f.ref.def, d.g.ref.def
	if len(f.formals) != len(g.formals) {
		fail(d.pos, "", "%s takes %s, %s takes %d", f.name, count(len(f.formals), "argument"), g.name, len(g.formals))
	}
	in := &inputs{}
	e := newEvaluator[traced](&tracing{}, closedSlice, typeSteps)
	for i := range f.formals {
		in.add(d.pos, e, &f.formals[i], &g.formals[i])
	}
	return in
}

func (in *inputs) add(p Pos, e *evaluator[traced], a, b *formal) {
	if a.kind != formalWord || b.kind != formalWord {
		fail(p, "write a def that fixes the other arguments", "equiv compares defs of words and arrays")
	}
	width, dims := e.typ(a.typ)
	width2, dims2 := e.typ(b.typ)
	if width != width2 || !sameDims(dims, dims2) || (a.typ.base == "S") != (b.typ.base == "S") {
		fail(p, "", "argument %s is %s, argument %s is %s", a.name, typeName(width, dims), b.name, typeName(width2, dims2))
	}
	v := value[traced]{kind: kWord, width: width}
	n := 1
	if len(dims) > 0 {
		n = checkedProduct(p, dims, maxCells)
		v = value[traced]{kind: kArray, width: width, arr: &array[traced]{dims, make([]cell[traced], n)}}
	}
	for range n {
		in.widths = append(in.widths, width)
	}
	in.shapes = append(in.shapes, v)
}

// fill returns arguments that hold the words; width replaces the width of the formals if it
// is not 0.
func (in *inputs) fill(words []Word, width int) []value[traced] {
	args := make([]value[traced], len(in.shapes))
	for i, v := range in.shapes {
		v = v.clone()
		if width != 0 {
			v.width = width
		}
		if v.kind != kArray {
			v.cell, words = inputCell(words[0]), words[1:]
			args[i] = v
			continue
		}
		for j := range v.arr.cells {
			v.arr.cells[j], words = inputCell(words[0]), words[1:]
		}
		args[i] = v
	}
	return args
}

func inputCell(w Word) cell[traced] { return cell[traced]{w: traced{w, true}, st: running} }

// compare runs both defs on one input; slices are of slice bits if that is not 0.
func (d *equivDecl) compare(in *inputs, words []Word, slice int) {
	got := printValue(settled(d.apply(d.f, in, words, slice, &tracing{}), traced.word))
	want := printValue(settled(d.apply(d.g, in, words, slice, &tracing{}), traced.word))
	if got != want {
		fail(d.pos, "", "%s and %s differ: for %v they give %s and %s", d.f.name, d.g.name, words, got, want)
	}
}

// apply calls a def with the words.
func (d *equivDecl) apply(fn *nameExpr, in *inputs, words []Word, slice int, dom *tracing) value[traced] {
	args := in.fill(words, slice)
	if slice == 0 {
		slice = closedSlice
	}
	e := newEvaluator[traced](dom, slice, min(maxSteps, equivSteps-in.steps))
	e.leaky = true
	e.push(len(args))
	call := &callExpr{pos: d.pos, fn: fn}
	for i := range args {
		*e.slot(i) = args[i]
		call.args = append(call.args, &nameExpr{pos: d.pos, name: "_", ref: ref{kind: refLocal, slot: i}})
	}
	v := e.callDef(call, fn.ref.def)
	in.steps += e.steps
	return v
}

// kinds reports whether both defs are bitwise and take only slices, and whether both are
// affine. A def takes the same operations for all inputs, so one run tells.
func (d *equivDecl) kinds(in *inputs) (bitwise, affine bool) {
	dom := &tracing{}
	zero := make([]Word, len(in.widths))
	d.apply(d.f, in, zero, 0, dom)
	d.apply(d.g, in, zero, 0, dom)
	bitwise = !dom.mixed
	for _, def := range []*defDecl{d.f.ref.def, d.g.ref.def} {
		for i := range def.formals {
			bitwise = bitwise && def.formals[i].typ.base == "S"
		}
	}
	return bitwise, !dom.curved
}

// eachColumn compares bitwise defs on all combinations of input bits, 128 in each
// evaluation: bit k of slice i is bit i of the number of row k.
func (d *equivDecl) eachColumn(in *inputs) {
	words := make([]Word, len(in.widths))
	for first := 0; first < 1<<len(words); first += 128 {
		for i := range words {
			words[i] = truthColumn(i, first)
		}
		d.compare(in, words, 128)
	}
}

// truthColumn returns the word whose bit k is bit i of first+k, for a first divisible by 128.
func truthColumn(i, first int) Word {
	if i >= 7 {
		if first>>i&1 != 0 {
			return ones(128)
		}
		return Word{}
	}
	half := 1 << i
	return ones(half).shl(half).repeat(2*half, 128)
}

// eachValue compares the defs on all values of their few input bits.
func (d *equivDecl) eachValue(in *inputs, bits int) {
	words := make([]Word, len(in.widths))
	for n := range 1 << bits {
		rest := Word{Lo: uint64(n)}
		for i, w := range in.widths {
			words[i], rest = rest.cut(w), rest.shr(w)
		}
		d.compare(in, words, 0)
	}
}

// eachUnit compares affine defs, which are equal if they are for zero and for every single
// bit.
func (d *equivDecl) eachUnit(in *inputs) {
	words := make([]Word, len(in.widths))
	d.compare(in, words, 0)
	for i, w := range in.widths {
		for b := range w {
			words[i] = Word{Lo: 1}.shl(b)
			d.compare(in, words, 0)
		}
		words[i] = Word{}
	}
}

func (d *equivDecl) eachRandom(in *inputs) {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]Word, len(in.widths))
	for range randomTries {
		for i, w := range in.widths {
			words[i] = Word{r.Uint64(), r.Uint64()}.cut(w)
		}
		d.compare(in, words, 0)
	}
}
