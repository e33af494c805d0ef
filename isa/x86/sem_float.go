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

// of32 and of64 make operations on bits of those on values.
func of32(op func(x, y float32) float32) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 { return arith32(a, b, op) }
}

func of64(op func(x, y float64) float64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 { return arith64(a, b, op) }
}

// The square root has one operand, so that a NaN in the first must not count.
func root32(_, b uint32) uint32 { return arith32(0, b, root[float32]) }
func root64(_, b uint64) uint64 { return arith64(0, b, root[float64]) }

// inSS and inSD apply an operation to the low lane, which leaves the others, inPD and perLane32 to all.
func inSS(f func(a, b uint32) uint32) vecFunc {
	return func(d0, d1, s0, _, _ uint64) (lo, hi uint64) { return low32(d0, f(uint32(d0), uint32(s0))), d1 }
}

func inSD(f func(a, b uint64) uint64) vecFunc {
	return func(d0, d1, s0, _, _ uint64) (lo, hi uint64) { return f(d0, s0), d1 }
}

func inPD(f func(a, b uint64) uint64) vecFunc {
	return func(d0, d1, s0, s1, _ uint64) (lo, hi uint64) { return f(d0, s0), f(d1, s1) }
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
