package t32

import (
	"fmt"
	"math"
	"strings"

	"simrun/isa"
)

// match reads operand text without blanks into an instruction of row e. It fails where the text
// has another shape or a value that the row cannot hold; left is how much of it was not read.
func (p *parser) match(e *encoding, text string) (in isa.Inst, left int, err error) {
	in = isa.Inst{Form: &e.form}
	m := matcher{p: p, e: e, in: &in, rest: text}
	for _, t := range e.syntax {
		if err := m.token(t); err != nil {
			return in, len(m.rest) + 1, err
		}
	}
	if m.rest != "" {
		return in, len(m.rest) + 1, fmt.Errorf("%q is too much", m.rest)
	}
	return in, 0, e.accepts(&in)
}

// accepts checks every operand but labels, whose distance is not known yet.
func (e *encoding) accepts(in *isa.Inst) error {
	x := context{args: &in.Args}
	for i := range e.ops {
		if e.form.Ops[i].Kind == isa.KindLabel {
			continue
		}
		x.slot, x.width = i, e.fields[i].width
		if _, ok := e.ops[i].codec.enc(in.Args[i], &x); !ok {
			return e.refuse(in, i)
		}
	}
	if bad := e.conflict(in); bad != "" {
		return fmt.Errorf("%s: %s", e.form.ID, bad)
	}
	return nil
}

type matcher struct {
	p    *parser
	e    *encoding
	in   *isa.Inst
	rest string
}

func (m *matcher) token(t token) error {
	text := strings.ReplaceAll(t.text, " ", "")
	if t.optional && t.text == "" && !strings.HasPrefix(m.rest, ",") || // a shift brings its own comma
		t.optional && t.text != "" && !strings.HasPrefix(m.rest, text[:1]) {
		return nil
	}
	if err := m.literal(text); err != nil {
		return err
	}
	if t.slot < 0 {
		return nil
	}
	return m.operand(t.slot)
}

// literal takes fixed text. "#" may be missing.
func (m *matcher) literal(text string) error {
	for _, c := range text {
		switch {
		case m.rest != "" && strings.EqualFold(m.rest[:1], string(c)):
			m.rest = m.rest[1:]
		case c == '#':
		default:
			return fmt.Errorf("%q where %q is wanted", m.rest, text)
		}
	}
	return nil
}

func (m *matcher) operand(slot int) error {
	op := &m.e.form.Ops[slot]
	var err error
	switch r := readers[op.Name]; {
	case r != nil:
		m.in.Args[slot], err = r(m)
	case op.Class == isa.FPR:
		err = m.floatRegister(slot)
	case op.Kind == isa.KindReg:
		err = m.register(slot)
	case op.Kind == isa.KindList:
		m.in.Args[slot], err = m.list()
	default:
		err = m.number(slot)
	}
	return err
}

// word takes a name or number.
func (m *matcher) word() string {
	n := strings.IndexFunc(m.rest, func(r rune) bool { return !isNameRune(r) })
	if n < 0 {
		n = len(m.rest)
	}
	w := m.rest[:n]
	m.rest = m.rest[n:]
	return strings.ToLower(w)
}

func (m *matcher) register(slot int) error {
	w := m.word()
	r, ok := parseReg(w)
	if !ok {
		return fmt.Errorf("%q is no register", w)
	}
	m.in.Args[slot] = int64(r)
	return nil
}

// number takes an expression up to a comma or bracket.
func (m *matcher) number(slot int) error {
	text := m.rest
	if n := strings.IndexAny(text, ",]!{}"); n >= 0 {
		text = text[:n]
	}
	m.rest = m.rest[len(text):]
	v, err := m.p.expression(text)
	if err != nil {
		return err
	}
	op := &m.e.form.Ops[slot]
	switch {
	case op.Kind == isa.KindLabel:
		if m.in.Sym = v.sym; v.sym != "" && v.n != 0 {
			m.in.Sym += fmt.Sprintf("%+d", v.n)
		}
	case v.sym != "":
		return fmt.Errorf("%s is no constant", v.sym)
	case op.Name == "const" && v.n < 0 && v.n >= math.MinInt32:
		v.n = int64(uint32(v.n))
	}
	m.in.Args[slot] = v.n
	return nil
}

// list takes {r0, r2-r4}.
func (m *matcher) list() (int64, error) {
	text, rest, ok := strings.Cut(m.rest, "}")
	if !ok || !strings.HasPrefix(text, "{") {
		return 0, fmt.Errorf("%q is no register list", m.rest)
	}
	m.rest = rest
	var list int64
	for _, part := range strings.Split(text[1:], ",") {
		from, to, span := strings.Cut(part, "-")
		if !span {
			to = from
		}
		lo, ok1 := parseReg(from)
		hi, ok2 := parseReg(to)
		if !ok1 || !ok2 || lo > hi {
			return 0, fmt.Errorf("%q is no register or range of registers", part)
		}
		list |= 1<<(hi+1) - 1<<lo
	}
	return list, nil
}

// readers are the operands that are not plain numbers, by name.
var readers = map[string]func(m *matcher) (int64, error){
	"shift":      (*matcher).shift,
	"satshift":   (*matcher).shift,
	"rotate":     (*matcher).rotate,
	"lsl":        (*matcher).lsl,
	"barrier":    (*matcher).barrier,
	"sync":       (*matcher).barrier,
	"iflags":     (*matcher).iflags,
	"slist":      func(m *matcher) (int64, error) { return m.floatList('s', 1) },
	"dlist":      func(m *matcher) (int64, error) { return m.floatList('d', 2) },
	"fpconst":    (*matcher).float,
	"sysm":       (*matcher).sysm,
	"psr_g":      func(m *matcher) (int64, error) { return m.sysmField("_g") },
	"psr_nzcvqg": func(m *matcher) (int64, error) { return m.sysmField("_nzcvqg") },
}

// shift takes ",lsl#3"; the amount is a constant expression.
func (m *matcher) shift() (int64, error) {
	if err := m.literal(","); err != nil {
		return 0, err
	}
	if len(m.rest) < 3 {
		return 0, fmt.Errorf("%q is no shift", m.rest)
	}
	name := strings.ToLower(m.rest[:3])
	m.rest = m.rest[3:]
	if name == "rrx" {
		return RRX, nil
	}
	n, err := m.amount()
	if err != nil {
		return 0, err
	}
	for typ, s := range shiftNames {
		if s == name {
			return packShift(typ, n)
		}
	}
	return 0, fmt.Errorf("%q is no shift", name)
}

// packShift is the shift operand of a written shift; any shift by 0 is none.
func packShift(typ int, n int64) (int64, error) {
	top := int64(31)
	if typ == typeLSR || typ == typeASR {
		top = 32
	}
	if n < 0 || n > top {
		return 0, fmt.Errorf("%s #%d: want 0 to %d", shiftNames[typ], n, top)
	}
	if n == 0 {
		return 0, nil
	}
	return n&31<<2 | int64(typ), nil
}

func (m *matcher) amount() (int64, error) {
	if err := m.literal("#"); err != nil {
		return 0, err
	}
	text := m.rest
	if n := strings.IndexAny(text, ",]"); n >= 0 {
		text = text[:n]
	}
	m.rest = m.rest[len(text):]
	v, err := m.p.expression(text)
	if err == nil && v.sym != "" {
		err = fmt.Errorf("%s is no constant", v.sym)
	}
	return v.n, err
}

func (m *matcher) rotate() (int64, error) {
	v, err := m.shift()
	if err == nil && v != 0 && v&3 != typeROR {
		err = fmt.Errorf("want ror #8, #16 or #24")
	}
	return v >> 2, err
}

func (m *matcher) lsl() (int64, error) {
	v, err := m.shift()
	if err == nil && v&3 != typeLSL {
		err = fmt.Errorf("want lsl #0 to #3")
	}
	return v >> 2, err
}

func (m *matcher) barrier() (int64, error) {
	if m.rest == "" {
		return 15, nil
	}
	if strings.HasPrefix(m.rest, "#") {
		return m.amount()
	}
	w := m.word()
	for i, n := range barrierNames {
		if n == w {
			return int64(i), nil
		}
	}
	return 0, fmt.Errorf("%q is no barrier option", w)
}

func (m *matcher) iflags() (int64, error) {
	w := m.word()
	for i, n := range [4]string{"", "f", "i", "if"} {
		if i > 0 && n == w {
			return int64(i), nil
		}
	}
	return 0, fmt.Errorf("%q: want i, f or if", w)
}

// sysmField takes a special register with the field that MSR writes.
func (m *matcher) sysmField(suffix string) (int64, error) {
	name, ok := strings.CutSuffix(m.word(), suffix)
	if !ok {
		return 0, fmt.Errorf("%q has no field %s", name, suffix)
	}
	return sysNumber(name)
}

func (m *matcher) sysm() (int64, error) {
	return sysNumber(strings.TrimSuffix(m.word(), "_nzcvq"))
}

func sysNumber(w string) (int64, error) {
	for i, n := range sysNames {
		if n == w && n != "" {
			return int64(i), nil
		}
	}
	return 0, fmt.Errorf("%q is no special register", w)
}
