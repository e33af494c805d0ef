package ooo

import "simrun/isa"

// What a load may have to do with stores that are not in the cache yet.

const (
	granule = 4 // log2 of the bytes by which stores are found
	heads   = 256
)

// known is a store. It stands in the chains of the one or two granules that it touches; node 2n+k is the k-th of
// store n.
type known struct {
	addr, end uint64
	prev      [2]uint64 // older node of the chain, + 1
}

// passEntries is the largest table of loads that a CPU file may ask for.
const passEntries = 256

// distrust makes all loads wait for the addresses of older stores, on cores where any does. Where code is moved, counters
// belong to addresses at which other loads stood before; most loads of code with spills share one with a load that meets a
// store.
func (m *core) distrust() {
	for i := range m.disambiguation {
		m.disambiguation[i] = m.passAfter
	}
}

// loadSeen finds the course of a load whose instruction ends at pc, behind so many stores.
func (m *core) loadSeen(a *isa.Access, pc, stores uint64) access {
	seen, end := loads, a.Addr+uint64(a.Size)
	if !m.l1d.touch(a.Addr) {
		seen |= loadMiss
	}
	if (a.Addr^(end-1))&^m.lineMask != 0 {
		m.l1d.touch(end - 1)
		seen |= loadCrosses
	}
	n := m.youngest(a.Addr, end, stores)
	counter := &m.disambiguation[pc&m.passMask]
	if *counter > 0 {
		seen |= loadWaits
		*counter--
	}
	if n != 0 {
		*counter = m.passAfter
	}
	if n == 0 {
		return seen
	}
	if !m.forwards(&m.known[(n-1)%storeRing], a.Addr, end) {
		seen |= loadPartial
	}
	return seen | access(stores-(n-1))<<distanceAt
}

// away is how far addr lies behind the start of a store, as far as the comparison of addresses tells.
func (m *core) away(e *known, addr uint64) int64 {
	d := int64(addr - e.addr)
	if m.aliasShift != 0 {
		d = d << m.aliasShift >> m.aliasShift
	}
	return d
}

// youngest returns the number of the youngest of the stores before the given one that seems to have a byte in
// [addr, end), + 1, or 0. Stores further away than the store buffer is long have gone to the cache when the load is
// renamed.
func (m *core) youngest(addr, end, stores uint64) uint64 {
	best := uint64(0)
	for g := addr >> granule; g <= (end-1)>>granule; g++ {
		for node := m.heads[g%heads]; node != 0; {
			n, k := (node-1)/2, (node-1)%2
			if n+m.storeBuffer < stores || n+1 <= best {
				break
			}
			e := &m.known[n%storeRing]
			if d := m.away(e, addr); d < int64(e.end-e.addr) && -d < int64(end-addr) {
				best = n + 1
				break
			}
			node = e.prev[k]
		}
	}
	return best
}

// forwards reports whether the store e passes the bytes [addr, end) on.
//
// Where alignment matters (forwardWithin; Agner Fog, 8.12), a load gets them if it begins where the store does, or is the
// upper half of 8 bytes, or a half or quarter of 16 aligned ones. And it must be aligned, or of under 16 bytes and not
// cross a multiple of forwardWithin. Where that is a line, it is the store of which this is asked.
func (m *core) forwards(e *known, addr, end uint64) bool {
	at, size, from := m.away(e, addr), int64(end-addr), int64(e.end-e.addr)
	if at < 0 || at+size > from {
		return false
	}
	if m.forwardWithin == 0 {
		return true
	}
	half := from == 8 && size == 4 && at == 4
	part := from == 16 && (size == 8 || size == 4) && at&(size-1) == 0 && e.addr&15 == 0
	if at != 0 && !half && !part {
		return false
	}
	first, n := addr, uint64(size)
	if m.forwardWithin > m.lineMask {
		first, n = e.addr, uint64(from)
	}
	return first&(n-1) == 0 || size < 16 && first/m.forwardWithin == (first+n-1)/m.forwardWithin
}

// storeSeen remembers store n.
func (m *core) storeSeen(a *isa.Access, n uint64) (seen access) {
	e := &m.known[n%storeRing]
	*e = known{addr: a.Addr, end: a.Addr + uint64(a.Size)}
	for k, g := uint64(0), a.Addr>>granule; g <= (e.end-1)>>granule && k < 2; k, g = k+1, g+1 {
		head := &m.heads[g%heads]
		e.prev[k], *head = *head, 2*n+k+1
	}
	m.l1d.touch(a.Addr)
	if (a.Addr^(e.end-1))&^m.lineMask != 0 {
		m.l1d.touch(e.end - 1)
		seen = storeCrosses
	}
	return seen
}
