package ooo

import (
	"maps"
	"math/bits"
	"slices"

	"simrun/costmodel"
	"simrun/isa"
)

// Bounds counts what some code asks of each part of a core: no order of it can be faster than the largest.
// It is an isa.Listener.
type Bounds struct {
	*decoder
	width uint64
	block uint64
	uops  map[uint16]uint64 // uops by the set of ports that they may use
	loads uint16            // ports of loads
	fused uint64
	bytes uint64
}

// Bound is a floor of the cycles of some code.
type Bound struct {
	Name   string
	Cycles float64
}

// NewBounds returns the bounds of a CPU with nothing counted.
func NewBounds(cpu *costmodel.CPU, arch isa.Arch) (*Bounds, error) {
	p, err := New(cpu, arch)
	if err != nil {
		return nil, err
	}
	b := &Bounds{decoder: p.decoder, width: p.width, block: 1 << p.fetchShift, uops: map[uint16]uint64{}}
	for i := range b.load {
		b.loads |= b.load[i].uops[0].mask()
	}
	return b, nil
}

// mask is the set of ports of a uop.
func (u *uop) mask() (set uint16) {
	for _, l := range u.places[:u.n] {
		for _, p := range l.ports[:l.n] {
			set |= 1 << p
		}
	}
	return set
}

// Retire counts a run.
func (b *Bounds) Retire(r *isa.Retired) {
	for i := range r.N {
		st := &r.Code.Time[i]
		b.bytes += uint64(st.Size)
		for _, u := range b.expand(st) {
			if u.starts {
				b.fused++
			}
			if u.n > 0 {
				b.uops[u.mask()] += u.busy
			}
		}
	}
}

// List returns the bounds per call of n calls: the ports that execute, rename, fetch, and loads.
func (b *Bounds) List(n int) []Bound {
	per := func(count, width uint64) float64 { return float64(count) / float64(width) / float64(n) }
	return []Bound{
		{"port", b.ports(^b.loads) / float64(n)},
		{"front end", per(b.fused, b.width)},
		{"fetch", per(b.bytes, b.block)},
		{"load", b.ports(b.loads) / float64(n)},
	}
}

// ports is the bound of the busiest set of ports: what can only go to ports of a set takes its share of each. The sets
// worth looking at are unions of those that uops have.
func (b *Bounds) ports(among uint16) float64 {
	unions := map[uint16]bool{0: true}
	for _, m := range slices.Sorted(maps.Keys(b.uops)) {
		if m&^among != 0 {
			continue
		}
		for _, u := range slices.Sorted(maps.Keys(unions)) {
			unions[u|m] = true
		}
	}
	most := 0.0
	for set := range unions {
		count, n := uint64(0), bits.OnesCount64(uint64(set))
		for m, k := range b.uops {
			if m&^set == 0 {
				count += k
			}
		}
		if n > 0 {
			most = max(most, float64(count)/float64(n))
		}
	}
	return most
}
