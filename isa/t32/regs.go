package t32

import (
	"strconv"
	"strings"

	"simrun/isa"
)

// Registers. R0 to R12 are their numbers.
const (
	SP    isa.Reg = 13
	LR    isa.Reg = 14
	PC    isa.Reg = 15
	Flags isa.Reg = 16 // APSR: N, Z, C, V, Q and GE
	S0    isa.Reg = 17 // S0 to S31 are 17 to 48; D0 is S0 and S1
	FPSCR isa.Reg = 49

	numFloats = 32
	numRegs   = 50
)

var regNames = func() (names [numRegs]string) {
	copy(names[:], []string{"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10",
		"r11", "r12", "sp", "lr", "pc", "apsr"})
	for i := range numFloats {
		names[int(S0)+i] = "s" + strconv.Itoa(i)
	}
	names[FPSCR] = "fpscr"
	return names
}()

// regAliases are the other names that the GNU assembler takes.
var regAliases = map[string]isa.Reg{
	"r13": SP, "r14": LR, "r15": PC, "ip": 12, "fp": 11, "sl": 10, "sb": 9,
	"a1": 0, "a2": 1, "a3": 2, "a4": 3,
	"v1": 4, "v2": 5, "v3": 6, "v4": 7, "v5": 8, "v6": 9, "v7": 10, "v8": 11,
}

// parseReg reads the name of a core register, in any case.
func parseReg(s string) (isa.Reg, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	for r := isa.Reg(0); r <= PC; r++ {
		if regNames[r] == s {
			return r, true
		}
	}
	r, ok := regAliases[s]
	return r, ok
}

// Condition codes, as in bits 31:28 of an ARM instruction.
const (
	EQ = iota
	NE
	CS
	CC
	MI
	PL
	VS
	VC
	HI
	LS
	GE
	LT
	GT
	LE
	AL
)

var condNames = [15]string{"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al"}

// parseCond reads a condition; "hs" and "lo" are the other names of cs and cc.
func parseCond(s string) (int, bool) {
	switch s {
	case "hs":
		return CS, true
	case "lo":
		return CC, true
	}
	for i, n := range condNames {
		if n == s {
			return i, true
		}
	}
	return 0, false
}

// Shift types, as in the manual's DecodeImmShift.
const (
	typeLSL = iota
	typeLSR
	typeASR
	typeROR
)

// A shift operand ("Rm, ror #5") is one slot of Inst.Args: the amount field of five bits above
// the type field of two. 0 is no shift; an amount field of 0 is 32 for LSR and ASR, and RRX for ROR.

// LSL gives the shift operand for a left shift by 0 to 31.
func LSL(n int) int64 { return int64(n&31)<<2 | typeLSL }

// LSR gives the shift operand for a logical right shift by 1 to 32.
func LSR(n int) int64 { return int64(n&31)<<2 | typeLSR }

// ASR gives the shift operand for an arithmetic right shift by 1 to 32.
func ASR(n int) int64 { return int64(n&31)<<2 | typeASR }

// ROR gives the shift operand for a rotation to the right by 1 to 31; 0 is no rotation.
func ROR(n int) int64 {
	if n&31 == 0 {
		return 0
	}
	return int64(n&31)<<2 | typeROR
}

// RRX is the shift operand for a rotation to the right by one through the carry.
const RRX int64 = typeROR

// unpackShift gives type and amount of a shift operand: 0 to 32; ror 0 is RRX.
func unpackShift(v int64) (typ, amount int) {
	typ, amount = int(v&3), int(v>>2&31)
	if amount == 0 && (typ == typeLSR || typ == typeASR) {
		amount = 32
	}
	return typ, amount
}

// NegZero is the displacement "#-0": an offset of zero whose direction bit says "down".
const NegZero = -1 << 40

// EncodableImm reports whether v is a modified immediate: a byte, a byte repeated as 00XY00XY,
// XY00XY00 or XYXYXYXY, or eight bits with the top one set, shifted anywhere.
func EncodableImm(v uint32) bool {
	_, ok := modImm(v)
	return ok
}

// modImm encodes v into the 12 bits i:imm3:imm8 of ThumbExpandImm (A5.3.2). Of several
// encodings the lowest is chosen.
func modImm(v uint32) (uint32, bool) {
	b := v & 0xff
	switch v {
	case b:
		return b, true
	case b | b<<16:
		return 1<<8 | b, true
	case b * 0x01010101:
		return 3<<8 | b, true
	}
	if b = v >> 8 & 0xff; v == b<<8|b<<24 {
		return 2<<8 | b, true
	}
	for rot := uint32(8); rot < 32; rot++ {
		if x := v<<rot | v>>(32-rot); x>>8 == 0 && x&0x80 != 0 {
			return rot<<7 | x&0x7f, true
		}
	}
	return 0, false
}

// expandImm is ThumbExpandImm. The patterns 00XY00XY and so on with XY = 0 are unpredictable.
func expandImm(f uint32) (uint32, bool) {
	b := f & 0xff
	switch f >> 8 {
	case 0:
		return b, true
	case 1:
		return b | b<<16, b != 0
	case 2:
		return b<<8 | b<<24, b != 0
	case 3:
		return b * 0x01010101, b != 0
	}
	x, rot := 0x80|f&0x7f, f>>7
	return x>>rot | x<<(32-rot), true
}

// rotatedImm reports whether the constant comes from the rotated form, whose bit 31 becomes the
// carry of a flag-setting logical instruction.
func rotatedImm(v uint32) bool {
	f, ok := modImm(v)
	return ok && f >= 4<<8
}

// Special registers, by the SYSm number of MRS and MSR (B5.1.1).
const (
	sysAPSR       = 0
	sysXPSR       = 3
	sysMSP        = 8
	sysPSP        = 9
	sysPRIMASK    = 16
	sysBASEPRI    = 17
	sysBASEPRIMax = 18
	sysFAULTMASK  = 19
	sysCONTROL    = 20
	numSysRegs    = 21
)

// Bits of CONTROL (B1.4.4).
const (
	controlUser = 1 // Thread mode is unprivileged
	controlPSP  = 2 // Thread mode uses the PSP
	controlFPCA = 4 // floating-point state is in use
)

var sysNames = [256]string{
	sysAPSR: "apsr", 1: "iapsr", 2: "eapsr", sysXPSR: "xpsr", 5: "ipsr", 6: "epsr", 7: "iepsr",
	sysMSP: "msp", sysPSP: "psp", sysPRIMASK: "primask", sysBASEPRI: "basepri",
	sysBASEPRIMax: "basepri_max", sysFAULTMASK: "faultmask", sysCONTROL: "control",
}
