package x86

import "simrun/isa"

// A vecTerm is a vector operation on the first and the second operand and the immediate; nil = no terms for this form.
type vecTerm func(d, a *isa.Term, n int) *isa.Term

// vecTerms is the vector operations by mnemonic.
var vecTerms = map[string]vecTerm{
	"PAND": bothAnd, "ANDPS": bothAnd, "PANDN": bothAndNot, "ANDNPS": bothAndNot,
	"POR": bothOr, "ORPS": bothOr, "PXOR": bothXor, "XORPS": bothXor,
	"PADDB": lanewise(8, (*isa.Term).Add), "PADDW": lanewise(16, (*isa.Term).Add),
	"PADDD": lanewise(32, (*isa.Term).Add), "PADDQ": lanewise(64, (*isa.Term).Add),
	"PSUBB": lanewise(8, (*isa.Term).Sub), "PSUBW": lanewise(16, (*isa.Term).Sub),
	"PSUBD": lanewise(32, (*isa.Term).Sub), "PSUBQ": lanewise(64, (*isa.Term).Sub),

	"PCMPEQB": lanewise(8, allEqual), "PCMPEQW": lanewise(16, allEqual), "PCMPEQD": lanewise(32, allEqual),

	"PSLLW": shifted(16, (*isa.Term).Shl), "PSLLD": shifted(32, (*isa.Term).Shl), "PSLLQ": shifted(64, (*isa.Term).Shl),
	"PSRLW": shifted(16, (*isa.Term).Shr), "PSRLD": shifted(32, (*isa.Term).Shr), "PSRLQ": shifted(64, (*isa.Term).Shr),
	"PSRAW": shifted(16, (*isa.Term).Sar), "PSRAD": shifted(32, (*isa.Term).Sar),
	"PSLLDQ": func(d, _ *isa.Term, n int) *isa.Term { return d.Shl(8 * n) },
	"PSRLDQ": func(d, _ *isa.Term, n int) *isa.Term { return d.Shr(8 * n) },

	"PSHUFB":  shuffledBytes,
	"PSHUFD":  func(_, a *isa.Term, n int) *isa.Term { return fourOf(a, 32, n) },
	"PSHUFLW": func(_, a *isa.Term, n int) *isa.Term { return isa.JoinTerm(fourOf(a, 16, n), a.Bits(64, 64)) },
	"PSHUFHW": func(_, a *isa.Term, n int) *isa.Term {
		return isa.JoinTerm(a.Bits(0, 64), fourOf(a.Bits(64, 64), 16, n))
	},
	"SHUFPS": func(d, a *isa.Term, n int) *isa.Term {
		return isa.JoinTerm(fourOf(d, 32, n).Bits(0, 64), fourOf(a, 32, n).Bits(64, 64))
	},
	"PALIGNR": func(d, a *isa.Term, n int) *isa.Term { return isa.JoinTerm(a, d).Shr(8*n).Bits(0, 128) },

	"PUNPCKLBW": interleaved(8, 0), "PUNPCKLWD": interleaved(16, 0), "PUNPCKLDQ": interleaved(32, 0), "PUNPCKLQDQ": interleaved(64, 0),
	"PUNPCKHBW": interleaved(8, 64), "PUNPCKHWD": interleaved(16, 64), "PUNPCKHDQ": interleaved(32, 64), "PUNPCKHQDQ": interleaved(64, 64),
}

func bothAnd(d, a *isa.Term, _ int) *isa.Term    { return d.And(a) }
func bothAndNot(d, a *isa.Term, _ int) *isa.Term { return d.Not().And(a) }
func bothOr(d, a *isa.Term, _ int) *isa.Term     { return d.Or(a) }
func bothXor(d, a *isa.Term, _ int) *isa.Term    { return d.Xor(a) }

// allEqual is all ones if a lane is equal, else zero.
func allEqual(a, b *isa.Term) *isa.Term { return a.Xor(b).IsZero().Sext(a.Width) }

func lanewise(bits int, f func(a, b *isa.Term) *isa.Term) vecTerm {
	return func(d, a *isa.Term, _ int) *isa.Term { return d.Lanes(a, bits, f) }
}

// shifted moves lanes by the immediate; the forms with a count in a register have a second operand.
func shifted(bits int, f func(t *isa.Term, n int) *isa.Term) vecTerm {
	return func(d, a *isa.Term, n int) *isa.Term {
		if a != nil {
			return nil
		}
		return d.Lanes(d, bits, func(x, _ *isa.Term) *isa.Term { return f(x, n) })
	}
}

// fourOf chooses four of the four lowest lanes, two bits of n for each.
func fourOf(t *isa.Term, bits, n int) *isa.Term {
	var out [4]*isa.Term
	for i := range out {
		out[i] = t.Bits(n>>(2*i)&3*bits, bits)
	}
	return isa.JoinTerm(out[:]...)
}

func interleaved(bits, lo int) vecTerm {
	return func(d, a *isa.Term, _ int) *isa.Term {
		var out []*isa.Term
		for i := lo; i < lo+64; i += bits {
			out = append(out, d.Bits(i, bits), a.Bits(i, bits))
		}
		return isa.JoinTerm(out...)
	}
}

// shuffledBytes is PSHUFB: a control byte with bit 7 set gives 0.
func shuffledBytes(d, a *isa.Term, _ int) *isa.Term {
	var from [16]*isa.Term
	for i := range from {
		from[i] = d.Bits(8*i, 8)
	}
	var out [16]*isa.Term
	for i := range out {
		c := a.Bits(8*i, 8)
		out[i] = isa.IfTerm(c.Top(), isa.ConstTerm(8, 0), isa.ByIndex(c.Bits(0, 4), from[:]))
	}
	return isa.JoinTerm(out[:]...)
}
