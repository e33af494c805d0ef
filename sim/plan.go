package sim

import (
	"sort"

	"simrun/isa"
)

const (
	// heapRoom is how much memory a program gets behind what its file puts into RAM.
	heapRoom = 8 << 20
	// hostedStack and hostedBase are the stack of a program that is linked for no memory of the map.
	hostedStack = 1 << 20
	hostedBase  = 0x7f000000

	planPage = 4096
)

// plan makes the memory map of a whole program out of that for called functions: one RAM instead of data area and
// stack, with room for a heap, large enough for what the file loads. A program with writable segments
// outside the map, as for a user-mode ELF, gets memory there and a stack of its own. With exact the
// map is a chip's: RAM that the file does not load is not invented.
func plan(areas []Area, im *isa.Image, exact bool) []Area {
	p := planner{areas: joinRAM(areas), segments: im.Segments, room: heapRoom}
	if exact {
		p.room = 0
	}
	for i := range p.areas {
		p.grow(i)
	}
	if loose, ok := p.loose(); ok {
		p.areas = append(p.areas, Area{Name: "memory", Base: loose, Size: 1, Perm: isa.R | isa.W})
		p.room = heapRoom
		p.grow(len(p.areas) - 1)
		for i := range p.areas {
			p.areas[i].Use = Plain
		}
		p.areas = append(p.areas, Area{Name: "stack", Base: hostedBase, Size: hostedStack, Perm: isa.R | isa.W, Use: Stack})
	}
	return p.areas
}

// yield leaves out the plain areas in which a process has writable segments: those get memory of their own.
func yield(areas []Area, im *isa.Image) []Area {
	var list []Area
	for _, a := range areas {
		taken := false
		for _, s := range im.Segments {
			taken = taken || s.Perm&isa.W != 0 && s.Size > 0 && s.Addr-a.Base < a.Size
		}
		if !taken || a.Use != Plain || a.Perm&isa.W != 0 {
			list = append(list, a)
		}
	}
	return list
}

// planHosted makes the memory map of a process: memory from the first writable segment on, with room for a heap, and a stack.
func planHosted(im *isa.Image) []Area {
	p := planner{segments: im.Segments, room: heapRoom}
	base, ok := p.loose()
	if !ok {
		for _, s := range im.Segments {
			base = max(base, isa.AlignUp(s.Addr+s.Size, planPage)+planPage)
		}
	}
	p.areas = []Area{
		{Name: "memory", Base: base, Size: 1, Perm: isa.R | isa.W},
		{Name: "stack", Base: hostedBase, Size: hostedStack, Perm: isa.R | isa.W, Use: Stack},
	}
	p.grow(0)
	return p.areas
}

type planner struct {
	areas    []Area
	segments []isa.Segment
	room     uint64
}

// joinRAM returns the areas by address, with the data area and a stack directly behind it as one.
func joinRAM(areas []Area) []Area {
	list := append([]Area(nil), areas...)
	sort.Slice(list, func(i, j int) bool { return list[i].Base < list[j].Base })
	for i := 1; i < len(list); i++ {
		a, b := &list[i-1], list[i]
		if a.Use == Data && b.Use == Stack && a.Base+a.Size == b.Base {
			a.Name, a.Size, a.Use = "ram", a.Size+b.Size, Stack
			return append(list[:i], list[i+1:]...)
		}
	}
	for i := range list {
		if list[i].Use == Data {
			list[i].Use = Plain
		}
	}
	return list
}

// grow makes area i hold the segments that begin in it, and if it can be written the room behind them,
// as far as no other area is in the way.
func (p *planner) grow(i int) {
	a := &p.areas[i]
	end := p.loaded(a.Base, a.Base+a.Size)
	if a.Perm&isa.W != 0 {
		end = p.loaded(a.Base, end+p.room) + p.room
	}
	end = max(a.Base+a.Size, (end+planPage-1)&^(planPage-1))
	for j, o := range p.areas {
		if j != i && o.Base > a.Base {
			end = min(end, o.Base)
		}
	}
	a.Size = end - a.Base
}

// loaded returns the end of the segments that begin in [base, end), each of which moves end; base
// if there are none.
func (p *planner) loaded(base, end uint64) uint64 {
	top := base
	for _, s := range p.byAddress() {
		if s.Addr >= base && s.Addr < max(end, top) {
			top = max(top, s.Addr+s.Size)
		}
	}
	return top
}

func (p *planner) byAddress() []isa.Segment {
	list := append([]isa.Segment(nil), p.segments...)
	sort.Slice(list, func(i, j int) bool { return list[i].Addr < list[j].Addr })
	return list
}

// loose returns the address of the lowest writable segment outside the areas.
func (p *planner) loose() (addr uint64, ok bool) {
	for _, s := range p.byAddress() {
		if s.Perm&isa.W != 0 && s.Size > 0 && !p.covers(s.Addr) {
			return s.Addr, true
		}
	}
	return 0, false
}

func (p *planner) covers(addr uint64) bool {
	for _, a := range p.areas {
		if addr-a.Base < a.Size {
			return true
		}
	}
	return false
}
