package ir

// op applies an operation to cells; constants are computed here, everything else by the
// domain.
func (e *evaluator[V]) op(p Pos, op Op, w int, imm Imm, args ...cell[V]) cell[V] {
	e.step(p, 1)
	allKnown := true
	for i := range args {
		if args[i].st == unset {
			fail(p, "", "an element is used before it has a value")
		}
		allKnown = allKnown && args[i].st == known
	}
	if allKnown {
		ws := make([]Word, len(args))
		for i := range args {
			ws[i] = args[i].c
		}
		return cell[V]{c: Apply(op, w, ws, imm), st: known}
	}
	vs := e.take(len(args))
	for i := range args {
		vs[i] = e.word(p, &args[i], e.argWidth(op, w, i), "an element")
	}
	e.d.At(p)
	return cell[V]{w: e.d.Op(op, w, vs, imm), st: running}
}

// argWidth is the width of argument i where a constant may stand beside a running word:
// it is the width of the result but for pack.
func (e *evaluator[V]) argWidth(op Op, w, i int) int {
	if op == Pack {
		return 32
	}
	return w
}

// take cuts n words from the arena.
func (e *evaluator[V]) take(n int) []V {
	if len(e.args) < n {
		e.args = make([]V, 1024)
	}
	s := e.args[:n:n]
	e.args = e.args[n:]
	return s
}

// word gives a cell to the domain.
func (e *evaluator[V]) word(p Pos, c *cell[V], width int, what string) V {
	switch c.st {
	case unset:
		fail(p, "", "%s is used before it has a value", what)
	case known:
		e.step(p, 1)
		e.d.At(p)
		return e.d.Const(width, c.c)
	}
	return c.w
}

// adopt turns a number into a constant of the given width.
func (e *evaluator[V]) adopt(p Pos, v *value[V], width int) cell[V] {
	if len(v.terms) > 0 {
		fail(p, "use it as an index or in a condition, or read the word from a table", "a public number is used as a word")
	}
	c := v.c
	if v.kind == kInt && int64(c.Lo) < 0 {
		n := int64(c.Lo)
		if width < 64 && n < -1<<(width-1) {
			fail(p, "", "%d does not fit %s", n, typeName(width, nil))
		}
		c = Word{c.Lo, ^uint64(0)}.cut(width)
	}
	if !c.fits(width) {
		fail(p, "", "%s does not fit %s", c, typeName(width, nil))
	}
	return cell[V]{c: c, st: known}
}

// convert gives v a type: numbers take it, words and arrays must have it.
func (e *evaluator[V]) convert(p Pos, v value[V], width int, dims []int, what string) value[V] {
	switch {
	case (v.kind == kInt || v.kind == kBig) && len(dims) == 0:
		return value[V]{kind: kWord, width: width, cell: e.adopt(p, &v, width)}
	case v.kind == kWord && len(dims) == 0 && v.width == width:
		return v
	case v.kind == kArray && v.width == width && sameDims(v.arr.dims, dims):
		return v
	case v.kind == kArray && v.width == 0 && sameDims(v.arr.dims, dims):
		out := &array[V]{dims, make([]cell[V], len(v.arr.cells))}
		for i := range v.arr.cells {
			el := v.elem(i)
			out.cells[i] = e.adopt(p, &el, width)
		}
		return value[V]{kind: kArray, width: width, arr: out}
	}
	hint := ""
	if v.kind == kWord && len(dims) == 0 {
		hint = widthHint(width)
	}
	fail(p, hint, "%s is %s, but %s is given", what, typeName(width, dims), v.describe())
	return v
}

func widthHint(w int) string {
	return "a width changes only where the text says so, as in " + typeName(w, nil) + "(x)"
}

func (e *evaluator[V]) unary(x *unaryExpr, v value[V]) value[V] {
	if v.kind == kInt {
		if x.op == "-" {
			return e.ints(x.pos, opSub, "-", intValue[V](0), v)
		}
		return intValue[V](^e.constNumber(x.pos, &v, "the operand of '~'"))
	}
	return e.each(x.pos, x.op, func(w int, c []cell[V]) (cell[V], int) {
		if x.op == "-" {
			return e.op(x.pos, Sub, w, Imm{}, cell[V]{st: known}, c[0]), w
		}
		return e.op(x.pos, Not, w, Imm{}, c[0]), w
	}, v)
}

// wordOps gives the operation of a binary operator on words; comparisons, products and
// quotients have none.
var wordOps = [...]struct {
	op Op
	ok bool
}{opOr: {Or, true}, opXor: {Xor, true}, opAnd: {And, true}, opAdd: {Add, true}, opSub: {Sub, true}, opMod: {}}

func (e *evaluator[V]) binary(p Pos, code binop, text string, x, y value[V]) value[V] {
	if x.kind == kInt && y.kind == kInt {
		return e.ints(p, code, text, x, y)
	}
	if code >= opRotl && code <= opShr {
		return e.shifted(p, code, text, x, y)
	}
	op := wordOps[code].op
	if !wordOps[code].ok {
		hint := ""
		if code <= opGe {
			hint = "words are secret; choose with mux(c, a, b)"
		}
		fail(p, hint, "'%s' takes numbers, not %s and %s", text, x.describe(), y.describe())
	}
	switch { // the usual cases, without a detour by each
	case x.kind == kWord && y.kind == kWord && x.width == y.width:
		return value[V]{kind: kWord, width: x.width, cell: e.op(p, op, x.width, Imm{}, x.cell, y.cell)}
	case x.kind == kWord && y.kind == kInt:
		c := e.adopt(p, &y, x.width)
		return value[V]{kind: kWord, width: x.width, cell: e.op(p, op, x.width, Imm{}, x.cell, c)}
	}
	return e.each(p, text, func(w int, c []cell[V]) (cell[V], int) {
		return e.op(p, op, w, Imm{}, c...), w
	}, x, y)
}

// shifted is x by y for the shifts and rotations.
func (e *evaluator[V]) shifted(p Pos, code binop, text string, x, y value[V]) value[V] {
	if y.kind == kWord || y.kind == kArray {
		fail(p, "the count is a compile-time number", "'%s' by %s", text, y.describe())
	}
	n := e.constNumber(p, &y, "the count of a shift or rotation")
	if x.kind == kWord {
		return value[V]{kind: kWord, width: x.width, cell: e.shift(p, code, text, x.width, x.cell, n)}
	}
	return e.each(p, text, func(w int, c []cell[V]) (cell[V], int) {
		return e.shift(p, code, text, w, c[0], n), w
	}, x)
}

// shift moves one word of width w; rotation counts are taken modulo the width.
func (e *evaluator[V]) shift(p Pos, code binop, text string, w int, c cell[V], n int64) cell[V] {
	rotate := code == opRotl || code == opRotr
	if !rotate && (n < 0 || n >= int64(w)) {
		fail(p, "", "'%s' by %d: a word of %d bits is shifted by 0 to %d", text, n, w, w-1)
	}
	if code == opRotr {
		n = -(n % int64(w))
	}
	k := int(floorMod(n, int64(w)))
	if k == 0 {
		return c
	}
	op := [...]Op{opRotl: Rotl, opRotr: Rotl, opShl: Shl, opShr: Shr}[code]
	return e.op(p, op, w, Imm{N: k}, c)
}

// each applies f to words, or element by element to arrays of one shape, scalars meeting
// every element and numbers taking the type of the words. f gets the width of its
// arguments and returns the width of its result.
func (e *evaluator[V]) each(p Pos, what string, f func(w int, args []cell[V]) (cell[V], int), args ...value[V]) value[V] {
	width, dims := e.common(p, what, args)
	buf := make([]cell[V], len(args))
	for i := range args {
		if k := args[i].kind; k == kInt || k == kBig {
			buf[i] = e.adopt(p, &args[i], width)
		} else if k == kWord {
			buf[i] = args[i].cell
		}
	}
	if dims == nil {
		c, w := f(width, buf)
		return value[V]{kind: kWord, width: w, cell: c}
	}
	out := &array[V]{dims, make([]cell[V], product(dims))}
	w := width
	for j := range out.cells {
		for i := range args {
			if args[i].kind == kArray {
				buf[i] = args[i].arr.cells[j]
				if args[i].width == 0 {
					el := args[i].elem(j)
					buf[i] = e.adopt(p, &el, width)
				}
			}
		}
		out.cells[j], w = f(width, buf)
	}
	return value[V]{kind: kArray, width: w, arr: out}
}

// common finds the width and the shape that the arguments share.
func (e *evaluator[V]) common(p Pos, what string, args []value[V]) (width int, dims []int) {
	for i := range args {
		a := &args[i]
		if a.kind == kNone || a.kind > kArray {
			fail(p, "", "'%s' takes words, not %s", what, a.describe())
		}
		if a.width != 0 && width == 0 {
			width = a.width
		}
		if a.width != 0 && a.width != width {
			fail(p, widthHint(width), "'%s' of %s and %s", what, typeName(width, nil), typeName(a.width, nil))
		}
		if a.kind == kArray {
			if dims != nil && !sameDims(dims, a.arr.dims) {
				fail(p, "", "'%s' of arrays of different shape: %s and %s", what, typeName(width, dims), a.describe())
			}
			dims = a.arr.dims
		}
	}
	if width == 0 {
		fail(p, "give one a type, as in w32(5)", "'%s' of numbers: expected a word", what)
	}
	return width, dims
}
