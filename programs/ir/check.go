package ir

// budget bounds the work of checking one file, in steps of Eval; maxConstants bounds the elements of all
// its constants.
const (
	budget       = 8_000_000
	maxConstants = 1 << 20
)

// work is what is left of the budget of a file.
type work struct {
	left  int
	cells int // elements of constants
}

// limit is the number of steps that one evaluation may take.
func (w *work) limit() int { return max(0, min(w.left, maxSteps)) }

// spent reports whether nothing is left: the mistake that says so is reported.
func (w *work) spent() bool { return w.left <= 0 || w.cells < 0 }

// keep counts n elements of a constant.
func (w *work) keep(p Pos, n int) {
	if w.cells -= n; w.cells < 0 {
		fail(p, "split the file", "the constants of the file have more than %d elements", maxConstants)
	}
}

// evaluator returns one for a constant or table.
func (w *work) evaluator() *evaluator[Word] {
	if w.spent() {
		panic(follows)
	}
	e := newEvaluator[Word](&memory{}, 0, w.limit())
	e.shared = e.limit < maxSteps
	return e
}

// declState is how far the evaluation of a constant or table has come.
type declState uint8

const (
	declFresh declState = iota
	declBusy            // being evaluated: meeting it again is a circle
	declDone
	declFailed // its mistake is reported
)

// after is the state when an evaluation has ended.
func (s declState) after() declState {
	if s == declBusy {
		return declFailed
	}
	return s
}

// constant evaluates the declaration once. ParseFile does so for all, so that later calls
// only read.
func (d *constDecl) constant() value[Word] {
	switch d.state {
	case declDone:
		return d.value
	case declBusy:
		fail(d.pos, "", "the constant %s is defined by itself", d.name)
	case declFailed:
		panic(follows)
	}
	d.state = declBusy
	e := d.work.evaluator()
	e.leaky = true
	defer func() { d.work.left, d.state = d.work.left-e.steps, d.state.after() }()
	v := e.owned(d.val)
	if d.typ != nil {
		width, dims := e.typ(d.typ)
		v = e.convert(d.pos, v, width, dims, d.name)
	}
	if v.kind != kInt && v.kind != kBig && v.kind != kWord && v.kind != kArray {
		fail(d.pos, "", "the constant %s cannot be %s", d.name, v.describe())
	}
	if v.kind == kArray {
		d.work.keep(d.pos, len(v.arr.cells))
	}
	d.value, d.state = settled(v, plain), declDone
	return d.value
}

// settled turns the words of a closed value into constants; word tells the value of one.
func settled[V any](v value[V], word func(V) Word) value[Word] {
	fix := func(c cell[V]) cell[Word] {
		if c.st == running {
			return cell[Word]{c: word(c.w), st: known}
		}
		return cell[Word]{c: c.c, st: c.st}
	}
	out := value[Word]{kind: v.kind, width: v.width, cell: fix(v.cell), terms: v.terms, fn: v.fn, mem: v.mem}
	if v.arr != nil {
		out.arr = &array[Word]{v.arr.dims, make([]cell[Word], len(v.arr.cells))}
		for i := range v.arr.cells {
			out.arr.cells[i] = fix(v.arr.cells[i])
		}
	}
	for _, el := range v.tup {
		out.tup = append(out.tup, settled(el, word))
	}
	return out
}

// plain is the word function of the domain of known words.
func plain(w Word) Word { return w }

// built returns the table, evaluating its entries the first time, as constant does.
func (d *tableDecl) built() *Table {
	switch d.state {
	case declFresh:
		d.state = declBusy
		defer func() { d.state = d.state.after() }()
		d.build()
		d.state = declDone
	case declBusy:
		fail(d.pos, "", "the table %s is defined by itself", d.name)
	case declFailed:
		panic(follows)
	}
	return d.table
}

func (d *tableDecl) build() {
	e := d.work.evaluator()
	defer func() { d.work.left -= e.steps }()
	width, dims := e.typ(d.elem)
	checkedProduct(d.pos, dims, maxCells)
	t := &Table{Name: d.name, Width: width, Pos: d.pos}
	for _, x := range d.entries {
		for _, v := range e.values([]expr{x}) {
			v = e.convert(x.at(), v, width, nil, "an entry of "+d.name)
			t.Entries = append(t.Entries, settled(v, plain).c)
		}
	}
	if len(t.Entries) != dims[0] {
		fail(d.pos, "", "table %s has %d entries, its type says %d", d.name, len(t.Entries), dims[0])
	}
	d.table = t
	d.mem = &Mem{Name: d.name, Kind: Rom, Width: width, Len: dims[0], Dims: dims, Table: t, Pos: d.pos}
}

// check evaluates constants and tables, builds the kernels and runs each over the checking
// domain. What uses a failed declaration is not reported again.
func (f *File) check(errs *errorList) {
	report := errs.addLoose
	for _, d := range f.decls {
		switch d := d.(type) {
		case *tableDecl:
			report(catch(func() { d.built() }))
		case *constDecl:
			report(catch(func() { d.constant() }))
		}
	}
	for _, d := range f.decls {
		switch d := d.(type) {
		case *kernelDecl:
			f.checkKernel(d, report)
		case *equivDecl:
			report(catch(func() { d.signature() }))
		}
	}
}

func (f *File) checkKernel(d *kernelDecl, report func(*Error)) {
	if d.keys {
		k := &Kernel{Name: d.name, Leaky: d.leaky, Slice: d.slice, Pos: d.pos, decl: d}
		k.check(&f.work, report)
		return
	}
	k := f.Kernel(d.name)
	if err := catch(func() { f.finish(k) }); err != nil {
		report(err)
		return
	}
	k.check(&f.work, report)
}

// finish fills the fields of a kernel that need the whole file.
func (f *File) finish(k *Kernel) {
	k.Slice = k.decl.slice
	for i := range k.decl.params {
		p := &k.decl.params[i]
		if p.from == "" {
			continue
		}
		d := f.keyDefs[p.from]
		switch {
		case d == nil:
			fail(p.pos, didYouMean(p.from, sortedKeys(f.keyDefs)), "unknown keys function %s", p.from)
		case k.Keys != nil:
			fail(p.pos, "", "%s has two key parameters made by keys functions", k.Name)
		}
		k.Keys = &Kernel{Name: k.Name + ":keys", Leaky: d.leaky, Slice: d.slice, Pos: d.pos, file: f, decl: d}
		f.sameForm(k, i)
	}
}

// sameForm checks that the keys function makes the memory form of key parameter i.
func (f *File) sameForm(k *Kernel, i int) {
	for _, slice := range checkedSlices {
		lay, err := k.layout(slice)
		if err != nil {
			panic(err)
		}
		made, err := k.Keys.layout(slice)
		if err != nil {
			panic(err)
		}
		want, got := lay.params[i].Mem, made.params[1].Mem
		if want.Width != got.Width || !sameDims(want.Dims, got.Dims) || want.BigEndian != got.BigEndian {
			fail(k.decl.params[i].pos, "the memory form must be the same", "%s is %s, but %s makes %s",
				want.Name, memType(want), k.decl.params[i].from, memType(got))
		}
	}
}

func memType(m *Mem) string {
	if m.BigEndian {
		return typeName(m.Width, m.Dims) + " be"
	}
	return typeName(m.Width, m.Dims) + " le"
}

// checkedSlices are the widths of S for which kernels are checked.
var checkedSlices = []int{32, 128}

// check runs the kernel over the checking domain: once with the variables of 'repeat' left
// open, for types and the rules of public numbers, and once with loops unrolled where the
// number of turns is known, for bounds and outputs.
func (k *Kernel) check(w *work, report func(*Error)) {
	good := true
	for _, slice := range checkedSlices {
		for _, open := range []bool{true, false} {
			if w.spent() {
				return
			}
			w.left -= evalChecked(k, slice, open, w.limit(), func(err *Error) { good = false; report(err) })
		}
		if !k.Slice || !good {
			return
		}
	}
}

// evalChecked makes one run and returns its steps.
func evalChecked(k *Kernel, slice int, open bool, limit int, report func(*Error)) int {
	lay, err := k.layout(slice)
	if err != nil {
		report(err)
		return 0
	}
	c := newChecker(lay, open)
	e := newEvaluator[unit](c, lay.slice, limit)
	e.leaky, e.shared = k.Leaky, limit < maxSteps
	e.report = func(err *Error) { c.spoilt = true; report(err) }
	if err := catch(func() { e.kernel(k.decl, lay) }); err != nil {
		e.report(err)
	}
	k.decl.widths |= c.widths
	if !open && !c.spoilt {
		if err := c.complete(lay); err != nil {
			report(err)
		}
	}
	return e.steps
}
