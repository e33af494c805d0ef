package sim

import (
	"debug/elf"
	"encoding/binary"
	"fmt"

	"simrun/isa"
)

// objectAlign is the alignment of the first byte of data. Code begins where it is placed: to move it is a way to compare.
const objectAlign = 64

// object is a relocatable file on its way to an image.
type object struct {
	f       *file
	syms    []elf.Symbol      // without the null symbol: index 1 of the file is syms[0]
	addr    []uint64          // by section; 0 = not placed
	data    [][]byte          // by section; nil = not placed
	commons map[int]uint64    // address by index of the symbol
	high    map[uint64]uint64 // target by place of the R_RISCV_PCREL_HI20 there
}

// loadObject places the sections that occupy memory, resolves the relocations and fills the image.
func loadObject(f *file, im *isa.Image, at Place) error {
	syms, err := symbols(f.File)
	if err != nil {
		return err
	}
	if err := refuseForeign(f, syms); err != nil {
		return err
	}
	o := &object{
		f: f, syms: syms,
		addr: make([]uint64, len(f.Sections)), data: make([][]byte, len(f.Sections)),
		commons: map[int]uint64{}, high: map[uint64]uint64{},
	}
	if err := o.place(at); err != nil {
		return err
	}
	for pass := range 2 { // the second sees every R_RISCV_PCREL_HI20
		if err := o.relocate(pass == 1); err != nil {
			return err
		}
	}
	for i, s := range f.Sections {
		if o.data[i] != nil {
			im.Segments = append(im.Segments, isa.Segment{
				Addr: o.addr[i], Data: o.data[i], Size: uint64(len(o.data[i])), Perm: sectionPerm(s.Flags),
			})
		}
	}
	for i := range o.syms {
		if a, ok := o.commons[i]; ok {
			im.Segments = append(im.Segments, isa.Segment{Addr: a, Size: o.syms[i].Size, Perm: isa.R | isa.W})
		}
	}
	if len(im.Segments) == 0 {
		return fmt.Errorf("ELF object has neither code nor data")
	}
	addSymbols(f, im, syms, o.address)
	return nil
}

func sectionPerm(f elf.SectionFlag) isa.Perm {
	p := isa.R
	if f&elf.SHF_WRITE != 0 {
		p |= isa.W
	}
	if f&elf.SHF_EXECINSTR != 0 {
		p |= isa.X
	}
	return p
}

// place gives each section that occupies memory its address and reads it; then the common
// symbols, behind the data.
func (o *object) place(at Place) error {
	code, data := at.Code, isa.AlignUp(at.Data, objectAlign)
	var total uint64
	for i, s := range o.f.Sections {
		// .ARM.exidx and the like have types of their own and stay out.
		loads := s.Type == elf.SHT_PROGBITS || s.Type == elf.SHT_NOBITS
		if !loads || s.Flags&elf.SHF_ALLOC == 0 || s.Size == 0 {
			continue
		}
		if s.Size > MaxMemory || s.Addralign > MaxMemory || s.Addralign&(s.Addralign-1) != 0 {
			return fmt.Errorf("ELF section %s has %d bytes aligned to %d: impossible or larger than %d", quote(s.Name), s.Size, s.Addralign, MaxMemory)
		}
		if total += s.Size + s.Addralign; total > MaxMemory {
			return fmt.Errorf("ELF sections have more than %d bytes at %s", MaxMemory, quote(s.Name))
		}
		next := &data
		if s.Flags&elf.SHF_EXECINSTR != 0 {
			next = &code
		}
		o.addr[i] = isa.AlignUp(*next, max(s.Addralign, 1))
		*next = o.addr[i] + s.Size
		var err error
		if o.data[i], err = contents(s); err != nil {
			return err
		}
	}
	return o.placeCommons(data, total)
}

// contents returns the bytes of a section.
func contents(s *elf.Section) ([]byte, error) {
	data := make([]byte, s.Size)
	if s.Type == elf.SHT_NOBITS {
		return data, nil
	}
	if s.Flags&elf.SHF_COMPRESSED != 0 {
		return nil, fmt.Errorf("ELF section %s is compressed: only debug sections may be", quote(s.Name))
	}
	if n, err := s.ReadAt(data, 0); n < len(data) {
		return nil, fmt.Errorf("ELF section %s is truncated: %d of %d bytes (%v)", quote(s.Name), n, s.Size, err)
	}
	return data, nil
}

// placeCommons gives the common symbols (C variables without a value) memory from next on.
func (o *object) placeCommons(next, total uint64) error {
	for i, s := range o.syms {
		if s.Section != elf.SHN_COMMON {
			continue
		}
		align := max(s.Value, 1) // of a common symbol the value is the alignment
		if s.Size > MaxMemory || align > MaxMemory || align&(align-1) != 0 {
			return fmt.Errorf("ELF symbol %s has %d bytes aligned to %d: impossible or larger than %d", quote(s.Name), s.Size, align, MaxMemory)
		}
		if total += s.Size + align; total > MaxMemory {
			return fmt.Errorf("ELF sections have more than %d bytes at symbol %s", MaxMemory, quote(s.Name))
		}
		o.commons[i] = isa.AlignUp(next, align)
		next = o.commons[i] + s.Size
	}
	return nil
}

// address returns where symbol i is; false if its section is not placed.
func (o *object) address(i int) (uint64, bool) {
	s := o.syms[i]
	switch n := int(s.Section); {
	case s.Section == elf.SHN_ABS:
		return s.Value, true
	case s.Section == elf.SHN_COMMON:
		return o.commons[i], true
	case n < len(o.data) && o.data[n] != nil:
		return o.addr[n] + s.Value, true
	}
	return 0, false
}

// relocate applies the relocations of all placed sections. The pass that is not last only
// notes targets.
func (o *object) relocate(last bool) error {
	for _, s := range o.f.Sections {
		rela := s.Type == elf.SHT_RELA
		if !rela && s.Type != elf.SHT_REL {
			continue
		}
		to := int(s.Info)
		if to <= 0 || to >= len(o.data) || o.data[to] == nil {
			continue
		}
		if err := plainTable(s); err != nil {
			return err
		}
		if s.Size > MaxMemory {
			return fmt.Errorf("ELF section %s has %d bytes: impossible", quote(s.Name), s.Size)
		}
		raw, err := s.Data()
		if err != nil {
			return fmt.Errorf("ELF section %s is truncated: %w", quote(s.Name), err)
		}
		for size := o.entrySize(rela); len(raw) >= size; raw = raw[size:] {
			if err := o.apply(to, o.entry(raw, rela), last); err != nil {
				return err
			}
		}
	}
	return nil
}

// entry is a relocation entry as it stands in the file.
type entry struct {
	off    uint64 // in the section
	sym    uint32 // 0 = none
	typ    uint32
	addend int64
	inCode bool // SHT_REL: the addend is in the place
}

// entrySize returns the size of an entry: offset, info and, in SHT_RELA, addend.
func (o *object) entrySize(rela bool) int {
	word := 4
	if o.f.Class == elf.ELFCLASS64 {
		word = 8
	}
	if rela {
		return 3 * word
	}
	return 2 * word
}

func (o *object) entry(raw []byte, rela bool) entry {
	le := binary.LittleEndian
	e := entry{inCode: !rela}
	if o.f.Class == elf.ELFCLASS64 {
		info := le.Uint64(raw[8:])
		e.off, e.sym, e.typ = le.Uint64(raw), elf.R_SYM64(info), elf.R_TYPE64(info)
		if rela {
			e.addend = int64(le.Uint64(raw[16:]))
		}
		return e
	}
	info := le.Uint32(raw[4:])
	e.off, e.sym, e.typ = uint64(le.Uint32(raw)), elf.R_SYM32(info), elf.R_TYPE32(info)
	if rela {
		e.addend = int64(int32(le.Uint32(raw[8:])))
	}
	return e
}

// apply resolves one relocation of section to.
func (o *object) apply(to int, e entry, last bool) error {
	name := quote(o.f.Sections[to].Name)
	known := o.f.arch.ELF()
	kind, ok := known.Relocs[e.typ]
	if !ok {
		return fmt.Errorf("ELF section %s+%#x has the relocation %s, which is not known here: link the file first", name, e.off, known.RelocName(e.typ))
	}
	if kind.Apply == nil {
		return nil
	}
	if e.off > uint64(len(o.data[to])) || uint64(kind.Size) > uint64(len(o.data[to]))-e.off {
		return fmt.Errorf("ELF section %s+%#x has a relocation outside the section", name, e.off)
	}
	s, thumb, symName, err := o.target(e.sym)
	if err != nil {
		return fmt.Errorf("ELF section %s+%#x: %w", name, e.off, err)
	}
	r := isa.Reloc{Loc: o.data[to][e.off:][:kind.Size], S: s, T: thumb, A: e.addend, P: o.addr[to] + e.off, InCode: e.inCode, High: o.high, Last: last}
	if !last && !kind.Notes {
		return nil
	}
	if err := kind.Apply(&r); err != nil {
		return fmt.Errorf("ELF section %s+%#x: %s to %s: %w", name, e.off, known.RelocName(e.typ), symName, err)
	}
	return nil
}

// target returns the address of symbol number i of the file. thumb is 1 for a Thumb function, whose
// value has bit 0 set in the file.
func (o *object) target(i uint32) (addr, thumb uint64, name string, err error) {
	if i == 0 {
		return 0, 0, "nothing", nil
	}
	if uint64(i) > uint64(len(o.syms)) {
		return 0, 0, "", fmt.Errorf("symbol %d does not exist", i)
	}
	s := o.syms[i-1]
	name = quote(s.Name)
	if elf.ST_TYPE(s.Info) == elf.STT_SECTION && int(s.Section) < len(o.f.Sections) {
		name = quote(o.f.Sections[s.Section].Name)
	}
	addr, ok := o.address(int(i - 1))
	if !ok && (s.Section != elf.SHN_UNDEF || elf.ST_BIND(s.Info) != elf.STB_WEAK) {
		return 0, 0, name, fmt.Errorf("symbol %s is not defined in this object: link it with the object that defines it", name)
	}
	if o.f.arch.ABI().Thumb && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
		thumb = addr & 1
	}
	return addr - thumb, thumb, name, nil
}
