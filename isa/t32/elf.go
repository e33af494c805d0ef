package t32

import (
	"debug/elf"
	"strings"

	"simrun/isa"
)

// ELF returns the machine and its relocations.
func (Arch) ELF() *isa.ELF { return &elfKind }

// elfKind has the static relocations of "ELF for the Arm Architecture" (AAELF32), section 5.6,
// that Thumb-2 code of one object needs. Objects for ARM use SHT_REL: addends are in the place.
var elfKind = isa.ELF{
	Machine: elf.EM_ARM, Class: elf.ELFCLASS32,
	Foreign: armCode, ForeignWhat: "ARM code", ForeignHint: "these cores execute Thumb only; compile with -mthumb -mcpu=cortex-m4",
	RelocName: func(t uint32) string { return elf.R_ARM(t).String() },
	Relocs: map[uint32]isa.RelocKind{
		uint32(elf.R_ARM_NONE):            {},
		uint32(elf.R_ARM_ABS32):           {Size: 4, Apply: armAbs32},
		uint32(elf.R_ARM_REL32):           {Size: 4, Apply: armRel32},
		uint32(elf.R_ARM_TARGET1):         {Size: 4, Apply: armAbs32},
		uint32(elf.R_ARM_THM_PC22):        {Size: 4, Apply: thumbJump24}, // now called R_ARM_THM_CALL
		uint32(elf.R_ARM_THM_JUMP24):      {Size: 4, Apply: thumbJump24},
		uint32(elf.R_ARM_THM_JUMP19):      {Size: 4, Apply: thumbJump19},
		uint32(elf.R_ARM_THM_JUMP11):      {Size: 2, Apply: thumbJump11},
		uint32(elf.R_ARM_THM_MOVW_ABS_NC): {Size: 4, Apply: thumbMovw},
		uint32(elf.R_ARM_THM_MOVT_ABS):    {Size: 4, Apply: thumbMovt},
	},
}

// armCode reports code in the ARM state: a function at an even address, or what the assembler marked $a.
func armCode(s elf.Symbol) bool {
	function := elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value&1 == 0 && s.Size > 0
	return function || s.Name == "$a" || strings.HasPrefix(s.Name, "$a.")
}

func armAbs32(r *isa.Reloc) error {
	if r.InCode {
		r.A = int64(int32(r.Get32(0)))
	}
	r.Put32(0, uint32(r.Target())|uint32(r.T))
	return nil
}

func armRel32(r *isa.Reloc) error {
	if r.InCode {
		r.A = int64(int32(r.Get32(0)))
	}
	r.Put32(0, (uint32(r.Target())|uint32(r.T))-uint32(r.P))
	return nil
}

// thumbJump24 is BL and B.W (T4): 11110 S imm10, 1x x J1 x J2 imm11; the offset is
// S:I1:I2:imm10:imm11:0 with I = NOT(J XOR S).
func thumbJump24(r *isa.Reloc) error {
	h, l := r.Get16(0), r.Get16(2)
	if r.InCode {
		s := h >> 10 & 1
		i1, i2 := ^(l>>13^s)&1, ^(l>>11^s)&1
		r.A = signExtend(s<<24|i1<<23|i2<<22|h&0x3ff<<12|l&0x7ff<<1, 25)
	}
	v, err := r.Jump(25)
	if err != nil {
		return err
	}
	s := v >> 24 & 1
	j1, j2 := ^(v>>23^s)&1, ^(v>>22^s)&1
	r.Put16(0, h&0xf800|s<<10|v>>12&0x3ff)
	r.Put16(2, l&0xd000|j1<<13|j2<<11|v>>1&0x7ff)
	return nil
}

// thumbJump19 is B<cond>.W (T3): 11110 S cond imm6, 10 J1 0 J2 imm11; the offset is
// S:J2:J1:imm6:imm11:0.
func thumbJump19(r *isa.Reloc) error {
	h, l := r.Get16(0), r.Get16(2)
	if r.InCode {
		r.A = signExtend(h>>10&1<<20|l>>11&1<<19|l>>13&1<<18|h&0x3f<<12|l&0x7ff<<1, 21)
	}
	v, err := r.Jump(21)
	if err != nil {
		return err
	}
	r.Put16(0, h&0xfbc0|v>>20&1<<10|v>>12&0x3f)
	r.Put16(2, l&0xd000|v>>18&1<<13|v>>19&1<<11|v>>1&0x7ff)
	return nil
}

// thumbJump11 is B (T2): 11100 imm11; the offset is imm11:0.
func thumbJump11(r *isa.Reloc) error {
	h := r.Get16(0)
	if r.InCode {
		r.A = signExtend(h&0x7ff<<1, 12)
	}
	v, err := r.Jump(12)
	if err != nil {
		return err
	}
	r.Put16(0, h&0xf800|v>>1&0x7ff)
	return nil
}

func thumbMovw(r *isa.Reloc) error {
	thumbMov(r, 0, uint32(r.T))
	return nil
}

func thumbMovt(r *isa.Reloc) error {
	thumbMov(r, 16, 0)
	return nil
}

// thumbMov is MOVW and MOVT: 11110 i 10x100 imm4, 0 imm3 Rd imm8; the value is
// imm4:i:imm3:imm8, bits shift to shift+15 of the address.
func thumbMov(r *isa.Reloc, shift int, or uint32) {
	h, l := r.Get16(0), r.Get16(2)
	if r.InCode {
		r.A = signExtend(h&0xf<<12|h>>10&1<<11|l>>12&7<<8|l&0xff, 16)
	}
	v := (uint32(r.Target()) | or) >> shift & 0xffff
	r.Put16(0, h&0xfbf0|v>>12|v>>11&1<<10)
	r.Put16(2, l&0x8f00|v>>8&7<<12|v&0xff)
}

// signExtend reads the low n bits of v as a signed number.
func signExtend(v uint32, n int) int64 { return int64(int32(v<<(32-n)) >> (32 - n)) }
