package ooo

import (
	"simrun/costmodel"
	"simrun/isa"
)

const (
	storeRing = 128
	granule   = 4 // log2 of the bytes by which stores are found
	heads     = 256
)

// memory holds the stores that loads may have to wait for.
type memory struct {
	stores    uint64
	storeRing [storeRing]storeEntry
	heads     [heads]uint64 // the youngest node of each hash of a granule, + 1
	committed uint64        // cycle in which the last store went to the cache
}

// storeEntry is a store. It stands in the chains of the one or two granules that it touches; node 2n+k is the
// k-th of store n.
type storeEntry struct {
	addr, end uint64
	data      uint64 // cycle in which address and data have issued
	commit    uint64
	prev      [2]uint64 // older node of the chain, + 1
}

func firstOf(data []isa.Access, store bool) *isa.Access {
	for i := range data {
		if data[i].Store == store {
			return &data[i]
		}
	}
	return nil
}

// load times a load: cache, then stores that have its bytes.
func (m *core) load(w *wait, data []isa.Access) {
	done := w.done.cycle()
	a := firstOf(data, false)
	if a == nil {
		return
	}
	if !m.l1d.touch(a.Addr) {
		done = w.issued + m.l2
	}
	end := a.Addr + uint64(a.Size)
	if (a.Addr^(end-1))&^m.lineMask != 0 {
		m.l1d.touch(end - 1)
		done += m.lineCrossLoad
	}
	w.done = at(done, costmodel.LoadUse)
	if e := m.youngest(a.Addr, end); e != nil {
		m.forwarded(e, a.Addr, end, w)
	}
}

// forwarded delays a load until the store e can give it its bytes.
func (m *core) forwarded(e *storeEntry, addr, end uint64, w *wait) {
	when := e.data + m.forward
	if e.addr > addr || e.end < end {
		if e.commit <= w.issued {
			return
		}
		when += m.forwardFail
	}
	if when > w.done.cycle() {
		w.done = at(when, costmodel.StoreForward)
	}
}

// youngest returns the youngest store of a byte in [addr, end) that had not gone to the cache when rename got here,
// or nil.
func (m *core) youngest(addr, end uint64) *storeEntry {
	var found *storeEntry
	best := uint64(0)
	for g := addr >> granule; g <= (end-1)>>granule; g++ {
		for node := m.heads[g%heads]; node != 0; {
			n, k := (node-1)/2, (node-1)%2
			e := &m.storeRing[n%storeRing]
			if n+storeRing <= m.stores || e.commit <= m.base || n+1 <= best {
				break
			}
			if e.addr < end && addr < e.end {
				found, best = e, n+1
				break
			}
			node = e.prev[k]
		}
	}
	return found
}

// store remembers a store whose address and data have issued.
func (m *core) store(issued uint64, data []isa.Access) {
	n := m.stores
	e := &m.storeRing[n%storeRing]
	*e = storeEntry{data: issued, commit: never}
	m.stores++
	a := firstOf(data, true)
	if a == nil {
		return
	}
	e.addr, e.end = a.Addr, a.Addr+uint64(a.Size)
	for k, g := uint64(0), a.Addr>>granule; g <= (e.end-1)>>granule && k < 2; k, g = k+1, g+1 {
		head := &m.heads[g%heads]
		e.prev[k], *head = *head, 2*n+k+1
	}
}

// commit sends the youngest store to the cache, in order, one in a cycle.
func (m *core) commit(retired uint64) {
	e := &m.storeRing[(m.stores-1)%storeRing]
	m.committed = max(m.committed, retired) + 1
	if e.end > e.addr {
		m.l1d.touch(e.addr)
		if (e.addr^(e.end-1))&^m.lineMask != 0 {
			m.l1d.touch(e.end - 1)
			m.committed += m.lineCrossStore
		}
	}
	e.commit = m.committed
}
