package rv32

import (
	"strconv"

	"simrun/isa"
)

// The integer registers under their ilp32 names; the number is that of x0-x31.
const (
	Zero isa.Reg = iota
	RA
	SP
	GP
	TP
	T0
	T1
	T2
	S0
	S1
	A0
	A1
	A2
	A3
	A4
	A5
	A6
	A7
	S2
	S3
	S4
	S5
	S6
	S7
	S8
	S9
	S10
	S11
	T3
	T4
	T5
	T6

	numRegs = 32
)

var regNames = [numRegs]string{
	"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2",
	"s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5",
	"a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7",
	"s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
}

// regByName holds both spellings of each register, and fp for s0.
var regByName = func() map[string]isa.Reg {
	m := map[string]isa.Reg{"fp": S0}
	for i, n := range regNames {
		m[n] = isa.Reg(i)
		m["x"+strconv.Itoa(i)] = isa.Reg(i)
	}
	return m
}()

// isLink reports whether r is a link register by the hint convention of the manual
// (section 2.5, table of return-address stack actions): x1 or x5.
func isLink(r isa.Reg) bool { return r == RA || r == T0 }
