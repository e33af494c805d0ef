package x86

import "math"

// Floating-point operations round to nearest, ties to even, and raise no exceptions. NaNs follow SDM volume 1, table 4-7:
// the first operand that is one, made quiet; an invalid operation gives the default NaN.
const (
	quiet64   = 1 << 51
	quiet32   = 1 << 22
	default64 = 0xfff8_0000_0000_0000
	default32 = 0xffc0_0000
)

// arith64 and arith32 apply op to two values given by their bits.
func arith64(a, b uint64, op func(x, y float64) float64) uint64 {
	x, y := math.Float64frombits(a), math.Float64frombits(b)
	switch {
	case x != x:
		return a | quiet64
	case y != y:
		return b | quiet64
	}
	r := op(x, y)
	if r != r {
		return default64
	}
	return math.Float64bits(r)
}

func arith32(a, b uint32, op func(x, y float32) float32) uint32 {
	x, y := math.Float32frombits(a), math.Float32frombits(b)
	switch {
	case x != x:
		return a | quiet32
	case y != y:
		return b | quiet32
	}
	r := op(x, y)
	if r != r {
		return default32
	}
	return math.Float32bits(r)
}

func add[T float32 | float64](x, y T) T { return x + y }
func sub[T float32 | float64](x, y T) T { return x - y }
func mul[T float32 | float64](x, y T) T { return x * y }
func div[T float32 | float64](x, y T) T { return x / y }

// root ignores its first operand; the square root of a float32 in float64 rounds to the right float32.
func root[T float32 | float64](_, y T) T { return T(math.Sqrt(float64(y))) }

// min and max of floats are the second operand unless the first is less or greater: for NaNs and two zeros too.
func lesser64(a, b uint64) uint64 {
	if math.Float64frombits(a) < math.Float64frombits(b) {
		return a
	}
	return b
}

func greater64(a, b uint64) uint64 {
	if math.Float64frombits(a) > math.Float64frombits(b) {
		return a
	}
	return b
}

func lesser32(a, b uint32) uint32 {
	if math.Float32frombits(a) < math.Float32frombits(b) {
		return a
	}
	return b
}

func greater32(a, b uint32) uint32 {
	if math.Float32frombits(a) > math.Float32frombits(b) {
		return a
	}
	return b
}

// low32 replaces the low lane of d.
func low32(d uint64, v uint32) uint64 { return d&^0xffffffff | uint64(v) }

func floatAddSS(d0, d1, s0, _, _ uint64) (lo, hi uint64) {
	return low32(d0, arith32(uint32(d0), uint32(s0), add[float32])), d1
}

func floatAddSD(d0, d1, s0, _, _ uint64) (lo, hi uint64) { return arith64(d0, s0, add[float64]), d1 }

func floatAddPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return lanes32(d0, d1, s0, s1, func(a, b uint32) uint32 { return arith32(a, b, add[float32]) })
}

func floatAddPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return arith64(d0, s0, add[float64]), arith64(d1, s1, add[float64])
}

func floatSubSS(d0, d1, s0, _, _ uint64) (lo, hi uint64) {
	return low32(d0, arith32(uint32(d0), uint32(s0), sub[float32])), d1
}

func floatSubSD(d0, d1, s0, _, _ uint64) (lo, hi uint64) { return arith64(d0, s0, sub[float64]), d1 }

func floatSubPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return lanes32(d0, d1, s0, s1, func(a, b uint32) uint32 { return arith32(a, b, sub[float32]) })
}

func floatSubPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return arith64(d0, s0, sub[float64]), arith64(d1, s1, sub[float64])
}

func floatMulSS(d0, d1, s0, _, _ uint64) (lo, hi uint64) {
	return low32(d0, arith32(uint32(d0), uint32(s0), mul[float32])), d1
}

func floatMulSD(d0, d1, s0, _, _ uint64) (lo, hi uint64) { return arith64(d0, s0, mul[float64]), d1 }

func floatMulPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return lanes32(d0, d1, s0, s1, func(a, b uint32) uint32 { return arith32(a, b, mul[float32]) })
}

func floatMulPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return arith64(d0, s0, mul[float64]), arith64(d1, s1, mul[float64])
}

func floatDivSS(d0, d1, s0, _, _ uint64) (lo, hi uint64) {
	return low32(d0, arith32(uint32(d0), uint32(s0), div[float32])), d1
}

func floatDivSD(d0, d1, s0, _, _ uint64) (lo, hi uint64) { return arith64(d0, s0, div[float64]), d1 }

func floatDivPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return lanes32(d0, d1, s0, s1, func(a, b uint32) uint32 { return arith32(a, b, div[float32]) })
}

func floatDivPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return arith64(d0, s0, div[float64]), arith64(d1, s1, div[float64])
}

func floatMinSS(d0, d1, s0, _, _ uint64) (lo, hi uint64) {
	return low32(d0, lesser32(uint32(d0), uint32(s0))), d1
}

func floatMinSD(d0, d1, s0, _, _ uint64) (lo, hi uint64)  { return lesser64(d0, s0), d1 }
func floatMinPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return lanes32(d0, d1, s0, s1, lesser32) }
func floatMinPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return lesser64(d0, s0), lesser64(d1, s1) }

func floatMaxSS(d0, d1, s0, _, _ uint64) (lo, hi uint64) {
	return low32(d0, greater32(uint32(d0), uint32(s0))), d1
}

func floatMaxSD(d0, d1, s0, _, _ uint64) (lo, hi uint64)  { return greater64(d0, s0), d1 }
func floatMaxPS(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return lanes32(d0, d1, s0, s1, greater32) }
func floatMaxPD(d0, d1, s0, s1, _ uint64) (lo, hi uint64) {
	return greater64(d0, s0), greater64(d1, s1)
}

func floatSqrtSS(d0, d1, s0, _, _ uint64) (lo, hi uint64) {
	return low32(d0, arith32(0, uint32(s0), root[float32])), d1
}

func floatSqrtSD(_, d1, s0, _, _ uint64) (lo, hi uint64) { return arith64(0, s0, root[float64]), d1 }

func floatSqrtPS(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return lanes32(0, 0, s0, s1, func(a, b uint32) uint32 { return arith32(a, b, root[float32]) })
}

func floatSqrtPD(_, _, s0, s1, _ uint64) (lo, hi uint64) {
	return arith64(0, s0, root[float64]), arith64(0, s1, root[float64])
}

// predicate is the comparison that the low three bits of n name: EQ LT LE UNORD, then their opposites.
func predicate[T float32 | float64](x, y T, n uint64) (holds bool) {
	switch n & 3 {
	case 0:
		holds = x == y
	case 1:
		holds = x < y
	case 2:
		holds = x <= y
	case 3:
		holds = x != x || y != y
	}
	return holds != (n&4 != 0)
}

func compare64(a, b, n uint64) uint64 {
	return -bit(predicate(math.Float64frombits(a), math.Float64frombits(b), n))
}

func compare32(a, b uint32, n uint64) uint32 {
	return allOnes32(predicate(math.Float32frombits(a), math.Float32frombits(b), n))
}

func floatCmpSS(d0, d1, s0, _, n uint64) (lo, hi uint64) {
	return low32(d0, compare32(uint32(d0), uint32(s0), n)), d1
}

func floatCmpSD(d0, d1, s0, _, n uint64) (lo, hi uint64) { return compare64(d0, s0, n), d1 }
func floatCmpPD(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	return compare64(d0, s0, n), compare64(d1, s1, n)
}

func floatCmpPS(d0, d1, s0, s1, n uint64) (lo, hi uint64) {
	return lanes32(d0, d1, s0, s1, func(a, b uint32) uint32 { return compare32(a, b, n) })
}

// compareFlagsOf: ZF PF CF all set if unordered; CF if less, ZF if equal.
func compareFlagsOf[T float32 | float64](x, y T) uint64 {
	switch {
	case x != x || y != y:
		return flagZF | flagPF | flagCF
	case x < y:
		return flagCF
	case x == y:
		return flagZF
	}
	return 0
}

func floatFlagsSS(d0, _, s0, _, _ uint64) (lo, hi uint64) {
	return compareFlagsOf(math.Float32frombits(uint32(d0)), math.Float32frombits(uint32(s0))), 0
}

func floatFlagsSD(d0, _, s0, _, _ uint64) (lo, hi uint64) {
	return compareFlagsOf(math.Float64frombits(d0), math.Float64frombits(s0)), 0
}
