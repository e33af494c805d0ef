package t32

import (
	"fmt"
	"strings"
)

// conditional executes one branch of .if, .ifdef, .ifndef, .ifc, .ifnc, .ifb, .ifnb.
func (p *parser) conditional(name, text string, body []statement, depth int) error {
	yes, err := p.condition(name, text)
	if err != nil {
		return err
	}
	for {
		n := elseAt(body)
		branch := body
		if n >= 0 {
			branch = body[:n]
		}
		switch {
		case yes:
			return p.nested(branch, depth)
		case n < 0:
			return nil
		}
		m := mnemonicSplit.FindStringSubmatch(body[n].text)
		yes = true
		if strings.ToLower(m[1]) == ".elseif" {
			if yes, err = p.condition(".if", m[2]); err != nil {
				return err
			}
		}
		body = body[n+1:]
	}
}

// elseAt finds .else or .elseif of this level, or gives -1.
func elseAt(list []statement) int {
	depth := 0
	for i, s := range list {
		word := strings.ToLower(strings.Fields(s.text)[0])
		switch {
		case opens(s.text) == ".endif":
			depth++
		case word == ".endif":
			depth--
		case depth == 0 && (word == ".else" || word == ".elseif"):
			return i
		}
	}
	return -1
}

// condition evaluates the condition of an .if.
func (p *parser) condition(name, text string) (bool, error) {
	text = strings.TrimSpace(text)
	a, b, _ := strings.Cut(text, ",")
	same := strings.TrimSpace(a) == strings.TrimSpace(b)
	_, defined := p.consts[text]
	switch name {
	case ".ifdef":
		return defined, nil
	case ".ifndef", ".ifnotdef":
		return !defined, nil
	case ".ifc":
		return same, nil
	case ".ifnc":
		return !same, nil
	case ".ifb":
		return text == "", nil
	case ".ifnb":
		return text != "", nil
	}
	return p.compare(name, text)
}

// comparisons are the operators of .if, longest first, and the names of .ifeq and so on.
var comparisons = []struct {
	op, name string
	holds    func(a, b int64) bool
}{
	{"==", ".ifeq", func(a, b int64) bool { return a == b }},
	{"!=", ".ifne", func(a, b int64) bool { return a != b }},
	{">=", ".ifge", func(a, b int64) bool { return a >= b }},
	{"<=", ".ifle", func(a, b int64) bool { return a <= b }},
	{">", ".ifgt", func(a, b int64) bool { return a > b }},
	{"<", ".iflt", func(a, b int64) bool { return a < b }},
}

func (p *parser) compare(name, text string) (bool, error) {
	for _, c := range comparisons {
		left, right, ok := strings.Cut(text, c.op)
		switch {
		case name == c.name:
			right = "0"
		case name != ".if":
			continue
		case !ok || strings.HasSuffix(left, c.op) || strings.HasPrefix(right, c.op):
			continue
		}
		if name == c.name {
			left = text
		}
		a, err := p.constant(left)
		if err != nil {
			return false, err
		}
		b, err := p.constant(right)
		return c.holds(a, b), err
	}
	if name != ".if" {
		return false, fmt.Errorf("directive %s is not supported", name)
	}
	n, err := p.constant(text)
	return n != 0, err
}
