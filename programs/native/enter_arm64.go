//go:build unix

package native

// trap fills unused code memory: with four of it, an undefined instruction.
const trap = 0x00

// cacheLine is the smallest data or instruction cache line of an AArch64 core, in bytes.
const cacheLine = 16

// syncCode makes written code visible to instruction fetch.
func syncCode(addr, size uintptr) { syncRange(addr, addr+size, cacheLine) }

//go:noescape
func syncRange(from, to, step uintptr)
