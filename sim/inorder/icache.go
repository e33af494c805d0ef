package inorder

import (
	"math/bits"

	"simrun/costmodel"
)

// icache is a set-associative instruction cache of one or two ways, with random replacement by a 16-bit
// shift register that steps at every miss. An empty way is filled first.
type icache struct {
	missCycles int
	lineShift  int
	ways       int
	sets       uint64   // a power of two
	tags       []uint64 // line number + 1 by set and way; 0 = empty
	lfsr       uint16
	epoch      uint64 // grows with every fill and reset
	last       uint64 // line touched last
}

func newICache(cpu *costmodel.CPU) icache {
	line, ways := cpu.Param("icache_line"), cpu.Param("icache_ways")
	sets := cpu.Param("icache_bytes") / line / ways
	return icache{
		missCycles: cpu.Param("icache_miss"), lineShift: bits.Len(uint(line)) - 1,
		ways: ways, sets: uint64(sets),
	}
}

func (c *icache) reset() {
	c.tags = make([]uint64, c.sets*uint64(c.ways))
	c.lfsr, c.last = 1, 0
	c.epoch++
}

func (c *icache) line(addr uint64) uint64 { return addr >> c.lineShift }

func (c *icache) set(line uint64) []uint64 {
	i := (line & (c.sets - 1)) * uint64(c.ways)
	return c.tags[i : i+uint64(c.ways)]
}

func (c *icache) holds(line uint64) bool {
	for _, tag := range c.set(line) {
		if tag == line+1 {
			return true
		}
	}
	return false
}

// touch fetches the lines of one instruction and returns how many were missing. Lines are
// looked up where a run enters and where it crosses into the next line.
func (c *icache) touch(first, last uint64, enters bool) int {
	missing := 0
	if enters || first != c.last {
		missing += c.fetchLine(first)
	}
	if last != first {
		missing += c.fetchLine(last)
	}
	c.last = last
	return missing
}

func (c *icache) fetchLine(line uint64) int {
	if c.holds(line) {
		return 0
	}
	set, way := c.set(line), 0
	if len(set) == 2 {
		way = int(c.lfsr & 1)
		if set[1-way] == 0 && set[way] != 0 {
			way = 1 - way
		}
	}
	set[way] = line + 1
	c.lfsr = c.lfsr>>1 ^ -(c.lfsr&1)&0xb400 // x^16 + x^14 + x^13 + x^11 + 1
	c.epoch++
	return 1
}

// cached reports whether every line of a run is in the cache.
func (c *icache) cached(p *rPlan) bool {
	if p.epoch == c.epoch || p.uncached {
		return true
	}
	if len(p.steps) > 0 {
		for line := p.steps[0].firstLine; line <= p.steps[len(p.steps)-1].lastLine; line++ {
			if !c.holds(line) {
				return false
			}
		}
	}
	p.epoch = c.epoch
	return true
}
