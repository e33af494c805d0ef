package sim

import "debug/elf"

// armRelocs are the static relocations of "ELF for the Arm Architecture" (AAELF32), section 5.6,
// that Thumb-2 code of one object needs. Objects for ARM use SHT_REL: addends are in the place.
var armRelocs = relocTable{
	name: func(t uint32) string { return elf.R_ARM(t).String() },
	kinds: map[uint32]relocKind{
		uint32(elf.R_ARM_NONE):            {},
		uint32(elf.R_ARM_ABS32):           {size: 4, apply: armAbs32},
		uint32(elf.R_ARM_REL32):           {size: 4, apply: armRel32},
		uint32(elf.R_ARM_TARGET1):         {size: 4, apply: armAbs32},
		uint32(elf.R_ARM_THM_PC22):        {size: 4, apply: thumbJump24}, // now called R_ARM_THM_CALL
		uint32(elf.R_ARM_THM_JUMP24):      {size: 4, apply: thumbJump24},
		uint32(elf.R_ARM_THM_JUMP19):      {size: 4, apply: thumbJump19},
		uint32(elf.R_ARM_THM_JUMP11):      {size: 2, apply: thumbJump11},
		uint32(elf.R_ARM_THM_MOVW_ABS_NC): {size: 4, apply: thumbMovw},
		uint32(elf.R_ARM_THM_MOVT_ABS):    {size: 4, apply: thumbMovt},
	},
}

func armAbs32(r *reloc) error {
	if r.inCode {
		r.a = int64(int32(r.get32(0)))
	}
	r.put32(0, uint32(r.target())|uint32(r.t))
	return nil
}

func armRel32(r *reloc) error {
	if r.inCode {
		r.a = int64(int32(r.get32(0)))
	}
	r.put32(0, (uint32(r.target())|uint32(r.t))-uint32(r.p))
	return nil
}

// thumbJump24 is BL and B.W (T4): 11110 S imm10, 1x x J1 x J2 imm11; the offset is
// S:I1:I2:imm10:imm11:0 with I = NOT(J XOR S).
func thumbJump24(r *reloc) error {
	h, l := r.get16(0), r.get16(2)
	if r.inCode {
		s := h >> 10 & 1
		i1, i2 := ^(l>>13^s)&1, ^(l>>11^s)&1
		r.a = signExtend(s<<24|i1<<23|i2<<22|h&0x3ff<<12|l&0x7ff<<1, 25)
	}
	d := r.distance()
	if err := reach(d, 25); err != nil {
		return err
	}
	v := uint32(d)
	s := v >> 24 & 1
	j1, j2 := ^(v>>23^s)&1, ^(v>>22^s)&1
	r.put16(0, h&0xf800|s<<10|v>>12&0x3ff)
	r.put16(2, l&0xd000|j1<<13|j2<<11|v>>1&0x7ff)
	return nil
}

// thumbJump19 is B<cond>.W (T3): 11110 S cond imm6, 10 J1 0 J2 imm11; the offset is
// S:J2:J1:imm6:imm11:0.
func thumbJump19(r *reloc) error {
	h, l := r.get16(0), r.get16(2)
	if r.inCode {
		r.a = signExtend(h>>10&1<<20|l>>11&1<<19|l>>13&1<<18|h&0x3f<<12|l&0x7ff<<1, 21)
	}
	d := r.distance()
	if err := reach(d, 21); err != nil {
		return err
	}
	v := uint32(d)
	r.put16(0, h&0xfbc0|v>>20&1<<10|v>>12&0x3f)
	r.put16(2, l&0xd000|v>>18&1<<13|v>>19&1<<11|v>>1&0x7ff)
	return nil
}

// thumbJump11 is B (T2): 11100 imm11; the offset is imm11:0.
func thumbJump11(r *reloc) error {
	h := r.get16(0)
	if r.inCode {
		r.a = signExtend(h&0x7ff<<1, 12)
	}
	d := r.distance()
	if err := reach(d, 12); err != nil {
		return err
	}
	r.put16(0, h&0xf800|uint32(d)>>1&0x7ff)
	return nil
}

func thumbMovw(r *reloc) error {
	thumbMov(r, 0, uint32(r.t))
	return nil
}

func thumbMovt(r *reloc) error {
	thumbMov(r, 16, 0)
	return nil
}

// thumbMov is MOVW and MOVT: 11110 i 10x100 imm4, 0 imm3 Rd imm8; the value is
// imm4:i:imm3:imm8, bits shift to shift+15 of the address.
func thumbMov(r *reloc, shift int, or uint32) {
	h, l := r.get16(0), r.get16(2)
	if r.inCode {
		r.a = signExtend(h&0xf<<12|h>>10&1<<11|l>>12&7<<8|l&0xff, 16)
	}
	v := (uint32(r.target()) | or) >> shift & 0xffff
	r.put16(0, h&0xfbf0|v>>12|v>>11&1<<10)
	r.put16(2, l&0x8f00|v>>8&7<<12|v&0xff)
}
