package ir

import (
	"fmt"
	"strings"
)

// printer writes canonical text: four blanks per level, one statement per line, and only
// the parentheses that the levels of operators need. Comments are not kept.
type printer struct {
	strings.Builder
	indent int
}

// Print returns the canonical text of the file. Parsing it gives a file that prints the
// same and means the same.
func Print(f *File) string {
	p := &printer{}
	for _, u := range f.uses {
		p.line("use %q", u.path)
	}
	last := ""
	for _, d := range f.decls {
		k := fmt.Sprintf("%T", d)
		if p.Len() > 0 && (k != last || hasBody(d)) {
			p.WriteByte('\n')
		}
		last = k
		p.decl(d)
	}
	return p.String()
}

func hasBody(d any) bool {
	switch d.(type) {
	case *defDecl, *kernelDecl, *tableDecl:
		return true
	}
	return false
}

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.Repeat("    ", p.indent))
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

func (p *printer) decl(d any) {
	switch d := d.(type) {
	case *constDecl:
		typ := ""
		if d.typ != nil {
			typ = ": " + typeText(d.typ)
		}
		p.line("const %s%s = %s", d.name, typ, text(d.val))
	case *tableDecl:
		p.table(d)
	case *defDecl:
		if d.anf != nil {
			p.anf(d)
			return
		}
		p.body(fmt.Sprintf("def %s(%s)%s", d.name, formalsText(d.formals), resultText(d.result)), d.body, "")
	case *kernelDecl:
		p.body(kernelText(d), d.body, "")
	case *testDecl:
		if d.kernel != "" {
			p.line("test %s vectors %q", d.kernel, d.vectors)
			return
		}
		p.line("test %s", text(&binaryExpr{op: "==", x: d.a, y: d.b}))
	case *equivDecl:
		p.line("equiv %s, %s", d.f.name, d.g.name)
	}
}

func (p *printer) anf(d *defDecl) {
	p.line("anf %s(%s: %s) -> %s: %s {", d.name, d.anf.in, typeText(d.formals[0].typ), d.anf.out, typeText(d.result[0]))
	p.indent++
	for _, s := range d.anf.sums {
		p.line("%s", s.text(d.anf))
	}
	p.indent--
	p.line("}")
}

// table prints eight entries per line.
func (p *printer) table(d *tableDecl) {
	p.line("table %s: %s = {", d.name, typeText(d.elem))
	p.indent++
	for i := 0; i < len(d.entries); i += 8 {
		p.line("%s,", list(d.entries[i:min(i+8, len(d.entries))]))
	}
	p.indent--
	p.line("}")
}

func formalsText(fs []formal) string {
	var s []string
	for _, f := range fs {
		t := "int"
		switch f.kind {
		case formalWord:
			t = typeText(f.typ)
		case formalFn:
			t = "fn"
		}
		s = append(s, f.name+": "+t)
	}
	return strings.Join(s, ", ")
}

func resultText(ts []*typeExpr) string {
	var s []string
	for _, t := range ts {
		s = append(s, typeText(t))
	}
	switch len(s) {
	case 0:
		return ""
	case 1:
		return " -> " + s[0]
	}
	return " -> (" + strings.Join(s, ", ") + ")"
}

func kernelText(d *kernelDecl) string {
	leaky := ""
	if d.leaky {
		leaky = "leaky "
	}
	if d.keys {
		in, out := &d.params[0], &d.params[1]
		return fmt.Sprintf("%skeys %s(%s: %s) -> %s", leaky, d.name, in.argOf, in.memText(), out.memText())
	}
	var ps []string
	for i := range d.params {
		ps = append(ps, d.params[i].text())
	}
	return fmt.Sprintf("%skernel %s(%s)", leaky, d.name, strings.Join(ps, ", "))
}

var memWords = [...]string{In: "in", Out: "out", InOut: "inout", Key: "key"}

func (pa *param) text() string {
	if pa.public {
		s := "public " + pa.name + ": int"
		if pa.lo != nil {
			s += " in " + text(pa.lo) + ".." + text(pa.hi)
		}
		return s
	}
	s := memWords[pa.kind] + " " + pa.name + ": " + pa.memText()
	if pa.from != "" {
		s += " from " + pa.from
	}
	return s
}

// memText prints type and order; the default order is left out.
func (pa *param) memText() string {
	if pa.sliced {
		return typeText(pa.typ) + " sliced"
	}
	if pa.big {
		return typeText(pa.typ) + " be"
	}
	return typeText(pa.typ)
}

func typeText(t *typeExpr) string {
	s := t.base
	for _, d := range t.dims {
		s += "[" + text(d) + "]"
	}
	return s
}

// body prints head { statements }; tail follows the closing brace.
func (p *printer) body(head string, b *block, tail string) {
	p.line("%s {", head)
	p.stmts(b)
	p.line("}%s", tail)
}

func (p *printer) stmts(b *block) {
	p.indent++
	for _, s := range b.stmts {
		p.stmt(s)
	}
	p.indent--
}

func (p *printer) stmt(s stmt) {
	switch s := s.(type) {
	case *declStmt:
		word, init := "", ""
		if s.scratch {
			word = "scratch "
		}
		if s.init != nil {
			init = " = " + open(s.init)
		}
		p.line("%s%s: %s%s", word, s.name, typeText(s.typ), init)
	case *assignStmt:
		var left []string
		for _, lv := range s.left {
			left = append(left, lv.text())
		}
		p.line("%s %s= %s", strings.Join(left, ", "), s.op, open(s.right))
	case *forStmt:
		p.body(s.head(), s.body, "")
	case *ifStmt:
		p.ifStmt("", s)
	case *returnStmt:
		p.line("return %s", open(s.value))
	}
}

func (s *forStmt) head() string {
	word, step := "for", ""
	if s.repeat {
		word = "repeat"
	}
	if s.step != nil {
		step = " by " + text(s.step)
	}
	return fmt.Sprintf("%s %s in %s..%s%s", word, s.name, text(s.lo), text(s.hi), step)
}

// ifStmt prints an if; one that alone makes up the else part continues the line.
func (p *printer) ifStmt(before string, s *ifStmt) {
	p.line("%sif %s {", before, text(s.cond))
	p.stmts(s.then)
	if s.otherwise == nil {
		p.line("}")
		return
	}
	if len(s.otherwise.stmts) == 1 {
		if next, ok := s.otherwise.stmts[0].(*ifStmt); ok {
			p.ifStmt("} else ", next)
			return
		}
	}
	p.line("} else {")
	p.stmts(s.otherwise)
	p.line("}")
}

func (lv *lvalue) text() string {
	s := lv.name
	for _, x := range lv.index {
		s += "[" + text(x) + "]"
	}
	return s
}

// open prints the right side of a statement, where a tuple needs no parentheses.
func open(x expr) string {
	if t, ok := x.(*tupleExpr); ok && !hasSpread(t.elems) {
		return list(t.elems)
	}
	return text(x)
}

func hasSpread(xs []expr) bool {
	for _, x := range xs {
		if _, ok := x.(*spreadExpr); ok {
			return true
		}
	}
	return false
}

func list(xs []expr) string {
	var s []string
	for _, x := range xs {
		s = append(s, text(x))
	}
	return strings.Join(s, ", ")
}

// text prints an expression.
func text(x expr) string {
	switch x := x.(type) {
	case *intExpr:
		return x.text
	case *nameExpr:
		return x.name
	case *unaryExpr:
		return x.op + operand(x.x, unaryLevel)
	case *binaryExpr:
		l := binops[x.op].level
		return operand(x.x, l) + " " + x.op + " " + operand(x.y, l+1)
	case *condExpr:
		return operand(x.cond, 1) + " ? " + text(x.x) + " : " + text(x.y)
	case *callExpr:
		return x.fn.name + "(" + list(x.args) + rotsText(x.rots) + ")"
	case *indexExpr:
		return operand(x.x, postfixLevel) + "[" + indicesText(x.index) + "]"
	case *arrayExpr:
		return "[" + list(x.elems) + "]"
	case *tupleExpr:
		return "(" + list(x.elems) + ")"
	case *spreadExpr:
		return text(x.x) + "..."
	}
	return ""
}

// Levels above those of binops.
const (
	unaryLevel   = 8
	postfixLevel = 9
)

// operand prints x in parentheses if it binds less tightly than level.
func operand(x expr, level int) string {
	own := postfixLevel
	switch x := x.(type) {
	case *condExpr:
		own = 0
	case *binaryExpr:
		own = binops[x.op].level
	case *unaryExpr:
		own = unaryLevel
	}
	if own < level {
		return "(" + text(x) + ")"
	}
	return text(x)
}

func rotsText(rots []rotArg) string {
	var s []string
	for _, r := range rots {
		s = append(s, text(r.mask)+":"+text(r.n))
	}
	if len(s) == 0 {
		return ""
	}
	return "; " + strings.Join(s, ", ")
}

func indicesText(ix []indexArg) string {
	var s []string
	for _, a := range ix {
		t := text(a.lo)
		if a.hi != nil {
			t += ".." + text(a.hi)
		}
		s = append(s, t)
	}
	return strings.Join(s, ", ")
}
