package rv32

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// eval computes a constant expression with the operators and priorities of the GNU assembler:
// * / % << >> bind tightest, then | & ^, then + and -.
func (p *parser) eval(text string) (int64, error) {
	e := &expr{text: text, consts: p.consts}
	v, err := e.binary(0)
	if err == nil && e.peek() != "" {
		err = fmt.Errorf("unexpected %q", e.peek())
	}
	if err != nil {
		return 0, fmt.Errorf("expression %q: %w", text, err)
	}
	return v, nil
}

// expr is a recursive-descent evaluator over text from pos.
type expr struct {
	text   string
	pos    int
	depth  int
	consts map[string]int64
}

// maxDepth bounds nested parentheses and signs, against stack overflow by hostile text.
const maxDepth = 100

// priorities of the binary operators; 0 binds least.
var priorities = map[string]int{
	"+": 0, "-": 0, "|": 1, "&": 1, "^": 1, "*": 2, "/": 2, "%": 2, "<<": 2, ">>": 2,
}

// peek returns the next token, "" at the end.
func (e *expr) peek() string {
	s := strings.TrimLeft(e.text[e.pos:], " \t")
	e.pos = len(e.text) - len(s)
	n := 0
	for n < len(s) && (isSymbol("_"+s[n:n+1]) || s[n] >= 0x80) {
		n++
	}
	switch {
	case n > 0:
		return s[:n]
	case strings.HasPrefix(s, "<<"), strings.HasPrefix(s, ">>"):
		return s[:2]
	case s == "":
		return ""
	}
	return s[:1]
}

func (e *expr) next() string {
	t := e.peek()
	e.pos += len(t)
	return t
}

func (e *expr) binary(priority int) (int64, error) {
	if priority > 2 {
		return e.unary()
	}
	v, err := e.binary(priority + 1)
	for err == nil {
		op := e.peek()
		if pr, ok := priorities[op]; !ok || pr != priority {
			break
		}
		e.next()
		var w int64
		if w, err = e.binary(priority + 1); err == nil {
			v, err = apply(op, v, w)
		}
	}
	return v, err
}

func apply(op string, v, w int64) (int64, error) {
	switch op {
	case "+":
		return v + w, nil
	case "-":
		return v - w, nil
	case "|":
		return v | w, nil
	case "&":
		return v & w, nil
	case "^":
		return v ^ w, nil
	case "*":
		return v * w, nil
	case "<<":
		return v << (uint64(w) & 63), nil
	case ">>":
		return int64(uint64(v) >> (uint64(w) & 63)), nil
	}
	if w == 0 {
		return 0, errors.New("division by zero")
	}
	if op == "/" {
		return v / w, nil
	}
	return v % w, nil
}

func (e *expr) unary() (int64, error) {
	if e.depth++; e.depth > maxDepth {
		return 0, errors.New("nested too deeply")
	}
	defer func() { e.depth-- }()
	switch t := e.next(); t {
	case "":
		return 0, errors.New("a number is missing")
	case "-":
		v, err := e.unary()
		return -v, err
	case "+":
		return e.unary()
	case "~":
		v, err := e.unary()
		return ^v, err
	case "(":
		v, err := e.binary(0)
		if err == nil && e.next() != ")" {
			err = errors.New("missing )")
		}
		return v, err
	default:
		return e.value(t)
	}
}

// value reads a number or the name of a constant.
func (e *expr) value(t string) (int64, error) {
	if v, ok := e.consts[t]; ok {
		return v, nil
	}
	if u, err := strconv.ParseUint(t, 0, 64); err == nil && !strings.Contains(t, "_") {
		return int64(u), nil
	}
	if isSymbol(t) {
		return 0, fmt.Errorf("%s is not a constant", t)
	}
	return 0, fmt.Errorf("%q is no number", t)
}
