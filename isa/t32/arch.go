package t32

import (
	"fmt"

	"simrun/isa"
)

// Arch is the instruction set. It has no state.
type Arch struct{}

// New returns the instruction set.
func New() isa.Arch { return Arch{} }

func (Arch) Name() string   { return "t32" }
func (Arch) Triple() string { return "arm-none-eabi-" }

var forms = func() []*isa.Form {
	list := make([]*isa.Form, len(encodings))
	for i, e := range encodings {
		list[i] = &e.form
	}
	return list
}()

// Forms returns the rows, grouped as the tables are.
func (Arch) Forms() []*isa.Form { return forms }

// Form returns the row with that ID, or nil.
func (Arch) Form(id string) *isa.Form {
	if e := byID[id]; e != nil {
		return &e.form
	}
	return nil
}

// Classes returns the timing classes, sorted.
func (Arch) Classes() []string { return classes }

// Size is of isa.Sized.
func (Arch) Size(f *isa.Form) int { return int(encodings[f.Num].size) }

func (Arch) RegName(r isa.Reg) string { return regName(r) }
func (Arch) NumRegs() int             { return numRegs }
func (Arch) Comment() string          { return "@" }

// Prologue chooses Thumb code in unified syntax.
func (Arch) Prologue() string { return "\t.syntax unified\n\t.cpu cortex-m4\n\t.thumb" }

// floatUnit is the directive for the unit that instructions of the feature "fp" belong to.
const floatUnit = "\t.fpu fpv4-sp-d16"

// Mode is of isa.Modal: the GNU assembler takes floating-point instructions once told of the unit.
func (Arch) Mode(in isa.Inst) string {
	if in.Form.Feature == "fp" {
		return floatUnit
	}
	return ""
}

// Make builds an instruction from a row's ID and its operands in the row's order. An unknown
// ID or too many operands are mistakes of the caller and panic.
func Make(id string, args ...int64) isa.Inst {
	e := byID[id]
	if e == nil {
		panic("t32: no row " + id)
	}
	if len(args) > len(e.ops) {
		panic(fmt.Sprintf("t32: %s takes %d operands, not %d", id, len(e.ops), len(args)))
	}
	in := isa.Inst{Form: &e.form}
	copy(in.Args[:], args)
	return in
}
