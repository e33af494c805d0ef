package sim

import (
	"fmt"
	"sort"

	"simrun/isa"
)

// slack is the room behind an executable segment outside the areas, for call instructions.
const slack = 1024

// mapAreas maps the areas of the memory map, empty.
func (m *Machine) mapAreas(areas []Area) error {
	var total uint64
	for _, a := range areas {
		if a.Size == 0 || a.Size > MaxMemory || a.Base > a.Base+a.Size-1 {
			return fmt.Errorf("memory area %s at %#x has %d bytes: sizes from 1 to %d that end below 2^64 are possible", a.Name, a.Base, a.Size, MaxMemory)
		}
		if total += a.Size; total > MaxMemory {
			return fmt.Errorf("memory map has more than %d bytes at area %s", MaxMemory, a.Name)
		}
	}
	for _, a := range areas {
		p, err := m.add(a.Name, a.Base, a.Size, a.Perm)
		if err != nil {
			return err
		}
		if err := m.assign(p, a.Use); err != nil {
			return err
		}
	}
	return nil
}

// assign notes the part as the data area or the stack.
func (m *Machine) assign(p *part, use Use) error {
	var slot **part
	switch use {
	case Plain:
		return nil
	case Data:
		slot = &m.data
	case Stack:
		slot = &m.stack
	}
	if *slot != nil {
		return fmt.Errorf("memory areas %s and %s have the same use: one is possible", (*slot).Name, p.Name)
	}
	*slot = p
	return nil
}

func (m *Machine) add(name string, base, size uint64, perm isa.Perm) (*part, error) {
	p := &part{Region: isa.Region{Name: name, Base: base, Data: make([]byte, size), Perm: perm}}
	if err := m.mem.Add(&p.Region); err != nil {
		return nil, err
	}
	m.parts = append(m.parts, p)
	return p, nil
}

// load copies the segments of the image in, in address order.
func (m *Machine) load(im *isa.Image) error {
	segs := append([]isa.Segment(nil), im.Segments...)
	sort.SliceStable(segs, func(i, j int) bool { return segs[i].Addr < segs[j].Addr })
	var total uint64
	for _, p := range m.parts {
		total += uint64(len(p.Data))
	}
	for i, s := range segs {
		size := max(s.Size, uint64(len(s.Data)))
		if size == 0 {
			continue
		}
		if size > MaxMemory || s.Addr > s.Addr+size-1 {
			return fmt.Errorf("segment of %d bytes at %#x is too large: %d bytes are possible", size, s.Addr, MaxMemory)
		}
		p := m.inside(s.Addr, size)
		if p == nil {
			if a := m.inside(s.Addr, 1); a != nil {
				return fmt.Errorf("%d bytes at %#x do not fit memory %s: it ends at %#x", size, s.Addr, a.Name, a.Base+uint64(len(a.Data)))
			}
			room := size
			if s.Perm&isa.X != 0 {
				room += m.gap(s.Addr+size, segs[i+1:])
			}
			if total += room; total > MaxMemory {
				return fmt.Errorf("image and memory map need more than %d bytes at %#x", MaxMemory, s.Addr)
			}
			var err error
			if p, err = m.add("image", s.Addr, room, s.Perm); err != nil {
				return err
			}
		}
		off := s.Addr - p.Base
		clear(p.Data[off : off+size])
		copy(p.Data[off:], s.Data)
		p.Perm |= s.Perm &^ isa.W // a writable segment does not make flash writable
		p.used = max(p.used, off+size)
	}
	return nil
}

// inside returns the part that holds n bytes at addr, or nil.
func (m *Machine) inside(addr, n uint64) *part {
	for _, p := range m.parts {
		if p.Contains(addr, n) {
			return p
		}
	}
	return nil
}

// gap returns how many bytes from addr on are free, at most slack.
func (m *Machine) gap(addr uint64, later []isa.Segment) uint64 {
	free := min(uint64(slack), -addr-1)
	for _, p := range m.parts {
		if p.Base >= addr {
			free = min(free, p.Base-addr)
		}
	}
	for _, s := range later {
		if s.Addr >= addr {
			free = min(free, s.Addr-addr)
		}
	}
	return free
}
