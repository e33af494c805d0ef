package x86

import (
	"fmt"
)

// undefinedFlags are the flags that the manual leaves undefined after c, and that processors
// do set differently.
func undefinedFlags(c *instance) uint64 {
	r := rowOf(&c.in)
	switch r.Mnemonic {
	case "and", "or", "xor", "test":
		return flagAF
	case "imul", "mul":
		return flagSF | flagZF | flagAF | flagPF
	case "shl", "shr", "sar", "rol", "ror":
		n := c.state.GPR[RCX]
		if r.operands[1].what == opImm {
			n = uint64(c.in.Args[1])
		}
		return undefinedShiftFlags(r, count(n, uint8(r.width())))
	}
	return 0
}

// undefinedShiftFlags: a rotate changes CF and OF only; CF of a shift is defined up to the
// operand size, OF for a count of one.
func undefinedShiftFlags(r *row, n uint64) uint64 {
	var flags uint64
	if n == 0 {
		return 0
	}
	if n != 1 {
		flags |= flagOF
	}
	if r.Mnemonic[0] == 's' {
		flags |= flagAF
		if n >= uint64(8*r.width()) && r.Mnemonic != "sar" {
			flags |= flagCF
		}
	}
	return flags
}

// difference describes the first difference between two states after c, "" if there is none.
func difference(c *instance, got, want *state) string {
	defined := flagsAll &^ undefinedFlags(c)
	if got.Flags&defined != want.Flags&defined {
		return fmt.Sprintf("flags %#x, host %#x (of %#x)", got.Flags&defined, want.Flags&defined, defined)
	}
	for i := range got.GPR {
		if got.GPR[i] != want.GPR[i] {
			return fmt.Sprintf("%s = %#x, host %#x, before %#x", gprNames[3][i], got.GPR[i], want.GPR[i], c.state.GPR)
		}
	}
	for i := range got.X {
		if got.X[i] != want.X[i] {
			return fmt.Sprintf("xmm%d = %#x, host %#x, before %#x", i, got.X[i], want.X[i], c.state.X)
		}
	}
	if got.Window != want.Window {
		return fmt.Sprintf("memory %x, host %x", got.Window, want.Window)
	}
	return ""
}
