package x86

import "math/bits"

// Flags of RFLAGS that the table's instructions know.
const (
	flagCF = 1 << 0
	flagPF = 1 << 2
	flagAF = 1 << 4
	flagZF = 1 << 6
	flagSF = 1 << 7
	flagOF = 1 << 11

	flagsAll = flagCF | flagPF | flagAF | flagZF | flagSF | flagOF
)

// An aluFunc computes an integer operation of w bytes (1, 2, 4 or 8) and its flags. a is the first
// operand and b the second, both without bits above w; so is the result. Flags that the manual calls
// undefined are cleared, except where a comment says otherwise.
type aluFunc func(f *uint64, a, b uint64, w uint8) uint64

func mask(w uint8) uint64 { return ^uint64(0) >> (64 - 8*w) }

// top returns bit 8w-1.
func top(v uint64, w uint8) uint64 { return v >> (8*w - 1) & 1 }

// resultFlags gives ZF, SF and PF of a result.
func resultFlags(r uint64, w uint8) uint64 {
	f := top(r, w) << 7
	if r == 0 {
		f |= flagZF
	}
	return f | uint64(^bits.OnesCount8(uint8(r))&1)<<2
}

// addFlags gives the flags of r = a + b; c is the carry out.
func addFlags(a, b, r, c uint64, w uint8) uint64 {
	return resultFlags(r, w) | c | (a^b^r)&flagAF | top((a^r)&(b^r), w)<<11
}

// subFlags gives the flags of r = a - b; c is the borrow.
func subFlags(a, b, r, c uint64, w uint8) uint64 {
	return resultFlags(r, w) | c | (a^b^r)&flagAF | top((a^b)&(a^r), w)<<11
}

func bit(c bool) uint64 {
	if c {
		return 1
	}
	return 0
}

func aluAdd(f *uint64, a, b uint64, w uint8) uint64 {
	r := (a + b) & mask(w)
	*f = addFlags(a, b, r, bit(r < a), w)
	return r
}

func aluSub(f *uint64, a, b uint64, w uint8) uint64 {
	r := (a - b) & mask(w)
	*f = subFlags(a, b, r, bit(a < b), w)
	return r
}

func aluAdc(f *uint64, a, b uint64, w uint8) uint64 {
	c := *f & flagCF
	r := (a + b + c) & mask(w)
	*f = addFlags(a, b, r, bit(r < a || c != 0 && r == a), w)
	return r
}

func aluSbb(f *uint64, a, b uint64, w uint8) uint64 {
	c := *f & flagCF
	r := (a - b - c) & mask(w)
	*f = subFlags(a, b, r, bit(a < b || c != 0 && a == b), w)
	return r
}

func aluInc(f *uint64, a, _ uint64, w uint8) uint64 {
	r := (a + 1) & mask(w)
	*f = addFlags(a, 1, r, *f&flagCF, w)
	return r
}

func aluDec(f *uint64, a, _ uint64, w uint8) uint64 {
	r := (a - 1) & mask(w)
	*f = subFlags(a, 1, r, *f&flagCF, w)
	return r
}

func aluNeg(f *uint64, a, _ uint64, w uint8) uint64   { return aluSub(f, 0, a, w) }
func aluNot(_ *uint64, a, _ uint64, w uint8) uint64   { return ^a & mask(w) }
func aluBswap(_ *uint64, a, _ uint64, w uint8) uint64 { return bits.ReverseBytes64(a) >> (64 - 8*w) }

func aluAnd(f *uint64, a, b uint64, w uint8) uint64 { return logic(f, a&b, w) }
func aluOr(f *uint64, a, b uint64, w uint8) uint64  { return logic(f, a|b, w) }
func aluXor(f *uint64, a, b uint64, w uint8) uint64 { return logic(f, a^b, w) }

func logic(f *uint64, r uint64, w uint8) uint64 {
	*f = resultFlags(r, w)
	return r
}

// aluImul sets CF and OF if the signed product does not fit.
func aluImul(f *uint64, a, b uint64, w uint8) uint64 {
	if w == 4 {
		p := int64(int32(a)) * int64(int32(b))
		*f = bit(p != int64(int32(p))) * (flagCF | flagOF)
		return uint64(uint32(p))
	}
	hi, lo := bits.Mul64(a, b)
	hi -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
	*f = bit(hi != uint64(int64(lo)>>63)) * (flagCF | flagOF)
	return lo
}

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

// holds reports whether condition cc (the low four bits of a Jcc opcode) holds.
func holds(f uint64, cc uint8) bool {
	var c bool
	switch cc >> 1 {
	case 0:
		c = f&flagOF != 0
	case 1:
		c = f&flagCF != 0
	case 2:
		c = f&flagZF != 0
	case 3:
		c = f&(flagCF|flagZF) != 0
	case 4:
		c = f&flagSF != 0
	case 5:
		c = f&flagPF != 0
	case 6:
		c = f>>7&1 != f>>11&1
	case 7:
		c = f&flagZF != 0 || f>>7&1 != f>>11&1
	}
	return c != (cc&1 != 0)
}
