package t32

// Labels are absolute addresses in Inst.Args; fields hold distances from the PC that the
// instruction reads, which is its own address plus four.

// scramble maps a branch offset in halfwords to the field as the letters of the pattern collect it
// (most significant first), and back: some encodings have their bits out of order.
type scramble struct {
	field  func(off uint32) uint32
	offset func(field uint32) uint32
}

// unscrambled: B T1 and T2.
var unscrambled = scramble{
	func(v uint32) uint32 { return v },
	func(v uint32) uint32 { return v },
}

// scrambleT3: the offset is S:J2:J1:imm6:imm11, the pattern has S:imm6:J1:J2:imm11.
var scrambleT3 = scramble{
	func(v uint32) uint32 {
		return v&(1<<19|0x7ff) | v>>11&0x3f<<13 | v>>17&1<<12 | v>>18&1<<11
	},
	func(v uint32) uint32 {
		return v&(1<<19|0x7ff) | v>>13&0x3f<<11 | v>>12&1<<17 | v>>11&1<<18
	},
}

// scrambleT4: the offset is S:I1:I2:imm10:imm11 with I = NOT(J EOR S), the pattern S:imm10:J1:J2:imm11.
var scrambleT4 = scramble{
	func(v uint32) uint32 {
		s := v >> 23 & 1
		j1, j2 := ^(v>>22)&1^s, ^(v>>21)&1^s
		return v&(1<<23|0x7ff) | v>>11&0x3ff<<13 | j1<<12 | j2<<11
	},
	func(v uint32) uint32 {
		s := v >> 23 & 1
		i1, i2 := ^(v>>12)&1^s, ^(v>>11)&1^s
		return v&(1<<23|0x7ff) | v>>13&0x3ff<<11 | i1<<22 | i2<<21
	},
}

// distance is v - base in the 32-bit address space, which wraps.
func distance(v int64, base uint32) int64 { return int64(int32(uint32(v) - base)) }

// branch is a signed distance in halfwords.
func branch(s scramble) codec {
	return codec{
		enc: func(v int64, x *context) (uint32, bool) {
			off := distance(v, x.pc+4)
			half := int64(1) << x.width // reach in bytes: width bits, one of sign, one of scale
			raw := s.field(uint32(off>>1) & (1<<x.width - 1))
			return raw, off&1 == 0 && off >= -half && off < half
		},
		dec: func(raw uint32, x *context) (int64, bool) {
			up := 32 - x.width
			off := int32(s.offset(raw)<<up) >> up << 1
			return int64(x.pc + 4 + uint32(off)), true
		},
		want: "within reach of the branch",
	}
}

// forward is the distance of CBZ and CBNZ: 0 to 126 bytes ahead.
var forward = codec{
	enc: func(v int64, x *context) (uint32, bool) {
		off := distance(v, x.pc+4)
		return uint32(off >> 1), off&1 == 0 && off >= 0 && off>>1 < 1<<x.width
	},
	dec:  func(raw uint32, x *context) (int64, bool) { return int64(x.pc + 4 + raw<<1), true },
	want: "4 to 130 bytes ahead",
}

// direction says which way a literal's offset may point.
type direction uint8

const (
	upOnly direction = iota
	downOnly
	upDown // a U bit above the magnitude
)

// literal is an address relative to the word-aligned PC, in units of n bytes. A value carries
// negZeroLabel if its offset is zero with the U bit clear.
func literal(n int64, dir direction) codec {
	mag := func(v int64, x *context) (raw uint32, up, ok bool) {
		off := distance(v&^negZeroLabel, (x.pc+4)&^3)
		up = off > 0 || off == 0 && v&negZeroLabel == 0
		if off < 0 {
			off = -off
		}
		width := x.width
		if dir == upDown {
			width--
		}
		return uint32(off / n), up, off%n == 0 && off/n < 1<<width
	}
	return codec{
		enc: func(v int64, x *context) (uint32, bool) {
			raw, up, ok := mag(v, x)
			switch {
			case dir == upDown && up:
				raw |= 1 << (x.width - 1)
			case dir == upOnly:
				ok = ok && up
			case dir == downOnly:
				ok = ok && !up
			}
			return raw, ok
		},
		dec: func(raw uint32, x *context) (int64, bool) {
			up := dir == upOnly
			if dir == upDown {
				up = raw>>(x.width-1) != 0
				raw &= 1<<(x.width-1) - 1
			}
			return labelAt((x.pc+4)&^3, raw*uint32(n), up), true
		},
		want: "within reach of the literal",
	}
}

// negZeroLabel marks an address whose offset is zero downwards; such code is legal and must be
// reproduced, though no assembler makes it of a label.
const negZeroLabel = 1 << 40

func labelAt(base, mag uint32, up bool) int64 {
	switch {
	case up:
		return int64(base + mag)
	case mag == 0:
		return int64(base) | negZeroLabel
	}
	return int64(base - mag)
}
