package ir

func (e *evaluator[V]) assign(s *assignStmt) {
	if s.op != "" {
		e.modify(s)
		return
	}
	v := e.owned(s.right)
	if len(s.left) == 1 {
		e.store(s.left[0], v)
		return
	}
	list := v.tup
	if v.kind == kArray {
		list = e.spread(s.pos, nil, &v)
	}
	if len(list) != len(s.left) {
		fail(s.pos, "", "%d names on the left, %s on the right", len(s.left), v.describe())
	}
	for i, lv := range s.left {
		e.store(lv, list[i])
	}
}

// modify does lvalue OP= expr.
func (e *evaluator[V]) modify(s *assignStmt) {
	lv := s.left[0]
	old := e.current(lv)
	e.store(lv, e.binary(s.pos, binops[s.op].code, s.op, old, e.expr(s.right)))
}

// current reads the value of an assignable place.
func (e *evaluator[V]) current(lv *lvalue) value[V] {
	v := *e.slot(lv.ref.slot)
	if v.kind == kSpoilt {
		panic(follows)
	}
	if v.kind == kNone {
		fail(lv.pos, "", "%s is used before it has a value", lv.name)
	}
	for _, x := range lv.index {
		v = e.elemAt(x.at(), v, e.expr(x))
	}
	return e.loaded(lv.pos, v)
}

// store assigns v, which no other variable shares, to lv.
func (e *evaluator[V]) store(lv *lvalue, v value[V]) {
	if lv.ref.kind == refDiscard {
		return
	}
	slot := e.slot(lv.ref.slot)
	switch {
	case slot.kind == kMem:
		e.storeMem(lv, v)
	case slot.kind == kSpoilt && len(lv.index) > 0:
		panic(follows)
	case len(lv.index) > 0:
		e.storeElem(lv, v)
	case slot.kind == kNone || slot.kind == kSpoilt:
		e.define(lv, slot, v)
	default:
		width, dims := slot.width, []int(nil)
		if slot.kind == kArray {
			dims = slot.arr.dims
		}
		if slot.kind == kInt {
			e.storeInt(lv, slot, v)
			return
		}
		*slot = e.convert(lv.pos, v, width, dims, lv.name)
	}
}

// define gives a new variable its first value, which fixes its type.
func (e *evaluator[V]) define(lv *lvalue, slot *value[V], v value[V]) {
	switch v.kind {
	case kInt, kWord, kArray:
		*slot = v
	case kBig:
		fail(lv.pos, "write for example "+lv.name+" = w64(..)", "%s needs a word type to hold this number", lv.name)
	case kTuple:
		fail(lv.pos, "name them all, as in a, b = f(x)", "%s cannot hold %s", lv.name, v.describe())
	default:
		fail(lv.pos, "", "%s cannot hold %s", lv.name, v.describe())
	}
}

func (e *evaluator[V]) storeInt(lv *lvalue, slot *value[V], v value[V]) {
	if v.kind != kInt {
		fail(lv.pos, "", "%s is a number, but %s is assigned", lv.name, v.describe())
	}
	*slot = v
}

// storeElem assigns to an element or sub-array of an array variable.
func (e *evaluator[V]) storeElem(lv *lvalue, v value[V]) {
	slot := *e.slot(lv.ref.slot)
	if slot.kind != kArray {
		fail(lv.pos, "", "%s is %s, which has no elements", lv.name, slot.describe())
	}
	at, dims := e.offset(lv, slot.arr.dims)
	cells := slot.arr.cells[at:][:product(dims)]
	if slot.width == 0 {
		if v.kind != kInt || len(v.terms) > 0 || len(dims) > 0 {
			fail(lv.pos, "", "%s holds compile-time numbers, but %s is assigned", lv.name, v.describe())
		}
		cells[0] = v.cell
		return
	}
	v = e.convert(lv.pos, v, slot.width, dims, lv.name)
	if v.kind == kWord {
		cells[0] = v.cell
		return
	}
	e.step(lv.pos, len(cells))
	copy(cells, v.arr.cells)
}

// offset returns the first element that an assigned place names and the dimensions left.
func (e *evaluator[V]) offset(lv *lvalue, dims []int) (at int, left []int) {
	size := product(dims)
	for _, x := range lv.index {
		if len(dims) == 0 {
			fail(x.at(), "", "too many indices for %s", lv.name)
		}
		size /= dims[0]
		at += size * e.position(x.at(), e.expr(x), dims[0])
		dims = dims[1:]
	}
	return at, dims
}
