package isa

// AlignUp returns the least multiple of align, a power of two, that is not below n. An align below 2 aligns nothing.
func AlignUp[N, A ~int | ~uint64](n N, align A) N {
	if align <= 1 {
		return n
	}
	mask := N(align) - 1
	return (n + mask) &^ mask
}
