package t32

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"simrun/isa"
)

// ignored are directives that say nothing about bytes here.
var ignored = map[string]bool{
	".syntax": true, ".thumb": true, ".cpu": true, ".arch": true, ".fpu": true, ".file": true,
	".global": true, ".globl": true, ".type": true, ".size": true, ".eabi_attribute": true, ".ident": true,
	".fnstart": true, ".fnend": true, ".cantunwind": true, ".save": true, ".local": true, ".hidden": true,
	".weak": true, ".loc": true, ".code": true,
}

// dataSizes are the directives that place numbers.
var dataSizes = map[string]int{
	".byte": 1, ".hword": 2, ".short": 2, ".2byte": 2, ".word": 4, ".long": 4, ".int": 4, ".4byte": 4, ".quad": 8, ".8byte": 8,
}

func (p *parser) directive(name, rest string) error {
	if n := dataSizes[name]; n != 0 {
		return p.data(n, rest)
	}
	switch name {
	case ".thumb_func":
		p.thumbFn = true
	case ".align", ".p2align":
		return p.alignTo(rest, true)
	case ".balign":
		return p.alignTo(rest, false)
	case ".ascii", ".asciz", ".string":
		return p.text(rest, name != ".ascii")
	case ".space", ".skip", ".zero":
		return p.space(rest)
	case ".equ", ".set":
		key, v, ok := strings.Cut(rest, ",")
		if !ok {
			return fmt.Errorf("%s wants name, value", name)
		}
		return p.assign(strings.TrimSpace(key), v)
	case ".section":
		section, _, _ := strings.Cut(rest, ",")
		return p.enter(strings.TrimSpace(section))
	case ".text", ".data", ".rodata", ".bss":
		return p.enter(name)
	case ".unreq":
		delete(p.regs, strings.TrimSpace(rest))
	case ".ltorg", ".pool":
		p.flushPool()
	case ".inst", ".inst.n", ".inst.w":
		return p.inst(name, rest)
	default:
		if !ignored[name] && !strings.HasPrefix(name, ".cfi_") {
			return fmt.Errorf("directive %s is not supported", name)
		}
	}
	return nil
}

func (p *parser) constant(text string) (int64, error) {
	v, err := p.expression(strip(text))
	if err == nil && v.sym != "" {
		err = fmt.Errorf("%s is no constant%w", v.sym, errLabel)
	}
	return v.n, err
}

// strip removes blanks.
func strip(s string) string { return strings.Join(strings.Fields(s), "") }

func (p *parser) data(size int, rest string) error {
	var out []byte
	flush := func() {
		if len(out) > 0 {
			p.item(isa.Item{Data: out})
		}
		out = nil
	}
	for part := range strings.SplitSeq(rest, ",") {
		field := make([]byte, size)
		v, err := p.expression(strip(part))
		switch {
		case errors.Is(err, errLabel):
			flush()
			p.fixups = append(p.fixups, fixup{p.line, p.localNames(strip(part)), field})
			p.item(isa.Item{Data: field})
		case err != nil:
			return err
		case v.sym == "":
			putInt(field, v.n)
			out = append(out, field...)
		case size != 4:
			return fmt.Errorf("the address of %s does not fit %d bytes; want .word", v.sym, size)
		default:
			flush()
			p.item(isa.Item{Data: field, Sym: p.symbol(v)})
		}
	}
	flush()
	return nil
}

// symbol writes a label with what is added to it.
func (p *parser) symbol(v value) string {
	if v.sym == "." {
		v.sym = p.hereLabel()
	}
	if v.n == 0 {
		return v.sym
	}
	return fmt.Sprintf("%s%+d", v.sym, v.n)
}

func putInt(field []byte, n int64) {
	for i := range field {
		field[i] = byte(n >> (8 * i))
	}
}

// fixup is data computed from the distance of labels, known when all code is placed.
type fixup struct {
	line  int
	text  string
	field []byte
}

var numericLabelUse = regexp.MustCompile(`\b[0-9]+[bf]\b`)

// localNames replaces "1b" and "1f" by the labels they mean here.
func (p *parser) localNames(text string) string {
	return numericLabelUse.ReplaceAllStringFunc(text, func(w string) string {
		if sym, ok := p.numericLabel(w); ok {
			return sym
		}
		return w
	})
}

// fixData fills the fixups. A value that changes when the code moves is none of them.
func (p *parser) fixData(labels map[string]uint64) error {
	for _, f := range p.fixups {
		var n [2]int64
		for i, org := range []int64{0, 1 << 24} {
			p.placed = func(name string) (int64, bool) {
				a, ok := labels[name]
				return int64(a) + org, ok
			}
			v, err := p.expression(f.text)
			if err == nil && v.sym != "" {
				err = fmt.Errorf("no label %s", v.sym)
			}
			if err != nil {
				return fmt.Errorf("%s:%d: %w", p.file, f.line, err)
			}
			n[i] = v.n
		}
		if n[0] != n[1] {
			return fmt.Errorf("%s:%d: %s is an address; want a constant, a difference of labels, or a label and a constant", p.file, f.line, f.text)
		}
		putInt(f.field, n[0])
	}
	return nil
}

// maxFill bounds one .space or alignment, maxImage all together, so that a little text cannot ask for
// gigabytes.
const maxFill = 1 << 20

func (p *parser) space(rest string) error {
	first, fill, _ := strings.Cut(rest, ",")
	n, err := p.constant(first)
	if err != nil {
		return err
	}
	if n < 0 || n > maxFill {
		return fmt.Errorf("%d bytes of space; want 0 to %d", n, maxFill)
	}
	if p.spaces += int(n); p.spaces > maxImage {
		return fmt.Errorf("more than %d bytes of space", maxImage)
	}
	out := make([]byte, n)
	if fill != "" {
		v, err := p.constant(fill)
		if err != nil {
			return err
		}
		for i := range out {
			out[i] = byte(v)
		}
	}
	if n > 0 {
		p.item(isa.Item{Data: out})
	}
	return nil
}

// alignTo pads with no-ops, or with zeros if a fill of 0 is given; log says that the number is an
// exponent, 2 by default.
func (p *parser) alignTo(rest string, log bool) error {
	first, more, _ := strings.Cut(rest, ",")
	fill, _, _ := strings.Cut(more, ",")
	if fill = strings.TrimSpace(fill); fill != "" && fill != "0" {
		return fmt.Errorf("alignment filled with %s; want 0 or nothing", fill)
	}
	n := int64(2)
	if first = strings.TrimSpace(first); first != "" {
		var err error
		if n, err = p.constant(first); err != nil {
			return err
		}
	}
	if log {
		if n < 0 || n > 20 {
			return fmt.Errorf("alignment to 2^%d; want an exponent of 0 to 20", n)
		}
		n = 1 << n
	}
	if n < 0 || n > maxFill || n&(n-1) != 0 {
		return fmt.Errorf("alignment to %d; want a power of two", n)
	}
	if n > 1 {
		p.item(isa.Item{Align: int(n), Nops: fill == "" && p.sec.name == ".text"})
	}
	return nil
}

func (p *parser) text(rest string, zero bool) error {
	var out []byte
	rest = strings.TrimSpace(rest)
	for {
		n := -1
		if strings.HasPrefix(rest, `"`) {
			n = stringEnd(rest)
		}
		if n < 0 {
			return fmt.Errorf("string expected, not %q", rest)
		}
		s, err := strconv.Unquote(rest[:n])
		if err != nil {
			return fmt.Errorf("bad string %s", rest[:n])
		}
		out = append(out, s...)
		if zero {
			out = append(out, 0)
		}
		rest = strings.TrimSpace(rest[n:])
		if rest == "" {
			break
		}
		rest = strings.TrimSpace(strings.TrimPrefix(rest, ","))
	}
	if len(out) > 0 {
		p.item(isa.Item{Data: out})
	}
	return nil
}

// inst places an instruction given as a number: as an instruction if it is one, else as data.
func (p *parser) inst(name, rest string) error {
	v, err := p.constant(rest)
	if err != nil {
		return err
	}
	w := uint32(v)
	code := binary.LittleEndian.AppendUint16(nil, uint16(w))
	if name == ".inst.w" || name == ".inst" && w>>16 != 0 {
		code = binary.LittleEndian.AppendUint16(nil, uint16(w>>16))
		code = binary.LittleEndian.AppendUint16(code, uint16(w))
	}
	in, n, err := Arch{}.Decode(code, 0)
	if err != nil || n != len(code) || hasLabel(&in) || p.it != 0 || encodings[in.Form.Num] == encIT {
		p.item(isa.Item{Data: code})
		p.it = nextIT(p.it)
		return nil
	}
	p.item(isa.Item{Inst: in})
	return nil
}
