package x86

// A vecFunc computes a vector operation. d is the first operand, s the second, low half
// first. n is the immediate; a shift by an immediate gets it in s0 too. Results that go to a
// general register come back in the low half.
type vecFunc func(d0, d1, s0, s1, n uint64) (lo, hi uint64)

const (
	ones8  = 0x0101010101010101
	high8  = 0x8080808080808080
	ones16 = 0x0001000100010001
	high16 = 0x8000800080008000
	high32 = 0x8000000080000000
)

// Logic.
func vecAnd(d0, d1, s0, s1, _ uint64) (lo, hi uint64)    { return d0 & s0, d1 & s1 }
func vecAndNot(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return s0 &^ d0, s1 &^ d1 }
func vecOr(d0, d1, s0, s1, _ uint64) (lo, hi uint64)     { return d0 | s0, d1 | s1 }
func vecXor(d0, d1, s0, s1, _ uint64) (lo, hi uint64)    { return d0 ^ s0, d1 ^ s1 }

// laneAdd adds lanes whose top bits are high: the carry out of a lane is kept from its neighbour
// by adding the top bits without carry.
func laneAdd(a, b, high uint64) uint64 { return (a&^high + b&^high) ^ (a^b)&high }
func laneSub(a, b, high uint64) uint64 { return (a | high - b&^high) ^ (a^^b)&high }

func vecAddB(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return laneAdd(d0, s0, high8), laneAdd(d1, s1, high8)
}

func vecAddW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return laneAdd(d0, s0, high16), laneAdd(d1, s1, high16)
}

func vecAddD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return laneAdd(d0, s0, high32), laneAdd(d1, s1, high32)
}

func vecAddQ(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return d0 + s0, d1 + s1 }

func vecSubB(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return laneSub(d0, s0, high8), laneSub(d1, s1, high8)
}

func vecSubW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return laneSub(d0, s0, high16), laneSub(d1, s1, high16)
}

func vecSubD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return laneSub(d0, s0, high32), laneSub(d1, s1, high32)
}

func vecSubQ(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return d0 - s0, d1 - s1 }

func vecMulUDQ(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return uint64(uint32(d0)) * uint64(uint32(s0)), uint64(uint32(d1)) * uint64(uint32(s1))
}

// each8, each16 and each32 apply f to every lane pair.
func each8(a, b uint64, f func(a, b uint8) uint8) (r uint64) {
	for i := 0; i < 64; i += 8 {
		r |= uint64(f(uint8(a>>i), uint8(b>>i))) << i
	}
	return r
}

func each16(a, b uint64, f func(a, b uint16) uint16) (r uint64) {
	for i := 0; i < 64; i += 16 {
		r |= uint64(f(uint16(a>>i), uint16(b>>i))) << i
	}
	return r
}

func each32(a, b uint64, f func(a, b uint32) uint32) (r uint64) {
	for i := 0; i < 64; i += 32 {
		r |= uint64(f(uint32(a>>i), uint32(b>>i))) << i
	}
	return r
}

func vecMulLoW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	mul := func(a, b uint16) uint16 { return a * b }
	return each16(d0, s0, mul), each16(d1, s1, mul)
}

// Absolute values: the first operand is not read.
func vecAbsB(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	abs := func(_, b uint8) uint8 { return uint8(max(int8(b), -int8(b))) }
	return each8(0, s0, abs), each8(0, s1, abs)
}

func vecAbsW(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	abs := func(_, b uint16) uint16 { return uint16(max(int16(b), -int16(b))) }
	return each16(0, s0, abs), each16(0, s1, abs)
}

func vecAbsD(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	abs := func(_, b uint32) uint32 { return uint32(max(int32(b), -int32(b))) }
	return each32(0, s0, abs), each32(0, s1, abs)
}

// Comparisons give all ones or zero.
func allOnes8(c bool) uint8 {
	if c {
		return 0xff
	}
	return 0
}

func allOnes16(c bool) uint16 { return uint16(int8(allOnes8(c))) }
func allOnes32(c bool) uint32 { return uint32(int8(allOnes8(c))) }

func vecEqB(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	eq := func(a, b uint8) uint8 { return allOnes8(a == b) }
	return each8(d0, s0, eq), each8(d1, s1, eq)
}

func vecEqW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	eq := func(a, b uint16) uint16 { return allOnes16(a == b) }
	return each16(d0, s0, eq), each16(d1, s1, eq)
}

func vecEqD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	eq := func(a, b uint32) uint32 { return allOnes32(a == b) }
	return each32(d0, s0, eq), each32(d1, s1, eq)
}

func vecGtB(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	gt := func(a, b uint8) uint8 { return allOnes8(int8(a) > int8(b)) }
	return each8(d0, s0, gt), each8(d1, s1, gt)
}

func vecGtW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	gt := func(a, b uint16) uint16 { return allOnes16(int16(a) > int16(b)) }
	return each16(d0, s0, gt), each16(d1, s1, gt)
}

func vecGtD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	gt := func(a, b uint32) uint32 { return allOnes32(int32(a) > int32(b)) }
	return each32(d0, s0, gt), each32(d1, s1, gt)
}

// Shifts: the count is the whole low half of the second operand; a count of the lane size
// or more gives zero (arithmetic: the sign).
func vecSllW(d0, d1, c, _, _ uint64) (lo, hi uint64) {
	if c > 15 {
		return 0, 0
	}
	keep := uint64(0xffff>>c) * ones16
	return d0 & keep << c, d1 & keep << c
}

func vecSllD(d0, d1, c, _, _ uint64) (lo, hi uint64) {
	if c > 31 {
		return 0, 0
	}
	keep := uint64(0xffffffff>>c) * 0x1_0000_0001
	return d0 & keep << c, d1 & keep << c
}

func vecSllQ(d0, d1, c, _, _ uint64) (lo, hi uint64) { return d0 << c, d1 << c }

func vecSrlW(d0, d1, c, _, _ uint64) (lo, hi uint64) {
	if c > 15 {
		return 0, 0
	}
	keep := uint64(0xffff>>c) * ones16
	return d0 >> c & keep, d1 >> c & keep
}

func vecSrlD(d0, d1, c, _, _ uint64) (lo, hi uint64) {
	if c > 31 {
		return 0, 0
	}
	keep := uint64(0xffffffff>>c) * 0x1_0000_0001
	return d0 >> c & keep, d1 >> c & keep
}

func vecSrlQ(d0, d1, c, _, _ uint64) (lo, hi uint64) { return d0 >> c, d1 >> c }

func vecSraW(d0, d1, c, _, _ uint64) (lo, hi uint64) {
	sra := func(a, _ uint16) uint16 { return uint16(int16(a) >> min(c, 15)) }
	return each16(d0, 0, sra), each16(d1, 0, sra)
}

func vecSraD(d0, d1, c, _, _ uint64) (lo, hi uint64) {
	sra := func(a, _ uint32) uint32 { return uint32(int32(a) >> min(c, 31)) }
	return each32(d0, 0, sra), each32(d1, 0, sra)
}

// Byte shifts of the whole register.
func vecSllDQ(d0, d1, c, _, _ uint64) (lo, hi uint64) {
	if c > 7 {
		return 0, d0 << (8 * (c - 8))
	}
	return d0 << (8 * c), d1<<(8*c) | d0>>(64-8*c)
}

func vecSrlDQ(d0, d1, c, _, _ uint64) (lo, hi uint64) {
	if c > 7 {
		return d1 >> (8 * (c - 8)), 0
	}
	return d0>>(8*c) | d1<<(64-8*c), d1 >> (8 * c)
}
