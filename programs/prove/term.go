package prove

import (
	"slices"

	"simrun/isa"
)

// term computes what an instruction computes, in the state before it.
func (m *machine) term(t *isa.Term) (word, error) {
	switch t.Op {
	case isa.TermConst:
		return constWord(t.Width, t.Const[0], t.Const[1]), nil
	case isa.TermReg:
		return m.reg(t.Reg, t.Width), nil
	case isa.TermIf:
		return m.choice(t)
	}
	args := make([]word, len(t.Args))
	for i, a := range t.Args {
		w, err := m.term(a)
		if err != nil {
			return nil, err
		}
		args[i] = w
	}
	g := m.g
	switch t.Op {
	case isa.TermLoad:
		return m.load(args[0], t.Width/8, t.Align)
	case isa.TermXor:
		return zip(args[0], args[1], g.xor), nil
	case isa.TermAnd:
		return zip(args[0], args[1], g.and), nil
	case isa.TermNot:
		return args[0].not(), nil
	case isa.TermAdd:
		sum, _ := g.add(args[0], args[1], args[2][0])
		return sum, nil
	case isa.TermCarry:
		_, carry := g.add(args[0], args[1], args[2][0])
		return word{carry}, nil
	case isa.TermZero:
		return word{g.allZero(args[0])}, nil
	}
	side := word(slices.Concat(args...)) // TermPick
	return side.picked(t.Width, func(i int) int { return t.Pick[i] }), nil
}

// choice computes only the side that a known condition takes.
func (m *machine) choice(t *isa.Term) (word, error) {
	c, err := m.term(t.Args[0])
	if err != nil {
		return nil, err
	}
	if c[0] == zero {
		return m.term(t.Args[2])
	}
	a, err := m.term(t.Args[1])
	if err != nil || c[0] == one {
		return a, err
	}
	b, err := m.term(t.Args[2])
	if err != nil {
		return nil, err
	}
	return zip(a, b, func(x, y edge) edge { return m.g.mux(c[0], x, y) }), nil
}
