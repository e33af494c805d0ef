//go:build unix

package native

// trap fills unused code memory: INT3.
const trap = 0xcc

// The two forms of enter and timed, by the position of the stack pointer; see enter_amd64.s.
func enterA(code, ctx uintptr)
func enterB(code, ctx uintptr)
func timedA(code, ctx uintptr, n uint64) uint64
func timedB(code, ctx uintptr, n uint64) uint64

// syncCode has nothing to do: the instruction caches of amd64 are coherent.
func syncCode(addr, size uintptr) {}
