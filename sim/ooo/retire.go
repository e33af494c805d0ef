package ooo

import "simrun/costmodel"

// retirement books issue slots. Fused uops take one each, in program order; a uop that is done later than the slots
// before it are used up leaves slots empty, and these are lost to what it waited for.
type retirement struct {
	slots        uint64
	by           [costmodel.NumCauses]uint64
	instructions uint64
	sink         func(costmodel.Timed)
	open         costmodel.Totals // at the start of the instruction being booked; with a sink only

	retirePos  uint64 // of the last uop: cycle << retireBits | its place among those retired in it
	lastIssued uint64
}

func (m *core) totals() costmodel.Totals {
	return costmodel.Totals{Slots: m.slots, Width: m.width, Instructions: m.instructions, By: m.by}
}

// retireBits is the room for the uops retired in a cycle.
const retireBits = 5

// retireUop retires a fused uop.
func (m *core) retireUop(w *wait) {
	done := w.done.cycle()
	next := m.retirePos + 1
	if next&(1<<retireBits-1) == m.retire {
		next = (next>>retireBits + 1) << retireBits
	}
	m.retirePos = max(next, done<<retireBits)
	m.retireRing[m.seq%robRing] = m.retirePos >> retireBits
	m.seq++
	m.lastIssued = w.issued
	if first := done * m.width; first > m.slots {
		m.lose(first-m.slots, w)
		m.slots = first
	}
	m.slots++
	m.by[costmodel.Issue]++
}

// lose books empty slots, the latest first: the latency of the uop, its port, its inputs, and what held up rename.
func (m *core) lose(n uint64, w *wait) {
	n -= m.book(w.done.why(), n, w.done.cycle()-w.issued-1)
	n -= m.book(costmodel.Port, n, w.issued-w.ready.cycle())
	n -= m.book(w.ready.why(), n, w.ready.cycle()-w.earliest)
	m.by[m.allocWhy] += n
}

// book books up to some cycles, n slots at most, and returns the slots.
func (m *core) book(why costmodel.Cause, n, cycles uint64) uint64 {
	k := min(n, cycles*m.width)
	m.by[why] += k
	return k
}

// record gives the instruction just booked to the sink.
func (m *core) record(pc uint64) {
	d := m.totals().Sub(m.open)
	m.sink(costmodel.Timed{
		PC: pc, Index: m.open.Instructions, Start: m.open.Slots, Slots: d.Slots, Width: m.width, Causes: d.By,
	})
}
