package x86

import (
	"debug/elf"
	"fmt"
	"math"

	"simrun/isa"
)

// ELF returns the machine and its relocations.
func (*arch) ELF() *isa.ELF { return &elfKind }

// elfKind has the relocations of the "System V ABI, AMD64 supplement", section 4.4, that code of
// one object needs.
var elfKind = isa.ELF{
	Machine: elf.EM_X86_64, Class: elf.ELFCLASS64,
	RelocName: func(t uint32) string { return elf.R_X86_64(t).String() },
	Relocs: map[uint32]isa.RelocKind{
		uint32(elf.R_X86_64_NONE):  {},
		uint32(elf.R_X86_64_64):    {Size: 8, Apply: x86Abs64},
		uint32(elf.R_X86_64_PC32):  {Size: 4, Apply: x86PC32},
		uint32(elf.R_X86_64_PLT32): {Size: 4, Apply: x86PC32},
		uint32(elf.R_X86_64_32):    {Size: 4, Apply: x86Abs32(0, math.MaxUint32)},
		uint32(elf.R_X86_64_32S):   {Size: 4, Apply: x86Abs32(math.MinInt32, math.MaxInt32)},
	},
}

func x86Abs64(r *isa.Reloc) error {
	r.Put64(0, uint64(r.Target()))
	return nil
}

func x86PC32(r *isa.Reloc) error {
	d := r.Distance()
	if d != int64(int32(d)) {
		return fmt.Errorf("distance %d does not fit 32 bits: place code and data nearer", d)
	}
	r.Put32(0, uint32(d))
	return nil
}

func x86Abs32(low, high int64) func(*isa.Reloc) error {
	return func(r *isa.Reloc) error {
		v := r.Target()
		if v < low || v > high {
			return fmt.Errorf("address %#x does not fit 32 bits: place code and data lower", v)
		}
		r.Put32(0, uint32(v))
		return nil
	}
}
