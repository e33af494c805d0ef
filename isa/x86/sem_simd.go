package x86

// lanes8, lanes16 and lanes32 apply f to every lane pair of two registers.
func lanes8(d0, d1, s0, s1 uint64, f func(a, b uint8) uint8) (lo, hi uint64) {
	return each8(d0, s0, f), each8(d1, s1, f)
}

func lanes16(d0, d1, s0, s1 uint64, f func(a, b uint16) uint16) (lo, hi uint64) {
	return each16(d0, s0, f), each16(d1, s1, f)
}

func lanes32(d0, d1, s0, s1 uint64, f func(a, b uint32) uint32) (lo, hi uint64) {
	return each32(d0, s0, f), each32(d1, s1, f)
}

// perLane8, perLane16 and perLane32 make operations of such f.
func perLane8(f func(a, b uint8) uint8) vecFunc {
	return func(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return lanes8(d0, d1, s0, s1, f) }
}

func perLane16(f func(a, b uint16) uint16) vecFunc {
	return func(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return lanes16(d0, d1, s0, s1, f) }
}

func perLane32(f func(a, b uint32) uint32) vecFunc {
	return func(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return lanes32(d0, d1, s0, s1, f) }
}

// Saturation to the range of a lane.
func saturateB(v int) uint8   { return uint8(min(max(v, -128), 127)) }
func saturateW(v int) uint16  { return uint16(min(max(v, -32768), 32767)) }
func saturateUB(v int) uint8  { return uint8(min(max(v, 0), 255)) }
func saturateUW(v int) uint16 { return uint16(min(max(v, 0), 65535)) }

// Operations on the lanes of two registers.
var (
	vecAddSB  = perLane8(func(a, b uint8) uint8 { return saturateB(int(int8(a)) + int(int8(b))) })
	vecAddSW  = perLane16(func(a, b uint16) uint16 { return saturateW(int(int16(a)) + int(int16(b))) })
	vecAddUSB = perLane8(func(a, b uint8) uint8 { return saturateUB(int(a) + int(b)) })
	vecAddUSW = perLane16(func(a, b uint16) uint16 { return saturateUW(int(a) + int(b)) })
	vecSubSB  = perLane8(func(a, b uint8) uint8 { return saturateB(int(int8(a)) - int(int8(b))) })
	vecSubSW  = perLane16(func(a, b uint16) uint16 { return saturateW(int(int16(a)) - int(int16(b))) })
	vecSubUSB = perLane8(func(a, b uint8) uint8 { return saturateUB(int(a) - int(b)) })
	vecSubUSW = perLane16(func(a, b uint16) uint16 { return saturateUW(int(a) - int(b)) })
	// Averages round up.
	vecAvgB    = perLane8(func(a, b uint8) uint8 { return uint8((uint(a) + uint(b) + 1) >> 1) })
	vecAvgW    = perLane16(func(a, b uint16) uint16 { return uint16((uint(a) + uint(b) + 1) >> 1) })
	vecMinUB   = perLane8(func(a, b uint8) uint8 { return min(a, b) })
	vecMaxUB   = perLane8(func(a, b uint8) uint8 { return max(a, b) })
	vecMinSB   = perLane8(func(a, b uint8) uint8 { return uint8(min(int8(a), int8(b))) })
	vecMaxSB   = perLane8(func(a, b uint8) uint8 { return uint8(max(int8(a), int8(b))) })
	vecMinSW   = perLane16(func(a, b uint16) uint16 { return uint16(min(int16(a), int16(b))) })
	vecMaxSW   = perLane16(func(a, b uint16) uint16 { return uint16(max(int16(a), int16(b))) })
	vecMinUW   = perLane16(func(a, b uint16) uint16 { return min(a, b) })
	vecMaxUW   = perLane16(func(a, b uint16) uint16 { return max(a, b) })
	vecMinSD   = perLane32(func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) })
	vecMaxSD   = perLane32(func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) })
	vecMinUD   = perLane32(func(a, b uint32) uint32 { return min(a, b) })
	vecMaxUD   = perLane32(func(a, b uint32) uint32 { return max(a, b) })
	vecMulHiW  = perLane16(func(a, b uint16) uint16 { return uint16(int32(int16(a)) * int32(int16(b)) >> 16) })
	vecMulHiUW = perLane16(func(a, b uint16) uint16 { return uint16(uint32(a) * uint32(b) >> 16) })
	vecMulLoD  = perLane32(func(a, b uint32) uint32 { return a * b })
	vecSignB   = perLane8(func(a, b uint8) uint8 { return uint8(signed(int8(a), int8(b))) })
	vecSignW   = perLane16(func(a, b uint16) uint16 { return uint16(signed(int16(a), int16(b))) })
	vecSignD   = perLane32(func(a, b uint32) uint32 { return uint32(signed(int32(a), int32(b))) })
)

// words returns the 16-bit lanes of a register.
func words(lo, hi uint64) (w [8]uint16) {
	for i := range 4 {
		w[i], w[i+4] = uint16(lo>>(16*i)), uint16(hi>>(16*i))
	}
	return w
}

func fromWords(w *[8]uint16) (lo, hi uint64) {
	for i := range 4 {
		lo |= uint64(w[i]) << (16 * i)
		hi |= uint64(w[i+4]) << (16 * i)
	}
	return lo, hi
}

// vecMinPos: the least word and its index.
func vecMinPos(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	w := words(s0, s1)
	at := 0
	for i := range w {
		if w[i] < w[at] {
			at = i
		}
	}
	return uint64(w[at]) | uint64(at)<<16, 0
}

func vecMulHRSW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return lanes16(d0, d1, s0, s1, func(a, b uint16) uint16 {
		return uint16((int32(int16(a))*int32(int16(b))>>14 + 1) >> 1)
	})
}

// vecMaddWD adds the products of neighbours.
func vecMaddWD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return lanes32(d0, d1, s0, s1, func(a, b uint32) uint32 {
		return uint32(int32(int16(a))*int32(int16(b)) + int32(int16(a>>16))*int32(int16(b>>16)))
	})
}

// vecMaddUBSW multiplies bytes of the first operand without sign by bytes of the second with it.
func vecMaddUBSW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return lanes16(d0, d1, s0, s1, func(a, b uint16) uint16 {
		return saturateW(int(a&0xff)*int(int8(b)) + int(a>>8)*int(int8(b>>8)))
	})
}

func vecMulDQ(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	mul := func(a, b uint64) uint64 { return uint64(int64(int32(a)) * int64(int32(b))) }
	return mul(d0, s0), mul(d1, s1)
}

func distance(a, b uint8) uint64 { return uint64(max(a, b) - min(a, b)) }

// vecSad adds the distances of the bytes of each half.
func vecSad(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	sum := func(a, b uint64) (n uint64) {
		for i := 0; i < 64; i += 8 {
			n += distance(uint8(a>>i), uint8(b>>i))
		}
		return n
	}
	return sum(d0, s0), sum(d1, s1)
}

// vecMpsad: eight sums of four distances, of one block of the second operand from blocks of the first, each a byte further on.
func vecMpsad(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	d, s := bytesOf(d0, d1), bytesOf(s0, s1)
	from, block := int(n>>2&1)*4, int(n&3)*4
	var w [8]uint16
	for i := range w {
		for j := range 4 {
			w[i] += uint16(distance(d[from+i+j], s[block+j]))
		}
	}
	return fromWords(&w)
}

// horizontalW combines neighbours: those of the first operand go to the low half, those of the second to the high one.
func horizontalW(d0, d1, s0, s1 uint64, f func(a, b uint16) uint16) (lo, hi uint64) {
	d, s := words(d0, d1), words(s0, s1)
	var r [8]uint16
	for i := range 4 {
		r[i], r[i+4] = f(d[2*i], d[2*i+1]), f(s[2*i], s[2*i+1])
	}
	return fromWords(&r)
}

func vecHaddW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return horizontalW(d0, d1, s0, s1, func(a, b uint16) uint16 { return a + b })
}

func vecHaddSW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return horizontalW(d0, d1, s0, s1, func(a, b uint16) uint16 { return saturateW(int(int16(a)) + int(int16(b))) })
}

func vecHsubW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return horizontalW(d0, d1, s0, s1, func(a, b uint16) uint16 { return a - b })
}

func vecHsubSW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return horizontalW(d0, d1, s0, s1, func(a, b uint16) uint16 { return saturateW(int(int16(a)) - int(int16(b))) })
}

func vecHaddD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	add := func(v uint64) uint64 { return uint64(uint32(v) + uint32(v>>32)) }
	return add(d0) | add(d1)<<32, add(s0) | add(s1)<<32
}

func vecHsubD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	sub := func(v uint64) uint64 { return uint64(uint32(v) - uint32(v>>32)) }
	return sub(d0) | sub(d1)<<32, sub(s0) | sub(s1)<<32
}

// signed negates, clears or keeps a by the sign of b.
func signed[T int8 | int16 | int32](a, b T) T {
	switch {
	case b < 0:
		return -a
	case b == 0:
		return 0
	}
	return a
}

func vecEqQ(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return -bit(d0 == s0), -bit(d1 == s1)
}

// vecTest gives flags: ZF if the operands have no bit in common, CF if the second has none that the first lacks.
func vecTest(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return bit(d0&s0|d1&s1 == 0)<<6 | bit(s0&^d0|s1&^d1 == 0), 0
}

// Scalar moves, duplications.
func vecMovSS(d0, d1, s0, _, _ uint64) (lo, hi uint64) {
	return d0&^0xffffffff | s0&0xffffffff, d1
}

func vecMovSD(_, d1, s0, _, _ uint64) (lo, hi uint64)  { return s0, d1 }
func vecMovHL(_, d1, _, s1, _ uint64) (lo, hi uint64)  { return s1, d1 }
func vecDup(_, _, s0, _, _ uint64) (lo, hi uint64)     { return s0, s0 }
func vecDupLo(_, _, s0, s1, _ uint64) (lo, hi uint64)  { return vecShufD(0, 0, s0, s1, 0xa0) }
func vecDupHi(_, _, s0, s1, _ uint64) (lo, hi uint64)  { return vecShufD(0, 0, s0, s1, 0xf5) }
func vecMaskPD(_, _, s0, s1, _ uint64) (lo, hi uint64) { return s0>>63 | s1>>63<<1, 0 }

func vecMaskPS(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return s0>>31&1 | s0>>63<<1 | s1>>31&1<<2 | s1>>63<<3, 0
}

func vecShufPD(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	if n&1 != 0 {
		d0 = d1
	}
	if n&2 != 0 {
		s0 = s1
	}
	return d0, s0
}

// Blends take the lanes whose bit of n is set from the second operand. spread makes a mask of size bits per bit.
func spread(n uint64, lanes, size int) (mask uint64) {
	for i := range lanes {
		mask |= -(n >> i & 1) & (1<<size - 1) << (i * size)
	}
	return mask
}

func vecBlendW(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	m0, m1 := spread(n, 4, 16), spread(n>>4, 4, 16)
	return d0&^m0 | s0&m0, d1&^m1 | s1&m1
}

func vecBlendPS(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	m0, m1 := spread(n, 2, 32), spread(n>>2, 2, 32)
	return d0&^m0 | s0&m0, d1&^m1 | s1&m1
}

func vecBlendPD(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	m0, m1 := -(n & 1), -(n >> 1 & 1)
	return d0&^m0 | s0&m0, d1&^m1 | s1&m1
}

// Lanes of all ones where the top bit of a lane of the second operand is set.
func vecSpreadB(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return s0 & high8 >> 7 * 0xff, s1 & high8 >> 7 * 0xff
}

func vecSpreadD(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return s0 & high32 >> 31 * 0xffffffff, s1 & high32 >> 31 * 0xffffffff
}

func vecSpreadQ(_, _, s0, s1, _ uint64) (lo, hi uint64) { return -(s0 >> 63), -(s1 >> 63) }

func vecPackUSDW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return pack(d0, d1, 32, 0, 65535), pack(s0, s1, 32, 0, 65535)
}
