package inorder

import (
	"strings"

	"simrun/costmodel"
	"simrun/isa"
)

// ledger is where cycles are booked: now is the cycle in which the next instruction would
// issue, were it ready.
type ledger struct {
	now          uint64
	instructions uint64
	by           [costmodel.NumCauses]uint64
	sink         func(costmodel.Timed)
	owed         uint64           // cycles of exceptions, which the next instruction waits
	open         costmodel.Totals // at the start of the instruction being booked; with a sink only
}

// charge passes n cycles for one cause.
func (l *ledger) charge(c costmodel.Cause, n uint64) {
	l.now += n
	l.by[c] += n
}

func (l *ledger) totals() costmodel.Totals {
	return costmodel.Totals{Slots: l.now, Width: 1, Instructions: l.instructions, By: l.by}
}

// begin and end enclose the charges of one instruction.
func (l *ledger) begin() {
	if l.sink != nil {
		l.open = l.totals()
	}
	if l.owed != 0 {
		l.charge(costmodel.Exception, l.owed)
		l.owed = 0
	}
}

func (l *ledger) end(st *isa.Static, skipped bool) {
	l.instructions++
	if l.sink == nil {
		return
	}
	d := l.totals().Sub(l.open)
	l.sink(costmodel.Timed{
		PC: st.PC, Index: l.open.Instructions, Start: l.open.Slots,
		Slots: d.Slots, Width: 1, Causes: d.By, Skipped: skipped,
	})
}

// part is some cycles of one cause.
type part struct {
	cause  costmodel.Cause
	cycles uint64
}

// partsSince lists what was booked after before.
func (l *ledger) partsSince(before *costmodel.Totals) []part {
	var parts []part
	for c, n := range l.totals().Sub(*before).By {
		if n != 0 {
			parts = append(parts, part{costmodel.Cause(c), n})
		}
	}
	return parts
}

// replay books a run as it was booked before.
func (l *ledger) replay(parts []part, cycles, instructions uint64) {
	l.now += cycles
	l.instructions += instructions
	for _, p := range parts {
		l.by[p.cause] += p.cycles
	}
}

// maxEntries bounds the entry states remembered per run; further ones are walked.
const maxEntries = 16

// interpolate gives the cost between low and high for bits of 32 significant bits, rounded up.
func interpolate(low, high, bits int) int {
	return low + ((high-low)*min(max(bits, 0), 32)+31)/32
}

// significantBits reads a hint; see isa.Hint.
func significantBits(c *class, value uint8) int {
	if c.is("div") {
		return int(value) - 1
	}
	return int(value)
}

func splitClass(name string) []string { return strings.Split(name, ".") }
