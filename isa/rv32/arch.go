package rv32

import "simrun/isa"

// Arch is the instruction set as the rest of the module sees it. It has no state.
type Arch struct{}

// New returns the RV32 instruction set.
func New() isa.Arch { return Arch{} }

// Name returns "rv32".
func (Arch) Name() string { return "rv32" }

// Triple returns the prefix of the GNU tools. They need -march=rv32imac_zicsr_zifencei
// -mabi=ilp32, the linker -m elf32lriscv.
func (Arch) Triple() string { return "riscv64-unknown-elf-" }

// Forms returns the table in manual order.
func (Arch) Forms() []*isa.Form { return forms }

// Form returns the row of that name, such as "XOR" or "C.XOR"; nil if there is none.
func (Arch) Form(id string) *isa.Form {
	if e := byID[id]; e != nil {
		return &e.form
	}
	return nil
}

// Classes returns the timing classes in use.
func (Arch) Classes() []string { return classes }

// Size is of isa.Sized.
func (Arch) Size(f *isa.Form) int { return entries[f.Num].pat.size }

// RegName returns the ilp32 name of r.
func (Arch) RegName(r isa.Reg) string {
	if r < numRegs {
		return regNames[r]
	}
	return "?"
}

// NumRegs returns 32.
func (Arch) NumRegs() int { return numRegs }

// ABI returns ilp32.
func (Arch) ABI() *isa.ABI { return &ilp32 }

// Prologue keeps the GNU linker from rewriting the code; Print and Mode do the rest.
func (Arch) Prologue() string { return "\t.option norelax" }

// Comment returns "#".
func (Arch) Comment() string { return "#" }

// Make builds an instruction from the name of its row and its operands in the order of
// the assembly text. It panics on an unknown name or a wrong number of operands: both
// are mistakes of the calling code.
func Make(id string, args ...int64) isa.Inst {
	e := byID[id]
	if e == nil {
		panic("rv32: no row " + id)
	}
	if len(args) != len(e.form.Ops) {
		panic("rv32: " + id + " takes " + e.form.Syntax)
	}
	in := isa.Inst{Form: &e.form}
	copy(in.Args[:], args)
	return in
}
