package isa

import "slices"

// Semantics is what an Arch adds if it can say as terms what its instructions compute, so that code can be
// reasoned about for all values and not only run on some.
type Semantics interface {
	// Meaning returns what an instruction of size bytes at pc does. An instruction that it has no terms for is an
	// error. Faults are no part of a meaning, but for the alignment that an access asks for.
	Meaning(in Inst, pc uint64, size int) (Meaning, error)
}

// Meaning is the effect of one instruction. All its terms speak of the state before it.
type Meaning struct {
	Sets   []Assign // in order: the last one wins
	Stores []Put
	Next   *Term // the address that follows, as a branch takes it; nil = behind the instruction
}

// Assign gives a register its new value, of the whole width of the register.
type Assign struct {
	Reg   Reg
	Value *Term
}

// Put writes the bytes of a value to memory, the lowest first.
type Put struct {
	Addr  *Term
	Value *Term
	Align int // the address is a multiple of this, or the access faults; 0 = any
}

// TermOp is one of the few operations that everything an instruction computes is made of.
type TermOp uint8

const (
	TermConst TermOp = iota
	TermReg          // a register
	TermLoad         // Width bits at the address Args[0], little-endian
	TermXor
	TermAnd
	TermNot
	TermAdd   // Args[0] + Args[1] + Args[2], the last of one bit
	TermCarry // the carry out of that addition, one bit
	TermZero  // one bit: whether Args[0] is zero
	TermIf    // Args[0], of one bit, chooses Args[1] or Args[2]
	TermPick  // bits of the arguments, see Term.Pick
)

// Term is a value of Width bits. Terms are made by the functions and methods below and never changed.
type Term struct {
	Op    TermOp
	Width int
	Args  []*Term
	Const [2]uint64 // of TermConst, low half first
	Reg   Reg       // of TermReg
	Align int       // of TermLoad: the address is a multiple of this, or the access faults; 0 = any
	// Pick is of TermPick: bit i of the value is bit Pick[i] of the arguments laid side by side, the first
	// one lowest, or 0 where it is negative.
	Pick []int
}

// ConstTerm is a constant of up to 64 bits.
func ConstTerm(width int, v uint64) *Term {
	if width < 64 {
		v &= 1<<width - 1
	}
	return &Term{Op: TermConst, Width: width, Const: [2]uint64{v}}
}

// RegTerm is the value of a register.
func RegTerm(r Reg, width int) *Term { return &Term{Op: TermReg, Width: width, Reg: r} }

// LoadTerm is memory of so many bits.
func LoadTerm(addr *Term, width, align int) *Term {
	return &Term{Op: TermLoad, Width: width, Args: []*Term{addr}, Align: align}
}

// IfTerm is a where c, of one bit, is set, else b.
func IfTerm(c, a, b *Term) *Term { return &Term{Op: TermIf, Width: a.Width, Args: []*Term{c, a, b}} }

// JoinTerm lays terms side by side, the first one lowest.
func JoinTerm(list ...*Term) *Term {
	n := 0
	for _, t := range list {
		n += t.Width
	}
	return pickTerm(n, func(i int) int { return i }, list...)
}

// pickTerm is a rearrangement; from gives the place of each bit, see Term.Pick.
func pickTerm(width int, from func(i int) int, list ...*Term) *Term {
	t := &Term{Op: TermPick, Width: width, Args: list, Pick: make([]int, width)}
	for i := range t.Pick {
		t.Pick[i] = from(i)
	}
	return t
}

func (t *Term) with(op TermOp, args ...*Term) *Term {
	return &Term{Op: op, Width: t.Width, Args: append([]*Term{t}, args...)}
}

func (t *Term) Xor(u *Term) *Term { return t.with(TermXor, u) }
func (t *Term) And(u *Term) *Term { return t.with(TermAnd, u) }
func (t *Term) Not() *Term        { return t.with(TermNot) }
func (t *Term) Or(u *Term) *Term  { return t.Not().And(u.Not()).Not() }

// Plus is t + u + carry, carry of one bit; Carry is the carry out of it.
func (t *Term) Plus(u, carry *Term) *Term { return t.with(TermAdd, u, carry) }

func (t *Term) Carry(u, carry *Term) *Term {
	c := t.with(TermCarry, u, carry)
	c.Width = 1
	return c
}

// Add and Sub are modulo 2^Width.
func (t *Term) Add(u *Term) *Term { return t.Plus(u, ConstTerm(1, 0)) }
func (t *Term) Sub(u *Term) *Term { return t.Plus(u.Not(), ConstTerm(1, 1)) }

// Mul is modulo 2^Width.
func (t *Term) Mul(u *Term) *Term {
	sum := ConstTerm(t.Width, 0)
	for i := range t.Width {
		sum = sum.Add(IfTerm(t.Bits(i, 1), u.Shl(i), ConstTerm(t.Width, 0)))
	}
	return sum
}

// IsZero is one bit.
func (t *Term) IsZero() *Term {
	z := t.with(TermZero)
	z.Width = 1
	return z
}

// Less is one bit: t < u without signs, or with them.
func (t *Term) Less(u *Term) *Term { return t.Carry(u.Not(), ConstTerm(1, 1)).Not() }

func (t *Term) LessSigned(u *Term) *Term {
	top := t.Width - 1
	flip := func(x *Term) *Term { return JoinTerm(x.Bits(0, top), x.Bits(top, 1).Not()) }
	return flip(t).Less(flip(u))
}

// Bits is n bits from bit lo on.
func (t *Term) Bits(lo, n int) *Term { return pickTerm(n, func(i int) int { return lo + i }, t) }

// Top is the highest bit.
func (t *Term) Top() *Term { return t.Bits(t.Width-1, 1) }

// Zext and Sext cut or extend to a width.
func (t *Term) Zext(width int) *Term {
	return pickTerm(width, func(i int) int { return t.inside(i) }, t)
}

func (t *Term) Sext(width int) *Term {
	return pickTerm(width, func(i int) int { return min(i, t.Width-1) }, t)
}

// inside is i where the term has that bit, else -1.
func (t *Term) inside(i int) int {
	if i >= 0 && i < t.Width {
		return i
	}
	return -1
}

// Shl, Shr, Sar and Rotl move bits by a known number.
func (t *Term) Shl(n int) *Term {
	return pickTerm(t.Width, func(i int) int { return t.inside(i - n) }, t)
}

func (t *Term) Shr(n int) *Term {
	return pickTerm(t.Width, func(i int) int { return t.inside(i + n) }, t)
}

func (t *Term) Sar(n int) *Term {
	return pickTerm(t.Width, func(i int) int { return min(i+n, t.Width-1) }, t)
}

func (t *Term) Rotl(n int) *Term {
	return pickTerm(t.Width, func(i int) int { return ((i-n)%t.Width + t.Width) % t.Width }, t)
}

// Bytes gives the bytes of the term in another order: byte k of the value is byte from(k).
func (t *Term) Bytes(from func(k int) int) *Term {
	return pickTerm(t.Width, func(i int) int { return 8*from(i/8) + i%8 }, t)
}

// Lanes applies f to each lane of so many bits of two terms.
func (t *Term) Lanes(u *Term, bits int, f func(a, b *Term) *Term) *Term {
	var out []*Term
	for lo := 0; lo < t.Width; lo += bits {
		out = append(out, f(t.Bits(lo, bits), u.Bits(lo, bits)))
	}
	return JoinTerm(out...)
}

// ByIndex is the element that index, a term, numbers; the number of elements is a power of two.
func ByIndex(index *Term, list []*Term) *Term {
	list = slices.Clone(list)
	for i := 0; len(list) > 1; i++ {
		c := index.Bits(i, 1)
		for k := 0; k < len(list); k += 2 {
			list[k/2] = IfTerm(c, list[k+1], list[k])
		}
		list = list[:len(list)/2]
	}
	return list[0]
}
