package t32

import "simrun/isa"

// Multiplication and division.
var multiplyRows = []row{
	{id: "MLA_T1", asm: "mla Rd, Rn, Rm, Ra", bits: "111110110000nnnn aaaadddd0000mmmm", class: "mla", sem: mulAdd(kMla)},
	{id: "MLS_T1", asm: "mls Rd, Rn, Rm, Ra", bits: "111110110000nnnn aaaadddd0001mmmm", class: "mla", sem: mulAdd(kMls)},
	{id: "MUL_T1", asm: "muls Rdn, Rm", bits: "0100001101mmmddd", class: "mul", sem: multiply, flags: isa.Commute},
	{id: "MUL_T2", asm: "mul.w Rd, Rn, Rm", bits: "111110110000nnnn 1111dddd0000mmmm", class: "mul", sem: multiply, flags: isa.Commute},
	{id: "SDIV_T1", asm: "sdiv Rd, Rn, Rm", bits: "111110111001nnnn 1111dddd1111mmmm", class: "div", sem: fn(sdiv)},
	{id: "SMLAL_T1", asm: "smlal RdLo^, RdHi^, Rn, Rm", bits: "111110111100nnnn llllhhhh0000mmmm", class: "mla.long", sem: fn(smlal), differ: "lh"},
	{id: "SMULL_T1", asm: "smull RdLo, RdHi, Rn, Rm", bits: "111110111000nnnn llllhhhh0000mmmm", class: "mul.long", sem: fn(smull), differ: "lh"},
	{id: "UDIV_T1", asm: "udiv Rd, Rn, Rm", bits: "111110111011nnnn 1111dddd1111mmmm", class: "div", sem: fn(udiv)},
	{id: "UMLAL_T1", asm: "umlal RdLo^, RdHi^, Rn, Rm", bits: "111110111110nnnn llllhhhh0000mmmm", class: "mla.long", sem: fn(umlal), differ: "lh"},
	{id: "UMULL_T1", asm: "umull RdLo, RdHi, Rn, Rm", bits: "111110111010nnnn llllhhhh0000mmmm", class: "mul.long", sem: fn(umull), differ: "lh"},
}

// Bit fields, saturation, extension, byte order.
var bitfieldRows = []row{
	{id: "BFC_T1", asm: "bfc Rd^, #lsb, #bfwidth", bits: "1111001101101111 0iiiddddii0wwwww", class: "bitfield", sem: fn(bfc)},
	{id: "BFI_T1", asm: "bfi Rd^, Rn, #lsb, #bfwidth", bits: "111100110110nnnn 0iiiddddii0wwwww", class: "bitfield", sem: fn(bfi)},
	{id: "CLZ_T1", asm: "clz Rd, Rm", bits: "111110101011mmmm 1111dddd1000MMMM", class: "alu.rev", sem: fn(clz)},
	{id: "RBIT_T1", asm: "rbit Rd, Rm", bits: "111110101001mmmm 1111dddd1010MMMM", class: "alu.rev", sem: fn(rbit)},
	{id: "REV_T1", asm: "rev Rd, Rm", bits: "1011101000mmmddd", class: "alu.rev", sem: fn(rev)},
	{id: "REV_T2", asm: "rev.w Rd, Rm", bits: "111110101001mmmm 1111dddd1000MMMM", class: "alu.rev", sem: fn(rev)},
	{id: "REV16_T1", asm: "rev16 Rd, Rm", bits: "1011101001mmmddd", class: "alu.rev", sem: fn(rev16)},
	{id: "REV16_T2", asm: "rev16.w Rd, Rm", bits: "111110101001mmmm 1111dddd1001MMMM", class: "alu.rev", sem: fn(rev16)},
	{id: "REVSH_T1", asm: "revsh Rd, Rm", bits: "1011101011mmmddd", class: "alu.rev", sem: fn(revsh)},
	{id: "REVSH_T2", asm: "revsh.w Rd, Rm", bits: "111110101001mmmm 1111dddd1011MMMM", class: "alu.rev", sem: fn(revsh)},
	{id: "SBFX_T1", asm: "sbfx Rd, Rn, #lsb, #width", bits: "111100110100nnnn 0iiiddddii0wwwww", class: "bitfield", sem: fn(sbfx)},
	{id: "SSAT_T1", asm: "ssat Rd, #sat1, Rn{satshift}", bits: "1111001100s0nnnn 0sssddddss0wwwww", class: "sat", sem: fn(ssat)},
	{id: "SXTB_T1", asm: "sxtb Rd, Rm", bits: "1011001001mmmddd", class: "alu.extend", sem: fn(sxtb)},
	{id: "SXTB_T2", asm: "sxtb.w Rd, Rm{rotate}", bits: "1111101001001111 1111dddd10rrmmmm", class: "alu.extend", sem: fn(sxtb)},
	{id: "SXTH_T1", asm: "sxth Rd, Rm", bits: "1011001000mmmddd", class: "alu.extend", sem: fn(sxth)},
	{id: "SXTH_T2", asm: "sxth.w Rd, Rm{rotate}", bits: "1111101000001111 1111dddd10rrmmmm", class: "alu.extend", sem: fn(sxth)},
	{id: "UBFX_T1", asm: "ubfx Rd, Rn, #lsb, #width", bits: "111100111100nnnn 0iiiddddii0wwwww", class: "bitfield", sem: ubfx},
	{id: "USAT_T1", asm: "usat Rd, #sat, Rn{satshift}", bits: "1111001110s0nnnn 0sssddddss0wwwww", class: "sat", sem: fn(usat)},
	{id: "UXTB_T1", asm: "uxtb Rd, Rm", bits: "1011001011mmmddd", class: "alu.extend", sem: extend(0xff)},
	{id: "UXTB_T2", asm: "uxtb.w Rd, Rm{rotate}", bits: "1111101001011111 1111dddd10rrmmmm", class: "alu.extend", sem: extend(0xff)},
	{id: "UXTH_T1", asm: "uxth Rd, Rm", bits: "1011001010mmmddd", class: "alu.extend", sem: extend(0xffff)},
	{id: "UXTH_T2", asm: "uxth.w Rd, Rm{rotate}", bits: "1111101000011111 1111dddd10rrmmmm", class: "alu.extend", sem: extend(0xffff)},
}
