package t32

import (
	"fmt"
	"strings"

	"simrun/isa"
)

// byMnemonic lists the rows of a written name (without condition and width) in the order in which
// they are tried; inside an IT block narrow rows that set the flags elsewhere go without the "s".
var outsideIT, insideIT = indexMnemonics(encodings)

func indexMnemonics(es []*encoding) (outside, inside map[string][]*encoding) {
	outside, inside = map[string][]*encoding{}, map[string][]*encoding{}
	for _, e := range es {
		base, _, _ := strings.Cut(e.form.Mnemonic, ".")
		if e.slot('c') >= 0 && e != encIT {
			base += "?" // B<c>: found with a condition only
		}
		outside[base] = append(outside[base], e)
		if e.itFlag {
			base = strings.TrimSuffix(base, "s")
		}
		inside[base] = append(inside[base], e)
		if short := plainNames[base]; short != "" {
			outside[short] = append(outside[short], e)
			inside[short] = append(inside[short], e)
		}
	}
	return outside, inside
}

// plainNames: ADD, SUB and MOV may stand for their forms with a plain constant, tried last.
var plainNames = map[string]string{"addw": "add", "subw": "sub", "movw": "mov"}

// synonyms are other names of the same rows.
var synonyms = map[string]string{
	"ldm": "ldmia", "ldmfd": "ldmia", "stm": "stmia", "stmea": "stmia", "ldmea": "ldmdb", "stmfd": "stmdb",
	"cpy": "mov", "swi": "svc", "vldm": "vldmia", "vstm": "vstmia",
}

// spelling is one way to split a mnemonic.
type spelling struct {
	name  string
	cond  int // -1 without
	width int // bytes the suffix asks for, 0 = any
}

// spellings splits a written mnemonic into name, condition and width, the longest name first.
func spellings(word string) []spelling {
	width := 0
	for suffix, n := range map[string]int{".w": 4, ".n": 2} {
		if s, ok := strings.CutSuffix(word, suffix); ok {
			word, width = s, n
		}
	}
	if word[0] == 'v' {
		word, _, _ = strings.Cut(word, ".") // the type of a floating-point move says nothing new
	}
	list := []spelling{{word, -1, width}}
	if n := len(word) - 2; n > 0 {
		if cond, ok := parseCond(word[n:]); ok {
			list = append(list, spelling{word[:n], cond, width})
		}
	}
	for i := range list {
		if s := synonyms[list[i].name]; s != "" {
			list[i].name = s
		}
	}
	return list
}

// instruction reads one instruction and appends it.
func (p *parser) instruction(word, operands string) error {
	if strings.HasPrefix(word, "it") && p.itInstruction(word, operands) {
		return nil
	}
	rows := outsideIT
	if p.it != 0 {
		rows = insideIT
	}
	for _, sp := range spellings(word) {
		if !p.known(rows, sp) {
			continue
		}
		if err := p.checkCond(sp); err != nil {
			return err
		}
		list, err := p.choose(rows, sp, strip(operands))
		if err != nil {
			return err
		}
		p.append(list)
		return nil
	}
	if err := refusedName(word); err != nil {
		return err
	}
	return fmt.Errorf("no instruction %s", word)
}

// known reports whether there is an instruction of that spelling.
func (p *parser) known(rows map[string][]*encoding, sp spelling) bool {
	return len(rows[sp.name]) > 0 || pseudo[sp.name] != nil ||
		p.it == 0 && sp.cond >= 0 && len(rows[sp.name+"?"]) > 0
}

// checkCond compares a condition with the IT block around it.
func (p *parser) checkCond(sp spelling) error {
	switch {
	case p.it == 0 && sp.cond >= 0 && sp.cond != AL && sp.name != "b":
		return fmt.Errorf("%s%s outside an IT block; put an IT before it", sp.name, condNames[sp.cond])
	case p.it != 0 && sp.cond != int(p.it>>4) && sp.name != "bkpt" && !(sp.cond < 0 && p.it>>4 == AL):
		return fmt.Errorf("%s in an IT block wants the condition %s", sp.name, condNames[p.it>>4%15])
	}
	return nil
}

// itInstruction reads "it", "itte" and so on.
func (p *parser) itInstruction(word, operands string) bool {
	cond, ok := parseCond(strings.ToLower(strip(operands)))
	if !ok {
		return false
	}
	mask, ok := itMask(uint8(cond), strings.TrimPrefix(word, "it"))
	if !ok {
		return false
	}
	p.item(isa.Item{Inst: Make("IT_T1", int64(mask), int64(cond))})
	p.it = uint8(cond)<<4 | mask
	return true
}

// choose returns the rows that can hold the instruction, in order of preference. More than one
// remains only if the distance to a label decides.
func (p *parser) choose(rows map[string][]*encoding, sp spelling, text string) ([]isa.Inst, error) {
	if f := pseudo[sp.name]; f != nil {
		if name, t, ok := f(p, sp.name, text); ok {
			sp.name, text = name, t
		}
	}
	list := rows[sp.name]
	if sp.cond >= 0 && p.it == 0 && sp.cond != AL && len(rows[sp.name+"?"]) > 0 {
		list = rows[sp.name+"?"]
	}
	var found []isa.Inst
	err := p.try(list, sp, text, &found)
	if len(found) == 0 {
		if alt, t, ok := p.negated(sp.name, text); ok {
			sp.name = alt
			if p.try(rows[alt], sp, t, &found) == nil {
				err = nil
			}
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	return nil, err
}

// try matches each row with each way to write its operands, until one fits that has no label.
func (p *parser) try(list []*encoding, sp spelling, text string, found *[]isa.Inst) error {
	err := fmt.Errorf("%s has no such form", sp.name)
	nearest := len(text) + 2
	for _, e := range list {
		if sp.width != 0 && sp.width != int(e.size) {
			continue
		}
		for _, t := range variants(e, text) {
			in, left, bad := p.match(e, t)
			if bad != nil {
				if left < nearest { // the row that read most of the text gives the reason
					nearest, err = left, fmt.Errorf("%s: %w", sp.name, bad)
				}
				continue
			}
			p.setCond(&in, sp)
			*found = append(*found, in)
			if !hasLabel(&in) {
				return nil
			}
			break
		}
	}
	if len(*found) > 0 {
		return nil
	}
	return err
}

func (p *parser) setCond(in *isa.Inst, sp spelling) {
	e := encodings[in.Form.Num]
	if i := e.slot('c'); i >= 0 && e != encIT {
		in.Args[i] = int64(sp.cond)
	}
	if p.it != 0 {
		in.Cond = 1 + p.it>>4
	}
}

func hasLabel(in *isa.Inst) bool {
	for i := range in.Form.Ops {
		if in.Form.Ops[i].Kind == isa.KindLabel {
			return true
		}
	}
	return false
}

// variants are the ways to read operands for a row: as written, with the destination
// repeated ("eor r0, r1" for "eor r0, r0, r1"), with a repeated register left out, and with
// the sources of a commutative row swapped.
func variants(e *encoding, text string) []string {
	list := []string{text}
	a, rest, _ := strings.Cut(text, ",")
	b, tail, three := strings.Cut(rest, ",")
	switch {
	case strings.HasPrefix(e.form.Syntax, "Rdn") || strings.HasPrefix(e.form.Syntax, "sp, #"):
		if three && strings.EqualFold(a, b) {
			list = append(list, a+","+tail)
		}
		if three && e.form.Flags&isa.Commute != 0 && strings.EqualFold(a, tail) {
			list = append(list, a+","+b)
		}
	case e == encMulT2 && rest != "" && !three:
		list = append(list, text+","+a)
	case strings.HasPrefix(e.form.Syntax, "Rd") && rest != "":
		list = append(list, a+","+text)
	}
	return list
}

// hereLabel makes a label that stands for ".".
func (p *parser) hereLabel() string {
	p.here++
	label := fmt.Sprintf(".Lhere_%d", p.here)
	p.item(isa.Item{Label: label})
	return label
}

// append adds an instruction, noting the choice if there is one.
func (p *parser) append(list []isa.Inst) {
	if name, _ := splitSym(list[0].Sym); name == "." {
		label := p.hereLabel()
		for i := range list {
			list[i].Sym = label + list[i].Sym[1:]
		}
	}
	if len(list) > 1 && list[0].Form.Flags&isa.Branch != 0 && p.globals[list[0].Sym] {
		list = list[1:] // the GNU assembler leaves room for a global label to be elsewhere
	}
	p.item(isa.Item{Inst: list[0]})
	if len(list) > 1 {
		b := p.sec.blocks[len(p.sec.blocks)-1]
		p.choices = append(p.choices, choice{block: b, item: len(b.Items) - 1, wider: list[1:]})
	}
	p.it = nextIT(p.it)
}
