package isa

import (
	"encoding/binary"
	"fmt"
	"sort"
)

// Perm is a set of permissions.
type Perm uint8

const (
	R Perm = 1 << iota
	W
	X
)

// Region is a run of memory with one set of permissions.
type Region struct {
	Name string
	Base uint64
	Data []byte
	Perm Perm
}

// Contains reports whether n bytes at addr lie in the region.
func (r *Region) Contains(addr, n uint64) bool {
	off := addr - r.Base
	return off < uint64(len(r.Data)) && n <= uint64(len(r.Data))-off
}

// Memory is a sparse little-endian memory made of a few regions. It is a concrete type on
// purpose: the hot loops call it without indirection. The zero value is empty.
type Memory struct {
	regions []*Region
	last    *Region // the region hit last
	devices []*Device
	// Written, if set, is told of every store into an executable region, so that a core
	// can drop decoded code.
	Written func(addr, n uint64)
}

// A Fault is an access outside memory or against permissions.
type Fault struct {
	Addr  uint64
	Size  int
	Want  Perm
	Cause string // "unmapped", "not writable", "not executable", "misaligned"
}

func (f *Fault) Error() string {
	what := map[Perm]string{R: "read", W: "write", X: "fetch"}[f.Want]
	return fmt.Sprintf("%s of %d bytes at %#x: %s", what, f.Size, f.Addr, f.Cause)
}

// Add maps a region. Regions must not overlap.
func (m *Memory) Add(r *Region) error {
	for _, o := range m.regions {
		if r.Base < o.Base+uint64(len(o.Data)) && o.Base < r.Base+uint64(len(r.Data)) {
			return fmt.Errorf("memory region %s at %#x overlaps %s at %#x", r.Name, r.Base, o.Name, o.Base)
		}
	}
	m.regions = append(m.regions, r)
	sort.Slice(m.regions, func(i, j int) bool { return m.regions[i].Base < m.regions[j].Base })
	m.last = r
	return nil
}

// Regions returns the mapped regions by address.
func (m *Memory) Regions() []*Region { return m.regions }

// Find returns the region that holds n bytes at addr, or nil.
func (m *Memory) Find(addr, n uint64) *Region {
	if r := m.last; r != nil && r.Contains(addr, n) {
		return r
	}
	for _, r := range m.regions {
		if r.Contains(addr, n) {
			m.last = r
			return r
		}
	}
	return nil
}

// span returns the n bytes at addr for reading; nil if they are not all mapped.
func (m *Memory) span(addr, n uint64) []byte {
	r := m.last
	if r != nil {
		if off := addr - r.Base; off < uint64(len(r.Data)) && n <= uint64(len(r.Data))-off {
			return r.Data[off : off+n : off+n]
		}
	}
	if r = m.Find(addr, n); r == nil {
		return nil
	}
	off := addr - r.Base
	return r.Data[off : off+n : off+n]
}

// wspan is span for writing.
func (m *Memory) wspan(addr, n uint64) []byte {
	b := m.span(addr, n)
	if b == nil || m.last.Perm&W == 0 {
		return nil
	}
	if m.last.Perm&X != 0 && m.Written != nil {
		m.Written(addr, n)
	}
	return b
}

// Load8, Load16, Load32 and Load64 read little-endian; ok is false if unmapped.
func (m *Memory) Load8(a uint64) (v uint8, ok bool) {
	if b := m.span(a, 1); b != nil {
		return b[0], true
	}
	return 0, false
}

func (m *Memory) Load16(a uint64) (v uint16, ok bool) {
	if b := m.span(a, 2); b != nil {
		return binary.LittleEndian.Uint16(b), true
	}
	return 0, false
}

func (m *Memory) Load32(a uint64) (v uint32, ok bool) {
	if b := m.span(a, 4); b != nil {
		return binary.LittleEndian.Uint32(b), true
	}
	return 0, false
}

func (m *Memory) Load64(a uint64) (v uint64, ok bool) {
	if b := m.span(a, 8); b != nil {
		return binary.LittleEndian.Uint64(b), true
	}
	return 0, false
}

// Store8, Store16, Store32 and Store64 write little-endian; false if unmapped or not writable.
func (m *Memory) Store8(a uint64, v uint8) bool {
	b := m.wspan(a, 1)
	if b == nil {
		return false
	}
	b[0] = v
	return true
}

func (m *Memory) Store16(a uint64, v uint16) bool {
	b := m.wspan(a, 2)
	if b == nil {
		return false
	}
	binary.LittleEndian.PutUint16(b, v)
	return true
}

func (m *Memory) Store32(a uint64, v uint32) bool {
	b := m.wspan(a, 4)
	if b == nil {
		return false
	}
	binary.LittleEndian.PutUint32(b, v)
	return true
}

func (m *Memory) Store64(a uint64, v uint64) bool {
	b := m.wspan(a, 8)
	if b == nil {
		return false
	}
	binary.LittleEndian.PutUint64(b, v)
	return true
}

// Load128 reads 16 bytes, low half first.
func (m *Memory) Load128(a uint64) (lo, hi uint64, ok bool) {
	if b := m.span(a, 16); b != nil {
		return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), true
	}
	return 0, 0, false
}

// Store128 writes 16 bytes, low half first.
func (m *Memory) Store128(a, lo, hi uint64) bool {
	b := m.wspan(a, 16)
	if b == nil {
		return false
	}
	binary.LittleEndian.PutUint64(b, lo)
	binary.LittleEndian.PutUint64(b[8:], hi)
	return true
}

// FaultAt explains why an access failed.
func (m *Memory) FaultAt(addr uint64, size int, want Perm) *Fault {
	r := m.Find(addr, uint64(size))
	switch {
	case r == nil:
		return &Fault{addr, size, want, "unmapped"}
	case r.Perm&want == 0 && want == W:
		return &Fault{addr, size, want, "not writable (" + r.Name + ")"}
	case r.Perm&want == 0:
		return &Fault{addr, size, want, "not executable (" + r.Name + ")"}
	}
	return &Fault{addr, size, want, "misaligned"}
}

// Write copies bytes in, whatever the permissions: for loaders and tests.
func (m *Memory) Write(addr uint64, p []byte) error {
	r := m.Find(addr, uint64(len(p)))
	if r == nil {
		return &Fault{addr, len(p), W, "unmapped"}
	}
	copy(r.Data[addr-r.Base:], p)
	if r.Perm&X != 0 && m.Written != nil {
		m.Written(addr, uint64(len(p)))
	}
	return nil
}

// Read copies n bytes out.
func (m *Memory) Read(addr uint64, n int) ([]byte, error) {
	r := m.Find(addr, uint64(n))
	if r == nil {
		return nil, &Fault{addr, n, R, "unmapped"}
	}
	return append([]byte(nil), r.Data[addr-r.Base:][:n]...), nil
}
