package ir

// call evaluates a call of a def, a built-in function or a type.
func (e *evaluator[V]) call(c *callExpr) value[V] {
	switch r := &c.fn.ref; r.kind {
	case refBuiltin:
		return e.builtin(c, r.fn)
	case refType:
		return e.toType(c, r.width)
	case refDef:
		return e.callDef(c, r.def)
	case refLocal:
		switch v := e.slot(r.slot); v.kind {
		case kFn:
			return e.callDef(c, v.fn)
		case kSpoilt:
			panic(follows)
		}
	case refNone:
		panic(follows) // an unknown name
	}
	fail(c.pos, "", "%s is no function", c.fn.name)
	return value[V]{}
}

// callDef evaluates a def inline. The arguments are laid on the stack as the first slots of
// the new frame.
func (e *evaluator[V]) callDef(c *callExpr, d *defDecl) value[V] {
	if e.calls++; e.calls > maxCalls {
		fail(c.pos, "", "calls are more than %d deep: %s calls itself through a def it was given", maxCalls, d.name)
	}
	if len(d.body.stmts) == 0 {
		panic(follows) // an anf with a mistake
	}
	base, fp, slice := len(e.stack), e.fp, e.slice
	e.arguments(c.args)
	e.step(c.pos, d.slots)
	if n := len(e.stack) - base; n != len(d.formals) {
		fail(c.pos, "", "%s takes %s, not %d", d.name, count(len(d.formals), "argument"), n)
	}
	e.fp = base
	e.bindSlice(d)
	for i := range d.formals {
		e.bind(c.pos, d, i)
	}
	for i := len(d.formals); i < d.slots; i++ {
		e.stack = append(e.stack, value[V]{})
	}
	v := e.result(d, e.block(d.body))
	e.stack = e.stack[:base]
	e.fp, e.slice = fp, slice
	e.calls--
	return v
}

func (e *evaluator[V]) arguments(args []expr) {
	for _, x := range args {
		if s, ok := x.(*spreadExpr); ok {
			v := e.expr(s.x)
			e.stack = e.spread(s.pos, e.stack, &v)
			continue
		}
		v := e.owned(x)
		e.stack = append(e.stack, v)
	}
}

// bindSlice gives S the width of the first argument for a parameter of type S that is a
// word. Without one it keeps the width of the caller.
func (e *evaluator[V]) bindSlice(d *defDecl) {
	for i := range d.formals {
		v := e.slot(i)
		if fm := &d.formals[i]; fm.kind == formalWord && fm.typ.base == "S" && v.width != 0 {
			e.slice = v.width
			return
		}
	}
}

// bind checks argument i against its formal. The stack may move while a type is evaluated.
func (e *evaluator[V]) bind(p Pos, d *defDecl, i int) {
	fm, v := &d.formals[i], *e.slot(i)
	switch fm.kind {
	case formalInt:
		if v.kind != kInt {
			fail(p, "", "argument %s of %s is a number, but %s is given", fm.name, d.name, v.describe())
		}
	case formalFn:
		if v.kind != kFn {
			fail(p, "", "argument %s of %s is the name of a def, but %s is given", fm.name, d.name, v.describe())
		}
	default:
		width, dims := e.typ(fm.typ)
		if v.kind == kWord && v.width == width && len(dims) == 0 {
			return
		}
		v = e.convert(p, v, width, dims, "argument "+fm.name+" of "+d.name)
		*e.slot(i) = v
	}
}

// result checks what a def returns against its declaration.
func (e *evaluator[V]) result(d *defDecl, v value[V]) value[V] {
	p := d.body.stmts[len(d.body.stmts)-1].at()
	if v.kind == kFn {
		fail(p, "", "a def cannot return a def")
	}
	switch n := len(d.result); {
	case n == 0:
		return v
	case n == 1:
		width, dims := e.typ(d.result[0])
		return e.convert(p, v, width, dims, "the result of "+d.name)
	case v.kind != kTuple || len(v.tup) != n:
		fail(p, "", "%s returns %d values, but %s is given", d.name, n, v.describe())
	}
	for i, t := range d.result {
		width, dims := e.typ(t)
		v.tup[i] = e.convert(p, v.tup[i], width, dims, "a result of "+d.name)
	}
	return v
}

// toType evaluates w8(x) .. v128(x) and S(x); width 0 stands for S.
func (e *evaluator[V]) toType(c *callExpr, width int) value[V] {
	if len(c.args) != 1 {
		fail(c.pos, "", "%s takes 1 argument, not %d", c.fn.name, len(c.args))
	}
	if width == 0 {
		width = e.base(&typeExpr{pos: c.pos, base: "S"})
	}
	v := e.owned(c.args[0])
	switch {
	case v.kind == kInt || v.kind == kBig:
		return e.convert(c.pos, v, width, nil, c.fn.name)
	case v.kind == kArray && v.width == 0:
		return e.convert(c.pos, v, width, v.arr.dims, c.fn.name)
	}
	return e.each(c.pos, c.fn.name, func(w int, args []cell[V]) (cell[V], int) {
		pl := &plan{pos: c.pos, width: w}
		planConvert(pl, width)
		return e.planned(pl, args), width
	}, v)
}

func (e *evaluator[V]) builtin(c *callExpr, b *builtin) value[V] {
	if n := b.words + b.nums; len(c.args) != n {
		fail(c.pos, "", "%s takes %s, not %d", b.name, count(n, "argument"), len(c.args))
	}
	switch b.name {
	case "rep":
		return e.rep(c)
	case "len":
		return e.length(c)
	case "bits":
		return e.bits(c)
	}
	words := make([]value[V], b.words, 4)
	for i := range words {
		words[i] = e.expr(c.args[i])
	}
	pl := &plan{pos: c.pos, slice: e.slice}
	for _, x := range c.args[b.words:] {
		pl.nums = append(pl.nums, e.numbers(x))
	}
	switch b.name {
	case "swapmove":
		return e.swapmove(pl, words)
	case "swapself":
		return e.swapself(pl, words)
	case "zip":
		return e.zip(pl, words)
	}
	return e.apply(c, b, pl, words)
}

// apply plans a builtin for the width of its words, once, and does it for each element.
func (e *evaluator[V]) apply(c *callExpr, b *builtin, pl *plan, words []value[V]) value[V] {
	rots := e.rots(c)
	ready := false
	return e.each(c.pos, b.name, func(w int, args []cell[V]) (cell[V], int) {
		if !ready {
			pl.width, pl.out, ready = w, w, true
			pl.rots = e.fitRots(c, rots, w)
			b.plan(pl)
		}
		return e.planned(pl, args), pl.out
	}, words...)
}

// planned applies a plan to one word.
func (e *evaluator[V]) planned(pl *plan, args []cell[V]) cell[V] {
	if pl.same {
		return args[0]
	}
	return e.op(pl.pos, pl.op, pl.out, pl.imm, args...)
}

// numbers evaluates a compile-time number or an array of them.
func (e *evaluator[V]) numbers(x expr) []int64 {
	v := e.expr(x)
	if v.kind != kArray || v.width != 0 {
		return []int64{e.constNumber(x.at(), &v, "this argument")}
	}
	list := make([]int64, len(v.arr.cells))
	for i, c := range v.arr.cells {
		list[i] = int64(c.c.Lo)
	}
	return list
}

// rots evaluates the terms of mrot; the masks are numbers or known words.
func (e *evaluator[V]) rots(c *callExpr) []value[V] {
	var list []value[V]
	for _, r := range c.rots {
		m := e.expr(r.mask)
		if m.kind != kInt && m.kind != kBig && !(m.kind == kWord && m.st == known) {
			fail(r.mask.at(), "write a literal, or rep(c)", "a mask of mrot is known at compile time, not %s", m.describe())
		}
		list = append(list, m, intValue[V](e.number(r.n, "a count of mrot")))
	}
	return list
}

// fitRots gives the terms of mrot the width of the word.
func (e *evaluator[V]) fitRots(c *callExpr, list []value[V], w int) []Rot {
	var rots []Rot
	for i := 0; i < len(list); i += 2 {
		p := c.rots[i/2].mask.at()
		m := e.convert(p, list[i], w, nil, "a mask of mrot")
		rots = append(rots, Rot{m.c, mod(int64(list[i+1].c.Lo), w)})
	}
	return rots
}

// scalars checks that the arguments are words of one width, numbers taking it.
func (e *evaluator[V]) scalars(p Pos, what string, args []value[V]) (int, []cell[V]) {
	width, dims := e.common(p, what, args)
	if dims != nil {
		fail(p, "call it for each element", "%s takes words, not arrays", what)
	}
	cells := make([]cell[V], len(args))
	for i := range args {
		cells[i] = e.convert(p, args[i], width, nil, what).cell
	}
	return width, cells
}

// swapmove evaluates t = (b ^ (a >> n)) & m; a ^ (t << n), b ^ t.
func (e *evaluator[V]) swapmove(pl *plan, args []value[V]) value[V] {
	p, n := pl.pos, pl.number(0)
	w, c := e.scalars(p, "swapmove", args)
	a, b, m := c[0], c[1], c[2]
	t := e.op(p, Xor, w, Imm{}, b, e.shift(p, opShr, "swapmove", w, a, n))
	t = e.op(p, And, w, Imm{}, t, m)
	b = e.op(p, Xor, w, Imm{}, b, t)
	a = e.op(p, Xor, w, Imm{}, a, e.shift(p, opShl, "swapmove", w, t, n))
	return value[V]{kind: kTuple, tup: []value[V]{
		{kind: kWord, width: w, cell: a}, {kind: kWord, width: w, cell: b},
	}}
}

// swapself evaluates t = (a ^ (a >> n)) & m; a ^ t ^ (t << n).
func (e *evaluator[V]) swapself(pl *plan, args []value[V]) value[V] {
	p, n := pl.pos, pl.number(0)
	w, c := e.scalars(p, "swapself", args)
	a := c[0]
	t := e.op(p, Xor, w, Imm{}, a, e.shift(p, opShr, "swapself", w, a, n))
	t = e.op(p, And, w, Imm{}, t, c[1])
	a = e.op(p, Xor, w, Imm{}, a, t)
	a = e.op(p, Xor, w, Imm{}, a, e.shift(p, opShl, "swapself", w, t, n))
	return value[V]{kind: kWord, width: w, cell: a}
}

// zip interleaves the fields of two words: a0 b0 a1 b1 .. of the low halves, and the same of the high halves.
func (e *evaluator[V]) zip(pl *plan, args []value[V]) value[V] {
	p, n := pl.pos, pl.number(0)
	w, c := e.scalars(p, "zip", args)
	if n < 8 || n >= int64(w) || n&(n-1) != 0 {
		fail(p, "", "zip of fields of %d bits in words of %d: expected a power of two from 8 on, below the width", n, w)
	}
	imm := Imm{N: int(n)}
	return value[V]{kind: kTuple, tup: []value[V]{
		{kind: kWord, width: w, cell: e.op(p, ZipLo, w, imm, c...)},
		{kind: kWord, width: w, cell: e.op(p, ZipHi, w, imm, c...)},
	}}
}

// rep evaluates rep(c): c of 32 bits repeated over S, or cut if S is narrower and c
// repeats itself.
func (e *evaluator[V]) rep(c *callExpr) value[V] {
	v := e.expr(c.args[0])
	if v.kind != kInt {
		fail(c.pos, "write a literal of 32 bits", "rep takes a number, not %s", v.describe())
	}
	word := e.adopt(c.pos, &v, 32).c
	s := e.base(&typeExpr{pos: c.pos, base: "S"})
	if s < 32 && word.cut(s).repeat(s, 32) != word {
		fail(c.pos, "", "%s does not repeat within S of %d bits", word, s)
	}
	return constant[V](s, word.repeat(32, max(s, 32)).cut(s))
}

// length evaluates len(a): the first dimension.
func (e *evaluator[V]) length(c *callExpr) value[V] {
	v := e.place(c.args[0])
	switch {
	case v.kind == kArray:
		return intValue[V](int64(v.arr.dims[0]))
	case v.kind == kMem && v.dims < len(v.mem.Dims):
		return intValue[V](int64(v.mem.Dims[v.dims]))
	}
	fail(c.pos, "", "len takes an array, not %s", v.describe())
	return value[V]{}
}

// bits evaluates bits(T) for a type, or for a value of one.
func (e *evaluator[V]) bits(c *callExpr) value[V] {
	if n, ok := c.args[0].(*nameExpr); ok && n.ref.kind == refType {
		return intValue[V](int64(e.base(&typeExpr{pos: n.pos, base: n.name})))
	}
	v := e.place(c.args[0])
	if v.width == 0 {
		fail(c.pos, "", "bits takes a type or a word, not %s", v.describe())
	}
	return intValue[V](int64(v.width))
}
