package ooo

import "math/bits"

// The timeline keeps, for the cycles from base on, which ports issue and deliver and which scheduler entries
// become free. It is a ring: what lies further ahead than horizon is not reserved, which only
// latencies of thousands of cycles reach.
const (
	horizon = 2048
	reach   = horizon - 256
)

// loadCounters is the number of ports whose waiting uops are counted, a byte each.
const loadCounters = 8

type cycle struct {
	issue, taken, result uint16 // by port: a uop issues, the port is held by it, it delivers
	freed                uint64 // entries, a byte for each scheduler
}

type timeline struct {
	ring    [horizon]cycle
	base    uint64 // the cycle that rename works in
	waiting uint64 // uops allocated and not issued, a byte for each port
	held    uint64 // entries in use, a byte for each scheduler
}

// advance moves on to cycle a.
func (t *timeline) advance(a uint64) {
	for t.base < a {
		c := &t.ring[t.base%horizon]
		if c.issue != 0 {
			t.waiting -= spread8[c.issue&0xff]
		}
		*c = cycle{}
		t.base++
		t.held -= t.ring[t.base%horizon].freed
	}
}

// spread8 gives each bit of an index a byte.
var spread8 = func() (table [256]uint64) {
	for i := range table {
		for b := i; b != 0; b &= b - 1 {
			table[i] |= 1 << (8 * bits.TrailingZeros(uint(b)))
		}
	}
	return table
}()

// issue reserves the first cycle from ready on in which a port can take a uop, and returns it.
func (t *timeline) issue(port uint8, ready, latency, busy uint64, writeBack bool) uint64 {
	if ready+latency+busy >= t.base+reach {
		return ready
	}
	if busy > 1 {
		return t.issueAny(&place{n: 1, ports: [6]uint8{port}}, ready, latency, busy, writeBack)
	}
	bit, c := uint16(1)<<(port&15), ready
	for t.ring[c%horizon].taken&bit != 0 || writeBack && t.ring[(c+latency)%horizon].result&bit != 0 {
		c++
	}
	at := &t.ring[c%horizon]
	at.issue |= bit
	at.taken |= bit
	t.ring[(c+latency)%horizon].result |= bit
	if port < loadCounters {
		t.waiting += 1 << (8 * port)
	}
	return c
}

// issueAny is issue for the first of several ports that is free, the preferred if there are several.
func (t *timeline) issueAny(l *place, ready, latency, busy uint64, writeBack bool) uint64 {
	for c := ready; c+latency+busy < t.base+reach; c++ {
		for _, p := range l.ports[:l.n] {
			if t.free(c, p, latency, busy, writeBack) {
				t.reserve(c, p, latency, busy)
				return c
			}
		}
	}
	return ready
}

func (t *timeline) free(c uint64, p uint8, latency, busy uint64, writeBack bool) bool {
	if t.ring[c%horizon].taken>>p&1 != 0 || writeBack && t.ring[(c+latency)%horizon].result>>p&1 != 0 {
		return false
	}
	for i := uint64(1); i < busy; i++ {
		if t.ring[(c+i)%horizon].taken>>p&1 != 0 {
			return false
		}
	}
	return true
}

func (t *timeline) reserve(c uint64, p uint8, latency, busy uint64) {
	t.ring[c%horizon].issue |= 1 << p
	for i := range busy {
		t.ring[(c+i)%horizon].taken |= 1 << p
	}
	t.ring[(c+latency)%horizon].result |= 1 << p
	if p < loadCounters {
		t.waiting += 1 << (8 * p)
	}
}

// hold takes an entry of a scheduler, release gives it back in a cycle.
func (t *timeline) hold(scheduler uint8) { t.held += 1 << (8 * scheduler) }

func (t *timeline) release(scheduler uint8, c uint64) {
	c = min(max(c, t.base+1), t.base+reach)
	t.ring[c%horizon].freed += 1 << (8 * scheduler)
}

func (t *timeline) inUse(scheduler uint8) uint64 { return t.held >> (8 * scheduler) & 0xff }

func (t *timeline) waitingAt(port uint8) uint64 { return t.waiting >> (8 * port) & 0xff }
