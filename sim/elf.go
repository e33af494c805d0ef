package sim

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"simrun/isa"
)

const (
	maxSymbols  = 1 << 18
	maxSections = 1 << 14
)

// Place says where the sections of a relocatable object go.
type Place struct {
	Code uint64 // executable sections, one after the other
	Data uint64 // all others
}

// DefaultPlace is a place as on a Cortex-M: code low, data in SRAM.
var DefaultPlace = Place{Code: 0x10000, Data: 0x20000000}

// file is an ELF file of an instruction set.
type file struct {
	*elf.File
	arch isa.Arch
	bias uint64 // added to the addresses of the file
}

// pieBase is where a position-independent executable goes.
const pieBase = 0x400000

// refuseDynamic lets pass an executable that relocates itself: a static 64-bit one, without an interpreter.
func (f *file) refuseDynamic() error {
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return fmt.Errorf("ELF file is dynamically linked: link it with -static, or give the object file")
		}
	}
	if f.Class != elf.ELFCLASS64 || f.Entry == 0 {
		return fmt.Errorf("ELF file is %v: link it with -static -no-pie, or give the object file", f.Type)
	}
	return nil
}

// LoadELF reads a linked executable or a relocatable object of one of the instruction sets. The sections of an
// object go to the place. It must be complete in itself: a reference to a symbol that it does not
// define is an error.
func LoadELF(data []byte, archs []isa.Arch, at Place) (*isa.Image, error) {
	f, err := openELF(data, archs)
	if err != nil {
		return nil, err
	}
	im := &isa.Image{Arch: f.arch.Name(), Entry: f.plain(f.Entry)}
	switch f.Type {
	case elf.ET_EXEC:
		err = loadExec(f, im)
	case elf.ET_REL:
		err = loadObject(f, im, at)
	case elf.ET_DYN:
		if err = f.refuseDynamic(); err == nil {
			f.bias = pieBase
			im.Entry += f.bias
			err = loadExec(f, im)
		}
	default:
		err = fmt.Errorf("ELF file is %v: link it with -static -no-pie, or give the object file", f.Type)
	}
	if err != nil {
		return nil, err
	}
	return im, nil
}

// openELF reads the tables of a file.
func openELF(data []byte, archs []isa.Arch) (*file, error) {
	if len(data) > MaxMemory {
		return nil, fmt.Errorf("ELF file has %d bytes: at most %d are read", len(data), MaxMemory)
	}
	if err := refusePacked(data); err != nil {
		return nil, err
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not a whole ELF file: %s", damage(data))
	}
	if f.Data != elf.ELFDATA2LSB {
		return nil, fmt.Errorf("ELF file is big-endian: only little-endian is possible")
	}
	var possible []string
	for _, a := range archs {
		k := a.ELF()
		if k.Machine == f.Machine && k.Class == f.Class {
			return &file{File: f, arch: a}, nil
		}
		possible = append(possible, fmt.Sprint(k.Machine, " ", k.Class))
	}
	return nil, fmt.Errorf("ELF file is for %v %v: possible are %s", f.Machine, f.Class, strings.Join(possible, ", "))
}

// plain drops bit 0 of a code address where that says Thumb.
func (f *file) plain(addr uint64) uint64 {
	if f.arch.ABI().Thumb {
		return addr &^ 1
	}
	return addr
}

// loadExec takes the PT_LOAD segments at their virtual addresses, and what is stored elsewhere, as initial data in
// flash, there too: start-up code copies it.
func loadExec(f *file, im *isa.Image) error {
	var total uint64
	var stored []isa.Segment
	for i, p := range f.Progs {
		if p.Type != elf.PT_LOAD || p.Memsz == 0 {
			continue
		}
		if p.Memsz > MaxMemory || p.Filesz > p.Memsz || p.Vaddr+f.bias+p.Memsz < p.Vaddr {
			return fmt.Errorf("ELF segment %d has %d bytes in the file and %d in memory at %#x: impossible or larger than %d", i, p.Filesz, p.Memsz, p.Vaddr, MaxMemory)
		}
		if total += p.Memsz; total > MaxMemory {
			return fmt.Errorf("ELF segments have more than %d bytes", MaxMemory)
		}
		data := make([]byte, p.Filesz)
		if n, err := p.ReadAt(data, 0); uint64(n) < p.Filesz {
			return fmt.Errorf("ELF segment %d is truncated: %d of %d bytes (%v)", i, n, p.Filesz, err)
		}
		im.Segments = append(im.Segments, isa.Segment{Addr: p.Vaddr + f.bias, Data: data, Size: p.Memsz, Perm: progPerm(p.Flags)})
		if p.Paddr != p.Vaddr && p.Filesz > 0 && p.Paddr+p.Filesz >= p.Paddr {
			total += p.Filesz
			stored = append(stored, isa.Segment{Addr: p.Paddr, Data: data, Size: p.Filesz, Perm: isa.R})
		}
	}
	if len(im.Segments) == 0 {
		return fmt.Errorf("ELF file has no segment to load")
	}
	addStored(im, stored)
	syms, err := symbols(f.File)
	if err != nil {
		return err
	}
	if err := refuseForeign(f, syms); err != nil {
		return err
	}
	addSymbols(f, im, syms, func(i int) (uint64, bool) { return syms[i].Value + f.bias, true })
	return nil
}

// addStored adds segments at the addresses where they are stored, unless something else is there.
func addStored(im *isa.Image, stored []isa.Segment) {
	for _, s := range stored {
		free := true
		for _, o := range im.Segments {
			if s.Addr < o.Addr+o.Size && o.Addr < s.Addr+s.Size {
				free = false
			}
		}
		if free {
			im.Segments = append(im.Segments, s)
		}
	}
}

// refuseForeign refuses a program with code that the instruction set's cores do not execute.
func refuseForeign(f *file, syms []elf.Symbol) error {
	k := f.arch.ELF()
	if k.Foreign == nil {
		return nil
	}
	for _, s := range syms {
		n := int(s.Section)
		if s.Section == elf.SHN_UNDEF || n >= len(f.Sections) || f.Sections[n].Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		if k.Foreign(s) {
			return fmt.Errorf("ELF section %s has %s (%s at %#x): %s",
				quote(f.Sections[n].Name), k.ForeignWhat, quote(s.Name), s.Value, k.ForeignHint)
		}
	}
	return nil
}

// damage says what is wrong with a file that debug/elf refuses.
func damage(data []byte) string {
	switch {
	case len(data) == 0:
		return "it is empty"
	case !bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		return "it does not begin with the ELF mark"
	}
	return "its header or its table of sections is cut off or damaged"
}

// progPerm reads the flags of a segment. Some linker scripts set none: such a segment may do everything.
func progPerm(f elf.ProgFlag) (p isa.Perm) {
	if f&(elf.PF_R|elf.PF_W|elf.PF_X) == 0 {
		return isa.R | isa.W | isa.X
	}
	if f&elf.PF_R != 0 {
		p |= isa.R
	}
	if f&elf.PF_W != 0 {
		p |= isa.W
	}
	if f&elf.PF_X != 0 {
		p |= isa.X
	}
	return p
}

// symbols reads the symbol table; a stripped file has none.
func symbols(f *elf.File) ([]elf.Symbol, error) {
	if s := f.SectionByType(elf.SHT_SYMTAB); s != nil {
		if s.Size > maxSymbols*elf.Sym64Size {
			return nil, fmt.Errorf("ELF symbol table has %d bytes: at most %d symbols are read", s.Size, maxSymbols)
		}
		tables := []*elf.Section{s}
		if int(s.Link) < len(f.Sections) {
			tables = append(tables, f.Sections[s.Link])
		}
		for _, t := range tables {
			if err := plainTable(t); err != nil {
				return nil, err
			}
		}
	}
	syms, err := f.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ELF symbol table: %w", err)
	}
	return syms, nil
}

// addSymbols gives the image the named functions and objects. address returns the address of a
// defined symbol by its index.
func addSymbols(f *file, im *isa.Image, syms []elf.Symbol, address func(i int) (uint64, bool)) {
	for i, s := range syms {
		kind := elf.ST_TYPE(s.Info)
		// $t, $d and $x mark code and data; .L are the compiler's own labels. A name that needs
		// quotes is damage.
		if s.Name == "" || s.Name[0] == '$' || strings.HasPrefix(s.Name, ".L") ||
			needsQuotes(s.Name) || s.Section == elf.SHN_UNDEF || kind == elf.STT_SECTION || kind == elf.STT_FILE {
			continue
		}
		addr, ok := address(i)
		if !ok {
			continue
		}
		global := elf.ST_BIND(s.Info) != elf.STB_LOCAL
		code := int(s.Section) < len(f.Sections) && f.Sections[s.Section].Flags&elf.SHF_EXECINSTR != 0
		isFunc := kind == elf.STT_FUNC || kind == elf.STT_NOTYPE && global && code
		if isFunc {
			addr = f.plain(addr)
		}
		im.Symbols = append(im.Symbols, isa.Symbol{Name: s.Name, Addr: addr, Size: s.Size, Func: isFunc})
	}
	sort.SliceStable(im.Symbols, func(i, j int) bool { return im.Symbols[i].Addr < im.Symbols[j].Addr })
}

// quote makes a name of the file fit for one line of text: as it is, or quoted, and not too long.
func quote(name string) string {
	const longest = 100
	if needsQuotes(name) {
		name = strconv.Quote(name)
	}
	if len(name) > longest {
		name = name[:longest] + "..."
	}
	return name
}

func needsQuotes(name string) bool { return strconv.Quote(name) != `"`+name+`"` }
