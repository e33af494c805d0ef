package t32

import (
	"fmt"
	"strconv"
	"strings"

	"simrun/isa"
)

// pseudo rewrites what the GNU assembler accepts beyond the rows: name and operands in, name and
// operands out; ok is false where the rows can take it as it is.
var pseudo map[string]func(p *parser, name, text string) (string, string, bool)

func init() {
	pseudo = map[string]func(p *parser, name, text string) (string, string, bool){
		"mov": shiftedMove, "movs": shiftedMove,
		"neg": negate, "negs": negate,
		"push": stackList, "pop": stackList,
		"ldmia": singleList, "stmia": singleList, "stmdb": singleList, "ldmdb": singleList,
		"vldmia": floatStack, "vstmdb": floatStack,
		"ldr": literalLoad, "ldrd": impliedPair, "strd": impliedPair,
	}
}

// shiftedMove: MOV with a shift is the shift.
func shiftedMove(_ *parser, name, text string) (string, string, bool) {
	parts := strings.SplitN(text, ",", 3)
	if len(parts) != 3 || len(parts[2]) < 3 {
		return "", "", false
	}
	shift, amount := strings.ToLower(parts[2][:3]), parts[2][3:]
	s := strings.TrimPrefix(name, "mov")
	if shift == "rrx" {
		return "rrx" + s, parts[0] + "," + parts[1], true
	}
	for _, n := range shiftNames {
		if n == shift {
			return n + s, parts[0] + "," + parts[1] + "," + amount, true
		}
	}
	return "", "", false
}

// negate: NEG Rd, Rm is RSBS Rd, Rm, #0.
func negate(_ *parser, name, text string) (string, string, bool) {
	return "rsb" + strings.TrimPrefix(name, "neg"), text + ",#0", true
}

// stackList: PUSH and POP of registers that the 16-bit rows lack.
func stackList(p *parser, name, text string) (string, string, bool) {
	e := byID["PUSH_T1"]
	wide := "stmdb"
	if name == "pop" {
		e, wide = byID["POP_T1"], "ldmia"
	}
	if _, _, err := p.match(e, text); err == nil {
		return "", "", false
	}
	if n, t, ok := singleList(p, wide, "sp!,"+text); ok {
		return n, t, true
	}
	return wide, "sp!," + text, true
}

// singleList: a list of one register that the 16-bit rows lack is an indexed LDR or STR.
func singleList(_ *parser, name, text string) (string, string, bool) {
	base, list, _ := strings.Cut(text, ",")
	inner, ok1 := strings.CutPrefix(list, "{")
	inner, ok2 := strings.CutSuffix(inner, "}")
	r, ok3 := parseReg(inner)
	rn, wb := strings.CutSuffix(base, "!")
	n, ok4 := parseReg(rn)
	if !ok1 || !ok2 || !ok3 || !ok4 || n < 8 && r < 8 && strings.HasSuffix(name, "ia") {
		return "", "", false
	}
	op := name[:2] + "r"
	switch {
	case wb && strings.HasSuffix(name, "ia"):
		return op, fmt.Sprintf("%s,[%s],#4", inner, rn), true
	case wb:
		return op, fmt.Sprintf("%s,[%s,#-4]!", inner, rn), true
	case strings.HasSuffix(name, "ia"):
		return op, fmt.Sprintf("%s,[%s]", inner, rn), true
	}
	return op, fmt.Sprintf("%s,[%s,#-4]", inner, rn), true
}

// floatStack: VLDM and VSTM with "sp!" are VPOP and VPUSH.
func floatStack(_ *parser, name, text string) (string, string, bool) {
	list, ok := strings.CutPrefix(text, "sp!,")
	return map[string]string{"vldmia": "vpop", "vstmdb": "vpush"}[name], list, ok
}

// impliedPair: LDRD and STRD may leave out the second register, which is then the next one.
func impliedPair(_ *parser, name, text string) (string, string, bool) {
	first, rest, _ := strings.Cut(text, ",")
	r, ok := parseReg(first)
	if !ok || r > 12 || !strings.HasPrefix(rest, "[") {
		return "", "", false
	}
	return name, fmt.Sprintf("%s,%s,%s", first, regNames[r+1], rest), true
}

// poolEntry is a constant waiting for the literal pool.
type poolEntry struct {
	label string
	value uint32
	sym   string // an address instead, see Item.Sym
}

// literalLoad: LDR Rd, =constant is a MOV, MVN or MOVW where one fits, else a load from the pool, and so is an
// address.
func literalLoad(p *parser, _, text string) (string, string, bool) {
	rd, expr, ok := strings.Cut(text, ",=")
	if !ok {
		return "", "", false
	}
	x, err := p.expression(expr)
	if err != nil {
		return "", "", false
	}
	if x.sym != "" {
		return "ldr", rd + "," + p.poolLabel(poolEntry{sym: p.symbol(x)}), true
	}
	v := uint32(x.n)
	if r, ok := parseReg(rd); ok && r != PC && r != SP {
		switch {
		case EncodableImm(v):
			return "mov", rd + ",#" + strconv.FormatUint(uint64(v), 10), true
		case EncodableImm(^v):
			return "mvn", rd + ",#" + strconv.FormatUint(uint64(^v), 10), true
		case v < 1<<16:
			return "movw", rd + ",#" + strconv.FormatUint(uint64(v), 10), true
		}
	}
	return "ldr", rd + "," + p.poolLabel(poolEntry{value: v}), true
}

func (p *parser) poolLabel(e poolEntry) string {
	for _, o := range p.sec.pool {
		if o.value == e.value && o.sym == e.sym {
			return o.label
		}
	}
	p.pools++
	e.label = fmt.Sprintf(".Lpool_%d", p.pools)
	p.sec.pool = append(p.sec.pool, e)
	return e.label
}

// flushPool places the pool here, aligned to words.
func (p *parser) flushPool() {
	if len(p.sec.pool) == 0 {
		return
	}
	p.item(isa.Item{Align: 4})
	for _, e := range p.sec.pool {
		p.item(isa.Item{Label: e.label})
		p.item(isa.Item{Data: []byte{byte(e.value), byte(e.value >> 8), byte(e.value >> 16), byte(e.value >> 24)}, Sym: e.sym})
	}
	p.sec.pool = nil
}

// opposites are the names that take the same constant negated or complemented.
var opposites = map[string]struct {
	name       string
	complement bool
}{
	"add": {"sub", false}, "sub": {"add", false}, "cmp": {"cmn", false}, "cmn": {"cmp", false},
	"and": {"bic", true}, "bic": {"and", true}, "mov": {"mvn", true}, "mvn": {"mov", true},
	"adc": {"sbc", true}, "sbc": {"adc", true}, "orr": {"orn", true}, "orn": {"orr", true},
}

// negated rewrites an instruction whose constant no row holds to its opposite.
func (p *parser) negated(name, text string) (string, string, bool) {
	base, s := name, ""
	o, ok := opposites[base]
	if !ok {
		base, s = strings.TrimSuffix(name, "s"), "s"
		if o, ok = opposites[base]; !ok {
			return "", "", false
		}
	}
	i := strings.LastIndexByte(text, ',')
	v, err := p.expression(strings.TrimPrefix(text[i+1:], "#"))
	if i < 0 || err != nil || v.sym != "" {
		return "", "", false
	}
	n := -v.n
	if o.complement {
		n = int64(^uint32(v.n))
	}
	return o.name + s, text[:i+1] + "#" + strconv.FormatInt(n, 10), true
}
