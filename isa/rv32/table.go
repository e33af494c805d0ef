package rv32

import (
	"fmt"
	"sort"
	"strings"

	"simrun/isa"
)

// row is one instruction: text, bits, timing class and semantics. The rest of its
// isa.Form is derived from these columns by newForm.
type row struct {
	id     string
	syntax string // GNU operand template; fixes the order of Form.Ops
	bits   string // see pattern
	class  string // timing class; "" in a compressed row: that of its expansion
	flags  isa.FormFlags
	kind   kind // semantics; of a compressed row: that of its expansion
	// as is what a compressed row stands for: "ADDI rd/rs1 rd/rs1 nzimm" names a base row
	// and its arguments, each a field of this row, a register or a number. Further
	// expansions after ";" have the same meaning; the assembler compresses them too.
	as string
}

// group is one extension's rows.
type group struct {
	feature string
	rows    []row
}

// zbbOrZbkbFeature is the Form.Feature of rows that either extension brings.
const zbbOrZbkbFeature = "zbb" + eitherFeature + "zbkb"

// groups is the table in manual order. Base rows stand before the compressed ones
// that expand to them.
var groups = []group{
	{"", rv32i},
	{"zifencei", zifencei},
	{"zicsr", zicsr},
	{"m", rv32m},
	{"a", rv32a},
	{"zba", zba},
	{"zbb", zbb},
	{zbbOrZbkbFeature, zbbOrZbkb},
	{"zbkb", zbkb},
	{"", privileged},
	{"c", rv32c},
}

// entry is a row made ready: what encoder, decoder and executor look up by Form.Num.
type entry struct {
	form    isa.Form
	pat     pattern
	slots   []int // field of pat for each slot of form.Ops
	kind    kind
	expands []expansion // empty for base rows
}

// expansion is a parsed row.as.
type expansion struct {
	base *entry
	args []source
}

// source is one argument of an expansion: slot of the compressed row, or a constant
// when slot is negative.
type source struct {
	slot  int
	value int64
}

var (
	entries = buildTable(groups)
	byID    = indexByID(entries)
	forms   = formList(entries)
	classes = classList(entries)
)

func buildTable(groups []group) []*entry {
	var list []*entry
	ids := map[string]*entry{}
	for _, g := range groups {
		for i := range g.rows {
			e := newEntry(&g.rows[i], g.feature, ids)
			e.form.Num = len(list)
			ids[e.form.ID] = e
			list = append(list, e)
		}
	}
	return list
}

// newEntry derives the form from the row. A malformed row is a programmer's error and
// panics when the package is loaded, so every test sees it.
func newEntry(r *row, feature string, ids map[string]*entry) *entry {
	e := &entry{kind: r.kind, pat: parsePattern(r.bits)}
	e.form = isa.Form{
		ID: r.id, Mnemonic: mnemonic(r.id), Syntax: r.syntax, Bits: r.bits,
		Class: r.class, Feature: feature, Flags: r.flags,
	}
	names := operandNames(r.syntax)
	if e.pat.field(aqrl) >= 0 {
		names = append(names, aqrl)
	}
	for _, name := range names {
		f := e.pat.field(name)
		if f < 0 {
			panic(fmt.Sprintf("rv32: row %s: operand %s has no bits", r.id, name))
		}
		e.slots = append(e.slots, f)
		e.form.Ops = append(e.form.Ops, operand(name, r))
	}
	if len(e.slots) != len(e.pat.fields) {
		panic("rv32: row " + r.id + ": syntax and bits name different operands")
	}
	if r.as != "" {
		e.expand(r, ids)
	}
	return e
}

// aqrl is the one operand that stands in no template: it is printed as a suffix of the
// mnemonic, see aqrlSuffixes.
const aqrl = "aqrl"

// mnemonic is the GNU name of a row; _HINT marks the row of the same name whose operands
// make it a hint.
func mnemonic(id string) string {
	return strings.ToLower(strings.TrimSuffix(id, "_HINT"))
}

// operandNames lists the operands of a template: all its words that are no registers.
func operandNames(syntax string) []string {
	words := strings.FieldsFunc(syntax, func(r rune) bool { return strings.ContainsRune(",()", r) })
	var names []string
	for _, w := range words {
		if _, isReg := regByName[w]; !isReg {
			names = append(names, w)
		}
	}
	return names
}

// operand gives the role and kind that the manual's field names imply.
func operand(name string, r *row) isa.Operand {
	op := isa.Operand{Name: name, Kind: isa.KindImm}
	switch strings.ReplaceAll(name, "'", "") {
	case "rd":
		op.Kind, op.Role = isa.KindReg, isa.Write
	case "rd/rs1":
		op.Kind, op.Role = isa.KindReg, isa.ReadWrite
	case "rs1", "rs2":
		op.Kind, op.Role = isa.KindReg, isa.Read
		op.Addr = r.flags&(isa.Load|isa.Store) != 0 && strings.Contains(r.syntax, "("+name+")")
	case "offset":
		op.Kind = isa.KindLabel
	}
	return op
}

// expand parses the expansions of a compressed row and takes over class, flags and
// implicit registers from the first.
func (e *entry) expand(r *row, ids map[string]*entry) {
	for _, text := range strings.Split(r.as, ";") {
		words := strings.Fields(text)
		x := expansion{base: ids[words[0]]}
		if x.base == nil || len(words)-1 != len(x.base.form.Ops) {
			panic("rv32: row " + r.id + ": bad expansion " + text)
		}
		for _, w := range words[1:] {
			x.args = append(x.args, e.source(w))
		}
		e.expands = append(e.expands, x)
	}
	x := e.expands[0]
	e.kind = x.base.kind
	e.form.Class = x.base.form.Class
	e.form.Flags = x.base.form.Flags &^ isa.Commute
	for i, op := range x.base.form.Ops {
		if op.Kind != isa.KindReg || x.args[i].slot >= 0 || x.args[i].value == 0 {
			continue
		}
		reg := isa.Set(isa.Reg(x.args[i].value))
		if op.Role&isa.Read != 0 {
			e.form.Reads |= reg
		}
		if op.Role&isa.Write != 0 {
			e.form.Writes |= reg
		}
	}
	if c, flags := refine(x.base, x.constants()); c != "" {
		e.form.Class, e.form.Flags = c, e.form.Flags|flags
	}
}

func (e *entry) source(word string) source {
	for i, op := range e.form.Ops {
		if op.Name == word {
			return source{slot: i}
		}
	}
	if r, ok := regByName[word]; ok {
		return source{slot: -1, value: int64(r)}
	}
	var v int64
	if _, err := fmt.Sscan(word, &v); err != nil {
		panic("rv32: row " + e.form.ID + ": " + word + " is no field, register or number")
	}
	return source{slot: -1, value: v}
}

// constants gives the arguments that the row fixes; the others are NoReg.
func (x expansion) constants() (args [isa.MaxArgs]int64) {
	for i, s := range x.args {
		args[i] = s.value
		if s.slot >= 0 {
			args[i] = int64(isa.NoReg)
		}
	}
	return args
}

// base returns what in stands for: itself, or the expansion of a compressed form.
func base(in isa.Inst) isa.Inst {
	e := entries[in.Form.Num]
	if len(e.expands) == 0 {
		return in
	}
	x := e.expands[0]
	out := isa.Inst{Form: &x.base.form, Sym: in.Sym}
	for i, s := range x.args {
		out.Args[i] = s.value
		if s.slot >= 0 {
			out.Args[i] = in.Args[s.slot]
		}
	}
	return out
}

func indexByID(list []*entry) map[string]*entry {
	m := make(map[string]*entry, len(list))
	for _, e := range list {
		m[e.form.ID] = e
	}
	return m
}

func formList(list []*entry) []*isa.Form {
	fs := make([]*isa.Form, len(list))
	for i, e := range list {
		fs[i] = &e.form
	}
	return fs
}

func classList(list []*entry) []string {
	seen := map[string]bool{classCall: true, classReturn: true, classRegCall: true}
	for _, e := range list {
		seen[e.form.Class] = true
	}
	names := make([]string, 0, len(seen))
	for c := range seen {
		names = append(names, c)
	}
	sort.Strings(names)
	return names
}
