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

	retireCycle, retiredInIt uint64 // of the last uop
	lastIssued               uint64
}

func (m *core) totals() costmodel.Totals {
	return costmodel.Totals{Slots: m.slots, Width: m.width, Instructions: m.instructions, By: m.by}
}

// retireUop retires a fused uop.
func (m *core) retireUop(w *wait) {
	switch {
	case w.done > m.retireCycle:
		m.retireCycle, m.retiredInIt = w.done, 1
	case m.retiredInIt == m.retire:
		m.retireCycle, m.retiredInIt = m.retireCycle+1, 1
	default:
		m.retiredInIt++
	}
	m.retireRing[m.seq%robRing] = m.retireCycle
	m.seq++
	m.lastIssued = w.issued
	if first := w.done * m.width; first > m.slots {
		m.lose(first-m.slots, w)
		m.slots = first
	}
	m.slots++
	m.by[costmodel.Issue]++
}

// lose books empty slots, the latest first: the latency of the uop, its port, its inputs, and what held up rename.
func (m *core) lose(n uint64, w *wait) {
	n -= m.book(w.own, n, w.done-w.issued-1)
	n -= m.book(costmodel.Port, n, w.issued-w.ready)
	n -= m.book(w.input, n, w.ready-w.earliest)
	m.by[w.allocated] += n
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
