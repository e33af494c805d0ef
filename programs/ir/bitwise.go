package ir

// bitwiseDomain is the interpreter that also notes whether a def treats every bit of its
// words alike: only then 128 truth-table rows fit into one evaluation.
type bitwiseDomain struct {
	memory
	bitwise bool
}

func (d *bitwiseDomain) Op(op Op, w int, args []Word, imm Imm) Word {
	switch op {
	case Xor, And, Or, Not, AndNot, OrNot, Mux:
	default:
		d.bitwise = false
	}
	return d.memory.Op(op, w, args, imm)
}

func (d *bitwiseDomain) Const(w int, c Word) Word {
	if c != (Word{}) && c != ones(w) {
		d.bitwise = false
	}
	return c
}

// bitwise reports whether both defs take only slices, at most exactBits of them, and are
// bitwise, so that each slice can stand for one bit.
func (d *equivDecl) bitwise(in *inputs) bool {
	if len(in.widths) > exactBits {
		return false
	}
	for _, def := range []*defDecl{d.f.ref.def, d.g.ref.def} {
		for i := range def.formals {
			if def.formals[i].typ.base != "S" {
				return false
			}
		}
	}
	words := make([]Word, len(in.widths))
	_, f := d.apply(d.f, in, words, closedSlice)
	_, g := d.apply(d.g, in, words, closedSlice)
	return f && g
}

// allBits compares the defs on all combinations of input bits, 128 in each evaluation.
// Slice i holds bit i of the number of the row.
func (d *equivDecl) allBits(in *inputs) {
	n := len(in.widths)
	wide := &inputs{widths: in.widths}
	for _, v := range in.shapes {
		v.width = 128
		wide.shapes = append(wide.shapes, v)
	}
	words := make([]Word, n)
	for first := 0; first < 1<<n; first += 128 {
		for i := range words {
			words[i] = truthColumn(i, first)
		}
		d.compare(wide, words, 128)
	}
}

// truthColumn returns the word whose bit k is bit i of first+k, for a first divisible by 128.
func truthColumn(i, first int) Word {
	if i >= 7 {
		if first>>i&1 != 0 {
			return ones(128)
		}
		return Word{}
	}
	half := 1 << i
	return ones(half).shl(half).repeat(2*half, 128)
}
