package x86

import "math"

// The floating-point operations of SSE3 and SSE4.1.

func high(v uint64) uint32 { return uint32(v >> 32) }

// pair32 puts two lanes together.
func pair32(lo, hi uint32) uint64 { return uint64(lo) | uint64(hi)<<32 }

func floatAddSubPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	f := func(d, s uint64) uint64 {
		return pair32(arith32(uint32(d), uint32(s), sub[float32]), arith32(high(d), high(s), add[float32]))
	}
	return f(d0, s0), f(d1, s1)
}

func floatAddSubPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return arith64(d0, s0, sub[float64]), arith64(d1, s1, add[float64])
}

// horizontal32 combines neighbours, those of the first operand first.
func horizontal32(d0, d1, s0, s1 uint64, op func(x, y float32) float32) (lo, hi uint64) {
	f := func(v uint64) uint32 { return arith32(uint32(v), high(v), op) }
	return pair32(f(d0), f(d1)), pair32(f(s0), f(s1))
}

func floatHaddPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return horizontal32(d0, d1, s0, s1, add[float32])
}

func floatHsubPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return horizontal32(d0, d1, s0, s1, sub[float32])
}

func floatHaddPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return arith64(d0, d1, add[float64]), arith64(s0, s1, add[float64])
}

func floatHsubPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return arith64(d0, d1, sub[float64]), arith64(s0, s1, sub[float64])
}

// rounding is what the low bits of n choose: nearest, down, up, to zero, or with bit 2 as MXCSR says, to nearest.
func rounding(n uint64) func(float64) float64 {
	if n&4 != 0 {
		return math.RoundToEven
	}
	return [4]func(float64) float64{math.RoundToEven, math.Floor, math.Ceil, math.Trunc}[n&3]
}

func round64(v, n uint64) uint64 {
	return arith64(0, v, func(_, x float64) float64 { return rounding(n)(x) })
}

func round32(v uint32, n uint64) uint32 {
	return arith32(0, v, func(_, x float32) float32 { return float32(rounding(n)(float64(x))) })
}

func floatRoundSS(d0, d1, s0, _, n uint64) (lo, hi uint64) {
	return low32(d0, round32(uint32(s0), n)), d1
}
func floatRoundSD(_, d1, s0, _, n uint64) (lo, hi uint64) { return round64(s0, n), d1 }
func floatRoundPD(_, _, s0, s1, n uint64) (lo, hi uint64) { return round64(s0, n), round64(s1, n) }

func floatRoundPS(_, _, s0, s1, n uint64) (lo, hi uint64) {
	return lanes32(0, 0, s0, s1, func(_, b uint32) uint32 { return round32(b, n) })
}
