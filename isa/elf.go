package isa

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// ELF is what an instruction set says of its ELF files: what they are called, and how the relocations of
// an object change code.
type ELF struct {
	Machine elf.Machine
	Class   elf.Class
	// RelocName names a relocation type as the ELF documents do.
	RelocName func(typ uint32) string
	// Relocs are the types that can be applied. One with a nil Apply leaves the place as it is.
	Relocs map[uint32]RelocKind
	// Foreign, if not nil, reports whether a symbol of a section with code marks code that no core of this
	// instruction set executes; ForeignWhat says what that is and ForeignHint what to do about it.
	Foreign                  func(elf.Symbol) bool
	ForeignWhat, ForeignHint string
}

// RelocKind is one type of relocation.
type RelocKind struct {
	Size  int  // bytes at the place
	Notes bool // it is applied twice: first only to note something in Reloc.High
	Apply func(*Reloc) error
}

// Reloc is one relocation to apply, in the letters of the ELF documents.
type Reloc struct {
	Loc    []byte            // the place
	S      uint64            // symbol
	T      uint64            // 1 if the symbol is a function whose address carries bit 0 (Thumb), else 0
	A      int64             // addend, if it is not in the place
	P      uint64            // address of the place
	InCode bool              // the addend is in the place
	High   map[uint64]uint64 // by place, what later relocations refer to
	Last   bool              // the pass that writes
}

func (r *Reloc) Get16(i int) uint32    { return uint32(binary.LittleEndian.Uint16(r.Loc[i:])) }
func (r *Reloc) Put16(i int, v uint32) { binary.LittleEndian.PutUint16(r.Loc[i:], uint16(v)) }
func (r *Reloc) Get32(i int) uint32    { return binary.LittleEndian.Uint32(r.Loc[i:]) }
func (r *Reloc) Put32(i int, v uint32) { binary.LittleEndian.PutUint32(r.Loc[i:], v) }
func (r *Reloc) Put64(i int, v uint64) { binary.LittleEndian.PutUint64(r.Loc[i:], v) }

// Target returns S + A.
func (r *Reloc) Target() int64 { return int64(r.S) + r.A }

// Distance returns S + A - P.
func (r *Reloc) Distance() int64 { return r.Target() - int64(r.P) }

// Jump returns the distance of a branch: a signed number of so many bits and a multiple of 2.
func (r *Reloc) Jump(bits int) (uint32, error) {
	d := r.Distance()
	if d&1 != 0 {
		return 0, fmt.Errorf("distance %d is odd", d)
	}
	if d < -1<<(bits-1) || d >= 1<<(bits-1) {
		return 0, fmt.Errorf("distance %d does not fit %d bits: place code and data nearer", d, bits)
	}
	return uint32(d), nil
}
