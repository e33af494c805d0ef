package ooo

import "math/bits"

// The timeline keeps, for the cycles from base on, which ports are taken and when they deliver, and what becomes
// free in which cycle. It is a ring of horizon cycles: what lies further ahead than reach is not reserved, which only
// latencies of thousands of cycles reach.
const (
	horizon = 1024
	reach   = horizon - 256
	words   = horizon / 64
)

// loadCounters is the number of ports whose waiting uops are counted, a byte each.
const loadCounters = 8

// leaving is what ends in a cycle.
type leaving struct {
	issued  uint64 // uops by port, a byte each, ports below loadCounters
	entries uint64 // of schedulers, a byte each
}

// port is the timeline of an execution port, a bit for each cycle.
type port struct {
	taken  [words]uint64 // a uop issues, or holds it
	result [words]uint64 // it delivers
}

type timeline struct {
	ports   [16]port
	leave   [horizon]leaving
	base    uint64 // the cycle that rename works in
	far     uint64 // the last one of which something is noted
	waiting uint64 // uops allocated and not issued before the last cycle, a byte for each port
	counted uint64 // waiting at the start of the cycle
	held    uint64 // entries in use, a byte for each scheduler
}

// advance moves on to cycle a.
func (t *timeline) advance(a uint64) {
	for t.base < a {
		l := &t.leave[t.base%horizon]
		t.waiting -= l.issued
		*l = leaving{}
		t.base++
		t.held -= t.leave[t.base%horizon].entries
		if t.base%64 == 0 {
			for p := range t.ports {
				t.ports[p].taken[(t.base/64-1)%words] = 0
				t.ports[p].result[(t.base/64-1)%words] = 0
			}
		}
	}
}

// window returns the 64 cycles from c on.
func window(b *[words]uint64, c uint64) uint64 {
	i, off := c/64%words, c%64
	return b[i]>>off | b[(i+1)%words]<<(63-off)<<1
}

func set(b *[words]uint64, c uint64) { b[c/64%words] |= 1 << (c % 64) }

// issue reserves the first cycle from ready on in which a port can take a uop, and returns it. all is all ones if a
// port delivers one result in a cycle, else 0.
func (t *timeline) issue(p uint8, ready, latency, all uint64) uint64 {
	if ready+latency >= t.base+reach {
		return ready
	}
	q := &t.ports[p&15]
	c := ready
	for {
		free := ^(window(&q.taken, c) | window(&q.result, c+latency)&all)
		if free != 0 {
			c += uint64(bits.TrailingZeros64(free))
			break
		}
		c += 64
	}
	set(&q.taken, c)
	set(&q.result, c+latency)
	t.far = max(t.far, c+latency)
	t.noteIssue(p, c)
	return c
}

// noteIssue ends the wait of a uop, which shows a cycle later.
func (t *timeline) noteIssue(p uint8, c uint64) {
	one := uint64(1) << (8 * (p & 7)) * uint64((int64(p)-loadCounters)>>63&1)
	t.waiting += one
	t.leave[(c+1)%horizon].issued += one
}

// issueAny is issue for the first of several ports that is free, the preferred if there are several, and for uops
// that hold their port.
func (t *timeline) issueAny(ports []uint8, ready, latency, busy, all uint64) uint64 {
	for c := ready; c+latency+busy < t.base+reach; c++ {
		for _, p := range ports {
			q := &t.ports[p&15]
			hold := uint64(1)<<busy - 1
			if window(&q.taken, c)&hold != 0 || window(&q.result, c+latency)&all&1 != 0 {
				continue
			}
			for i := range busy {
				set(&q.taken, c+i)
			}
			set(&q.result, c+latency)
			t.far = max(t.far, c+latency+busy)
			t.noteIssue(p, c)
			return c
		}
	}
	return ready
}

// hold takes an entry of a scheduler, release gives it back in a cycle.
func (t *timeline) hold(scheduler uint8) { t.held += 1 << (8 * (scheduler & 7)) }

func (t *timeline) release(scheduler uint8, c uint64) {
	c = min(max(c, t.base+1), t.base+reach)
	t.far = max(t.far, c)
	t.leave[c%horizon].entries += 1 << (8 * (scheduler & 7))
}

func (t *timeline) inUse(scheduler uint8) uint64 { return t.held >> (8 * (scheduler & 7)) & 0xff }
