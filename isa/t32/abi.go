package t32

import "simrun/isa"

var abi = isa.ABI{
	Args:        []isa.Reg{0, 1, 2, 3},
	Ret:         0,
	SP:          SP,
	Link:        LR,
	StackAlign:  8,
	WordBytes:   4,
	CallerSaved: isa.Set(0, 1, 2, 3, 12, LR, Flags, FPSCR) | floatSet(0, 16),
	CalleeSaved: isa.Set(4, 5, 6, 7, 8, 9, 10, 11) | floatSet(16, 16),
	Thumb:       true,
}

// floatSet is a set of n floating-point registers from number first on.
func floatSet(first, n int) isa.RegSet { return isa.RegSet(registers(int(S0)+first, n)) }

// ABI is the base standard of the AAPCS: arguments in r0 to r3, then on the stack.
func (Arch) ABI() *isa.ABI { return &abi }
