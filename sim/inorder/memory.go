package inorder

import (
	"simrun/costmodel"
	"simrun/isa"
)

// memory is the memory of a board: blocks, some of them with wait states. A CPU without regions has none.
type memory struct {
	blocks []block
	last   int // block found last
}

// block is a memory block; flash is nil where all accesses answer at once.
type block struct {
	base, size uint64
	flash      *flash
}

// elsewhere is the number of the addresses outside the blocks, which answer at once.
const elsewhere = 0

// newMemory returns nil if the CPU file has no regions.
func newMemory(cpu *costmodel.CPU) *memory {
	if len(cpu.Regions) == 0 {
		return nil
	}
	m := &memory{blocks: []block{elsewhere: {}}}
	for i := range cpu.Regions {
		r := &cpu.Regions[i]
		b := block{base: r.Base, size: r.Size}
		if r.WaitStates.Value > 0 {
			b.flash = newFlash(r)
		}
		m.blocks = append(m.blocks, b)
	}
	return m
}

func (m *memory) reset() {
	if m == nil {
		return
	}
	for i := range m.blocks {
		if f := m.blocks[i].flash; f != nil {
			f.reset()
		}
	}
}

// at returns the number of the block of an address.
func (m *memory) at(addr uint64) int {
	if b := &m.blocks[m.last]; addr-b.base < b.size {
		return m.last
	}
	for i := range m.blocks {
		if b := &m.blocks[i]; addr-b.base < b.size {
			m.last = i
			return i
		}
	}
	return elsewhere
}

// flashAt returns what stands before code at an address, nil if nothing does.
func (m *memory) flashAt(addr uint64) *flash {
	if m == nil {
		return nil
	}
	return m.blocks[m.at(addr)].flash
}

// uniform returns the block of all the accesses of a run, which answers at once; ok is false if there
// is no such block.
func (m *memory) uniform(data []isa.Access) (number int, ok bool) {
	for i := range data {
		n := m.at(data[i].Addr)
		if i > 0 && n != number || m.blocks[n].flash != nil {
			return 0, false
		}
		number = n
	}
	return number, true
}

// fast reports whether all accesses answer at once.
func (m *memory) fast(data []isa.Access) bool {
	for i := range data {
		if m.flashAt(data[i].Addr) != nil {
			return false
		}
	}
	return true
}
