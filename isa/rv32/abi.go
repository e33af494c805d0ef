package rv32

import "simrun/isa"

// ilp32 is the integer calling convention of the RISC-V psABI.
var ilp32 = isa.ABI{
	Args:       []isa.Reg{A0, A1, A2, A3, A4, A5, A6, A7},
	Ret:        A0,
	SP:         SP,
	Link:       RA,
	StackAlign: 16,
	WordBytes:  4,
	CallerSaved: isa.Set(RA, T0, T1, T2, A0, A1, A2, A3, A4, A5, A6, A7,
		T3, T4, T5, T6),
	CalleeSaved: isa.Set(SP, S0, S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11),
}
