package ir

// binop is a binary operator.
type binop uint8

const (
	opEq binop = iota
	opNe
	opLt
	opLe
	opGt
	opGe
	opOr
	opXor
	opAnd
	opRotl
	opRotr
	opShl
	opShr
	opAdd
	opSub
	opMul
	opDiv
	opMod
)

// binops gives each operator its code and its level; a higher level binds tighter.
var binops = map[string]struct {
	code  binop
	level int
}{
	"==": {opEq, 1}, "!=": {opNe, 1}, "<": {opLt, 1}, "<=": {opLe, 1}, ">": {opGt, 1}, ">=": {opGe, 1},
	"|": {opOr, 2}, "^": {opXor, 3}, "&": {opAnd, 4},
	"<<<": {opRotl, 5}, ">>>": {opRotr, 5}, "<<": {opShl, 5}, ">>": {opShr, 5},
	"+": {opAdd, 6}, "-": {opSub, 6},
	"*": {opMul, 7}, "/": {opDiv, 7}, "%": {opMod, 7},
}

func (p *parser) expr() expr {
	defer p.nest()()
	c := p.binary(1)
	if !p.accept("?") {
		return c
	}
	x := p.expr()
	p.expect(":", "between the two choices of '?'")
	return &condExpr{pos: c.at(), cond: c, x: x, y: p.expr()}
}

// binary parses operators of the given level and above, left-associative.
func (p *parser) binary(level int) expr {
	x := p.unary()
	for n := 0; ; n++ {
		t := p.peek()
		op, ok := binops[t.text]
		if t.kind != tokOp || !ok || op.level < level {
			return x
		}
		if n > 10*maxDepth {
			fail(t.pos, "name a part of it first", "more than %d operators in a row", 10*maxDepth)
		}
		p.i++
		x = &binaryExpr{pos: t.pos, op: t.text, code: op.code, x: x, y: p.binary(op.level + 1)}
	}
}

func (p *parser) unary() expr {
	t := p.peek()
	if t.kind == tokOp && (t.text == "~" || t.text == "-") {
		defer p.nest()()
		p.i++
		return &unaryExpr{pos: t.pos, op: t.text, x: p.unary()}
	}
	return p.postfix(p.primary())
}

func (p *parser) postfix(x expr) expr {
	for n := 1; ; n++ {
		t := p.peek()
		if !p.accept("[") {
			return x
		}
		p.atMost(n, maxIndices, "indices")
		ix := &indexExpr{pos: t.pos, x: x}
		for {
			a := indexArg{lo: p.expr()}
			if p.accept("..") {
				a.hi = p.expr()
			}
			ix.index = append(ix.index, a)
			if !p.accept(",") {
				break
			}
		}
		p.expect("]", "after the index")
		x = ix
	}
}

func (p *parser) primary() expr {
	t := p.peek()
	switch {
	case t.kind == tokInt:
		p.i++
		return &intExpr{pos: t.pos, text: t.text, val: t.val}
	case t.kind == tokName && !reserved[t.text]:
		p.i++
		n := &nameExpr{pos: t.pos, name: t.text}
		if p.is("(") {
			return p.call(n)
		}
		return n
	case p.accept("["):
		return &arrayExpr{pos: t.pos, elems: p.elems("]", "array")}
	case p.accept("("):
		list := p.elems(")", "parenthesis")
		if len(list) == 1 {
			if s, ok := list[0].(*spreadExpr); ok {
				fail(s.pos, "", "'...' stands only in an array or in arguments")
			}
			return list[0]
		}
		return &tupleExpr{pos: t.pos, elems: list}
	}
	fail(t.pos, "", "expected a value, found %s", t)
	return nil
}

// elems parses a non-empty list up to the closing bracket; elements may be spread.
func (p *parser) elems(closing, what string) []expr {
	var list []expr
	for !p.is(closing) {
		list = append(list, p.elem())
		if !p.accept(",") {
			break
		}
	}
	if len(list) == 0 {
		fail(p.peek().pos, "", "expected a value, found %s", p.peek())
	}
	p.expect(closing, "at the end of the "+what)
	return list
}

func (p *parser) elem() expr {
	x := p.expr()
	if t := p.peek(); p.accept("...") {
		return &spreadExpr{pos: t.pos, x: x}
	}
	return x
}

func (p *parser) call(fn *nameExpr) expr {
	c := &callExpr{pos: fn.pos, fn: fn}
	p.expect("(", "before the arguments")
	for !p.is(")") && p.peek().text != ";" {
		c.args = append(c.args, p.elem())
		if !p.accept(",") {
			break
		}
	}
	if p.peek().text == ";" {
		p.rots(c)
	}
	p.expect(")", "after the arguments of "+fn.name)
	return c
}

// rots parses "; mask:count, ..." of mrot.
func (p *parser) rots(c *callExpr) {
	if t := p.next(); c.fn.name != "mrot" {
		fail(t.pos, "separate arguments by ','", "only mrot has terms after ';'")
	}
	for {
		var r rotArg
		r.mask = p.expr()
		p.expect(":", "between mask and count")
		r.n = p.expr()
		c.rots = append(c.rots, r)
		if !p.accept(",") {
			return
		}
	}
}
