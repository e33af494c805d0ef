// Package all is the explicit list of instruction sets. Adding one is a line here and a
// line in programs/targets.
package all

import (
	"simrun/isa"
	"simrun/isa/rv32"
	"simrun/isa/t32"
	"simrun/isa/x86"
)

// Archs returns the instruction sets, by name.
func Archs() []isa.Arch {
	return []isa.Arch{rv32.New(), t32.New(), x86.New()}
}

// Arch returns the instruction set of that name, nil if there is none.
func Arch(name string) isa.Arch {
	for _, a := range Archs() {
		if a.Name() == name {
			return a
		}
	}
	return nil
}
