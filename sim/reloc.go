package sim

import (
	"encoding/binary"
	"fmt"
)

// relocTable is what one ELF machine calls its relocations and which of them are known.
type relocTable struct {
	name  func(typ uint32) string
	kinds map[uint32]relocKind
}

// relocKind is one relocation type. A nil apply means: nothing to do.
type relocKind struct {
	size  int // bytes at the place
	notes bool
	apply func(*reloc) error
}

// reloc is one relocation to apply, in the letters of the ELF documents.
type reloc struct {
	loc    []byte // the place
	s      uint64 // symbol
	t      uint64 // 1 if the symbol is a Thumb function, else 0
	a      int64  // addend, if it is not in the place
	p      uint64 // address of the place
	inCode bool   // the addend is in the place
	high   map[uint64]uint64
	last   bool // the pass that writes
}

func (r *reloc) get16(i int) uint32    { return uint32(binary.LittleEndian.Uint16(r.loc[i:])) }
func (r *reloc) put16(i int, v uint32) { binary.LittleEndian.PutUint16(r.loc[i:], uint16(v)) }
func (r *reloc) get32(i int) uint32    { return binary.LittleEndian.Uint32(r.loc[i:]) }
func (r *reloc) put32(i int, v uint32) { binary.LittleEndian.PutUint32(r.loc[i:], v) }

// target returns S + A.
func (r *reloc) target() int64 { return int64(r.s) + r.a }

// distance returns S + A - P.
func (r *reloc) distance() int64 { return r.target() - int64(r.p) }

// reach checks that v is a signed number of n bits and a multiple of 2.
func reach(v int64, n int) error {
	if v&1 != 0 {
		return fmt.Errorf("distance %d is odd", v)
	}
	if v < -1<<(n-1) || v >= 1<<(n-1) {
		return fmt.Errorf("distance %d does not fit %d bits: place code and data nearer", v, n)
	}
	return nil
}

// signExtend reads the low n bits of v as a signed number.
func signExtend(v uint32, n int) int64 { return int64(int32(v<<(32-n)) >> (32 - n)) }
