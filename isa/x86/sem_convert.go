package x86

import "math"

// toInteger rounds to an integer of that many bits; what does not fit gives the integer indefinite value.
func toInteger(x float64, bits int) uint64 {
	limit := math.Ldexp(1, bits-1)
	if r := math.RoundToEven(x); r >= -limit && r < limit {
		return uint64(int64(r)) & (^uint64(0) >> (64 - bits))
	}
	return 1 << (bits - 1)
}

func truncate(x float64, bits int) uint64 { return toInteger(math.Trunc(x), bits) }

func single(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }

func floatToS32(_, _, s, _, _ uint64) (lo, hi uint64) { return toInteger(single(s), 32), 0 }
func floatToS64(_, _, s, _, _ uint64) (lo, hi uint64) { return toInteger(single(s), 64), 0 }
func floatToD32(_, _, s, _, _ uint64) (lo, hi uint64) {
	return toInteger(math.Float64frombits(s), 32), 0
}
func floatToD64(_, _, s, _, _ uint64) (lo, hi uint64) {
	return toInteger(math.Float64frombits(s), 64), 0
}
func floatTruncS32(_, _, s, _, _ uint64) (lo, hi uint64) { return truncate(single(s), 32), 0 }
func floatTruncS64(_, _, s, _, _ uint64) (lo, hi uint64) { return truncate(single(s), 64), 0 }
func floatTruncD32(_, _, s, _, _ uint64) (lo, hi uint64) {
	return truncate(math.Float64frombits(s), 32), 0
}
func floatTruncD64(_, _, s, _, _ uint64) (lo, hi uint64) {
	return truncate(math.Float64frombits(s), 64), 0
}

// eachSingle applies f to four lanes.
func eachSingle(s0, s1 uint64, f func(v uint32) uint32) (lo, hi uint64) {
	return lanes32(0, 0, s0, s1, func(_, b uint32) uint32 { return f(b) })
}

func floatToPS(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return eachSingle(s0, s1, func(v uint32) uint32 { return uint32(toInteger(single(uint64(v)), 32)) })
}

func floatTruncPS(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return eachSingle(s0, s1, func(v uint32) uint32 { return uint32(truncate(single(uint64(v)), 32)) })
}

func floatToPD(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return toInteger(math.Float64frombits(s0), 32) | toInteger(math.Float64frombits(s1), 32)<<32, 0
}

func floatTruncPD(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return truncate(math.Float64frombits(s0), 32) | truncate(math.Float64frombits(s1), 32)<<32, 0
}

func floatFromS32(d0, d1, s, _, _ uint64) (lo, hi uint64) {
	return low32(d0, math.Float32bits(float32(int32(s)))), d1
}

func floatFromS64(d0, d1, s, _, _ uint64) (lo, hi uint64) {
	return low32(d0, math.Float32bits(float32(int64(s)))), d1
}

func floatFromD32(_, d1, s, _, _ uint64) (lo, hi uint64) {
	return math.Float64bits(float64(int32(s))), d1
}
func floatFromD64(_, d1, s, _, _ uint64) (lo, hi uint64) {
	return math.Float64bits(float64(int64(s))), d1
}

func floatFromDQPS(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return eachSingle(s0, s1, func(v uint32) uint32 { return math.Float32bits(float32(int32(v))) })
}

func floatFromDQPD(_, _, s, _, _ uint64) (lo, hi uint64) {
	return math.Float64bits(float64(int32(s))), math.Float64bits(float64(int32(s >> 32)))
}

// widenFloat and narrowFloat keep the upper bits of the payload of a NaN and make it quiet.
func widenFloat(v uint32) uint64 {
	f := math.Float32frombits(v)
	if f != f {
		return uint64(v>>31)<<63 | 0x7ff<<52 | quiet64 | uint64(v&(1<<23-1))<<29
	}
	return math.Float64bits(float64(f))
}

func narrowFloat(v uint64) uint32 {
	f := math.Float64frombits(v)
	if f != f {
		return uint32(v>>63)<<31 | 0xff<<23 | quiet32 | uint32(v>>29)&(1<<23-1)
	}
	return math.Float32bits(float32(f))
}

func floatWidenSS(_, d1, s, _, _ uint64) (lo, hi uint64)   { return widenFloat(uint32(s)), d1 }
func floatNarrowSD(d0, d1, s, _, _ uint64) (lo, hi uint64) { return low32(d0, narrowFloat(s)), d1 }
func floatWidenPS(_, _, s, _, _ uint64) (lo, hi uint64) {
	return widenFloat(uint32(s)), widenFloat(uint32(s >> 32))
}
func floatNarrowPD(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return uint64(narrowFloat(s0)) | uint64(narrowFloat(s1))<<32, 0
}
