package layout

import "slices"

// A bit is a linear form over GF(2): the XOR of the variables in vars (sorted, each once) and one.
// A variable is a bit of the input or a bit born in a step that is not linear.
type bit struct {
	vars []variable
	one  bool
}

// variable is a source number in the upper half and a bit number below.
type variable uint64

func newVariable(source, index int) variable { return variable(source)<<32 | variable(index) }
func (v variable) source() int               { return int(v >> 32) }
func (v variable) index() int                { return int(v & 0xffffffff) }

// maxVars bounds the length of a form. Packing needs two variables at most (inside a swap
// of bits); a longer form is a mixing step and becomes a new variable.
const maxVars = 8

func (b bit) constant() bool { return len(b.vars) == 0 }
func (b bit) zero() bool     { return b.constant() && !b.one }

// pure reports whether the bit is one variable, as it is or complemented.
func (b bit) pure() bool { return len(b.vars) == 1 }

func (b bit) not() bit { return bit{b.vars, !b.one} }

// xor adds two forms: variables that stand in both fall out.
func (b bit) xor(o bit) bit {
	one := b.one != o.one
	switch {
	case len(b.vars) == 0:
		return bit{o.vars, one}
	case len(o.vars) == 0:
		return bit{b.vars, one}
	}
	sum := make([]variable, 0, len(b.vars)+len(o.vars))
	x, y := b.vars, o.vars
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			sum, x = append(sum, x[0]), x[1:]
		case x[0] > y[0]:
			sum, y = append(sum, y[0]), y[1:]
		default:
			x, y = x[1:], y[1:]
		}
	}
	sum = append(append(sum, x...), y...)
	return bit{sum, one}
}

// and multiplies two forms if the product is linear.
func (b bit) and(o bit) (bit, bool) {
	switch {
	case b.zero() || o.zero():
		return bit{}, true
	case b.constant():
		return o, true
	case o.constant():
		return b, true
	case b.one == o.one && slices.Equal(b.vars, o.vars):
		return b, true
	}
	return bit{}, false
}

// word is a value: its bits, the least significant first.
type word []bit

// full reports whether each bit is a different single variable.
func (w word) full() bool {
	seen := make(map[variable]bool, len(w))
	for _, b := range w {
		if !b.pure() || seen[b.vars[0]] {
			return false
		}
		seen[b.vars[0]] = true
	}
	return true
}

// dense reports whether no bit is constant.
func (w word) dense() bool {
	for _, b := range w {
		if b.constant() {
			return false
		}
	}
	return true
}
