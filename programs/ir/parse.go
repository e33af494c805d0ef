package ir

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// parser is a recursive-descent parser over the tokens of one file. It panics with *Error;
// file catches that at each declaration and goes on with the next.
type parser struct {
	toks  []token
	i     int
	depth int // nesting of expressions and blocks
}

// maxIndices bounds the dimensions of a type and the indices in a row.
const maxIndices = 16

// maxDepth bounds the nesting of expressions and blocks.
const maxDepth = 100

// reserved names are statements and declarations, and cannot name anything else.
var reserved = set("use", "const", "table", "def", "kernel", "keys", "test", "equiv", "leaky", "anf",
	"for", "repeat", "in", "by", "if", "else", "return", "scratch")

// declarations maps the first word of a declaration to its parser.
var declarations = []struct {
	word  string
	parse func(*parser, *File)
}{
	{"use", (*parser).use},
	{"const", (*parser).constant},
	{"table", (*parser).tableDecl},
	{"def", (*parser).def},
	{"anf", (*parser).anf},
	{"leaky", (*parser).leaky},
	{"kernel", func(p *parser, f *File) { p.kernel(f, false) }},
	{"keys", func(p *parser, f *File) { p.keys(f, false) }},
	{"test", (*parser).test},
	{"equiv", (*parser).equiv},
}

// file parses all declarations into f and reports the mistakes.
func (p *parser) file(f *File, errs *errorList) {
	for !errs.full() {
		p.skipEnds()
		if p.peek().kind == tokEOF {
			return
		}
		err := catch(func() { p.declaration(f) })
		if err != nil {
			errs.add(err)
			p.depth = 0
			p.recover()
		}
	}
}

func (p *parser) declaration(f *File) {
	t := p.peek()
	words := make([]string, len(declarations))
	for i, d := range declarations {
		if t.kind == tokName && t.text == d.word {
			p.i++
			d.parse(p, f)
			p.endOfStatement()
			return
		}
		words[i] = d.word
	}
	hint := didYouMean(t.text, words)
	fail(t.pos, hint, "expected a declaration (%s), found %s", joinOr(words), t)
}

// recover skips to the next line that begins with a declaration in the first column.
func (p *parser) recover() {
	for p.peek().kind != tokEOF {
		p.i++
		t := p.peek()
		for _, d := range declarations {
			if t.pos.Col == 1 && t.kind == tokName && t.text == d.word {
				return
			}
		}
	}
}

func (p *parser) peek() token { return p.toks[p.i] }

// ahead returns the token n places on, or the last one.
func (p *parser) ahead(n int) token { return p.toks[min(p.i+n, len(p.toks)-1)] }

func (p *parser) next() token {
	t := p.toks[p.i]
	if t.kind != tokEOF {
		p.i++
	}
	return t
}

// is reports whether the next token is the operator or the word.
func (p *parser) is(text string) bool {
	t := p.peek()
	return (t.kind == tokOp || t.kind == tokName) && t.text == text
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.i++
		return true
	}
	return false
}

// expect takes the operator or word; context says where it was wanted.
func (p *parser) expect(text, context string) token {
	if !p.is(text) {
		fail(p.peek().pos, "", "expected '%s' %s, found %s", text, context, p.peek())
	}
	return p.next()
}

// name takes a name that is not reserved.
func (p *parser) name(what string) token {
	t := p.peek()
	if t.kind != tokName {
		fail(t.pos, "", "expected %s, found %s", what, t)
	}
	if reserved[t.text] {
		fail(t.pos, "choose another name", "expected %s, found the word '%s' of the language", what, t.text)
	}
	return p.next()
}

func (p *parser) stringLit(what string) token {
	if t := p.peek(); t.kind != tokString {
		fail(t.pos, "", "expected %s in double quotes, found %s", what, t)
	}
	return p.next()
}

func (p *parser) skipEnds() {
	for p.peek().kind == tokEnd {
		p.i++
	}
}

// endOfStatement takes a line end or ';', or stands before '}' or the end of the file.
func (p *parser) endOfStatement() {
	t := p.peek()
	if t.kind == tokEnd {
		p.i++
		return
	}
	if t.kind != tokEOF && !p.is("}") {
		fail(t.pos, "", "expected the end of the statement, found %s", t)
	}
}

// atMost refuses more than limit things in a row; the last of them begins before the next token.
func (p *parser) atMost(n, limit int, what string) {
	if n > limit {
		fail(p.toks[p.i-1].pos, "", "more than %d %s", limit, what)
	}
}

// nest counts one level of nesting until the returned function is called.
func (p *parser) nest() func() {
	p.depth++
	if p.depth > maxDepth {
		fail(p.peek().pos, "name a part of it first", "more than %d levels of nesting", maxDepth)
	}
	return func() { p.depth-- }
}

// noText finds the first byte that no UTF-8 text has, and says what it is; at is -1 if there is none.
func noText(src string) (at int, what string) {
	for i, r := range src {
		if r == 0 {
			return i, "a zero byte"
		}
		if r == utf8.RuneError && !strings.HasPrefix(src[i:], string(utf8.RuneError)) {
			return i, fmt.Sprintf("the byte 0x%02x, which is no UTF-8", src[i])
		}
	}
	return -1, ""
}

// parseText parses src into f. Mistakes go to errs.
func parseText(f *File, src string, errs *errorList) {
	if i, what := noText(src); i >= 0 {
		bol := strings.LastIndexByte(src[:i], '\n') + 1
		errs.add(&Error{Pos: Pos{f.path, 1 + strings.Count(src[:i], "\n"), i - bol + 1}, Msg: what + ": this is no kernel text"})
		return
	}
	var toks []token
	if err := catch(func() { toks = lex(f.path, src) }); err != nil {
		errs.add(err)
		return
	}
	p := &parser{toks: toks}
	p.file(f, errs)
}
