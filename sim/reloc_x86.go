package sim

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math"
)

// x86Relocs are the relocations of the "System V ABI, AMD64 supplement", section 4.4, that code of
// one object needs.
var x86Relocs = relocTable{
	name: func(t uint32) string { return elf.R_X86_64(t).String() },
	kinds: map[uint32]relocKind{
		uint32(elf.R_X86_64_NONE):  {},
		uint32(elf.R_X86_64_64):    {size: 8, apply: x86Abs64},
		uint32(elf.R_X86_64_PC32):  {size: 4, apply: x86PC32},
		uint32(elf.R_X86_64_PLT32): {size: 4, apply: x86PC32},
		uint32(elf.R_X86_64_32):    {size: 4, apply: x86Abs32(0, math.MaxUint32)},
		uint32(elf.R_X86_64_32S):   {size: 4, apply: x86Abs32(math.MinInt32, math.MaxInt32)},
	},
}

func x86Abs64(r *reloc) error {
	binary.LittleEndian.PutUint64(r.loc, uint64(r.target()))
	return nil
}

func x86PC32(r *reloc) error {
	d := r.distance()
	if d != int64(int32(d)) {
		return fmt.Errorf("distance %d does not fit 32 bits: place code and data nearer", d)
	}
	r.put32(0, uint32(d))
	return nil
}

func x86Abs32(low, high int64) func(*reloc) error {
	return func(r *reloc) error {
		v := r.target()
		if v < low || v > high {
			return fmt.Errorf("address %#x does not fit 32 bits: place code and data lower", v)
		}
		r.put32(0, uint32(v))
		return nil
	}
}
