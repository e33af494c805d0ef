package x86

import "encoding/binary"

func bytesOf(lo, hi uint64) (b [16]byte) {
	binary.LittleEndian.PutUint64(b[:8], lo)
	binary.LittleEndian.PutUint64(b[8:], hi)
	return b
}

func halves(b *[16]byte) (lo, hi uint64) {
	return binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])
}

// vecShufB: a control byte with bit 7 set gives 0.
func vecShufB(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	d, s := bytesOf(d0, d1), bytesOf(s0, s1)
	var r [16]byte
	for i, c := range s {
		if c < 0x80 {
			r[i] = d[c&15]
		}
	}
	return halves(&r)
}

// dword returns 32-bit lane n mod 4.
func dword(lo, hi, n uint64) uint64 {
	if n&2 != 0 {
		lo = hi
	}
	return lo >> (n & 1 * 32) & 0xffffffff
}

func vecShufD(_, _, s0, s1, n uint64) (lo, hi uint64) {
	return dword(s0, s1, n) | dword(s0, s1, n>>2)<<32, dword(s0, s1, n>>4) | dword(s0, s1, n>>6)<<32
}

// vecShufPS takes the two low lanes from the first operand.
func vecShufPS(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	return dword(d0, d1, n) | dword(d0, d1, n>>2)<<32, dword(s0, s1, n>>4) | dword(s0, s1, n>>6)<<32
}

// shufW rearranges the four 16-bit lanes of one half.
func shufW(v, n uint64) (r uint64) {
	for i := range 4 {
		r |= v >> (n >> (2 * i) & 3 * 16) & 0xffff << (16 * i)
	}
	return r
}

func vecShufLW(_, _, s0, s1, n uint64) (lo, hi uint64) { return shufW(s0, n), s1 }
func vecShufHW(_, _, s0, s1, n uint64) (lo, hi uint64) { return s0, shufW(s1, n) }

// vecAlignR shifts first:second right by n bytes and keeps the low 16.
func vecAlignR(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	if n >= 16 {
		return vecSrlDQ(d0, d1, n-16, 0, 0)
	}
	a0, a1 := vecSrlDQ(s0, s1, n, 0, 0)
	b0, b1 := vecSllDQ(d0, d1, 16-n, 0, 0)
	return a0 | b0, a1 | b1
}

// interleave puts the lanes of size bits of a and b alternately, a first.
func interleave(a, b uint64, size int) (lo, hi uint64) {
	var r [2]uint64
	mask := uint64(1)<<size - 1
	for i := 0; i < 64; i += size {
		to := 2 * i
		r[to/64] |= a >> i & mask << (to % 64)
		to += size
		r[to/64] |= b >> i & mask << (to % 64)
	}
	return r[0], r[1]
}

func vecUnpackLoB(d0, _, s0, _, _ uint64) (lo, hi uint64) { return interleave(d0, s0, 8) }
func vecUnpackLoW(d0, _, s0, _, _ uint64) (lo, hi uint64) { return interleave(d0, s0, 16) }
func vecUnpackLoD(d0, _, s0, _, _ uint64) (lo, hi uint64) { return interleave(d0, s0, 32) }
func vecUnpackLoQ(d0, _, s0, _, _ uint64) (lo, hi uint64) { return d0, s0 }
func vecUnpackHiB(_, d1, _, s1, _ uint64) (lo, hi uint64) { return interleave(d1, s1, 8) }
func vecUnpackHiW(_, d1, _, s1, _ uint64) (lo, hi uint64) { return interleave(d1, s1, 16) }
func vecUnpackHiD(_, d1, _, s1, _ uint64) (lo, hi uint64) { return interleave(d1, s1, 32) }
func vecUnpackHiQ(_, d1, _, s1, _ uint64) (lo, hi uint64) { return d1, s1 }

// pack narrows the signed lanes of size bits of two halves to size/2 bits within lo to hi.
func pack(a, b uint64, size int, least, most int64) (r uint64) {
	per, half := 64/size, size/2
	for i := range 2 * per {
		v := a
		if i >= per {
			v = b
		}
		lane := int64(v<<(64-size-i%per*size)) >> (64 - size)
		lane = min(max(lane, least), most)
		r |= uint64(lane) & (1<<half - 1) << (half * i)
	}
	return r
}

func vecPackSSWB(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return pack(d0, d1, 16, -128, 127), pack(s0, s1, 16, -128, 127)
}

func vecPackSSDW(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return pack(d0, d1, 32, -32768, 32767), pack(s0, s1, 32, -32768, 32767)
}

func vecPackUSWB(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return pack(d0, d1, 16, 0, 255), pack(s0, s1, 16, 0, 255)
}

// vecMaskB gathers the sign bits of the 16 bytes. The multiplication brings bit 8i+7 of a half
// to bit 56+i.
func vecMaskB(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	const gather = 0x0002040810204081
	return (s0&high8)*gather>>56 | (s1&high8)*gather>>56<<8, 0
}

func vecExtractW(_, _, s0, s1, n uint64) (lo, hi uint64) {
	if n&4 != 0 {
		s0 = s1
	}
	return s0 >> (n & 3 * 16) & 0xffff, 0
}

func vecInsertW(d0, d1, s0, _, n uint64) (lo, hi uint64) {
	at := n & 3 * 16
	put := func(d uint64) uint64 { return d&^(0xffff<<at) | s0&0xffff<<at }
	if n&4 != 0 {
		return d0, put(d1)
	}
	return put(d0), d1
}
