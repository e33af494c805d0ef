package ir

// expr evaluates an expression; memory is loaded. An array that it returns may be shared.
func (e *evaluator[V]) expr(x expr) value[V] {
	switch x := x.(type) {
	case *intExpr:
		return literal[V](x.val)
	case *binaryExpr:
		l := e.expr(x.x)
		return e.binary(x.pos, x.code, x.op, l, e.expr(x.y))
	case *unaryExpr:
		return e.unary(x, e.expr(x.x))
	case *callExpr:
		return e.call(x)
	case *condExpr:
		if e.number(x.cond, "the condition of '?'") != 0 {
			return e.expr(x.x)
		}
		return e.expr(x.y)
	case *arrayExpr:
		return e.array(x)
	case *tupleExpr:
		return value[V]{kind: kTuple, tup: e.values(x.elems)}
	case *spreadExpr:
		fail(x.pos, "", "'...' stands only in an array or in arguments")
	}
	return e.loaded(x.at(), e.place(x))
}

func literal[V any](c Word) value[V] {
	v := value[V]{kind: kInt, cell: cell[V]{c: c, st: known}}
	if c.Hi != 0 || c.Lo >= 1<<63 {
		v.kind = kBig
	}
	return v
}

// owned evaluates an expression whose value no variable shares.
func (e *evaluator[V]) owned(x expr) value[V] {
	v := e.expr(x)
	if v.kind == kArray {
		switch x.(type) {
		case *nameExpr, *condExpr:
			e.step(x.at(), len(v.arr.cells))
			return v.clone()
		}
	}
	return v
}

// place evaluates a name or an index without loading memory.
func (e *evaluator[V]) place(x expr) value[V] {
	switch x := x.(type) {
	case *nameExpr:
		return e.name(x)
	case *indexExpr:
		return e.index(x)
	}
	return e.expr(x)
}

func (e *evaluator[V]) name(x *nameExpr) value[V] {
	switch x.ref.kind {
	case refLocal:
		v := *e.slot(x.ref.slot)
		if v.kind == kSpoilt {
			panic(follows)
		}
		if v.kind == kNone || v.kind == kWord && v.st == unset {
			fail(x.pos, "", "%s is used before it has a value", x.name)
		}
		return v
	case refConst:
		if v, ok := e.named[x.ref.con]; ok {
			return v
		}
		v := fromWords[V](x.ref.con.constant())
		e.named[x.ref.con] = v
		return v
	case refTable:
		if v, ok := e.named[x.ref.table]; ok {
			return v
		}
		v := tableValue[V](x.ref.table.built())
		e.named[x.ref.table] = v
		return v
	case refDef:
		return value[V]{kind: kFn, fn: x.ref.def}
	case refNone:
		panic(follows) // an unknown name
	}
	fail(x.pos, "", "%s is %s and has no value", x.name, refNames[x.ref.kind])
	return value[V]{}
}

var refNames = map[refKind]string{refBuiltin: "a built-in function", refType: "a type"}

// fromWords takes a value made in the domain of known words into this one.
func fromWords[V any](v value[Word]) value[V] {
	out := value[V]{kind: v.kind, width: v.width, cell: cell[V]{c: v.c, st: v.st}}
	if v.kind == kArray {
		cells := make([]cell[V], len(v.arr.cells))
		for i, c := range v.arr.cells {
			cells[i] = cell[V]{c: c.c, st: c.st}
		}
		out.arr = &array[V]{v.arr.dims, cells}
	}
	return out
}

func tableValue[V any](t *Table) value[V] {
	cells := make([]cell[V], len(t.Entries))
	for i, c := range t.Entries {
		cells[i] = cell[V]{c: c, st: known}
	}
	return value[V]{kind: kArray, width: t.Width, arr: &array[V]{[]int{len(cells)}, cells}}
}

// integer evaluates to an integer, compile-time or public.
func (e *evaluator[V]) integer(x expr, what string) value[V] {
	v := e.expr(x)
	if v.kind == kWord || v.kind == kArray && v.width > 0 {
		fail(x.at(), "use public numbers; for words choose with mux(c, a, b)", "%s depends on a word, which is secret", what)
	}
	if v.kind != kInt {
		fail(x.at(), "", "%s must be a number, not %s", what, v.describe())
	}
	return v
}

// number evaluates to a compile-time number.
func (e *evaluator[V]) number(x expr, what string) int64 {
	v := e.integer(x, what)
	return e.constNumber(x.at(), &v, what)
}

func (e *evaluator[V]) constNumber(p Pos, v *value[V], what string) int64 {
	if v.kind != kInt {
		fail(p, "", "%s must be a number, not %s", what, v.describe())
	}
	if len(v.terms) > 0 {
		fail(p, "", "%s must be known at compile time, not a public number", what)
	}
	return int64(v.c.Lo)
}

// values evaluates a list of elements, spreading those with '...'.
func (e *evaluator[V]) values(list []expr) []value[V] {
	out := make([]value[V], 0, len(list))
	for _, x := range list {
		if s, ok := x.(*spreadExpr); ok {
			v := e.expr(s.x)
			out = e.spread(s.pos, out, &v)
			continue
		}
		out = append(out, e.owned(x))
	}
	return out
}

// spread appends the elements of an array or tuple to list.
func (e *evaluator[V]) spread(p Pos, list []value[V], v *value[V]) []value[V] {
	switch v.kind {
	case kTuple:
		return append(list, v.tup...)
	case kArray:
		e.step(p, v.arr.dims[0])
		if len(list)+v.arr.dims[0] > maxCells {
			fail(p, "", "more than %d elements", maxCells)
		}
		for i := range v.arr.dims[0] {
			list = append(list, e.sub(p, v, i))
		}
		return list
	}
	fail(p, "", "'...' spreads an array, not %s", v.describe())
	return nil
}

// array builds an array from elements of one type; numbers take the type of the words.
func (e *evaluator[V]) array(x *arrayExpr) value[V] {
	elems := e.values(x.elems)
	width, dims := 0, []int(nil)
	for i := range elems {
		el := &elems[i]
		if el.kind != kInt && el.kind != kBig && el.kind != kWord && el.kind != kArray {
			fail(x.pos, "", "%s cannot be an element of an array", el.describe())
		}
		if width == 0 {
			width = el.width
		}
		if i == 0 && el.kind == kArray {
			dims = el.arr.dims
		}
	}
	out := value[V]{kind: kArray, width: width, arr: &array[V]{dims: append([]int{len(elems)}, dims...)}}
	e.cells(x.pos, out.arr.dims)
	for _, el := range elems {
		out.arr.cells = e.appendElem(x.pos, out.arr.cells, el, width, dims)
	}
	return out
}

func (e *evaluator[V]) appendElem(p Pos, cells []cell[V], v value[V], width int, dims []int) []cell[V] {
	if width == 0 {
		switch {
		case v.kind == kInt && len(v.terms) == 0 && len(dims) == 0:
			return append(cells, v.cell)
		case v.kind == kArray && sameDims(v.arr.dims, dims):
			return append(cells, v.arr.cells...)
		}
		fail(p, "", "%s cannot be an element beside %s", v.describe(), typeName(0, dims))
	}
	v = e.convert(p, v, width, dims, "an element")
	if v.kind == kArray {
		return append(cells, v.arr.cells...)
	}
	return append(cells, v.cell)
}

// index evaluates x[..]; a place in memory stays a place.
func (e *evaluator[V]) index(x *indexExpr) value[V] {
	single := len(x.index) == 1 && x.index[0].hi == nil
	if n, ok := x.x.(*nameExpr); ok && single && n.ref.kind == refTable {
		return e.entry(x, n.ref.table)
	}
	v := e.place(x.x)
	if single {
		return e.elemAt(x.pos, v, e.expr(x.index[0].lo))
	}
	return e.selection(x, v)
}

// elemAt returns element or sub-array i of an array, or the place of it in memory.
func (e *evaluator[V]) elemAt(p Pos, v, i value[V]) value[V] {
	switch v.kind {
	case kArray:
		at := e.position(p, i, v.arr.dims[0])
		el := e.sub(p, &v, at)
		if el.kind != kArray && el.st == unset {
			fail(p, "", "element %d is used before it has a value", at)
		}
		return el
	case kMem:
		return e.memAt(p, v, i)
	}
	fail(p, "", "%s has no elements", v.describe())
	return v
}

// position checks a compile-time index into n elements.
func (e *evaluator[V]) position(p Pos, i value[V], n int) int {
	if i.kind == kWord {
		fail(p, "index by public numbers; only a table of a leaky kernel takes words", "the index is a word, which is secret")
	}
	if i.kind == kInt && len(i.terms) > 0 {
		fail(p, "use a 'for' loop, or keep the array in scratch memory", "an array value is indexed by a public number")
	}
	at := e.constNumber(p, &i, "an index")
	if at < 0 || at >= int64(n) {
		fail(p, "", "index %d is outside 0..%d", at, n-1)
	}
	return int(at)
}

// sub returns a copy of element i of the first dimension.
func (e *evaluator[V]) sub(p Pos, v *value[V], i int) value[V] {
	if len(v.arr.dims) == 1 {
		return v.elem(i)
	}
	dims := v.arr.dims[1:]
	n := product(dims)
	e.step(p, n)
	cells := append([]cell[V](nil), v.arr.cells[i*n:(i+1)*n]...)
	return value[V]{kind: kArray, width: v.width, arr: &array[V]{dims, cells}}
}

// selection evaluates x[a, b..c, ..]: the array of the chosen elements.
func (e *evaluator[V]) selection(x *indexExpr, v value[V]) value[V] {
	if v.kind != kArray && v.kind != kMem {
		fail(x.pos, "", "%s has no elements", v.describe())
	}
	out := value[V]{kind: kArray, width: v.width, arr: &array[V]{}}
	n := 0
	take := func(p Pos, i value[V]) {
		el := e.elemAt(p, v, i)
		el = e.loaded(p, el)
		n++
		e.step(p, 1)
		if el.kind == kArray {
			out.arr.dims = el.arr.dims
			out.arr.cells = append(out.arr.cells, el.arr.cells...)
			return
		}
		out.arr.cells = append(out.arr.cells, el.cell)
	}
	for _, a := range x.index {
		e.eachIndex(a, take)
	}
	if n == 0 {
		fail(x.pos, "", "an empty selection")
	}
	out.arr.dims = append([]int{n}, out.arr.dims...)
	return out
}

// eachIndex calls f for every index of a selection. The ends of a range may be public
// numbers if their difference is known.
func (e *evaluator[V]) eachIndex(a indexArg, f func(Pos, value[V])) {
	p := a.lo.at()
	if a.hi == nil {
		f(p, e.expr(a.lo))
		return
	}
	lo, hi := e.integer(a.lo, "an end of a range"), e.integer(a.hi, "an end of a range")
	d := e.ints(p, opSub, "-", hi, lo)
	n := e.constNumber(p, &d, "the length of a range")
	if n > maxCells {
		fail(p, "", "a range of %d elements", n)
	}
	for i := range n {
		f(p, e.ints(p, opAdd, "+", lo, intValue[V](i)))
	}
}
