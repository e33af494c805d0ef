package ir

// memAt narrows a place in memory by one index.
func (e *evaluator[V]) memAt(p Pos, v, i value[V]) value[V] {
	dims := v.mem.Dims[v.dims:]
	if len(dims) == 0 {
		fail(p, "", "too many indices for %s", v.mem.Name)
	}
	switch {
	case i.kind == kWord:
		fail(p, "index by public numbers", "the index of %s is a word, which is secret", v.mem.Name)
	case i.kind != kInt:
		fail(p, "", "an index must be a number, not %s", i.describe())
	case len(i.terms) == 0 && (int64(i.c.Lo) < 0 || int64(i.c.Lo) >= int64(dims[0])):
		fail(p, "", "index %d of %s is outside 0..%d", int64(i.c.Lo), v.mem.Name, dims[0]-1)
	}
	if stride := product(dims[1:]); stride != 1 {
		i = e.ints(p, opMul, "*", i, intValue[V](int64(stride)))
	}
	if v.c.Lo != 0 || len(v.terms) > 0 {
		at := indexValue[V](v.index())
		i = e.ints(p, opAdd, "+", at, i)
	}
	v.c, v.terms = i.c, i.terms
	v.dims++
	return v
}

// loaded reads a place in memory; other values pass.
func (e *evaluator[V]) loaded(p Pos, v value[V]) value[V] {
	if v.kind != kMem {
		return v
	}
	m := v.mem
	if m.Kind == Out {
		fail(p, "keep the value in a variable, or declare it inout", "%s is an output and cannot be read", m.Name)
	}
	e.d.At(p)
	dims := m.Dims[v.dims:]
	if len(dims) == 0 {
		e.step(p, 1)
		return wordValue(m.Width, e.d.Load(m, v.index()))
	}
	n := e.cells(p, dims)
	out := value[V]{kind: kArray, width: m.Width, arr: &array[V]{dims, make([]cell[V], n)}}
	at := v.index()
	for i := range out.arr.cells {
		out.arr.cells[i] = cell[V]{w: e.d.Load(m, at), st: running}
		at.Base++
	}
	return out
}

// storeMem stores v to an element, a part or the whole of a memory object.
func (e *evaluator[V]) storeMem(lv *lvalue, v value[V]) {
	place := *e.slot(lv.ref.slot)
	for _, x := range lv.index {
		place = e.memAt(x.at(), place, e.expr(x))
	}
	e.storeAll(lv.pos, place, v)
}

func (e *evaluator[V]) storeAll(p Pos, place, v value[V]) {
	m := place.mem
	if m.Kind == In || m.Kind == Key {
		fail(p, "declare it inout, or use a variable", "%s is an input and cannot be written", m.Name)
	}
	dims := m.Dims[place.dims:]
	v = e.convert(p, v, m.Width, dims, m.Name)
	at := place.index()
	e.step(p, product(dims))
	if len(dims) == 0 {
		e.storeCell(p, m, at, &v.cell)
		return
	}
	for i := range v.arr.cells {
		e.storeCell(p, m, at, &v.arr.cells[i])
		at.Base++
	}
}

func (e *evaluator[V]) storeCell(p Pos, m *Mem, at Index, c *cell[V]) {
	w := e.word(p, c, m.Width, "a stored element")
	e.d.At(p)
	e.d.Store(m, at, w)
}

// entry evaluates T[x] for a table T.
func (e *evaluator[V]) entry(x *indexExpr, d *tableDecl) value[V] {
	t := d.built()
	arg := x.index[0].lo
	i := e.expr(arg)
	switch {
	case i.kind == kInt && len(i.terms) > 0:
		e.step(x.pos, 1)
		e.d.At(x.pos)
		return wordValue(t.Width, e.d.Load(d.mem, i.index()))
	case i.kind != kWord:
		return constant[V](t.Width, t.Entries[e.position(x.pos, i, len(t.Entries))])
	case !e.leaky && i.st != known:
		fail(x.pos, "write 'leaky kernel' if its timing may depend on secrets", "table %s is indexed by a word, which is secret", t.Name)
	}
	if top := e.largest(arg, i.width); !less(top, len(t.Entries)) {
		fail(x.pos, "cut the index, as in "+t.Name+"[w8(x)] or "+t.Name+"[x & 0x0f]",
			"the index may be as large as %s, but table %s has %d entries", top, t.Name, len(t.Entries))
	}
	c := e.op(x.pos, Lookup, t.Width, Imm{Table: t}, i.cell)
	return value[V]{kind: kWord, width: t.Width, cell: c}
}

// largest bounds the value of an index word by its text: a mask or a shift right.
func (e *evaluator[V]) largest(x expr, width int) Word {
	top := ones(width)
	b, ok := x.(*binaryExpr)
	if !ok || b.code != opAnd && b.code != opShr {
		return top
	}
	n, ok := b.y.(*intExpr)
	switch {
	case !ok:
	case b.code == opAnd:
		return n.val
	case n.val.Lo < uint64(width):
		return top.shr(int(n.val.Lo))
	}
	return top
}

func less(w Word, n int) bool { return w.Hi == 0 && w.Lo < uint64(n) }
