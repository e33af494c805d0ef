package rv32

import (
	"fmt"
	"strconv"
	"strings"

	"simrun/isa"
)

// Parse reads a file in GNU syntax. It starts with the compressed forms allowed, as the GNU
// assembler does for rv32imac; .option rvc, norvc, push and pop are obeyed. Aliases, li, la,
// lla, call and tail are expanded, branches out of reach are inverted around a jump. Read-only
// data sections follow the text. Macros and writable sections are refused by name.
func (Arch) Parse(file, text string) ([]*isa.Block, error) {
	p := &parser{
		opts: options{rvc: true}, consts: map[string]int64{},
		starts: blockStarts(text), seen: map[string]int{},
	}
	p.sec = &p.text
	for i, line := range splitLines(text) {
		p.line = i + 1
		for _, st := range splitStatements(line) {
			if err := p.statement(st); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, p.line, err)
			}
		}
	}
	for _, f := range p.forward {
		if p.seen[f.number] < f.count {
			return nil, fmt.Errorf("%s:%d: %sf: no label %s: follows", file, f.line, f.number, f.number)
		}
	}
	blocks, err := p.text.blocks()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	data, err := p.rodata.blocks()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return append(blocks, data...), nil
}

// parser is the state of one Parse.
type parser struct {
	line         int
	opts         options
	saved        []options // .option push
	consts       map[string]int64
	starts       map[string]bool // labels that start a block
	seen         map[string]int  // definitions of each numeric label so far
	forward      []forwardRef
	unique       int   // made-up labels so far
	spaced       int64 // bytes of .zero so far
	exact        bool  // the instruction being read is not compressed, see uncompressed
	text, rodata section
	sec          *section
}

type options struct{ rvc bool }

// forwardRef is a use of a numeric label such as 1f: it needs count definitions.
type forwardRef struct {
	number string
	count  int
	line   int
}

// statement reads labels and then a directive or an instruction.
func (p *parser) statement(st string) error {
	for {
		name, rest, ok := cutLabel(st)
		if !ok {
			break
		}
		p.label(name)
		st = rest
	}
	if st == "" {
		return nil
	}
	word, args := cutWord(st)
	if name, value, ok := strings.Cut(st, "="); ok && isSymbol(strings.TrimSpace(name)) {
		return p.set(strings.TrimSpace(name), value)
	}
	if word[0] == '.' {
		return p.directive(word, args)
	}
	return p.instruction(strings.ToLower(word), splitOperands(args))
}

func (p *parser) label(name string) {
	if isNumber(name) {
		p.seen[name]++
		name = numericLabel(name, p.seen[name])
	}
	p.sec.label(name, p.starts[name], p.line)
}

// numericLabel names the n-th definition of label 1: so that no program's own label is like it.
func numericLabel(number string, n int) string { return fmt.Sprintf(".L%s.%d", number, n) }

// makeLabel puts a new label here.
func (p *parser) makeLabel(stem string) string {
	p.unique++
	name := fmt.Sprintf(".L%s.%d", stem, p.unique)
	p.sec.label(name, false, p.line)
	return name
}

// symbol resolves the forms 1b, 1f and "." of a label expression.
func (p *parser) symbol(text string) (string, error) {
	name, tail := text, ""
	if i := strings.IndexAny(text, "+-"); i > 0 {
		v, err := p.eval(text[i:])
		if err != nil {
			return "", err
		}
		name, tail = strings.TrimSpace(text[:i]), fmt.Sprintf("%+d", v)
	}
	switch number := name[:max(len(name)-1, 0)]; {
	case name == ".":
		name = p.makeLabel("here")
	case isNumber(number) && strings.HasSuffix(name, "b"):
		if p.seen[number] == 0 {
			return "", fmt.Errorf("%s: no label %s: precedes", name, number)
		}
		name = numericLabel(number, p.seen[number])
	case isNumber(number) && strings.HasSuffix(name, "f"):
		n := p.seen[number] + 1
		p.forward = append(p.forward, forwardRef{number, n, p.line})
		name = numericLabel(number, n)
	case !isSymbol(name):
		return "", fmt.Errorf("%q is no label", name)
	}
	return name + tail, nil
}

// emit adds an instruction as the options in force ask.
func (p *parser) emit(in isa.Inst) {
	p.sec.inst(in, p.opts.rvc && !p.exact, p.line)
}

// blockStarts finds the names that the file declares global or a function anywhere.
func blockStarts(text string) map[string]bool {
	starts := map[string]bool{}
	for _, line := range splitLines(text) {
		for _, st := range splitStatements(line) {
			word, args := cutWord(st)
			names := splitOperands(args)
			switch word {
			case ".global", ".globl":
				for _, n := range names {
					starts[n] = true
				}
			case ".type":
				if len(names) == 2 && strings.HasSuffix(names[1], "function") {
					starts[names[0]] = true
				}
			}
		}
	}
	return starts
}

// splitLines cuts the text into lines, comments of /* */ blanked out.
func splitLines(text string) []string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "/*")
		b.WriteString(before)
		if !found {
			break
		}
		comment, after, _ := strings.Cut(rest, "*/")
		b.WriteString(" " + strings.Repeat("\n", strings.Count(comment, "\n")))
		text = after
	}
	return strings.Split(b.String(), "\n")
}

// splitStatements drops the comment of a line and cuts it at ";". Both may stand in strings.
func splitStatements(line string) []string {
	var out []string
	start, quoted := 0, false
	end := len(line)
scan:
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ';':
			out = append(out, strings.TrimSpace(line[start:i]))
			start = i + 1
		case c == '#', strings.HasPrefix(line[i:], "//"):
			end = i
			break scan
		}
	}
	return append(out, strings.TrimSpace(line[start:end]))
}

// splitOperands cuts at commas outside strings.
func splitOperands(args string) []string {
	if strings.TrimSpace(args) == "" {
		return nil
	}
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(args); i++ {
		switch c := args[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			out = append(out, strings.TrimSpace(args[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(args[start:]))
}

// cutLabel splits "name: rest".
func cutLabel(st string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(st, ":")
	name = strings.TrimSpace(name)
	if !ok || !isSymbol(name) && !isNumber(name) {
		return "", "", false
	}
	return name, strings.TrimSpace(rest), true
}

// cutWord splits the first word off.
func cutWord(st string) (word, rest string) {
	if i := strings.IndexAny(st, " \t"); i >= 0 {
		return st[:i], strings.TrimSpace(st[i:])
	}
	return st, ""
}

func isSymbol(s string) bool {
	for i, c := range s {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '.', c == '$':
		case i > 0 && c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return s != "" && s != "."
}

// isNumber reports whether s is the decimal number of a numeric label.
func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 31)
	return err == nil
}
