package ir

import (
	"fmt"
	"math/bits"
	"strings"

	"simrun/internal/input"
)

// tokKind is the kind of a token. Operators and brackets are told apart by their text.
type tokKind uint8

const (
	tokEOF tokKind = iota
	tokEnd         // end of a statement: a line end or ';'
	tokName
	tokInt
	tokString
	tokOp
)

type token struct {
	kind tokKind
	text string
	val  Word // of tokInt
	pos  Pos
}

// String is how an error message names the token.
func (t token) String() string {
	switch {
	case t.kind == tokEOF:
		return "the end of the file"
	case t.kind == tokEnd && t.text == "\n":
		return "the end of the line"
	case t.kind == tokString:
		return fmt.Sprintf("%q", t.text)
	}
	return "'" + input.Clip(t.text) + "'"
}

// maxName and maxString bound names and strings, in bytes.
const (
	maxName   = 100
	maxString = 255
)

// operators, longest first so that the first match is the right one.
var operators = []string{
	"<<<=", ">>>=",
	"<<<", ">>>", "<<=", ">>=", "...",
	"<<", ">>", "..", "->", "==", "!=", "<=", ">=", "^=", "&=", "|=", "+=", "-=",
	"^", "&", "|", "~", "+", "-", "*", "/", "%", "<", ">", "=", "?", ":", ",",
	"(", ")", "[", "]", "{", "}",
}

// continues lists the operators after which a line end does not end a statement.
var continues = set("^", "&", "|", "+", "-", "*", "/", "%", "<", ">", "<<<", ">>>", "<<", ">>",
	"==", "!=", "<=", ">=", "=", "?", ":", ",", "~", "->", "..",
	"<<<=", ">>>=", "<<=", ">>=", "^=", "&=", "|=", "+=", "-=")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// lexer cuts a text into tokens. depth counts open ( and [, in which line ends are blanks.
type lexer struct {
	src       string
	file      string
	off, line int
	bol       int // offset of the beginning of the line
	depth     int
	toks      []token
}

// lex returns the tokens of src, the last one tokEOF. It panics with *Error.
func lex(file, src string) []token {
	l := &lexer{src: src, file: file, line: 1, toks: make([]token, 0, len(src)/3+16)}
	for l.off < len(l.src) {
		l.next()
	}
	l.emit(tokEOF, "")
	return l.toks
}

func (l *lexer) pos() Pos { return Pos{l.file, l.line, l.off - l.bol + 1} }

// emit appends a token that begins here and moves past its text.
func (l *lexer) emit(k tokKind, text string) {
	l.toks = append(l.toks, token{kind: k, text: text, pos: l.pos()})
	l.off += len(text)
}

func (l *lexer) next() {
	c := l.src[l.off]
	switch {
	case c == '\n':
		l.newline()
	case c == ' ' || c == '\t' || c == '\r':
		l.off++
	case c == '#':
		for l.off < len(l.src) && l.src[l.off] != '\n' {
			l.off++
		}
	case c == ';':
		l.emit(tokEnd, ";")
	case isLetter(c):
		l.name()
	case isDigit(c):
		l.number()
	case c == '"':
		l.str()
	default:
		l.operator()
	}
}

func (l *lexer) name() {
	name := l.run(isNameByte)
	if len(name) > maxName {
		fail(l.pos(), "", "a name of %d bytes: it has at most %d", len(name), maxName)
	}
	l.emit(tokName, name)
}

func (l *lexer) newline() {
	if l.depth == 0 && !l.continued() {
		l.emit(tokEnd, "\n")
	} else {
		l.off++
	}
	l.line++
	l.bol = l.off
}

// continued reports whether the line goes on because of its last token.
func (l *lexer) continued() bool {
	if len(l.toks) == 0 {
		return true
	}
	last := l.toks[len(l.toks)-1]
	return last.kind == tokEnd || last.kind == tokOp && continues[last.text]
}

func (l *lexer) operator() {
	for _, op := range operators {
		if !strings.HasPrefix(l.src[l.off:], op) {
			continue
		}
		switch op {
		case "(", "[":
			l.depth++
		case ")", "]":
			l.depth = max(l.depth-1, 0)
		case "{", "}": // a brace inside an open bracket is a mistake; recover the lines
			l.depth = 0
		}
		l.emit(tokOp, op)
		return
	}
	r := []rune(l.src[l.off:min(len(l.src), l.off+4)])[0]
	fail(l.pos(), "", "unexpected character %q", r)
}

func (l *lexer) run(in func(byte) bool) string {
	end := l.off
	for end < len(l.src) && in(l.src[end]) {
		end++
	}
	return l.src[l.off:end]
}

func (l *lexer) str() {
	rest := l.src[l.off+1:]
	end := strings.IndexAny(rest, "\"\n")
	if end < 0 || rest[end] == '\n' {
		fail(l.pos(), "close it with \" on the same line", "unfinished string")
	}
	if end > maxString {
		fail(l.pos(), "", "a string of %d bytes: it has at most %d", end, maxString)
	}
	l.toks = append(l.toks, token{kind: tokString, text: rest[:end], pos: l.pos()})
	l.off += end + 2
}

func (l *lexer) number() {
	text := l.run(isNameByte)
	val, problem := parseInt(text)
	if problem != "" {
		fail(l.pos(), "write decimal, 0x.. or 0b.. with _ between digits", "%s: %s", problem, input.Clip(text))
	}
	l.emit(tokInt, text)
	l.toks[len(l.toks)-1].val = val
}

// parseInt reads a literal of up to 128 bits. problem is empty if it is well formed.
func parseInt(text string) (val Word, problem string) {
	base, digits := uint64(10), text
	switch {
	case strings.HasPrefix(text, "0x"):
		base, digits = 16, text[2:]
	case strings.HasPrefix(text, "0b"):
		base, digits = 2, text[2:]
	}
	if digits == "" || digits[0] == '_' || digits[len(digits)-1] == '_' || strings.Contains(digits, "__") {
		return Word{}, "malformed number"
	}
	for _, c := range []byte(strings.ReplaceAll(digits, "_", "")) {
		d := digitValue(c)
		if d >= base {
			return Word{}, "malformed number"
		}
		var over bool
		if val, over = mulAdd(val, base, d); over {
			return Word{}, "number of more than 128 bits"
		}
	}
	return val, ""
}

// mulAdd returns w*m + a and whether that exceeds 128 bits.
func mulAdd(w Word, m, a uint64) (Word, bool) {
	h, lo := bits.Mul64(w.Lo, m)
	hh, hl := bits.Mul64(w.Hi, m)
	lo, c := bits.Add64(lo, a, 0)
	hi, c := bits.Add64(h, hl, c)
	return Word{Lo: lo, Hi: hi}, hh != 0 || c != 0
}

func digitValue(c byte) uint64 {
	switch {
	case isDigit(c):
		return uint64(c - '0')
	case c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return uint64(c-'A') + 10
	}
	return 99
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) }
