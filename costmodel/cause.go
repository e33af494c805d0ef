package costmodel

import "fmt"

// Cause says what an issue slot was spent on. Every slot has exactly one.
type Cause uint8

// The causes, in the order in which reports print them.
const (
	Issue        Cause = iota // the instruction itself: one issue slot
	Transfer                  // words of a multiple or double transfer after the first
	LoadUse                   // waiting for a value from memory
	Address                   // waiting for an address operand
	Fetch                     // the queue of fetched code is empty or misaligned
	ICache                    // instruction cache miss
	Branch                    // pipeline refill after a taken branch
	Mispredict                // wrong or missing prediction
	Mul                       // multiplier: occupancy, or waiting for its result
	Div                       // divider: occupancy, or waiting for its result
	WaitState                 // memory slower than the core
	Store                     // write path: register offset, buffer, conflict with a load
	CSR                       // waiting for a control register
	Exception                 // entry and return
	FrontEnd                  // decode and rename width
	ReadPort                  // register read ports
	Dependency                // waiting for any other result
	Port                      // execution port taken
	Window                    // scheduler or reorder buffer full
	StoreForward              // load waiting for an older store: its address or its data
	Retire                    // retirement width
	NumCauses    = iota
)

// Causes is the one list of names, indexed by Cause.
var Causes = [NumCauses]string{
	"issue", "transfer", "load-use", "address", "fetch", "i-cache", "branch", "mispredict",
	"mul", "div", "wait-state", "store", "csr", "exception", "front-end", "read-port",
	"dependency", "port", "window", "store-forward", "retire",
}

func (c Cause) String() string { return Causes[c] }

// Timed is one retired instruction with its time in issue slots, of which a cycle has Width: 1 in order, the rename
// width out of order. It takes the slots [Start, Start+Slots); the next instruction starts where it
// ends. A wait stands at the instruction that waited, before its own slot. Causes adds up to Slots.
type Timed struct {
	PC      uint64
	Index   uint64 // instructions retired before it since Reset
	Start   uint64 // slots
	Slots   uint64
	Width   uint64            // slots of a cycle
	Causes  [NumCauses]uint64 // slots by cause
	Skipped bool              // its condition failed
}

// Totals is the sum of Timed records.
type Totals struct {
	Slots        uint64
	Width        uint64 // slots of a cycle
	Instructions uint64
	By           [NumCauses]uint64 // slots by cause
}

// InCycles is the time in cycles; out of order a part of the last cycle may be missing.
func (t Totals) InCycles() float64 { return float64(t.Slots) / float64(max(t.Width, 1)) }

// Sub returns t - u, both totals of the same run, u the earlier.
func (t Totals) Sub(u Totals) Totals {
	t.Slots -= u.Slots
	t.Instructions -= u.Instructions
	for c := range t.By {
		t.By[c] -= u.By[c]
	}
	return t
}

// Add adds one record.
func (t *Totals) Add(x *Timed) {
	t.Slots += x.Slots
	t.Width = x.Width
	t.Instructions++
	for c, n := range x.Causes {
		t.By[c] += n
	}
}

// Check reports an error unless the causes add up to the slots that have passed.
func (t Totals) Check() error {
	var sum uint64
	for _, n := range t.By {
		sum += n
	}
	if sum != t.Slots {
		return fmt.Errorf("cycle accounting: causes add up to %d, the clock shows %d", sum, t.Slots)
	}
	return nil
}

// Map returns the slots of the causes that occurred, by name.
func (t Totals) Map() map[string]uint64 {
	m := map[string]uint64{}
	for c, n := range t.By {
		if n != 0 {
			m[Causes[c]] = n
		}
	}
	return m
}
