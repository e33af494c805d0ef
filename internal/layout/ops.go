package layout

import (
	"maps"

	"simrun/programs/ir"
)

// Op evaluates linear operations exactly. Any other result is a word of new variables.
func (t *tracer) Op(op ir.Op, w int, args []word, imm ir.Imm) word {
	var out word
	ok := true
	switch op {
	case ir.Xor:
		out, ok = t.xor(args)
	case ir.And, ir.Or, ir.AndNot, ir.OrNot:
		out, ok = product(op, args)
	case ir.Mux:
		out, ok = mux(args)
	default:
		move, known := moves[op]
		if !known {
			ok = false
			break
		}
		out = move(w, args, imm)
	}
	if ok && short(out) {
		return out
	}
	for _, a := range args {
		t.note(a)
	}
	return t.fresh(w, source{pos: t.pos})
}

func short(w word) bool {
	for _, b := range w {
		if len(b.vars) > maxVars {
			return false
		}
	}
	return true
}

// xor adds words. A sum of words from different sources is a new word if none has a constant
// bit: so a key addition and the last step of an S-box make a new word, and a swap of bits, within
// words or under a mask, does not.
func (t *tracer) xor(args []word) (word, bool) {
	var first map[int]bool
	for _, a := range args {
		if !a.dense() {
			continue
		}
		s := t.sourcesOf(a)
		if first != nil && !maps.Equal(first, s) {
			return nil, false
		}
		first = s
	}
	out := append(word(nil), args[0]...)
	for _, a := range args[1:] {
		for i := range out {
			out[i] = out[i].xor(a[i])
		}
	}
	return out, true
}

// theMessage stands for all words of the message in a set of sources.
const theMessage = -1

// sourcesOf is the set of sources of the bits of w.
func (t *tracer) sourcesOf(w word) map[int]bool {
	set := map[int]bool{}
	for _, b := range w {
		for _, v := range b.vars {
			n := v.source()
			if t.sources[n].message() {
				n = theMessage
			}
			set[n] = true
		}
	}
	return set
}

// product evaluates And and its relatives bit by bit through De Morgan's rules.
func product(op ir.Op, args []word) (word, bool) {
	flip := op == ir.Or || op == ir.OrNot // a|b = ~(~a & ~b)
	first := op == ir.AndNot || op == ir.OrNot
	out := append(word(nil), args[0]...)
	if first != flip {
		invert(out)
	}
	for _, a := range args[1:] {
		for i := range out {
			b := a[i]
			if flip {
				b = b.not()
			}
			p, ok := out[i].and(b)
			if !ok {
				return nil, false
			}
			out[i] = p
		}
	}
	if flip {
		invert(out)
	}
	return out, true
}

func invert(w word) {
	for i := range w {
		w[i] = w[i].not()
	}
}

// mux is c ? a : b in each bit, linear where c is constant.
func mux(args []word) (word, bool) {
	c, a, b := args[0], args[1], args[2]
	out := make(word, len(c))
	for i := range out {
		switch {
		case !c[i].constant():
			return nil, false
		case c[i].one:
			out[i] = a[i]
		default:
			out[i] = b[i]
		}
	}
	return out, true
}

// moves are the operations that put bits elsewhere: out[i] is some bit of an argument or 0.
var moves = map[ir.Op]func(w int, args []word, imm ir.Imm) word{
	ir.Not: func(_ int, args []word, _ ir.Imm) word {
		out := append(word(nil), args[0]...)
		invert(out)
		return out
	},
	ir.Shl: func(w int, args []word, imm ir.Imm) word {
		return take(w, func(i int) bit { return at(args[0], i-imm.N) })
	},
	ir.Shr: func(w int, args []word, imm ir.Imm) word {
		return take(w, func(i int) bit { return at(args[0], i+imm.N) })
	},
	ir.Rotl: func(w int, args []word, imm ir.Imm) word { return rotate(args[0], imm.N) },
	ir.Mrot: mrot,
	ir.Perm: func(w int, args []word, imm ir.Imm) word {
		return take(w, func(i int) bit { return at(args[0], 8*imm.Perm[i/8]+i%8) })
	},
	ir.Rev:   func(w int, args []word, _ ir.Imm) word { return take(w, func(i int) bit { return args[0][i^(w-8)] }) },
	ir.Rev16: func(w int, args []word, _ ir.Imm) word { return take(w, func(i int) bit { return args[0][i^8] }) },
	ir.Zext:  func(w int, args []word, _ ir.Imm) word { return take(w, func(i int) bit { return at(args[0], i) }) },
	ir.Trunc: func(w int, args []word, _ ir.Imm) word { return args[0][:w:w] },
	ir.Pack:  func(w int, args []word, _ ir.Imm) word { return take(w, func(i int) bit { return args[i/32][i%32] }) },
	ir.Lane: func(w int, args []word, imm ir.Imm) word {
		return take(w, func(i int) bit { return at(args[0], 32*imm.N+i) })
	},
	ir.ZipLo: func(w int, args []word, imm ir.Imm) word { return zip(w, args, imm.N, 0) },
	ir.ZipHi: func(w int, args []word, imm ir.Imm) word { return zip(w, args, imm.N, w/2) },
	ir.Splat: func(w int, args []word, _ ir.Imm) word {
		return take(w, func(i int) bit { return args[0][i%len(args[0])] })
	},
}

// zip interleaves the fields of n bits from bit first on.
func zip(w int, args []word, n, first int) word {
	return take(w, func(i int) bit { return args[i/n%2][first+i/(2*n)*n+i%n] })
}

func take(w int, f func(int) bit) word {
	out := make(word, w)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

func at(w word, i int) bit {
	if i < 0 || i >= len(w) {
		return bit{}
	}
	return w[i]
}

func rotate(x word, n int) word {
	w := len(x)
	return take(w, func(i int) bit { return x[((i-n)%w+w)%w] })
}

// mrot joins masked rotations whose masks are disjoint; the results of valid terms are too, so XOR joins them.
func mrot(w int, args []word, imm ir.Imm) word {
	out := make(word, w)
	for _, r := range imm.Rots {
		masked := take(w, func(i int) bit {
			if wordBit(r.Mask, i) {
				return args[0][i]
			}
			return bit{}
		})
		for i, b := range rotate(masked, r.N) {
			out[i] = out[i].xor(b)
		}
	}
	return out
}
