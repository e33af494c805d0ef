package ooo

import (
	"simrun/costmodel"
	"simrun/isa"
)

// coder writes a state into words, or reads it from them. Times are counted from base. A time that has been
// compared with a later one for good makes no difference, and is written as 0.
type coder struct {
	base    uint64
	words   []uint32
	writing bool
	failed  bool // a time is too far off
}

// bias keeps times before base positive.
const bias = 1 << 24

// farthest is how many cycles ahead a written state may reach.
const farthest = 512

func (c *coder) small(x uint32) uint32 {
	if c.writing {
		c.words = append(c.words, x)
		return x
	}
	x, c.words = c.words[0], c.words[1:]
	return x
}

func (c *coder) long(x *uint64) {
	low := c.small(uint32(*x))
	*x = uint64(c.small(uint32(*x>>32)))<<32 | uint64(low)
}

// time is a time that matters from floor on.
func (c *coder) time(x *uint64, floor uint64) {
	if !c.writing {
		if w := c.small(0); w == 0 {
			*x = 0
		} else {
			*x = c.base + uint64(w) - bias
		}
		return
	}
	w := uint32(0)
	if *x >= floor {
		d := *x - c.base + bias
		c.failed = c.failed || d-1 >= 2*bias
		w = uint32(d)
	}
	c.words = append(c.words, w)
}

// tagged is a time shifted up, with something in the bits below.
func (c *coder) tagged(x *uint64, shift uint, floor uint64) {
	cycle, tag := *x>>shift, uint32(*x&(1<<shift-1))
	if cycle < floor {
		cycle, tag, floor = 0, 0, never
	}
	c.time(&cycle, floor)
	*x = cycle<<shift | uint64(c.small(tag))
}

func (c *coder) flag(x *bool) {
	w := uint32(0)
	if *x {
		w = 1
	}
	*x = c.small(w) != 0
}

func (c *coder) cause(x *costmodel.Cause) { *x = costmodel.Cause(c.small(uint32(*x))) }

// bits are those of 64 cycles.
func (c *coder) bits(b *[words]uint64, cycle uint64) {
	x := window(b, cycle)
	c.long(&x)
	if !c.writing {
		i, off := cycle/64%words, cycle%64
		b[i] |= x << off
		b[(i+1)%words] |= x >> (63 - off) >> 1
	}
}

// behind returns a cycle n before base.
func (c *coder) behind(n uint64) uint64 { return c.base - min(c.base, n) }

// code writes or reads the state of the core, other than its counters and its course.
func (m *core) code(c *coder) {
	if c.writing && m.far > m.base+farthest {
		c.failed = true
		return
	}
	m.codeFront(c)
	m.codeRenamer(c)
	m.codeMemory(c)
	m.timeline.code(c, m.portCount)
	slots := m.slots - m.width*m.base // the counter is right; this makes it part of the state
	c.long(&slots)
}

// codeFront: what comes from the op cache is not waited for, and leaving it begins at base.
func (m *core) codeFront(c *coder) {
	c.flag(&m.fromOps)
	c.flag(&m.keepWhy)
	c.flag(&m.half)
	c.cause(&m.fetchWhy)
	c.long(&m.inCycle)
	fetched, decoded := uint64(0), uint64(0)
	if m.fromOps {
		fetched, decoded = c.behind(stages-1), c.base
	}
	c.time(&m.predecoded, fetched)
	c.tagged(&m.decoding, decodeBits, max(m.predecoded, decoded))
	for i := range m.queueBlocks {
		c.time(&m.decodedAt[(m.block-i)%blockRing], max(m.predecoded, decoded)+1)
	}
	for i := range m.uopQueue {
		c.time(&m.allocRing[(m.seq-1-i)%robRing], max(m.decoding>>decodeBits, m.predecoded, decoded)+1)
	}
}

func (m *core) codeRenamer(c *coder) {
	m.allocated = int(c.small(uint32(m.allocated)))
	c.cause(&m.allocWhy)
	c.long((*uint64)(&m.general))
	c.long((*uint64)(&m.all))
	for r := range m.registers {
		c.tagged((*uint64)(&m.ready[r]), causeBits, m.base+m.issueDelay)
		c.time(&m.retiredAt[r], m.base)
	}
	c.tagged(&m.retirePos, retireBits, 0)
	for i := range m.rob {
		c.time(&m.retireRing[(m.seq-1-i)%robRing], m.base)
	}
	for i := range m.loadBuffer {
		c.time(&m.loadRetired[(m.loads-1-i)%loadRing], m.base)
	}
	c.flag(&m.rare)
	c.flag(&m.stackMoved)
	c.long((*uint64)(&m.partial))
	c.long((*uint64)(&m.empty))
	m.stale = isa.FlagGroups(c.small(uint32(m.stale)))
	for i := range m.turn {
		m.turn[i] = uint8(c.small(uint32(m.turn[i])))
	}
}

func (m *core) codeMemory(c *coder) {
	c.tagged((*uint64)(&m.addressed), causeBits, m.base+m.issueDelay)
	c.time(&m.committed, m.retirePos>>retireBits+1)
	for i := range m.storeBuffer {
		e := &m.storeRing[(m.stores-1-i)%storeRing]
		c.time(&e.commit, m.base)
		pending := uint64(0)
		if e.commit < m.base {
			pending = never
		}
		c.time(&e.data, pending)
	}
}

// code leaves out what lies behind base.
func (t *timeline) code(c *coder, ports int) {
	c.time(&t.far, c.base)
	c.long(&t.waiting)
	c.long(&t.held)
	c.long(&t.counted)
	t.leave[t.base%horizon].entries = 0 // held has lost them
	for i := t.base; i <= t.far; i++ {
		l := &t.leave[i%horizon]
		c.long(&l.issued)
		c.long(&l.entries)
	}
	for i := range t.ports[:ports] {
		for at := t.base; at <= t.far; at += 64 {
			c.bits(&t.ports[i].taken, at)
			c.bits(&t.ports[i].result, at)
		}
	}
}

// clear empties the ports and what leaves from base on.
func (t *timeline) clear(ports int) {
	for i := t.base; i <= t.far; i++ {
		t.leave[i%horizon] = leaving{}
	}
	for p := range t.ports[:ports] {
		for at := t.base; at < t.far+64; at += 64 {
			t.ports[p].taken[at/64%words], t.ports[p].result[at/64%words] = 0, 0
		}
	}
}
