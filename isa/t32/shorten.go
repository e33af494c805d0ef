package t32

import (
	"strings"

	"simrun/isa"
)

// Shorten returns the 16-bit form of a 32-bit instruction outside IT blocks, if there is one: with the same effect, or
// setting the flags besides if they are in free. It is found as the assembler finds it, from the
// instruction's own text in the order of the rows, but for the opposite instruction (CMP for CMN), whose flags differ. A label counts as near.
func Shorten(in isa.Inst, free isa.RegSet) (isa.Inst, bool) {
	e := encodings[in.Form.Num]
	if e.size == 2 || in.Cond != 0 {
		return in, false
	}
	name, operands := stackForm(Arch{}.Print(in))
	if n := plainNames[name]; n != "" {
		name = n
	}
	names := []string{name}
	if free.Has(Flags) && !in.Form.Writes.Has(Flags) {
		names = append(names, name+"s")
	}
	for _, n := range names {
		if short, ok := narrow(n, operands); ok {
			return short, true
		}
	}
	return in, false
}

// narrow reads an instruction that must have 16 bits.
func narrow(name, operands string) (isa.Inst, bool) {
	p := &parser{consts: map[string]value{}, regs: map[string]string{}}
	for _, sp := range spellings(name + ".n") {
		list := outsideIT[sp.name]
		if sp.cond >= 0 {
			list = outsideIT[sp.name+"?"]
		}
		var found []isa.Inst
		if p.try(list, sp, strip(operands), &found) == nil {
			return found[0], true
		}
	}
	return isa.Inst{}, false
}

// stackForm splits a printed instruction into its name, without width, and operands. What PUSH and POP can do gets
// their names.
func stackForm(text string) (name, operands string) {
	name, operands, _ = strings.Cut(text, "\t")
	name = strings.TrimSuffix(name, ".w")
	switch list, stack := strings.CutPrefix(operands, "sp!, "); {
	case stack && name == "stmdb":
		return "push", list
	case stack && name == "ldmia":
		return "pop", list
	}
	if r, ok := strings.CutSuffix(operands, ", [sp, #-4]!"); ok && name == "str" {
		return "push", "{" + r + "}"
	}
	if r, ok := strings.CutSuffix(operands, ", [sp], #4"); ok && name == "ldr" {
		return "pop", "{" + r + "}"
	}
	return name, operands
}
