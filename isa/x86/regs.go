package x86

import (
	"strconv"

	"simrun/isa"
)

// Registers. General registers and xmm registers stand in encoding order.
const (
	RAX isa.Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	X0 // xmm0; xmm n is X0+n
)

const (
	X15    isa.Reg = X0 + 15
	RFLAGS isa.Reg = 32
	RIP    isa.Reg = 33 // only as the base of a memory operand
	FSBase isa.Reg = 34 // added to addresses that have SegFS

	numRegs = 35
)

// XMM returns the register xmm n.
func XMM(n int) isa.Reg { return X0 + isa.Reg(n) }

// gprNames holds the names by size (1, 2, 4, 8 bytes as index 0 to 3) and number.
var gprNames = [4][16]string{
	{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"},
	{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"},
	{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"},
	{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"},
}

// highNames are the second bytes of RAX, RCX, RDX and RBX.
var highNames = [4]string{"ah", "ch", "dh", "bh"}

// regByName maps every name to its register and size in bytes.
var regByName = map[string]namedReg{}

type namedReg struct {
	reg  isa.Reg
	size int
}

func init() {
	for i, suffix := range [4]string{"b", "w", "d", ""} {
		for n := 8; n < 16; n++ {
			gprNames[i][n] = "r" + strconv.Itoa(n) + suffix
		}
		for n, name := range gprNames[i] {
			regByName[name] = namedReg{isa.Reg(n), 1 << i}
		}
	}
	for n := range 16 {
		regByName["xmm"+strconv.Itoa(n)] = namedReg{XMM(n), 16}
	}
	regByName["rip"] = namedReg{RIP, 8}
}

// gprName returns the name of the low size bytes of general register r.
func gprName(r isa.Reg, size int) string {
	i := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[size]
	return gprNames[i][r&15]
}

// RegName gives the 64-bit name of a general register.
func (*arch) RegName(r isa.Reg) string {
	switch {
	case r <= R15:
		return gprName(r, 8)
	case r <= X15:
		return "xmm" + strconv.Itoa(int(r-X0))
	case r == RFLAGS:
		return "rflags"
	case r == RIP:
		return "rip"
	case r == FSBase:
		return "fs_base"
	}
	return "none"
}

// NumRegs counts RFLAGS, RIP and FSBase.
func (*arch) NumRegs() int { return numRegs }
