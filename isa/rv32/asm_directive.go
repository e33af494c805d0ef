package rv32

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// directives are the assembler directives that have an effect here.
var directives = map[string]func(p *parser, args []string) error{
	".text":    func(p *parser, _ []string) error { return p.section([]string{".text"}) },
	".rodata":  func(p *parser, _ []string) error { return p.section([]string{".rodata"}) },
	".section": (*parser).section,
	".option":  (*parser).option,
	".equ":     (*parser).equ,
	".set":     (*parser).equ,
	".align":   (*parser).p2align,
	".p2align": (*parser).p2align,
	".balign":  (*parser).balign,
	".byte":    func(p *parser, a []string) error { return p.data(1, a) },
	".half":    func(p *parser, a []string) error { return p.data(2, a) },
	".short":   func(p *parser, a []string) error { return p.data(2, a) },
	".2byte":   func(p *parser, a []string) error { return p.data(2, a) },
	".hword":   func(p *parser, a []string) error { return p.data(2, a) },
	".word":    func(p *parser, a []string) error { return p.data(4, a) },
	".long":    func(p *parser, a []string) error { return p.data(4, a) },
	".4byte":   func(p *parser, a []string) error { return p.data(4, a) },
	".dword":   func(p *parser, a []string) error { return p.data(8, a) },
	".quad":    func(p *parser, a []string) error { return p.data(8, a) },
	".8byte":   func(p *parser, a []string) error { return p.data(8, a) },
	".zero":    (*parser).space,
	".space":   (*parser).space,
	".skip":    (*parser).space,
	".ascii":   func(p *parser, a []string) error { return p.text8(a, "") },
	".asciz":   func(p *parser, a []string) error { return p.text8(a, "\x00") },
	".string":  func(p *parser, a []string) error { return p.text8(a, "\x00") },
}

// ignored are directives that change no bytes; blockStarts has read two of them.
var ignored = map[string]bool{
	".global": true, ".globl": true, ".type": true, ".size": true, ".local": true,
	".file": true, ".ident": true, ".attribute": true, ".loc": true,
}

func (p *parser) directive(word, args string) error {
	if ignored[word] || strings.HasPrefix(word, ".cfi_") {
		return nil
	}
	f := directives[word]
	if f == nil {
		return fmt.Errorf("directive %s is not understood; assemble the file with the GNU tools and run the ELF", word)
	}
	return withWord(word, f(p, splitOperands(args)))
}

func (p *parser) section(args []string) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	switch {
	case name == ".text" || strings.HasPrefix(name, ".text."):
		p.sec = &p.text
	case name == ".rodata" || strings.HasPrefix(name, ".rodata."):
		p.sec = &p.rodata
		p.rodata.data = true
	case strings.HasPrefix(name, ".note.") || strings.HasPrefix(name, ".debug"):
		p.sec = &section{data: true}
	default:
		return fmt.Errorf("section %q is not .text or .rodata; for writable data assemble with the GNU tools and run the ELF", name)
	}
	return nil
}

func (p *parser) option(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("one option is expected")
	}
	switch args[0] {
	case "rvc", "norvc":
		p.opts.rvc = args[0] == "rvc"
	case "push":
		p.saved = append(p.saved, p.opts)
	case "pop":
		if len(p.saved) == 0 {
			return fmt.Errorf("pop without push")
		}
		p.opts = p.saved[len(p.saved)-1]
		p.saved = p.saved[:len(p.saved)-1]
	case "relax", "norelax", "pic", "nopic":
	default:
		return fmt.Errorf("unknown option %q", args[0])
	}
	return nil
}

func (p *parser) equ(args []string) error {
	if len(args) != 2 || !isSymbol(args[0]) {
		return fmt.Errorf("a name and a value are expected")
	}
	if offset, here := strings.CutPrefix(args[1], "."); here {
		return p.anchor(args[0], offset)
	}
	return p.set(args[0], args[1])
}

// anchor puts a label here: compilers write .set .LANCHOR0,. + 0 before the data of a section.
func (p *parser) anchor(name, offset string) error {
	v, err := p.eval("0" + offset)
	if err == nil && v != 0 {
		err = fmt.Errorf("%s can only be set to the place where it stands", name)
	}
	p.label(name)
	return err
}

func (p *parser) set(name, value string) error {
	v, err := p.eval(value)
	p.consts[name] = v
	return err
}

// maxAlign bounds alignments, maxSpace the bytes of all .zero in a file, against slips of the pen.
const (
	maxAlign = 1 << 12
	maxSpace = 1 << 24
)

func (p *parser) p2align(args []string) error {
	v, err := p.first(args, 12)
	if err != nil {
		return err
	}
	return p.align(1 << v)
}

func (p *parser) balign(args []string) error {
	v, err := p.first(args, maxAlign)
	if err != nil {
		return err
	}
	if v != 0 && bits.OnesCount64(uint64(v)) != 1 {
		return fmt.Errorf("%d is no power of two", v)
	}
	return p.align(int(v))
}

func (p *parser) align(n int) error {
	if n > 1 {
		p.sec.align(n, p.line)
	}
	return nil
}

// first evaluates the first argument, which must be in 0..limit. A second may be 0, the fill value.
func (p *parser) first(args []string, limit int64) (int64, error) {
	if len(args) == 0 || len(args) > 2 {
		return 0, fmt.Errorf("a number is expected")
	}
	v, err := p.eval(args[0])
	if err == nil && (v < 0 || v > limit) {
		err = fmt.Errorf("%d is outside 0..%d", v, limit)
	}
	if err == nil && len(args) == 2 && args[1] != "0" {
		err = fmt.Errorf("a fill value other than 0 is not understood")
	}
	return v, err
}

// data adds integers of n bytes.
func (p *parser) data(n int, args []string) error {
	for _, a := range args {
		v, err := p.eval(a)
		if err != nil {
			return err
		}
		if n < 8 && (v < -1<<(8*n-1) || v >= 1<<(8*n)) {
			return fmt.Errorf("%s does not fit %d bytes", a, n)
		}
		p.sec.bytes(binary.LittleEndian.AppendUint64(nil, uint64(v))[:n], p.line)
	}
	return nil
}

func (p *parser) space(args []string) error {
	v, err := p.first(args, maxSpace-p.spaced)
	if err == nil && v > 0 {
		p.spaced += v
		p.sec.bytes(make([]byte, v), p.line)
	}
	return err
}

// text8 adds strings, each with end behind it.
func (p *parser) text8(args []string, end string) error {
	for _, a := range args {
		s, err := strconv.Unquote(a)
		if err != nil || !strings.HasPrefix(a, `"`) {
			return fmt.Errorf("%s is no string in double quotes", a)
		}
		if s += end; s != "" {
			p.sec.bytes([]byte(s), p.line)
		}
	}
	return nil
}
