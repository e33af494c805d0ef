package x86

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simrun/isa"
)

// argument is one operand as written.
type argument struct {
	text  string
	what  operandKind
	reg   isa.Reg
	size  int // bytes; 0: a memory operand without a size word
	value int64
	sym   string   // of a label or a memory operand
	mem   [4]int64 // slots of a memory operand
}

// mnemonicAliases are other names that the GNU assembler accepts.
var mnemonicAliases = map[string]string{"movabs": "mov", "sal": "shl", "retq": "ret", "callq": "call", "xlat": "xlatb", "pushf": "pushfq", "popf": "popfq", "loopz": "loope", "loopnz": "loopne"}

// prefixNames are the prefixes that are part of an instruction, as written and as the table has them.
var prefixNames = map[string]string{"lock": "lock", "rep": "rep", "repe": "repe", "repz": "repe", "repne": "repne", "repnz": "repne"}

// parseInst reads one instruction.
func parseInst(s string) (isa.Inst, error) {
	mnemonic, rest := cutWord(s)
	if p, ok := prefixNames[mnemonic]; ok {
		var word string
		word, rest = cutWord(rest)
		if p == "rep" && (strings.HasPrefix(word, "cmps") || strings.HasPrefix(word, "scas")) {
			p = "repe"
		}
		mnemonic = p + " " + word
	}
	written := mnemonic
	if a, ok := mnemonicAliases[mnemonic]; ok {
		mnemonic = a
	}
	for _, prefix := range conditional {
		if cc, ok := strings.CutPrefix(mnemonic, prefix); ok && conditionAliases[cc] != "" {
			mnemonic = prefix + conditionAliases[cc]
		}
	}
	mnemonic, predicate := cutPredicate(mnemonic)
	candidates := byMnem[mnemonic]
	if mnemonic == "movsx" {
		candidates = slices.Concat(candidates, byMnem["movsxd"])
	}
	if candidates == nil {
		return isa.Inst{}, fmt.Errorf("unknown instruction %s", written)
	}
	var args []argument
	if rest != "" {
		for _, text := range splitOutside(rest, ',') {
			a, err := parseArgument(strings.TrimSpace(text))
			if err != nil {
				return isa.Inst{}, err
			}
			args = append(args, a)
		}
	}
	if len(args) == 1 && candidates[0].kind == kAluRI && candidates[0].operands[1].size == 1 {
		args = append(args, argument{text: "1", what: opImm, value: 1}) // a shift without a count
	}
	if predicate >= 0 {
		args = append(args, argument{text: strconv.Itoa(predicate), what: opImm, value: int64(predicate)})
	}
	return choose(candidates, written, args)
}

// predicates are the comparisons of floating-point numbers in the order of their numbers.
var predicates = []string{"eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord"}

// cutPredicate makes cmpsd and 1 of cmpltsd; -1 stands for none.
func cutPredicate(mnemonic string) (string, int) {
	for n, name := range predicates {
		if kind, ok := strings.CutPrefix(mnemonic, "cmp"+name); ok && len(kind) == 2 && byMnem["cmp"+kind] != nil {
			return "cmp" + kind, n
		}
	}
	return mnemonic, -1
}

// choose takes the first row that fits. Rows that differ in the size of a memory operand only
// fit a sizeless one equally well: that is an error.
func choose(candidates []*row, written string, args []argument) (isa.Inst, error) {
	var found *row
	sizeless := false
	for i := range args {
		sizeless = sizeless || args[i].what == opMem && args[i].size == 0
	}
	for _, r := range candidates {
		if !r.fits(args) || written == "movabs" && r.own == nil {
			continue
		}
		if found != nil && sizeless && r.memSize() != found.memSize() {
			return isa.Inst{}, fmt.Errorf("%s: the size of the memory operand is open: say DWORD PTR or the like", written)
		}
		if found == nil {
			found = r
		}
	}
	if found == nil {
		texts := make([]string, len(args))
		for i := range args {
			texts[i] = args[i].text
		}
		return isa.Inst{}, fmt.Errorf("no form of %s takes %q", written, strings.Join(texts, ", "))
	}
	return found.build(args)
}

func (r *row) fits(args []argument) bool {
	if len(args) != len(r.operands) {
		return false
	}
	for i, o := range r.operands {
		if !o.fits(&args[i], r.width()) {
			return false
		}
	}
	return true
}

// fits reports whether a can stand for o in a row of that operand width.
func (o operand) fits(a *argument, width int) bool {
	switch o.what {
	case opCL:
		return a.what == opReg && a.reg == RCX && a.size == 1
	case opOne:
		return a.what == opImm && a.value == 1
	case opX0:
		return a.what == opXmm && a.reg == X0
	case opRel:
		return a.what == opRel || a.what == opImm
	case opMem:
		return a.what == opMem && (a.size == o.size || a.size == 0 || o.size == 0)
	case opImm:
		return a.what == opImm && o.checkImm(o.wrap(a.value, width)) == nil
	}
	return a.what == o.what && a.size == o.size && a.reg != RIP
}

// wrap lets 16- and 32-bit operations have their immediate written without sign, and bytes with it.
func (o operand) wrap(v int64, width int) int64 {
	switch {
	case o.size == 4 && width == 4 && v == int64(uint32(v)):
		return int64(int32(v))
	case o.size == 2 && v == int64(uint16(v)):
		return int64(int16(v))
	case o.size == 1 && v >= -128 && v < 0:
		return v & 0xff
	}
	return v
}

func (r *row) build(args []argument) (isa.Inst, error) {
	in := isa.Inst{Form: &r.Form}
	for i, o := range r.operands {
		a := &args[i]
		switch o.what {
		case opReg, opXmm, opHigh:
			in.Args[o.slot] = int64(a.reg)
		case opMem:
			copy(in.Args[o.slot:], a.mem[:])
			in.Sym = a.sym
		case opImm:
			in.Args[o.slot] = o.wrap(a.value, r.width())
		case opRel:
			in.Args[o.slot], in.Sym = a.value, a.sym
		}
	}
	if r.own != nil && r.Mnemonic == "xchg" && r.mem() < 0 && r.width() > 1 && in.Reg(0) == RAX { // RAX stands second
		in.Args[0], in.Args[1] = in.Args[1], in.Args[0]
	}
	return in, r.check(&in)
}

// parseArgument reads a register, an immediate, a memory operand or a label.
func parseArgument(s string) (argument, error) {
	a := argument{text: s}
	lower := strings.ToLower(s)
	if r, ok := regByName[lower]; ok {
		a.what, a.reg, a.size = opReg, r.reg, r.size
		if r.size == 16 {
			a.what = opXmm
		}
		return a, nil
	}
	if i := slices.Index(highNames[:], lower); i >= 0 {
		a.what, a.reg, a.size = opHigh, isa.Reg(i), 1
		return a, nil
	}
	for size, word := range sizeWord {
		if word = strings.ToLower(strings.TrimSpace(word)); size > 0 && strings.HasPrefix(lower, word) {
			a.size = size
			s = strings.TrimSpace(s[len(word):])
			break
		}
	}
	if strings.HasSuffix(s, "]") || a.size > 0 || hasSegment(s) {
		a.what = opMem
		return a, a.parseMem(s)
	}
	if v, err := parseNumber(s); err == nil {
		a.what, a.value = opImm, v
		return a, nil
	}
	s = strings.TrimSuffix(s, "@PLT")
	if !isName(s) {
		return a, fmt.Errorf("operand %q is not a register, number, label or [address]", a.text)
	}
	a.what, a.sym = opRel, s
	return a, nil
}

// parseMem reads [a+b*4-8], label[rip], 8[rsp], ds:0x10 and fs:[rax].
func (a *argument) parseMem(s string) error {
	a.mem = [4]int64{int64(isa.NoReg), int64(isa.NoReg), 1, 0}
	seg := int64(0)
	if hasSegment(s) {
		if strings.EqualFold(s[:1], "f") {
			seg = SegFS
		}
		s = s[len("ds:"):]
	}
	if i := strings.IndexByte(s, '['); i >= 0 {
		s = s[:i] + "+" + strings.TrimSuffix(s[i+1:], "]")
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "-", "+-")
	terms := 0
	for _, t := range strings.Split(s, "+") {
		if t = strings.TrimSpace(t); t == "" {
			continue
		}
		terms++
		if err := a.term(t); err != nil {
			return fmt.Errorf("%s: %w", a.text, err)
		}
	}
	if terms == 0 {
		return fmt.Errorf("%s: no address", a.text)
	}
	if a.sym != "" && a.mem[0] != int64(RIP) {
		return fmt.Errorf("%s: a label is reached through rip only: write [rip+%s]", a.text, a.sym)
	}
	if err := checkMem(a.mem[:]); err != nil {
		return err
	}
	a.mem[2] |= seg
	return nil
}

// hasSegment reports whether s begins with ds: or fs:.
func hasSegment(s string) bool {
	return len(s) >= 3 && (strings.EqualFold(s[:3], "ds:") || strings.EqualFold(s[:3], "fs:"))
}

// term adds one term of an address.
func (a *argument) term(t string) error {
	if v, err := parseNumber(t); err == nil {
		a.mem[3] += v
		return nil
	}
	if x, y, ok := strings.Cut(t, "*"); ok {
		return a.scaled(strings.TrimSpace(x), strings.TrimSpace(y))
	}
	if r, ok := regByName[strings.ToLower(t)]; ok {
		return a.plain(r)
	}
	if !isName(t) || a.sym != "" {
		return fmt.Errorf("%q cannot be part of an address", t)
	}
	a.sym = t
	return nil
}

func (a *argument) scaled(x, y string) error {
	r, ok := regByName[strings.ToLower(x)]
	if !ok {
		x, y = y, x
		r, ok = regByName[strings.ToLower(x)]
	}
	scale, err := parseNumber(y)
	if !ok || err != nil || r.size != 8 || a.mem[1] != int64(isa.NoReg) {
		return fmt.Errorf("%s*%s: want one 64-bit register times 1, 2, 4 or 8", x, y)
	}
	a.mem[1], a.mem[2] = int64(r.reg), scale
	return nil
}

// plain adds an unscaled register: the first is the base, the second the index. RSP cannot be
// an index, so it changes places.
func (a *argument) plain(r namedReg) error {
	switch {
	case r.size != 8:
		return fmt.Errorf("address registers have 64 bits")
	case a.mem[0] == int64(isa.NoReg):
		a.mem[0] = int64(r.reg)
	case a.mem[1] == int64(isa.NoReg):
		a.mem[1] = int64(r.reg)
		if r.reg == RSP {
			a.mem[0], a.mem[1] = a.mem[1], a.mem[0]
		}
	default:
		return fmt.Errorf("more than two registers in an address")
	}
	return nil
}
