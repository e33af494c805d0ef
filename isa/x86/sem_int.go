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

	flagDF = 1 << 10
	flagAC = 1 << 18
	flagID = 1 << 21

	flagsSystem = flagDF | flagAC | flagID

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
	if w < 8 {
		p := signExtend(a, w, 8) * signExtend(b, w, 8)
		*f = bit(p != signExtend(p, w, 8)) * (flagCF | flagOF)
		return p & mask(w)
	}
	hi, lo := bits.Mul64(a, b)
	hi -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
	*f = bit(hi != uint64(int64(lo)>>63)) * (flagCF | flagOF)
	return lo
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
