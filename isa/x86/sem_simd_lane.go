package x86

import (
	"encoding/binary"
	"math/bits"
)

// extendLanes widens the low lanes of from bits to lanes of to bits that fill a register.
func extendLanes(s uint64, from, to int, sign bool) (lo, hi uint64) {
	var b [16]byte
	for i := range 128 / to {
		v := s >> (i * from) & (1<<from - 1)
		if sign {
			v = uint64(int64(v<<(64-from)) >> (64 - from))
		}
		var one [8]byte
		binary.LittleEndian.PutUint64(one[:], v)
		copy(b[i*to/8:], one[:to/8])
	}
	return halves(&b)
}

func vecExtSBW(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 8, 16, true) }
func vecExtSBD(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 8, 32, true) }
func vecExtSBQ(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 8, 64, true) }
func vecExtSWD(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 16, 32, true) }
func vecExtSWQ(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 16, 64, true) }
func vecExtSDQ(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 32, 64, true) }
func vecExtZBW(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 8, 16, false) }
func vecExtZBD(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 8, 32, false) }
func vecExtZBQ(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 8, 64, false) }
func vecExtZWD(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 16, 32, false) }
func vecExtZWQ(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 16, 64, false) }
func vecExtZDQ(_, _, s, _, _ uint64) (lo, hi uint64) { return extendLanes(s, 32, 64, false) }

// extract and insert take a lane of size bits by its number, modulo how many there are.
func extract(s0, s1, n uint64, size int) uint64 {
	at := int(n) * size & 127
	if at >= 64 {
		s0 = s1
	}
	return s0 >> (at & 63) & (^uint64(0) >> (64 - size))
}

func insert(d0, d1, v, n uint64, size int) (lo, hi uint64) {
	at, m := int(n)*size&127, ^uint64(0)>>(64-size)
	v, m = v&m<<(at&63), bits.RotateLeft64(m, at&63)
	if at >= 64 {
		return d0, d1&^m | v
	}
	return d0&^m | v, d1
}

func vecExtractB(_, _, s0, s1, n uint64) (lo, hi uint64) { return extract(s0, s1, n, 8), 0 }
func vecExtractD(_, _, s0, s1, n uint64) (lo, hi uint64) { return extract(s0, s1, n, 32), 0 }
func vecExtractQ(_, _, s0, s1, n uint64) (lo, hi uint64) { return extract(s0, s1, n, 64), 0 }
func vecInsertB(d0, d1, s0, _, n uint64) (lo, hi uint64) { return insert(d0, d1, s0, n, 8) }
func vecInsertD(d0, d1, s0, _, n uint64) (lo, hi uint64) { return insert(d0, d1, s0, n, 32) }
func vecInsertQ(d0, d1, s0, _, n uint64) (lo, hi uint64) { return insert(d0, d1, s0, n, 64) }

// vecInsertPS puts lane n>>6 of the second operand into lane n>>4, then clears those of the low four bits. From memory there
// is one lane only.
func vecInsertPS(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	return vecInsertPSM(d0, d1, dword(s0, s1, n>>6), 0, n)
}

func vecInsertPSM(d0, d1, s0, _, n uint64) (lo, hi uint64) {
	lo, hi = insert(d0, d1, s0, n>>4&3, 32)
	return lo &^ spread(n, 2, 32), hi &^ spread(n>>2, 2, 32)
}
