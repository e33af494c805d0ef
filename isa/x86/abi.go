package x86

import "simrun/isa"

// sysV is the System V AMD64 calling convention, integer part (ABI 1.0, section 3.2).
var sysV = isa.ABI{
	Args:       []isa.Reg{RDI, RSI, RDX, RCX, R8, R9},
	Ret:        RAX,
	SP:         RSP,
	Link:       isa.NoReg,
	StackAlign: 16,
	WordBytes:  8,
	CallerSaved: isa.Set(RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11, RFLAGS) |
		0xffff<<X0,
	CalleeSaved: isa.Set(RBX, RBP, R12, R13, R14, R15),
}

// ABI returns the System V convention. Before a call RSP is 8 below a multiple of 16, the
// return address lying at RSP.
func (*arch) ABI() *isa.ABI { return &sysV }
