// Package native maps machine code on this computer, calls it and counts its cycles. It must
// not know any instruction set's table, any compiler or any kernel: it is given bytes.
//
// The code is a leaf function of one pointer to a context block ([Context]): it leaves the stack
// pointer and the frame pointer alone, keeps spills and return addresses in the context, never
// calls back and always ends. On arm64 it also leaves R18, R28, R29 and R30 alone.
//
// Such code needs nothing of the Go runtime. The runtime does not preempt at an address that it
// does not know, and a fault in a leaf looks to it like one in the trampoline, so that
// [runtime/debug.SetPanicOnFault] turns it into an error. The price: a garbage collection waits
// for the call to end, so one call should stay below a millisecond.
package native
