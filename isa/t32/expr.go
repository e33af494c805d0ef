package t32

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// errLabel marks errors about labels where only constants will do before code is placed.
var errLabel = errors.New("")

// value is what an expression means: a number, or a label plus a number.
type value struct {
	n   int64
	sym string
}

// expression evaluates text without blanks. Names are constants of .equ, else labels; to
// a label a constant can be added. Precedence as in the GNU assembler: * / % << >>, then | & ^, then + -.
func (p *parser) expression(text string) (value, error) {
	x := exprReader{p: p, rest: text}
	v, err := x.binary(0)
	if err == nil && x.rest != "" {
		err = fmt.Errorf("%q does not belong to the expression %q", x.rest, text)
	}
	return v, err
}

type exprReader struct {
	p     *parser
	rest  string
	depth int
}

var exprLevels = [3][]string{{"+", "-"}, {"|", "&", "^"}, {"*", "/", "%", "<<", ">>"}}

func (x *exprReader) binary(level int) (value, error) {
	if level == len(exprLevels) {
		return x.unary()
	}
	left, err := x.binary(level + 1)
	for err == nil {
		op := ""
		for _, o := range exprLevels[level] {
			if strings.HasPrefix(x.rest, o) {
				op = o
			}
		}
		if op == "" {
			return left, nil
		}
		x.rest = x.rest[len(op):]
		var right value
		if right, err = x.binary(level + 1); err != nil {
			break
		}
		switch {
		case left.sym != "" && right.sym == "" && level == 0, right.sym != "" && left.sym == "" && op == "+":
			left.sym += right.sym
		case left.sym != "" || right.sym != "":
			return left, fmt.Errorf("arithmetic on the label %s; want a constant%w", left.sym+right.sym, errLabel)
		}
		left.n, err = apply(op, left.n, right.n)
	}
	return left, err
}

func apply(op string, a, b int64) (int64, error) {
	switch op {
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "|":
		return a | b, nil
	case "&":
		return a & b, nil
	case "^":
		return a ^ b, nil
	case "*":
		return a * b, nil
	case "<<":
		return a << (uint64(b) & 63), nil
	case ">>":
		return int64(uint64(a) >> (uint64(b) & 63)), nil
	}
	if b == 0 {
		return 0, fmt.Errorf("division by zero")
	}
	if op == "/" {
		return a / b, nil
	}
	return a % b, nil
}

// maxDepth bounds nesting, so that no text exhausts the stack.
const maxDepth = 64

func (x *exprReader) unary() (value, error) {
	if x.depth++; x.depth > maxDepth {
		return value{}, fmt.Errorf("expression nested deeper than %d", maxDepth)
	}
	defer func() { x.depth-- }()
	if x.rest == "" {
		return value{}, fmt.Errorf("expression expected")
	}
	switch c := x.rest[0]; c {
	case '-', '~', '+':
		x.rest = x.rest[1:]
		v, err := x.unary()
		switch {
		case err == nil && v.sym != "":
			err = fmt.Errorf("arithmetic on the label %s; want a constant%w", v.sym, errLabel)
		case c == '-':
			v.n = -v.n
		case c == '~':
			v.n = ^v.n
		}
		return v, err
	case '(':
		x.rest = x.rest[1:]
		v, err := x.binary(0)
		if err == nil && !strings.HasPrefix(x.rest, ")") {
			return v, fmt.Errorf("missing )")
		}
		x.rest = strings.TrimPrefix(x.rest, ")")
		return v, err
	}
	return x.atom()
}

func (x *exprReader) atom() (value, error) {
	n := strings.IndexFunc(x.rest, func(r rune) bool { return !isNameRune(r) })
	if n < 0 {
		n = len(x.rest)
	}
	word := x.rest[:n]
	if word == "" {
		return value{}, fmt.Errorf("%q is no expression", x.rest)
	}
	x.rest = x.rest[n:]
	if word[0] >= '0' && word[0] <= '9' {
		if v, err := strconv.ParseUint(word, 0, 64); err == nil {
			return value{n: int64(v)}, nil
		}
		if sym, ok := x.p.numericLabel(word); ok {
			return value{sym: sym}, nil
		}
		return value{}, fmt.Errorf("%q is no number", word)
	}
	if v, ok := x.p.consts[word]; ok {
		return v, nil
	}
	if x.p.placed != nil {
		if v, ok := x.p.placed(word); ok {
			return value{n: v}, nil
		}
	}
	if _, ok := parseReg(word); ok {
		return value{}, fmt.Errorf("register %s where a value is wanted", word)
	}
	return value{sym: word}, nil
}

func isNameRune(r rune) bool {
	return r == '_' || r == '.' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
