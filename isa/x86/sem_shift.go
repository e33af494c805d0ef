package x86

import "math/bits"

// count is what a shift makes of its count: modulo 64 for 64-bit operands, else 32.
func count(n uint64, w uint8) uint64 {
	if w == 8 {
		return n & 63
	}
	return n & 31
}

// A shift by 0 changes nothing. OF is that of a shift by 1 for every count.
func aluShl(f *uint64, a, n uint64, w uint8) uint64 {
	if n = count(n, w); n == 0 {
		return a
	}
	r := a << n & mask(w)
	cf := a >> (uint64(8*w) - n) & 1
	*f = resultFlags(r, w) | cf | (top(r, w)^cf)<<11
	return r
}

func aluShr(f *uint64, a, n uint64, w uint8) uint64 {
	if n = count(n, w); n == 0 {
		return a
	}
	r := a >> n
	*f = resultFlags(r, w) | a>>(n-1)&1 | top(a, w)<<11
	return r
}

func aluSar(f *uint64, a, n uint64, w uint8) uint64 {
	if n = count(n, w); n == 0 {
		return a
	}
	signed := int64(a<<(64-8*w)) >> (64 - 8*w)
	r := uint64(signed>>n) & mask(w)
	*f = resultFlags(r, w) | uint64(signed>>(n-1))&1
	return r
}

// Rotates change CF and OF only.
func aluRol(f *uint64, a, n uint64, w uint8) uint64 {
	if n = count(n, w); n == 0 {
		return a
	}
	n %= uint64(8 * w)
	r := (a<<n | a>>(uint64(8*w)-n)) & mask(w)
	*f = *f&^(flagCF|flagOF) | r&1 | (top(r, w)^r&1)<<11
	return r
}

func aluRor(f *uint64, a, n uint64, w uint8) uint64 {
	if n = count(n, w); n == 0 {
		return a
	}
	n %= uint64(8 * w)
	r := (a>>n | a<<(uint64(8*w)-n)) & mask(w)
	cf := top(r, w)
	*f = *f&^(flagCF|flagOF) | cf | (cf^r>>(8*w-2)&1)<<11
	return r
}

// aluRcl and aluRcr rotate through CF, a register of one bit more.
func aluRcl(f *uint64, a, n uint64, w uint8) uint64 {
	size := uint64(8 * w)
	if n = count(n, w) % (size + 1); n == 0 {
		return a
	}
	cf := *f & flagCF
	r := (a<<n | cf<<(n-1) | a>>(size+1-n)) & mask(w)
	cf = a >> (size - n) & 1
	*f = *f&^(flagCF|flagOF) | cf | (top(r, w)^cf)<<11
	return r
}

func aluRcr(f *uint64, a, n uint64, w uint8) uint64 {
	size := uint64(8 * w)
	if n = count(n, w) % (size + 1); n == 0 {
		return a
	}
	cf := *f & flagCF
	r := (a>>n | cf<<(size-n) | a<<(size+1-n)) & mask(w)
	cf = a >> (n - 1) & 1
	*f = *f&^(flagCF|flagOF) | cf | (top(r, w)^r>>(8*w-2)&1)<<11
	return r
}

// shld and shrd shift n > 0 bits of b into a. A count above the operand size, which 16 bits allow, is undefined: bits of a
// follow those of b.
func shld(f *uint64, a, b, n uint64, w uint8) uint64 {
	size := uint64(8 * w)
	r := a<<n | b>>(size-n)
	cf := a >> (size - n) & 1
	if n > size {
		r, cf = b<<(n-size)|a>>(2*size-n), b>>(2*size-n)&1
	}
	r &= mask(w)
	*f = resultFlags(r, w) | cf | (top(r, w)^top(a, w))<<11
	return r
}

func shrd(f *uint64, a, b, n uint64, w uint8) uint64 {
	size := uint64(8 * w)
	r := a>>n | b<<(size-n)
	cf := a >> (n - 1) & 1
	if n > size {
		r, cf = b>>(n-size)|a<<(2*size-n), b>>(n-size-1)&1
	}
	r &= mask(w)
	*f = resultFlags(r, w) | cf | (top(r, w)^top(a, w))<<11
	return r
}

// Bit tests change CF only; those that the manual leaves undefined stay too.
func testBit(f *uint64, a, n uint64, w uint8) uint64 {
	n &= uint64(8*w - 1)
	*f = *f&^flagCF | a>>n&1
	return 1 << n
}

func aluBt(f *uint64, a, n uint64, w uint8) uint64 {
	testBit(f, a, n, w)
	return a
}

func aluBts(f *uint64, a, n uint64, w uint8) uint64 { return a | testBit(f, a, n, w) }
func aluBtr(f *uint64, a, n uint64, w uint8) uint64 { return a &^ testBit(f, a, n, w) }
func aluBtc(f *uint64, a, n uint64, w uint8) uint64 { return a ^ testBit(f, a, n, w) }

// Scans set ZF if there is no bit.
func aluBsf(f *uint64, _, b uint64, _ uint8) uint64 {
	*f = bit(b == 0) << 6
	return uint64(bits.TrailingZeros64(b))
}

func aluBsr(f *uint64, _, b uint64, _ uint8) uint64 {
	*f = bit(b == 0) << 6
	return uint64(bits.Len64(b) - 1)
}

func aluClc(f *uint64, _, _ uint64, _ uint8) uint64 {
	*f &^= flagCF
	return 0
}

func aluStc(f *uint64, _, _ uint64, _ uint8) uint64 {
	*f |= flagCF
	return 0
}

func aluCmc(f *uint64, _, _ uint64, _ uint8) uint64 {
	*f ^= flagCF
	return 0
}
