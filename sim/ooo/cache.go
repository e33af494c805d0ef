package ooo

import "math/bits"

// cache is a set-associative cache of lines, least recently used replaced. The ways of a set stand in the order of
// their use.
type cache struct {
	tags  []uint64 // line number + 1, 0 = empty
	ways  int
	shift uint // log2 of the line
	mask  uint64
}

func log2(n int) uint { return uint(bits.Len(uint(n))) - 1 }

func newCache(bytes, ways, line int) *cache {
	sets := bytes / (ways * line)
	return &cache{tags: make([]uint64, sets*ways), ways: ways, shift: log2(line), mask: uint64(sets) - 1}
}

func (c *cache) reset() { clear(c.tags) }

// touch uses the line of addr and reports whether it was there.
func (c *cache) touch(addr uint64) bool {
	tag := addr>>c.shift + 1
	at := int((tag-1)&c.mask) * c.ways
	set := c.tags[at : at+c.ways]
	return set[0] == tag || use(set, tag)
}

func use(set []uint64, tag uint64) bool {
	hit, i := false, 1
	for ; i < len(set); i++ {
		if set[i] == tag {
			hit = true
			break
		}
	}
	copy(set[1:min(i+1, len(set))], set)
	set[0] = tag
	return hit
}
