package t32

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"simrun/isa"
)

// section is what a file puts into one section, with the pool of constants that waits for its end.
type section struct {
	name    string
	unnamed string // block for what precedes every label
	align   int    // of its first block
	blocks  []*isa.Block
	pool    []poolEntry
}

// constantSections are placed behind the code. What is only for a linker or a debugger is left out.
var (
	constantSections = regexp.MustCompile(`^\.(rodata|data)\b`)
	skippedSections  = regexp.MustCompile(`^\.(note|comment|debug|stab|ARM\.)`)
)

// enter makes a section the current one.
func (p *parser) enter(name string) error {
	switch {
	case strings.HasPrefix(name, ".text."):
		name = ".text"
	case name == ".text":
	case skippedSections.MatchString(name):
		p.sec = nil
		return nil
	case !constantSections.MatchString(name):
		return fmt.Errorf("section %s: want .text, .rodata or .data; "+
			"for other data assemble with the GNU tools and run the ELF", name)
	}
	for _, o := range p.sections {
		if o.name == name {
			p.sec = o
			return nil
		}
	}
	p.sec = &section{name: name, unnamed: name[1:] + ".start", align: 4}
	p.sections = append(p.sections, p.sec)
	return nil
}

// blocks are those of all sections.
func (p *parser) blocks() (list []*isa.Block) {
	for _, s := range p.sections {
		list = append(list, s.blocks...)
	}
	return list
}

func (p *parser) flushPools() {
	for _, p.sec = range p.sections {
		p.flushPool()
	}
}

// addresses sets bit 0 of the addresses of functions, and names a label that is nowhere.
func (p *parser) addresses() error {
	l := newLayout(0)
	for _, b := range p.blocks() {
		if err := l.place(b); err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
	}
	for _, b := range p.blocks() {
		for i := range b.Items {
			it := &b.Items[i]
			if it.Sym == "" {
				continue
			}
			name, addend := splitSym(it.Sym)
			if _, ok := l.labels[name]; !ok {
				return fmt.Errorf("%s:%d: no label %s", p.file, it.Line, name)
			}
			if p.functions[name] && addend&1 == 0 {
				it.Data[0] |= 1
			}
		}
	}
	return nil
}

// assign gives a name a value: a number, or a label that it stands for. A label that is defined as
// "." is one.
func (p *parser) assign(name, text string) error {
	v, err := p.expression(strip(text))
	switch {
	case err != nil:
		return err
	case v.sym == "." && v.n == 0:
		return p.label(name)
	case v.sym == ".":
		v.sym = p.hereLabel()
	}
	p.consts[name] = v
	return nil
}

// nameRegister is "name .req register".
func (p *parser) nameRegister(name, register string) error {
	_, core := parseReg(register)
	_, single := parseFloat(register, 's')
	_, double := parseFloat(register, 'd')
	if !core && !single && !double {
		return fmt.Errorf("%q is no register", register)
	}
	p.regs[name] = register
	return nil
}

var identifier = regexp.MustCompile(`[A-Za-z_.$][A-Za-z0-9_.$]*`)

// renamed replaces the names of .req.
func (p *parser) renamed(operands string) string {
	if len(p.regs) == 0 {
		return operands
	}
	return identifier.ReplaceAllStringFunc(operands, func(w string) string {
		if r, ok := p.regs[w]; ok {
			return r
		}
		return w
	})
}

// regionComment is a comment of LLVM-MCA around code of interest. The region is a symbol, and where it
// ends is another, with ".end" behind its name; a region without a name is called mca1 and so on.
var regionComment = regexp.MustCompile(`^(?:#|@|//)\s*LLVM-MCA-(BEGIN|END)\b[ \t]*([^\s]*)[^\n]*`)

func isRegionComment(s string) bool {
	return (s[0] == '#' || s[0] == '@' || s[0] == '/') && regionComment.MatchString(s)
}

// region turns the comment at the start of s into labels and returns its length.
func (p *parser) region(s string, line int, list *[]statement) int {
	m := regionComment.FindStringSubmatch(s)
	name := m[2]
	switch {
	case m[1] == "BEGIN" && name == "":
		p.unnamed++
		name = "mca" + strconv.Itoa(p.unnamed)
		fallthrough
	case m[1] == "BEGIN":
		p.open = append(p.open, name)
	case len(p.open) == 0:
		return len(m[0]) // an end without a beginning
	default:
		if name == "" {
			name = p.open[len(p.open)-1]
		}
		p.open = p.open[:len(p.open)-1]
		name += ".end"
	}
	p.starts[name] = true
	*list = append(*list, statement{line, name + ":"})
	return len(m[0])
}
