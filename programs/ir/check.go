package ir

// budget bounds the work of checking one file, in steps of Eval.
const budget = 8_000_000

// work is what is left of the budget of a file.
type work struct{ left int }

// limit is the number of steps that one evaluation may take.
func (w *work) limit() int { return max(0, min(w.left, maxSteps)) }

// declState is how far the evaluation of a constant or table has come.
type declState uint8

const (
	declFresh declState = iota
	declBusy            // being evaluated: meeting it again is a circle
	declDone
)

// after is the state when an evaluation has ended: one that failed may be tried again, and
// then fails for the same reason.
func (s declState) after() declState {
	if s == declBusy {
		return declFresh
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
	}
	d.state = declBusy
	e := newEvaluator[Word](&memory{}, 0, d.work.limit())
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
	}
	return d.table
}

func (d *tableDecl) build() {
	e := newEvaluator[Word](&memory{}, 0, d.work.limit())
	defer func() { d.work.left -= e.steps }()
	width, dims := e.typ(d.elem)
	checkedProduct(d.pos, dims, maxCells)
	if len(d.entries) != dims[0] {
		fail(d.pos, "", "table %s has %d entries, its type says %d", d.name, len(d.entries), dims[0])
	}
	t := &Table{Name: d.name, Width: width, Pos: d.pos}
	for _, x := range d.entries {
		v := e.convert(x.at(), e.expr(x), width, nil, "an entry of "+d.name)
		t.Entries = append(t.Entries, settled(v, plain).c)
	}
	d.table = t
	d.mem = &Mem{Name: d.name, Kind: Rom, Width: width, Len: dims[0], Dims: dims, Table: t, Pos: d.pos}
}

// check evaluates constants and tables, builds the kernels and runs each over the checking
// domain. A stage starts only if the stages before found no mistake.
func (f *File) check(errs *errorList) {
	for _, stage := range []func(d any) *Error{f.checkData, f.checkKeys, f.checkKernel, f.checkEquiv} {
		for _, d := range f.decls {
			errs.add(stage(d))
		}
		if !errs.empty() {
			return
		}
	}
}

func (f *File) checkData(d any) *Error {
	switch d := d.(type) {
	case *tableDecl:
		return catch(func() { d.built() })
	case *constDecl:
		return catch(func() { d.constant() })
	}
	return nil
}

func (f *File) checkKeys(d any) *Error {
	k, ok := d.(*kernelDecl)
	if !ok || !k.keys {
		return nil
	}
	return (&Kernel{Name: k.name, Leaky: k.leaky, Slice: k.slice, Pos: k.pos, decl: k}).check(&f.work)
}

func (f *File) checkKernel(d any) *Error {
	kd, ok := d.(*kernelDecl)
	if !ok || kd.keys {
		return nil
	}
	k := f.Kernel(kd.name)
	if err := catch(func() { f.finish(k) }); err != nil {
		return err
	}
	return k.check(&f.work)
}

func (f *File) checkEquiv(d any) *Error {
	q, ok := d.(*equivDecl)
	if !ok {
		return nil
	}
	return catch(func() { q.signature() })
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
func (k *Kernel) check(w *work) *Error {
	for _, slice := range checkedSlices {
		for _, open := range []bool{true, false} {
			steps, err := evalChecked(k, slice, open, w.limit())
			if w.left -= steps; err != nil {
				return err
			}
		}
		if !k.Slice {
			return nil
		}
	}
	return nil
}

func evalChecked(k *Kernel, slice int, open bool, limit int) (int, *Error) {
	lay, err := k.layout(slice)
	if err != nil {
		return 0, err
	}
	c := newChecker(lay, open)
	steps, err := evalSteps[unit](k, c, slice, limit)
	if err == nil && !open {
		err = c.complete(lay)
	}
	return steps, err
}
