//go:build unix && (amd64 || arm64)

package native

// enter calls code with ctx as its argument.
//
//go:noescape
func enter(code, ctx uintptr)

// timed calls code n times in a row with ctx as its argument and returns the ticks of the time
// counter that went by; n = 0 times the counter itself.
//
//go:noescape
func timed(code, ctx uintptr, n uint64) uint64
