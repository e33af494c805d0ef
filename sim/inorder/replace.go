package inorder

import "math/bits"

// replacement chooses which entry of a fully associative buffer goes.
type replacement interface {
	touch(way int)
	victim() int
	reset()
}

// roundRobin replaces in turn.
type roundRobin struct{ n, next int }

func (r *roundRobin) touch(int) {}
func (r *roundRobin) reset()    { r.next = 0 }

func (r *roundRobin) victim() int {
	v := r.next
	r.next = (v + 1) % r.n
	return v
}

// pseudoLRU keeps one bit per inner node of a binary tree over n ways: set if the right half
// was used longer ago. Nodes are numbered in pre-order; the left half has the largest power of
// two below the whole, so its inner nodes are one fewer.
type pseudoLRU struct {
	n    int
	bits []bool
	last int // touched last: touching it again changes nothing
}

func (p *pseudoLRU) reset() { p.bits, p.last = make([]bool, p.n), -1 }

func leftHalf(size int) int { return 1 << (bits.Len(uint(size-1)) - 1) }

func (p *pseudoLRU) touch(way int) {
	if way == p.last {
		return
	}
	p.last = way
	for node, size := 0, p.n; size > 1; {
		left := leftHalf(size)
		if way < left {
			p.bits[node] = true
			node, size = node+1, left
		} else {
			p.bits[node] = false
			node, way, size = node+left, way-left, size-left
		}
	}
}

func (p *pseudoLRU) victim() int {
	way := 0
	for node, size := 0, p.n; size > 1; {
		left := leftHalf(size)
		if !p.bits[node] {
			node, size = node+1, left
		} else {
			node, way, size = node+left, way+left, size-left
		}
	}
	return way
}
