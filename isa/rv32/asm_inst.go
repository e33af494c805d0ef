package rv32

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"simrun/isa"
)

// errShape says that operands are not of the kinds a template wants, so another may fit.
var errShape = errors.New("operands do not fit")

// instruction reads one instruction or alias.
func (p *parser) instruction(word string, args []string) error {
	key := fmt.Sprintf("%s/%d", word, len(args))
	p.exact = uncompressed[key]
	if special, ok := specials[word]; ok {
		if err := special(p, args); err != errShape {
			return withWord(word, err)
		}
		return fmt.Errorf("%s does not take %d operands like %s", word, len(args), strings.Join(args, ","))
	}
	mn, ordering := cutOrdering(word)
	rows := byMnemonic[mn]
	var err error
	for _, e := range rows {
		var in isa.Inst
		if in, err = p.operands(e, args, ordering); err == nil {
			p.emit(in)
			return nil
		}
	}
	alias, isAlias := aliases[key]
	switch {
	case isAlias && (err == nil || errors.Is(err, errShape)):
		return withWord(word, p.alias(alias, args))
	case rows == nil && aliasCounts[word] != "":
		return fmt.Errorf("%s takes %s operands, not %d", word, aliasCounts[word], len(args))
	case rows == nil:
		return fmt.Errorf("unknown instruction %q", word)
	case errors.Is(err, errShape):
		return fmt.Errorf("%s takes %s, not %q", word, rows[0].usage(), strings.Join(args, ","))
	}
	return withWord(word, err)
}

func withWord(word string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", word, err)
}

func (e *entry) usage() string {
	if e.form.Syntax == "" {
		return "no operands"
	}
	return e.form.Syntax
}

// byMnemonic lists the rows of each mnemonic.
var byMnemonic = func() map[string][]*entry {
	m := map[string][]*entry{}
	for _, e := range entries {
		m[e.form.Mnemonic] = append(m[e.form.Mnemonic], e)
	}
	return m
}()

// cutOrdering splits the suffix for aq and rl off the mnemonic of an A row.
func cutOrdering(word string) (mn string, bits int64) {
	for i := len(aqrlSuffixes) - 1; i > 0; i-- {
		if mn, ok := strings.CutSuffix(word, aqrlSuffixes[i]); ok && byMnemonic[mn] != nil {
			return mn, int64(i)
		}
	}
	return word, 0
}

// operands matches args with the template of e.
func (p *parser) operands(e *entry, args []string, ordering int64) (isa.Inst, error) {
	in := isa.Inst{Form: &e.form}
	if i := e.operandIndex(aqrl); i >= 0 {
		in.Args[i] = ordering
	} else if ordering != 0 {
		return in, errShape
	}
	parts := splitOperands(e.form.Syntax)
	if len(parts) != len(args) {
		return in, errShape
	}
	for i, part := range parts {
		if err := p.operand(e, &in, part, args[i]); err != nil {
			return in, err
		}
	}
	// Check the numbers here, where the line is known; a symbol is checked when it has its address.
	check := in
	check.Sym = ""
	for i, op := range e.form.Ops {
		if op.Kind == isa.KindLabel {
			check.Args[i] = 2
		}
	}
	_, _, err := encode(check, 0)
	return in, err
}

// operand reads one comma-separated part: "rd", "imm(rs1)", "(rs1)" or a fixed register.
func (p *parser) operand(e *entry, in *isa.Inst, part, arg string) error {
	if head, reg, ok := strings.Cut(strings.TrimSuffix(part, ")"), "("); ok {
		open := strings.LastIndexByte(arg, '(')
		if open < 0 || !strings.HasSuffix(arg, ")") {
			return errShape
		}
		if err := p.simple(e, in, reg, strings.TrimSpace(arg[open+1:len(arg)-1])); err != nil {
			return err
		}
		arg = strings.TrimSpace(arg[:open])
		if arg == "" {
			arg = "0"
		}
		if part = head; head == "" {
			part = "0"
		}
	}
	return p.simple(e, in, part, arg)
}

// simple reads one operand by its name in the template.
func (p *parser) simple(e *entry, in *isa.Inst, name, arg string) error {
	i := e.operandIndex(name)
	if i < 0 {
		want, isReg := regByName[name]
		got, gotReg := regByName[arg]
		if isReg != gotReg || isReg && want != got || !isReg && arg != name {
			return errShape
		}
		return nil
	}
	reg, isReg := regByName[arg]
	op := &e.form.Ops[i]
	switch {
	case (op.Kind == isa.KindReg) != isReg:
		return errShape
	case isReg:
		in.Args[i] = int64(reg)
		return nil
	case op.Kind == isa.KindLabel:
		return p.target(in, i, arg)
	case isReloc(arg):
		return p.reloc(in, name, arg)
	}
	return p.number(in, i, name, arg)
}

// target reads a label, or an address as a number.
func (p *parser) target(in *isa.Inst, i int, arg string) error {
	if v, err := p.eval(arg); err == nil {
		if v < 0 || v >= 1<<32 {
			return fmt.Errorf("target %s is no 32-bit address", arg)
		}
		in.Args[i] = v
		return nil
	}
	sym, err := p.symbol(arg)
	in.Sym = sym
	return err
}

func (p *parser) reloc(in *isa.Inst, name, arg string) error {
	op, sym, ok := cutReloc(arg)
	if !ok || !takesReloc(name) || strings.Contains(op, "hi") != (name == "upper") {
		return fmt.Errorf("%s cannot stand here; %s are understood", arg, strings.Join(relocs, ", "))
	}
	sym, err := p.symbol(sym)
	in.Sym = op + "(" + sym + ")"
	return err
}

// number reads an immediate, a CSR or the letters of FENCE.
func (p *parser) number(in *isa.Inst, i int, name, arg string) error {
	if name == "csr" {
		if n, ok := csrByName[arg]; ok {
			in.Args[i] = int64(n)
			return nil
		}
	}
	if name == "pred" || name == "succ" {
		for _, c := range arg {
			bit := strings.IndexRune(fenceBits, c)
			if bit < 0 {
				return fmt.Errorf("%s %q has other letters than %s", name, arg, fenceBits)
			}
			in.Args[i] |= 8 >> bit
		}
		return nil
	}
	v, err := p.eval(arg)
	if v >= 1<<31 && v < 1<<32 && strings.HasSuffix(name, "imm") {
		v -= 1 << 32 // a 32-bit pattern such as 0xffffffff
		p.exact = true
	}
	in.Args[i] = v
	return err
}

// alias replaces $1.. in the text of an alias by the operands and reads the result. Of several
// texts, divided by ";", the first that fits counts.
func (p *parser) alias(text string, args []string) error {
	var err error
	for t := range strings.SplitSeq(text, ";") {
		word, tail := cutWord(t)
		parts := splitOperands(tail)
		for i := range parts {
			for n, a := range args {
				parts[i] = strings.ReplaceAll(parts[i], fmt.Sprintf("$%d", n+1), a)
			}
		}
		var in isa.Inst
		if in, err = p.operands(byMnemonic[word][0], parts, 0); err == nil {
			p.emit(in)
			return nil
		}
	}
	if errors.Is(err, errShape) {
		return fmt.Errorf("%q does not fit %s", strings.Join(args, ","), text)
	}
	return err
}

// aliasCounts says for each alias how many operands it takes: "1 or 2".
var aliasCounts = func() map[string]string {
	m := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(aliases)) {
		name, n, _ := strings.Cut(key, "/")
		if m[name] != "" {
			m[name] += " or "
		}
		m[name] += n
	}
	return m
}()
