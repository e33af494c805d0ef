package t32

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"simrun/isa"
)

// Parse reads a file in unified syntax into blocks, choosing encodings as the GNU assembler does: the
// narrow one where it fits and the flags allow, branches and literals by distance. A block starts at
// each label that is global or a function. Sections of constants and .data follow the code, all
// read-only; notes and debugging sections are left out.
func (a Arch) Parse(file, text string) ([]*isa.Block, error) {
	p := &parser{
		file: file, consts: map[string]value{}, starts: map[string]bool{}, globals: map[string]bool{},
		functions: map[string]bool{}, numeric: map[string]int{}, regs: map[string]string{}, macros: map[string]*macro{},
	}
	p.sec = &section{name: ".text", unnamed: ".text.start"}
	p.sections = []*section{p.sec}
	lines, err := p.splitLines(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	for _, s := range lines {
		p.findStart(s.text)
	}
	if err := p.statements(lines, 0); err != nil {
		return nil, err
	}
	p.flushPools()
	if p.it != 0 {
		return nil, fmt.Errorf("%s:%d: the file ends inside an IT block", file, p.line)
	}
	if err := p.relax(); err != nil {
		return nil, err
	}
	return p.blocks(), p.addresses()
}

type parser struct {
	file      string
	line      int
	sections  []*section       // .text first
	sec       *section         // the current one
	consts    map[string]value // of .equ: numbers, and labels that another name stands for
	starts    map[string]bool  // labels that begin a block
	globals   map[string]bool
	functions map[string]bool   // labels of Thumb functions, whose address has bit 0 set
	regs      map[string]string // of .req
	macros    map[string]*macro
	expanded  int            // statements that macros and repetitions have made
	uses      int            // of macros, for "\\@"
	thumbFn   bool           // .thumb_func: the next label begins a block
	numeric   map[string]int // how often the local label "1" has been defined
	it        uint8          // ITSTATE before the next instruction
	pools     int
	choices   []choice
	fixups    []fixup
	placed    func(name string) (int64, bool) // addresses of labels, once they are known
	open      []string                        // regions of LLVM-MCA that have not ended
	unnamed   int                             // regions without a name
	here      int                             // labels made for "."
	spaces    int                             // bytes of .space so far
}

// statement is one statement and its line.
type statement struct {
	line int
	text string
}

// splitLines removes comments and splits at ends of line and semicolons outside strings.
func (p *parser) splitLines(text string) ([]statement, error) {
	var list []statement
	var b strings.Builder
	line, start := 1, 1
	flush := func() {
		if s := strings.TrimSpace(b.String()); s != "" {
			list = append(list, statement{start, s})
		}
		b.Reset()
		start = line
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			n := stringEnd(text[i:])
			if n < 0 {
				return nil, fmt.Errorf("%d: string without an end", line)
			}
			b.WriteString(text[i : i+n])
			i += n - 1
		case strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:], "*/")
			if n < 0 {
				return nil, fmt.Errorf("%d: comment without an end", line)
			}
			line += strings.Count(text[i:i+2+n], "\n")
			i += n + 3
			b.WriteByte(' ')
		case isRegionComment(text[i:]) && strings.TrimSpace(b.String()) == "":
			i += p.region(text[i:], line, &list) - 1
		case c == '@' && i > 0 && text[i-1] == '\\': // the count of a macro's uses
			b.WriteByte(c)
		case c == '@' || strings.HasPrefix(text[i:], "//") || c == '#' && strings.TrimSpace(b.String()) == "":
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == ';':
			flush()
		case c == '\n':
			flush()
			line++
			start = line
		default:
			b.WriteByte(c)
		}
	}
	flush()
	return list, nil
}

// stringEnd is the length of the quoted string that s starts with, or -1.
func stringEnd(s string) int {
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

var (
	labelPattern   = regexp.MustCompile(`^([A-Za-z0-9_.$]+)\s*:`)
	functionMark   = regexp.MustCompile(`^\.type\s+([A-Za-z0-9_.$]+)\s*,\s*[%#@]?function\b`)
	globalMark     = regexp.MustCompile(`^\.globa?l\s+(.+)$`)
	mnemonicSplit  = regexp.MustCompile(`^(\S+)\s*(.*)$`)
	assignment     = regexp.MustCompile(`^([A-Za-z_.$][A-Za-z0-9_.$]*)\s*=\s*([^=].*)$`)
	registerName   = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s+\.req\s+([A-Za-z0-9]+)$`)
	numericPattern = regexp.MustCompile(`^[0-9]+$`)
)

// findStart notes names declared global or functions, wherever in the file.
func (p *parser) findStart(s string) {
	if m := functionMark.FindStringSubmatch(s); m != nil {
		p.starts[m[1]], p.functions[m[1]] = true, true
	}
	if m := globalMark.FindStringSubmatch(s); m != nil {
		for _, name := range strings.Split(m[1], ",") {
			name = strings.TrimSpace(name)
			p.starts[name], p.globals[name] = true, true
		}
	}
}

func (p *parser) statement(s string) error {
	for {
		m := labelPattern.FindStringSubmatch(s)
		if m == nil {
			break
		}
		if err := p.label(m[1]); err != nil {
			return err
		}
		s = strings.TrimSpace(s[len(m[0]):])
	}
	if s == "" {
		return nil
	}
	if m := assignment.FindStringSubmatch(s); m != nil {
		return p.assign(m[1], m[2])
	}
	if m := registerName.FindStringSubmatch(s); m != nil {
		return p.nameRegister(m[1], m[2])
	}
	m := mnemonicSplit.FindStringSubmatch(s)
	if strings.HasPrefix(m[1], ".") {
		return p.directive(strings.ToLower(m[1]), m[2])
	}
	return p.instruction(strings.ToLower(m[1]), p.renamed(m[2]))
}

func (p *parser) label(name string) error {
	if numericPattern.MatchString(name) {
		p.numeric[name]++
		p.item(isa.Item{Label: localName(name, p.numeric[name])})
		return nil
	}
	if name[0] >= '0' && name[0] <= '9' {
		return fmt.Errorf("%q is no label", name)
	}
	if p.thumbFn || p.starts[name] {
		p.functions[name] = p.functions[name] || p.thumbFn
		p.thumbFn = false
		p.begin(name)
		return nil
	}
	p.item(isa.Item{Label: name})
	return nil
}

// begin starts a block. An alignment just before it is also the block's.
func (p *parser) begin(name string) {
	b := &isa.Block{Name: name}
	if n := len(p.sec.blocks); n > 0 {
		items := p.sec.blocks[n-1].Items
		if k := len(items); k > 0 {
			b.Align = items[k-1].Align
		}
	} else {
		b.Align = p.sec.align
	}
	p.sec.blocks = append(p.sec.blocks, b)
}

// localName is the symbol of the k-th definition of a numeric label.
func localName(digits string, k int) string { return ".L" + digits + "_" + strconv.Itoa(k) }

// numericLabel resolves "1b" and "1f".
func (p *parser) numericLabel(word string) (string, bool) {
	digits, dir := word[:len(word)-1], word[len(word)-1]
	if !numericPattern.MatchString(digits) || dir != 'b' && dir != 'f' {
		return "", false
	}
	k := p.numeric[digits]
	if dir == 'f' {
		k++
	}
	return localName(digits, k), k > 0
}

// item appends to the current block, making one where code precedes every label.
func (p *parser) item(it isa.Item) {
	if len(p.sec.blocks) == 0 {
		p.begin(p.sec.unnamed)
	}
	it.Line = p.line
	b := p.sec.blocks[len(p.sec.blocks)-1]
	b.Items = append(b.Items, it)
}
