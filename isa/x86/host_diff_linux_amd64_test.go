package x86

import (
	"fmt"
	"strings"
)

// undefinedFlags are the flags that the manual (SDM volume 2, at the instruction, "Flags Affected") leaves undefined and
// that processors do set differently; those of shifts depend on the count.
var undefinedFlags = map[string]uint64{
	"and": flagAF, "or": flagAF, "xor": flagAF, "test": flagAF,
	"imul": flagSF | flagZF | flagAF | flagPF,
	"mul":  flagSF | flagZF | flagAF | flagPF,
	"div":  flagsAll, "idiv": flagsAll,
	"bt":  flagOF | flagSF | flagAF | flagPF,
	"bts": flagOF | flagSF | flagAF | flagPF,
	"btr": flagOF | flagSF | flagAF | flagPF,
	"btc": flagOF | flagSF | flagAF | flagPF,
	"bsf": flagCF | flagOF | flagSF | flagAF | flagPF,
	"bsr": flagCF | flagOF | flagSF | flagAF | flagPF,
}

// shiftMnemonics have their count in the second operand, or in the third of double shifts.
var shiftMnemonics = map[string]bool{
	"shl": true, "shr": true, "sar": true, "rol": true, "ror": true, "rcl": true, "rcr": true, "shld": true, "shrd": true,
}

func undefined(c *instance) uint64 {
	r := rowOf(&c.in)
	name := strings.TrimPrefix(r.Mnemonic, "lock ")
	if shiftMnemonics[name] {
		return undefinedShiftFlags(r, c.count())
	}
	return undefinedFlags[name]
}

// count is the count of a shift as it counts.
func (c *instance) count() uint64 {
	r := rowOf(&c.in)
	n := c.state.GPR[RCX]
	switch o := r.operands[len(r.operands)-1]; o.what {
	case opImm:
		n = uint64(c.in.Args[o.slot])
	case opOne:
		n = 1
	}
	return count(n, uint8(r.width()))
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
	defined := (flagsAll | flagDF) &^ undefined(c)
	if got.Flags&defined != want.Flags&defined {
		return fmt.Sprintf("flags %#x, host %#x (of %#x), before %#x", got.Flags&defined, want.Flags&defined, defined, c.state)
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
		return fmt.Sprintf("memory %x, host %x, before %x", got.Window, want.Window, c.state)
	}
	return ""
}
