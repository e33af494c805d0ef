package t32

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"simrun/isa"
)

// compile turns rows into encodings: it expands S, reads the patterns and the syntax. The
// tables are part of the program, so a bad row panics, naming itself.
func compile(tables [][]row) []*encoding {
	var list []*encoding
	for _, t := range tables {
		for i := range t {
			for _, r := range expandS(&t[i]) {
				e := compileRow(r)
				e.form.Num = len(list)
				list = append(list, e)
			}
		}
	}
	return list
}

// requires marks rows as part of an extension.
func requires(feature string, rows []row) []row {
	for i := range rows {
		rows[i].feature = feature
	}
	return rows
}

// expandS makes the two rows of a pattern with an S.
func expandS(r *row) []*row {
	if !strings.Contains(r.bits, "S") {
		return []*row{r}
	}
	plain, setting := *r, *r
	plain.bits = strings.Replace(r.bits, "S", "0", 1)
	setting.bits = strings.Replace(r.bits, "S", "1", 1)
	name, rest, _ := strings.Cut(r.id, "_")
	setting.id = name + "S_" + rest
	mnemonic, operands, _ := strings.Cut(r.asm, " ")
	base, width, _ := strings.Cut(mnemonic, ".")
	if width != "" {
		width = "." + width
	}
	setting.asm = base + "s" + width + " " + operands
	return []*row{&plain, &setting}
}

func compileRow(r *row) *encoding {
	mnemonic, operands, _ := strings.Cut(r.asm, " ")
	e := &encoding{row: r}
	for i := range e.slots {
		e.slots[i] = -1
	}
	e.form = isa.Form{
		ID: r.id, Mnemonic: inMnemonic.ReplaceAllString(mnemonic, ""), Syntax: operands, Bits: r.bits,
		Class: r.class, Feature: r.feature, Flags: r.flags,
	}
	e.pattern()
	e.twin = fieldOf(r.bits, 'M')
	for _, m := range inMnemonic.FindAllString(mnemonic, -1) {
		e.operand(strings.Trim(m, "<>"))
	}
	e.tokens(operands)
	e.effects()
	if left := e.unclaimed(); left != "" {
		panic("t32: row " + r.id + ": no operand for the letters " + left)
	}
	return e
}

// inMnemonic finds an operand that is written in the mnemonic: "b<cond>".
var inMnemonic = regexp.MustCompile(`<[a-z]+>`)

// pattern reads the constant bits.
func (e *encoding) pattern() {
	bits := strings.ReplaceAll(e.row.bits, " ", "")
	if len(bits) != 16 && len(bits) != 32 {
		panic(fmt.Sprintf("t32: row %s has %d bits", e.row.id, len(bits)))
	}
	e.size = uint8(len(bits) / 8)
	for _, b := range bits {
		e.fixed <<= 1
		e.mask <<= 1
		switch b {
		case '1':
			e.fixed |= 1
			e.mask |= 1
		case '0':
			e.mask |= 1
		}
	}
}

// fieldOf collects the bits of a letter.
func fieldOf(pattern string, letter byte) field {
	bits := strings.ReplaceAll(pattern, " ", "")
	var f field
	for i := 0; i < len(bits); i++ {
		if bits[i] != letter {
			continue
		}
		f.width++
		shift := uint8(len(bits) - 1 - i)
		if i > 0 && bits[i-1] == letter {
			last := &f.segs[len(f.segs)-1]
			last.shift = shift
			last.width++
			continue
		}
		f.segs = append(f.segs, segment{shift, 1})
	}
	return f
}

// operand adds a slot.
func (e *encoding) operand(name string) {
	op, spec, err := operandOf(name, e.row.flags)
	if err != nil {
		panic("t32: row " + e.row.id + ": " + err.Error())
	}
	slot := len(e.ops)
	e.fields[slot] = fieldOf(e.row.bits, spec.letter)
	e.slots[spec.letter] = int8(slot)
	op.Addr = op.Kind == isa.KindReg && e.row.flags&(isa.Load|isa.Store) != 0 && (spec.letter == 'n' || spec.letter == 'm')
	e.ops = append(e.ops, spec)
	e.form.Ops = append(e.form.Ops, op)
}

// unclaimed returns the letters of the pattern that no operand owns. M repeats m.
func (e *encoding) unclaimed() string {
	var left []rune
	for _, b := range e.row.bits {
		if b == '0' || b == '1' || b == ' ' || b == 'M' || e.slots[b] >= 0 {
			continue
		}
		left = append(left, b)
	}
	return string(slices.Compact(left))
}

// effects fills what the form reads and writes besides its operands.
func (e *encoding) effects() {
	s := e.row.sem
	e.form.Reads, e.form.Writes = s.reads, s.writes
	base, _, _ := strings.Cut(e.form.Mnemonic, ".")
	if s.alu && (e.slot('d') < 0 && s.fixedDst == isa.NoReg || strings.HasSuffix(base, "s")) {
		e.form.Writes = e.form.Writes.With(Flags)
		e.itFlag = e.size == 2 && strings.HasSuffix(base, "s")
	}
	if s.alu && strings.Contains(e.form.Syntax, "sp,") || s.fixedDst == SP || s.fixedBase == SP {
		e.form.Reads = e.form.Reads.With(SP)
	}
	if s.fixedDst == SP || s.fixedBase == SP && s.index != offset {
		e.form.Writes = e.form.Writes.With(SP)
	}
}

// token is a piece of a row's syntax: text, or the operand of a slot, perhaps left out at zero
// together with the text before it in the same braces.
type token struct {
	text     string
	slot     int // -1: text only
	optional bool
}

// tokenPattern splits a syntax: operand names, and everything else character by character.
var tokenPattern = regexp.MustCompile(`[-±]?[A-Za-z][A-Za-z0-9_]*[*+~^±]*[0-9]*|.`)

func (e *encoding) tokens(syntax string) {
	optional := false
	text := ""
	for _, w := range tokenPattern.FindAllString(syntax, -1) {
		switch {
		case w == "{" || w == "}":
			if w == "}" {
				optional = false
				continue
			}
			e.text(text)
			text, optional = "", true
		case isWord(w) && !fixedWords[w] && !(isShiftName(w) && !optional):
			if !optional {
				e.text(text)
				text = ""
			}
			e.syntax = append(e.syntax, token{text, len(e.ops), optional})
			text = ""
			e.operand(w)
		default:
			text += w
		}
	}
	e.text(text)
}

func (e *encoding) text(s string) {
	if s != "" {
		e.syntax = append(e.syntax, token{s, -1, false})
	}
}

// fixedWords are register names that a syntax spells out.
var fixedWords = map[string]bool{"sp": true, "fpscr": true, "apsr_nzcv": true}

// isShiftName: a shift outside braces is text before its amount; "lsl" in braces is an operand.
func isShiftName(w string) bool { return w == "lsl" || w == "asr" }

func isWord(w string) bool {
	return strings.ContainsAny(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
