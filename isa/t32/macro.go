package t32

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// macro is the body between .macro and .endm.
type macro struct {
	params []param
	body   []statement
}

type param struct {
	name  string
	value string // if the use gives none
	must  bool   // ":req"
	rest  bool   // ":vararg"
}

// Bounds on what a text can make of itself.
const (
	maxExpanded = 200_000 // statements, a long one counting more
	maxNesting  = 32
)

// bodies are the directives that begin a body, with the one that ends it.
var bodies = map[string]string{".macro": ".endm", ".rept": ".endr", ".irp": ".endr", ".if": ".endif"}

// opens gives the directive that ends the body that the statement begins, "" if it begins none.
func opens(text string) string {
	word, _, _ := strings.Cut(text, " ")
	word, _, _ = strings.Cut(word, "\t")
	word = strings.ToLower(word)
	if strings.HasPrefix(word, ".if") {
		return ".endif"
	}
	return bodies[word]
}

// statements executes a list. Errors name the line.
func (p *parser) statements(list []statement, depth int) error {
	for i := 0; i < len(list); i++ {
		s := list[i]
		p.line = s.line
		var err error
		if end := opens(s.text); end != "" {
			n := bodyLength(list[i+1:], end)
			if n < 0 {
				err = fmt.Errorf("%s without %s", s.text, end)
			} else {
				err = p.body(s, list[i+1:i+1+n], depth)
				i += n + 1
			}
		} else {
			err = p.single(s, depth)
		}
		if err != nil {
			return p.located(err)
		}
	}
	return nil
}

// located puts file and line before an error that has none yet.
func (p *parser) located(err error) error {
	if strings.HasPrefix(err.Error(), p.file+":") {
		return err
	}
	return fmt.Errorf("%s:%d: %w", p.file, p.line, err)
}

// bodyLength is the number of statements before the matching end, or -1.
func bodyLength(list []statement, end string) int {
	depth := 0
	for i, s := range list {
		word := strings.ToLower(strings.Fields(s.text)[0])
		switch {
		case opens(s.text) == end:
			depth++
		case word == end || word == ".endmacro" && end == ".endm":
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// single executes a statement that has no body.
func (p *parser) single(s statement, depth int) error {
	m := mnemonicSplit.FindStringSubmatch(s.text)
	if p.sec == nil {
		// Only a directive that changes the section counts.
		switch m[1] {
		case ".text", ".data", ".rodata", ".section":
			return p.statement(s.text)
		}
		return nil
	}
	if mac := p.macros[m[1]]; mac != nil {
		body, err := p.use(m[1], mac, m[2])
		if err != nil {
			return err
		}
		return p.repeat(body, depth)
	}
	return p.statement(s.text)
}

// repeat executes statements that the text makes of itself.
func (p *parser) repeat(list []statement, depth int) error {
	for _, s := range list {
		p.expanded += 1 + len(s.text)/64
	}
	if p.expanded > maxExpanded {
		return fmt.Errorf("macros and repetitions make more than %d statements", maxExpanded)
	}
	return p.nested(list, depth)
}

// nested executes what stands inside a macro, a repetition or a condition.
func (p *parser) nested(list []statement, depth int) error {
	if depth == maxNesting {
		return fmt.Errorf("macros and conditions nested deeper than %d", maxNesting)
	}
	return p.statements(list, depth+1)
}

// body executes a directive with its body.
func (p *parser) body(s statement, list []statement, depth int) error {
	m := mnemonicSplit.FindStringSubmatch(s.text)
	switch name := strings.ToLower(m[1]); name {
	case ".macro":
		return p.define(m[2], list)
	case ".rept":
		n, err := p.constant(m[2])
		for ; err == nil && n > 0; n-- {
			err = p.repeat(list, depth)
			p.expanded++
		}
		return err
	case ".irp":
		return p.irp(m[2], list, depth)
	default:
		return p.conditional(name, m[2], list, depth)
	}
}

var paramPattern = regexp.MustCompile(`^([A-Za-z_.$][A-Za-z0-9_.$]*)(?::(req|vararg))?(?:\s*=\s*(.*))?$`)

func (p *parser) define(head string, body []statement) error {
	name, rest, _ := strings.Cut(strings.Replace(head, ",", " ", 1), " ")
	mac := &macro{body: body}
	for _, f := range splitArgs(rest) {
		m := paramPattern.FindStringSubmatch(f)
		if m == nil {
			return fmt.Errorf(".macro %s: %q is no parameter", name, f)
		}
		mac.params = append(mac.params, param{m[1], m[3], m[2] == "req", m[2] == "vararg"})
	}
	p.macros[name] = mac
	return nil
}

// splitArgs splits at commas and blanks outside brackets and strings; "a = b" stays together.
func splitArgs(text string) []string {
	var list []string
	depth, start, quoted := 0, 0, false
	cut := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			list = append(list, s)
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0, c == ' ' && depth == 0 && separates(text, i):
			cut(i)
			start = i + 1
		}
	}
	cut(len(text))
	return list
}

// separates reports whether a blank stands between two words, and no operator next to it.
func separates(text string, i int) bool {
	left, right := strings.TrimSpace(text[:i]), strings.TrimSpace(text[i:])
	return left != "" && right != "" && isNameRune(rune(left[len(left)-1])) && isNameRune(rune(right[0]))
}

// use gives the body of a macro with its arguments in place.
func (p *parser) use(name string, mac *macro, text string) ([]statement, error) {
	values, err := mac.bind(splitArgs(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	values["@"] = strconv.Itoa(p.uses)
	p.uses++
	return substitute(mac.body, values)
}

// bind gives the parameters their values, by place or by name.
func (mac *macro) bind(args []string) (map[string]string, error) {
	values := map[string]string{}
	for _, a := range mac.params {
		values[a.name] = a.value
	}
	for i, arg := range args {
		if key, v, ok := mac.named(arg); ok {
			values[key] = unquoted(v)
			continue
		}
		if i >= len(mac.params) {
			return nil, fmt.Errorf("%d arguments; want %d at most", len(args), len(mac.params))
		}
		if mac.params[i].rest {
			values[mac.params[i].name] = strings.Join(args[i:], ",")
			break
		}
		values[mac.params[i].name] = unquoted(arg)
	}
	for _, a := range mac.params {
		if a.must && values[a.name] == "" {
			return nil, fmt.Errorf("no argument for %s", a.name)
		}
	}
	return values, nil
}

// unquoted removes the quotes that keep an argument together.
func unquoted(arg string) string {
	if n := len(arg); n > 1 && arg[0] == '"' && arg[n-1] == '"' {
		return arg[1 : n-1]
	}
	return arg
}

// named splits "parameter=value".
func (mac *macro) named(arg string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(arg, "=")
	key = strings.TrimSpace(key)
	ok = ok && slices.ContainsFunc(mac.params, func(a param) bool { return a.name == key })
	return key, strings.TrimSpace(value), ok
}

var reference = regexp.MustCompile(`\\(?:@|\(\)|[A-Za-z_.$][A-Za-z0-9_.$]*)`)

// maxText bounds a statement that a macro makes, in bytes.
const maxText = 1 << 16

// substitute replaces \name by its value; "\()" separates a name from what follows.
func substitute(body []statement, values map[string]string) ([]statement, error) {
	var out []statement
	for _, s := range body {
		var b strings.Builder
		at := 0
		for _, m := range reference.FindAllStringIndex(s.text, -1) {
			b.WriteString(s.text[at:m[0]])
			b.WriteString(valueOf(s.text[m[0]:m[1]], values))
			if at = m[1]; b.Len() > maxText {
				return nil, fmt.Errorf("line %d makes a statement longer than %d bytes", s.line, maxText)
			}
		}
		b.WriteString(s.text[at:])
		if text := strings.TrimSpace(b.String()); text != "" {
			out = append(out, statement{s.line, text})
		}
	}
	return out, nil
}

// valueOf gives what stands for a reference, of which the longest known beginning is the name; a name
// that is not known is left for a macro within.
func valueOf(ref string, values map[string]string) string {
	name := ref[1:]
	for n := len(name); n > 0; n-- {
		if v, ok := values[name[:n]]; ok {
			return v + name[n:]
		}
	}
	if name == "()" {
		return ""
	}
	return ref
}

// irp executes its body for each value.
func (p *parser) irp(head string, body []statement, depth int) error {
	name, rest, _ := strings.Cut(head, ",")
	for _, v := range splitArgs(rest) {
		list, err := substitute(body, map[string]string{strings.TrimSpace(name): v})
		if err != nil {
			return err
		}
		if err := p.repeat(list, depth); err != nil {
			return err
		}
	}
	return nil
}
