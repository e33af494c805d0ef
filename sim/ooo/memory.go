package ooo

import "simrun/costmodel"

const storeRing = 128

// memory holds when stores go to the cache, which loads may have to wait for.
type memory struct {
	stores    uint64 // uops of store data so far
	storeRing [storeRing]storeTimes
	addressed moment // from which every store so far has its address
	committed uint64 // cycle in which the last store went to the cache
}

type storeTimes struct {
	data   uint64 // cycle in which address and data have issued
	commit uint64
}

// load times a load: cache, then stores that have its bytes.
func (m *core) load(w *wait, a access) {
	if a&loads == 0 {
		return
	}
	done := w.done.cycle()
	if a&loadMiss != 0 {
		done = w.issued + m.l2
	}
	if a&loadCrosses != 0 {
		done += m.lineCrossLoad
	}
	w.done = at(done, costmodel.LoadUse)
	if d := a.distance(); d != 0 {
		m.forwarded(&m.storeRing[(m.stores-d)%storeRing], a&loadPartial != 0, w)
	}
}

// forwarded delays a load until the store e, if it had not gone to the cache when rename got here, can give it its
// bytes; partial, if it does not have all of them.
func (m *core) forwarded(e *storeTimes, partial bool, w *wait) {
	if e.commit <= m.base {
		return
	}
	when := e.data + m.forward
	if partial {
		if e.commit <= w.issued {
			return
		}
		when += m.forwardFail
	}
	if when > w.done.cycle() {
		w.done = at(when, costmodel.StoreForward)
	}
}

// store remembers a store whose address and data have issued.
func (m *core) store(issued uint64) {
	m.storeRing[m.stores%storeRing] = storeTimes{data: issued, commit: never}
	m.stores++
}

// commit sends the youngest store to the cache, in order, one in a cycle.
func (m *core) commit(retired uint64, a access) {
	m.committed = max(m.committed, retired) + 1
	if a&storeCrosses != 0 {
		m.committed += m.lineCrossStore
	}
	m.storeRing[(m.stores-1)%storeRing].commit = m.committed
}
