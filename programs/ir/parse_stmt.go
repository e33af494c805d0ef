package ir

func (p *parser) block() *block {
	defer p.nest()()
	p.expect("{", "before the body")
	b := &block{}
	for {
		p.skipEnds()
		if p.accept("}") {
			return b
		}
		if p.peek().kind == tokEOF {
			fail(p.peek().pos, "add '}'", "the body is not closed")
		}
		b.stmts = append(b.stmts, p.stmt())
		p.endOfStatement()
	}
}

func (p *parser) stmt() stmt {
	t := p.peek()
	switch {
	case p.accept("scratch"):
		n := p.name("the name of the scratch array")
		return p.declare(n, true)
	case p.accept("for"):
		return p.loop(t.pos, false)
	case p.accept("repeat"):
		return p.loop(t.pos, true)
	case p.accept("if"):
		return p.ifStmt(t.pos)
	case p.accept("return"):
		return &returnStmt{pos: t.pos, value: p.exprList()}
	case t.kind == tokName && p.ahead(1).text == ":":
		return p.declare(p.name("the name of a variable"), false)
	}
	return p.assign()
}

func (p *parser) declare(n token, scratch bool) stmt {
	p.expect(":", "before the type of "+n.text)
	s := &declStmt{pos: n.pos, name: n.text, typ: p.typ(), scratch: scratch}
	if !scratch && p.accept("=") {
		s.init = p.exprList()
	}
	return s
}

func (p *parser) loop(pos Pos, repeat bool) stmt {
	n := p.name("the loop variable")
	s := &forStmt{pos: pos, repeat: repeat, name: n.text}
	p.expect("in", "after the loop variable")
	s.lo, s.hi = p.bounds()
	if p.accept("by") {
		s.step = p.expr()
	}
	s.body = p.block()
	return s
}

func (p *parser) ifStmt(pos Pos) stmt {
	defer p.nest()()
	s := &ifStmt{pos: pos, cond: p.expr()}
	s.then = p.block()
	if !p.acceptElse() {
		return s
	}
	if t := p.peek(); p.accept("if") {
		s.otherwise = &block{stmts: []stmt{p.ifStmt(t.pos)}}
		return s
	}
	s.otherwise = p.block()
	return s
}

// acceptElse takes 'else', which may stand on the line after the closing brace.
func (p *parser) acceptElse() bool {
	start := p.i
	p.skipEnds()
	if p.accept("else") {
		return true
	}
	p.i = start
	return false
}

// assignOps are the operators of OP=.
var assignOps = map[string]string{
	"=": "", "^=": "^", "&=": "&", "|=": "|", "+=": "+", "-=": "-",
	"<<=": "<<", ">>=": ">>", "<<<=": "<<<", ">>>=": ">>>",
}

func (p *parser) assign() stmt {
	s := &assignStmt{pos: p.peek().pos}
	paren := p.accept("(")
	for {
		s.left = append(s.left, p.lvalue())
		if !p.accept(",") {
			break
		}
	}
	if paren {
		p.expect(")", "after the assigned names")
	}
	t := p.next()
	op, ok := assignOps[t.text]
	if t.kind != tokOp || !ok {
		fail(t.pos, "", "expected '=' or an operator such as '^=', found %s", t)
	}
	if op != "" && len(s.left) > 1 {
		fail(t.pos, "assign one by one", "'%s' changes one variable only", t.text)
	}
	s.op = op
	s.right = p.exprList()
	return s
}

func (p *parser) lvalue() *lvalue {
	n := p.name("a statement")
	lv := &lvalue{pos: n.pos, name: n.text}
	for p.accept("[") {
		p.atMost(len(lv.index)+1, maxIndices, "indices")
		lv.index = append(lv.index, p.expr())
		p.expect("]", "after the index")
	}
	return lv
}

// exprList parses EXPR {, EXPR}; several make a tuple.
func (p *parser) exprList() expr {
	first := p.expr()
	if !p.is(",") {
		return first
	}
	t := &tupleExpr{pos: first.at(), elems: []expr{first}}
	for p.accept(",") {
		t.elems = append(t.elems, p.expr())
	}
	return t
}
