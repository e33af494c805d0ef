package x86

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"simrun/isa"
)

// parser reads a file of the GNU assembler in Intel syntax.
//
// All sections go into one image in the order of the file, so constants of .rodata stand where the
// file has them. Sections of notes and unwind tables are skipped; writable ones are refused.
type parser struct {
	file   string
	line   int
	starts map[string]bool // labels that start a block: declared global or function
	blocks []*isa.Block
	align  int  // wanted of what comes next
	data   int  // bytes so far
	skip   bool // in a section that is not loaded
}

// Parse reads Intel syntax. An alignment in the middle of code that execution would run into
// is left out: it is a matter of speed, and the padding of this package is not executable.
func (*arch) Parse(file, text string) ([]*isa.Block, error) {
	p := &parser{file: file, starts: map[string]bool{}}
	lines := strings.Split(stripComments(text), "\n")
	for _, line := range lines {
		p.declare(line)
	}
	for i, line := range lines {
		p.line = i + 1
		for _, st := range splitOutside(line, ';') {
			if err := p.statement(strings.TrimSpace(st)); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, p.line, err)
			}
		}
	}
	return p.blocks, nil
}

// stripComments removes # and // to the end of the line and /* */, keeping line breaks. Quoted
// text is left alone.
func stripComments(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case rest[0] == '"':
			n := quoted(rest)
			b.WriteString(rest[:n])
			i += n - 1
		case rest[0] == '#', strings.HasPrefix(rest, "//"):
			i += until(rest, "\n") - 1
		case strings.HasPrefix(rest, "/*"):
			n := until(rest, "*/")
			b.WriteString(strings.Repeat("\n", strings.Count(rest[:n], "\n")))
			i += min(n+2, len(rest)) - 1
		default:
			b.WriteByte(rest[0])
		}
	}
	return b.String()
}

// quoted returns the length of the string literal at the start of s, at most to the end of the line.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}

func until(s, mark string) int {
	if n := strings.Index(s, mark); n >= 0 {
		return n
	}
	return len(s)
}

// splitOutside splits at sep outside brackets and quotes.
func splitOutside(s string, sep byte) []string {
	var parts []string
	start, depth := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i += quoted(s[i:]) - 1
		case '[':
			depth++
		case ']':
			depth--
		case sep:
			if depth == 0 {
				parts, start = append(parts, s[start:i]), i+1
			}
		}
	}
	return append(parts, s[start:])
}

// declare notes the labels that .globl and .type name.
func (p *parser) declare(line string) {
	for _, st := range splitOutside(line, ';') {
		word, rest := cutWord(st)
		names := strings.Split(rest, ",")
		switch {
		case word == ".globl" || word == ".global":
			for _, n := range names {
				p.starts[strings.TrimSpace(n)] = true
			}
		case word == ".type" && strings.HasSuffix(strings.TrimSpace(rest), "function"):
			p.starts[strings.TrimSpace(names[0])] = true
		}
	}
}

func cutWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return strings.ToLower(s[:i]), strings.TrimSpace(s[i:])
	}
	return strings.ToLower(s), ""
}

func (p *parser) statement(s string) error {
	for {
		i := strings.IndexByte(s, ':')
		if i < 0 || !isName(s[:i]) {
			break
		}
		if err := p.label(s[:i]); err != nil {
			return err
		}
		s = strings.TrimSpace(s[i+1:])
	}
	switch {
	case s == "":
		return nil
	case s[0] == '.':
		word, rest := cutWord(s)
		return p.directive(word, rest)
	case p.skip:
		return nil
	}
	in, err := parseInst(s)
	if err != nil {
		return err
	}
	return p.add(isa.Item{Inst: in})
}

func isName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for _, c := range []byte(s) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if !letter && c != '_' && c != '.' && c != '$' {
			return false
		}
	}
	return true
}

func (p *parser) label(name string) error {
	if p.skip {
		return nil
	}
	if !p.starts[name] && len(p.blocks) > 0 {
		return p.add(isa.Item{Label: name})
	}
	p.blocks = append(p.blocks, &isa.Block{Name: name, Align: p.align})
	p.align = 0
	return nil
}

// add appends to the last block, with the alignment that is due.
func (p *parser) add(it isa.Item) error {
	if len(p.blocks) == 0 {
		return fmt.Errorf("code before the first label: begin with a line such as main:")
	}
	if p.data += len(it.Data); p.data > maxProgram {
		return fmt.Errorf("more than %d bytes of data", maxProgram)
	}
	b := p.blocks[len(p.blocks)-1]
	it.Line = p.line
	if p.align != 0 && !fallsThrough(b) {
		it.Align = p.align
	}
	p.align = 0
	b.Items = append(b.Items, it)
	return nil
}

// fallsThrough reports whether execution reaches the end of b.
func fallsThrough(b *isa.Block) bool {
	for i := len(b.Items) - 1; i >= 0; i-- {
		it := &b.Items[i]
		switch {
		case it.Data != nil:
			return false
		case it.Label != "":
			return true // something may jump here, and fall through
		case it.Inst.Form != nil:
			f := it.Inst.Form.Flags
			return f&isa.Branch == 0 || f&(isa.Cond|isa.Call) != 0
		}
	}
	return false
}

// ignored directives say nothing about bytes.
var ignored = map[string]bool{
	".globl": true, ".global": true, ".type": true, ".size": true, ".file": true, ".ident": true, ".loc": true,
	".intel_syntax": true, ".hidden": true, ".local": true, ".weak": true, ".end": true, ".arch": true,
}

// dataSizes are the directives of little-endian numbers.
var dataSizes = map[string]int{
	".byte": 1, ".short": 2, ".value": 2, ".word": 2, ".2byte": 2, ".hword": 2, ".long": 4, ".int": 4, ".4byte": 4, ".quad": 8, ".8byte": 8,
}

func (p *parser) directive(word, rest string) error {
	switch {
	case ignored[word] || strings.HasPrefix(word, ".cfi_"):
		return nil
	case word == ".att_syntax":
		return fmt.Errorf("AT&T syntax is not supported: use .intel_syntax noprefix (gcc -masm=intel)")
	case word == ".text" || word == ".section" || word == ".data" || word == ".bss" || word == ".rodata":
		return p.section(word, rest)
	case p.skip:
		return nil
	case word == ".p2align" || word == ".balign" || word == ".align":
		return p.alignment(word, rest)
	case dataSizes[word] != 0:
		return p.numbers(rest, dataSizes[word])
	case word == ".zero" || word == ".skip" || word == ".space":
		n, err := parseNumber(rest)
		if err != nil || n < 0 || n > maxProgram {
			return fmt.Errorf("%s %s: want a number of bytes up to %d", word, rest, maxProgram)
		}
		return p.add(isa.Item{Data: make([]byte, n)})
	case word == ".ascii" || word == ".asciz" || word == ".string":
		return p.strings(word, rest)
	}
	return fmt.Errorf("unknown directive %s", word)
}

// section enters a section. Only the kind of its name counts.
func (p *parser) section(word, rest string) error {
	name := word
	if word == ".section" {
		name = strings.TrimSpace(strings.Split(rest, ",")[0])
	}
	within := func(prefix string) bool { return name == prefix || strings.HasPrefix(name, prefix+".") }
	switch {
	case within(".text") || within(".rodata"):
		p.skip = false
	case within(".note") || within(".comment") || within(".eh_frame") || strings.HasPrefix(name, ".debug"):
		p.skip = true
	default:
		return fmt.Errorf("section %s is not supported: only .text and .rodata are", name)
	}
	return nil
}

func (p *parser) alignment(word, rest string) error {
	n, err := parseNumber(strings.Split(rest, ",")[0])
	if word == ".p2align" {
		if err != nil || n < 0 || n > 16 {
			return fmt.Errorf("%s %s: want a power from 0 to 16", word, rest)
		}
		n = 1 << n
	}
	if err != nil {
		return err
	}
	if err := checkAlign(int(n)); err != nil {
		return err
	}
	p.align = max(p.align, int(n))
	return nil
}

func (p *parser) numbers(rest string, size int) error {
	var data []byte
	for _, word := range strings.Split(rest, ",") {
		n, err := parseNumber(word)
		if err != nil {
			return err
		}
		if size < 8 && (n < -1<<(8*size-1) || n >= 1<<(8*size)) {
			return fmt.Errorf("%s does not fit %d bytes", strings.TrimSpace(word), size)
		}
		data = append(data, binary.LittleEndian.AppendUint64(nil, uint64(n))[:size]...)
	}
	return p.add(isa.Item{Data: data})
}

func (p *parser) strings(word, rest string) error {
	var data []byte
	for _, lit := range splitOutside(rest, ',') {
		s, err := strconv.Unquote(strings.TrimSpace(lit))
		if err != nil {
			return fmt.Errorf("%s %s: want quoted text", word, rest)
		}
		data = append(data, s...)
		if word != ".ascii" {
			data = append(data, 0)
		}
	}
	return p.add(isa.Item{Data: data})
}

// parseNumber reads decimal, 0x, 0b and 0-octal numbers of 64 bits, signed or not.
func parseNumber(s string) (int64, error) {
	s = strings.TrimSpace(s)
	if v, err := strconv.ParseInt(s, 0, 64); err == nil {
		return v, nil
	}
	if v, err := strconv.ParseUint(s, 0, 64); err == nil {
		return int64(v), nil
	}
	return 0, fmt.Errorf("%q is not a number", s)
}
