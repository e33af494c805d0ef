package ir

import (
	"fmt"
	"math/bits"
)

// Apply computes an operation on known words; w is the width of the result in bits. It is
// the meaning of every Op except Lookup with an index outside its table, which is zero.
func Apply(op Op, w int, args []Word, imm Imm) Word {
	a := args[0]
	switch op {
	case Xor:
		for _, b := range args[1:] {
			a = Word{a.Lo ^ b.Lo, a.Hi ^ b.Hi}
		}
		return a
	case And:
		return Word{a.Lo & args[1].Lo, a.Hi & args[1].Hi}
	case Or:
		return Word{a.Lo | args[1].Lo, a.Hi | args[1].Hi}
	case Not:
		return Word{^a.Lo, ^a.Hi}.cut(w)
	case AndNot:
		return Word{^a.Lo & args[1].Lo, ^a.Hi & args[1].Hi}
	case OrNot:
		return Word{^a.Lo | args[1].Lo, ^a.Hi | args[1].Hi}.cut(w)
	case Add:
		return a.add(args[1], 0).cut(w)
	case Sub:
		return a.add(Word{^args[1].Lo, ^args[1].Hi}, 1).cut(w)
	case Shl:
		return a.shl(imm.N).cut(w)
	case Shr:
		return a.shr(imm.N)
	case Rotl:
		return a.rotl(imm.N, w)
	case Mux:
		b, c := args[1], args[2]
		return Word{a.Lo&b.Lo | ^a.Lo&c.Lo, a.Hi&b.Hi | ^a.Hi&c.Hi}
	}
	return applyMove(op, w, args, imm)
}

// applyMove is Apply for the operations that move bits, bytes and words.
func applyMove(op Op, w int, args []Word, imm Imm) Word {
	a := args[0]
	switch op {
	case Mrot:
		var r Word
		for _, t := range imm.Rots {
			m := Word{a.Lo & t.Mask.Lo, a.Hi & t.Mask.Hi}.rotl(t.N, w)
			r = Word{r.Lo | m.Lo, r.Hi | m.Hi}
		}
		return r
	case Perm:
		return a.permute(imm.Perm)
	case Rev:
		return Word{bits.ReverseBytes64(a.Hi), bits.ReverseBytes64(a.Lo)}.shr(128 - w)
	case Rev16:
		const m = 0x00ff00ff00ff00ff
		return Word{a.Lo>>8&m | a.Lo&m<<8, a.Hi>>8&m | a.Hi&m<<8}
	case Trunc:
		return a.cut(w)
	case Pack:
		return Word{a.Lo | args[1].Lo<<32, args[2].Lo | args[3].Lo<<32}
	case Lane:
		return a.shr(32 * imm.N).cut(32)
	case Splat:
		return a.repeat(imm.N, w)
	case ZipLo:
		return a.zip(args[1], imm.N, w)
	case ZipHi:
		return a.shr(w/2).zip(args[1].shr(w/2), imm.N, w)
	case Lookup:
		if t := imm.Table.Entries; a.Hi == 0 && a.Lo < uint64(len(t)) {
			return t[a.Lo]
		}
		return Word{}
	}
	return a // Zext
}

// cut clears the bits above width w.
func (a Word) cut(w int) Word {
	switch {
	case w >= 128:
		return a
	case w > 64:
		return Word{a.Lo, a.Hi & (1<<(w-64) - 1)}
	case w == 64:
		return Word{Lo: a.Lo}
	}
	return Word{Lo: a.Lo & (1<<w - 1)}
}

func (a Word) add(b Word, carry uint64) Word {
	lo, c := bits.Add64(a.Lo, b.Lo, carry)
	hi, _ := bits.Add64(a.Hi, b.Hi, c)
	return Word{lo, hi}
}

func (a Word) shl(n int) Word {
	if n >= 64 {
		return Word{Hi: a.Lo << (n - 64)}
	}
	return Word{a.Lo << n, a.Hi<<n | a.Lo>>(64-n)}
}

func (a Word) shr(n int) Word {
	if n >= 64 {
		return Word{Lo: a.Hi >> (n - 64)}
	}
	return Word{a.Lo>>n | a.Hi<<(64-n), a.Hi >> n}
}

func (a Word) rotl(n, w int) Word {
	l, r := a.shl(n), a.shr(w-n)
	return Word{l.Lo | r.Lo, l.Hi | r.Hi}.cut(w)
}

// permute returns the word whose byte k is byte perm[k] of a.
func (a Word) permute(perm []int) Word {
	var r Word
	for k, from := range perm {
		b := Word{Lo: a.shr(8*from).Lo & 0xff}.shl(8 * k)
		r = Word{r.Lo | b.Lo, r.Hi | b.Hi}
	}
	return r
}

// repeat fills width w with the low n bits of a; n is a power of two.
func (a Word) repeat(n, w int) Word {
	for ; n < w; n *= 2 {
		b := a.shl(n)
		a = Word{a.Lo | b.Lo, a.Hi | b.Hi}
	}
	return a.cut(w)
}

// fits reports whether a has no bit above width w.
func (a Word) fits(w int) bool { return a == a.cut(w) }

// and returns the common bits.
func (a Word) and(b Word) Word { return Word{a.Lo & b.Lo, a.Hi & b.Hi} }

// ones returns the word with the low n bits set.
func ones(n int) Word { return Word{^uint64(0), ^uint64(0)}.cut(n) }

// String prints the word in hexadecimal.
func (a Word) String() string {
	if a.Hi != 0 {
		return fmt.Sprintf("%#x%016x", a.Hi, a.Lo)
	}
	return fmt.Sprintf("%#x", a.Lo)
}

// zip interleaves the fields of n bits of the low halves of two words of w bits.
func (a Word) zip(b Word, n, w int) Word {
	var r Word
	for i := 0; i < w/2; i += n {
		x, y := a.shr(i).cut(n).shl(2*i), b.shr(i).cut(n).shl(2*i+n)
		r = Word{r.Lo | x.Lo | y.Lo, r.Hi | x.Hi | y.Hi}
	}
	return r
}
