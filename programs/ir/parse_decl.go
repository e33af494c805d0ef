package ir

func (p *parser) use(f *File) {
	t := p.stringLit("a file")
	f.uses = append(f.uses, &useDecl{pos: t.pos, path: t.text})
}

func (p *parser) constant(f *File) {
	n := p.name("the name of the constant")
	d := &constDecl{pos: n.pos, name: n.text}
	if p.accept(":") {
		d.typ = p.typ()
	}
	p.expect("=", "before the value of "+n.text)
	d.val = p.expr()
	f.decls = append(f.decls, d)
}

func (p *parser) tableDecl(f *File) {
	n := p.name("the name of the table")
	d := &tableDecl{pos: n.pos, name: n.text}
	p.expect(":", "before the type of the table")
	d.elem = p.typ()
	if len(d.elem.dims) != 1 {
		fail(d.elem.pos, "write for example w8[256]", "a table has one dimension")
	}
	p.expect("=", "before the entries of "+n.text)
	p.expect("{", "before the entries of "+n.text)
	p.skipEnds()
	for !p.is("}") {
		d.entries = append(d.entries, p.elem())
		p.skipEnds()
		if !p.accept(",") {
			break
		}
		p.skipEnds()
	}
	p.expect("}", "after the entries of "+n.text)
	f.decls = append(f.decls, d)
}

func (p *parser) def(f *File) {
	n := p.name("the name of the def")
	d := &defDecl{pos: n.pos, name: n.text}
	p.expect("(", "after the name of the def")
	for !p.is(")") {
		d.formals = append(d.formals, p.formal())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "after the parameters of "+n.text)
	if p.accept("->") {
		d.result = p.result()
	}
	d.body = p.block()
	f.decls = append(f.decls, d)
}

func (p *parser) formal() formal {
	n := p.name("the name of a parameter")
	fm := formal{pos: n.pos, name: n.text}
	p.expect(":", "after the parameter "+n.text)
	switch {
	case p.accept("int"):
		fm.kind = formalInt
	case p.accept("fn"):
		fm.kind = formalFn
	default:
		fm.typ = p.typ()
	}
	return fm
}

func (p *parser) result() []*typeExpr {
	if !p.accept("(") {
		return []*typeExpr{p.typ()}
	}
	var ts []*typeExpr
	for {
		ts = append(ts, p.typ())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "after the result types")
	return ts
}

// typeNames are the base types; S has no width of its own.
var typeNames = map[string]int{"w8": 8, "w16": 16, "w32": 32, "w64": 64, "v128": 128, "S": 0}

func (p *parser) typ() *typeExpr {
	t := p.peek()
	if _, ok := typeNames[t.text]; t.kind != tokName || !ok {
		fail(t.pos, "", "expected a type (w8, w16, w32, w64, v128 or S), found %s", t)
	}
	te := &typeExpr{pos: t.pos, base: p.next().text}
	for p.accept("[") {
		p.atMost(len(te.dims)+1, maxIndices, "dimensions")
		te.dims = append(te.dims, p.expr())
		p.expect("]", "after the number of elements")
	}
	return te
}

func (p *parser) leaky(f *File) {
	switch {
	case p.accept("kernel"):
		p.kernel(f, true)
	case p.accept("keys"):
		p.keys(f, true)
	default:
		fail(p.peek().pos, "", "expected 'kernel' or 'keys' after 'leaky', found %s", p.peek())
	}
}

// kernelName takes NAME/NAME, in which a NAME may be several with "-" between.
func (p *parser) kernelName() token {
	n := p.dashed("a kernel name (cipher/representation)")
	p.expect("/", "in the kernel name, as in aes128/fixsliced")
	n.text += "/" + p.dashed("the second part of the kernel name").text
	return n
}

func (p *parser) dashed(what string) token {
	n := p.word(what)
	for p.accept("-") {
		n.text += "-" + p.word("the rest of the name").text
	}
	return n
}

// word takes a name, which may be one of the language: aes128/table.
func (p *parser) word(what string) token {
	if t := p.peek(); t.kind != tokName {
		fail(t.pos, "", "expected %s, found %s", what, t)
	}
	return p.next()
}

// vectorsAhead reports whether a kernel name and "vectors" come next.
func (p *parser) vectorsAhead() bool {
	i := 1
	for p.ahead(i).text == "-" {
		i += 2
	}
	if p.ahead(i).text != "/" {
		return false
	}
	for i += 2; p.ahead(i).text == "-"; {
		i += 2
	}
	return p.ahead(i).text == "vectors"
}

func (p *parser) kernel(f *File, leaky bool) {
	n := p.kernelName()
	d := &kernelDecl{pos: n.pos, name: n.text, leaky: leaky}
	p.expect("(", "after the name of the kernel")
	for !p.is(")") {
		d.params = append(d.params, p.param())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "after the parameters of "+n.text)
	if len(d.params) == 0 {
		fail(n.pos, "add for example (in pt: w32[4], out ct: w32[4])", "kernel %s has no parameters", n.text)
	}
	d.body = p.block()
	f.decls = append(f.decls, d)
}

var memKinds = map[string]MemKind{"in": In, "out": Out, "inout": InOut, "key": Key}

func (p *parser) param() param {
	t := p.next()
	kind, ok := memKinds[t.text]
	if t.kind != tokName || !ok && t.text != "public" {
		fail(t.pos, "write for example: in pt: w32[4]", "expected in, out, inout, key or public, found %s", t)
	}
	n := p.name("the name of a parameter")
	pa := param{pos: n.pos, name: n.text, kind: kind, public: !ok}
	p.expect(":", "after the parameter "+n.text)
	if pa.public {
		p.expect("int", "as the type of a public parameter")
		if p.accept("in") {
			pa.lo, pa.hi = p.bounds()
		}
		return pa
	}
	pa.typ = p.typ()
	if pa.big, pa.order = p.order(); pa.kind != Key && !pa.order {
		pa.sliced = p.accept("sliced")
	}
	if pa.kind == Key && p.accept("from") {
		pa.from = p.name("the name of a keys function").text
	}
	return pa
}

func (p *parser) order() (big, written bool) {
	switch {
	case p.accept("be"):
		return true, true
	case p.accept("le"):
		return false, true
	}
	return false, false
}

func (p *parser) bounds() (lo, hi expr) {
	lo = p.expr()
	p.expect("..", "between the bounds")
	return lo, p.expr()
}

func (p *parser) keys(f *File, leaky bool) {
	n := p.name("the name of the keys function")
	d := &kernelDecl{pos: n.pos, name: n.text, leaky: leaky, keys: true}
	p.expect("(", "after the name of the keys function")
	arg := p.name("the name of the argument")
	in := param{pos: arg.pos, name: "in", kind: In, argOf: arg.text}
	p.expect(":", "after the argument "+arg.text)
	in.typ = p.typ()
	in.big, in.order = p.order()
	p.expect(")", "after the argument of "+n.text)
	p.expect("->", "before the type of the result")
	out := param{pos: p.peek().pos, name: "out", kind: Out}
	out.typ = p.typ()
	out.big, out.order = p.order()
	d.params = []param{in, out}
	d.body = p.block()
	f.decls = append(f.decls, d)
}

func (p *parser) test(f *File) {
	d := &testDecl{pos: p.peek().pos}
	if p.vectorsAhead() {
		d.kernel = p.kernelName().text
		p.expect("vectors", "after the kernel name")
		d.vectors = p.stringLit("the vector file").text
		f.decls = append(f.decls, d)
		return
	}
	e := p.expr()
	b, ok := e.(*binaryExpr)
	if !ok || b.op != "==" {
		fail(d.pos, "write test EXPR == EXPR, or test KERNEL vectors \"FILE\"", "a test compares two values with ==")
	}
	d.a, d.b = b.x, b.y
	f.decls = append(f.decls, d)
}

func (p *parser) equiv(f *File) {
	first := p.name("the name of a def")
	p.expect(",", "between the two defs")
	second := p.name("the name of a def")
	f.decls = append(f.decls, &equivDecl{
		pos: first.pos,
		f:   &nameExpr{pos: first.pos, name: first.text},
		g:   &nameExpr{pos: second.pos, name: second.text},
	})
}
