package compile

import (
	"slices"

	"simrun/isa"
)

// arrangement is what a search decides: the order of the instructions, and by which definition each makes its value.
type arrangement struct {
	places []int32 // places[i] = index in the order of the text of the instruction at i
	choice []int32 // by index in the text: 0 = as in the text, k = the k-th other definition of its result
}

// textArrangement is that of the text itself.
func textArrangement(n int) arrangement {
	a := arrangement{make([]int32, n), make([]int32, n)}
	for i := range a.places {
		a.places[i] = int32(i)
	}
	return a
}

func (a arrangement) clone() arrangement {
	return arrangement{slices.Clone(a.places), slices.Clone(a.choice)}
}

// defined is the code in the order of the text with the definitions that choice says.
func defined(p *Proc, text []MInst, choice []int32) []MInst {
	code := slices.Clone(text)
	for j, k := range choice {
		if k > 0 {
			p.alts[idx(code[j].outs[0])][k-1].as(&code[j])
		}
	}
	return code
}

// arrange makes the code of p from that of the text. The arrangement must be legal.
func arrange(p *Proc, text []MInst, a arrangement) {
	code := defined(p, text, a.choice)
	p.Code = slices.Grow(p.Code[:0], len(text))[:len(text)]
	for i, j := range a.places {
		p.Code[i] = code[j]
	}
}

// redefinable reports whether an instruction may make its value by another definition.
func redefinable(m *MInst) bool {
	return movable(m) && m.Form.Flags&(isa.Load|isa.Store) == 0 && len(m.outs) == 1 && m.Tied == 0
}

// legal reports whether an arrangement of the text keeps its meaning: every choice is one there is, and in the code so
// defined the order keeps every dependence.
func legal(p *Proc, text []MInst, a arrangement) bool {
	if len(a.choice) != len(text) {
		return false
	}
	for j, k := range a.choice {
		switch m := &text[j]; {
		case k == 0:
		case k < 0 || !redefinable(m) || int(k) > len(p.alts[idx(m.outs[0])]):
			return false
		}
	}
	return orderLegal(&Proc{Code: defined(p, text, a.choice), Regs: p.Regs}, a.places)
}

// Choice is another definition than the text's: instruction At of the text makes its value by the gate with truth table
// Truth of registers A and B, numbered from 0.
type Choice struct {
	At, Truth, A, B int
}

// choices lists what a chooses.
func choices(p *Proc, text []MInst, choice []int32) []Choice {
	var list []Choice
	for j, k := range choice {
		if k > 0 {
			x := &p.alts[idx(text[j].outs[0])][k-1]
			list = append(list, Choice{j, int(x.truth), idx(x.a), idx(x.b)})
		}
	}
	return list
}

// findChoices looks the listed definitions up among those proven equal; ok is false if one is not there.
func findChoices(p *Proc, list []Choice) (choice []int32, ok bool) {
	choice = make([]int32, len(p.Code))
	for _, c := range list {
		if c.At < 0 || c.At >= len(p.Code) || !redefinable(&p.Code[c.At]) || p.alts == nil {
			return nil, false
		}
		k := slices.IndexFunc(p.alts[idx(p.Code[c.At].outs[0])], func(x alt) bool {
			return int(x.truth) == c.Truth && idx(x.a) == c.A && idx(x.b) == c.B
		})
		if k < 0 {
			return nil, false
		}
		choice[c.At] = int32(k + 1)
	}
	return choice, true
}

// untangle makes an order legal by delaying instructions until what they read is made. It is for an order that was
// found with other definitions.
func untangle(p *Proc, order []int32) []int32 {
	maker := map[int64]int32{}
	for j := range p.Code {
		for _, v := range p.Code[j].outs {
			maker[v] = int32(j)
		}
	}
	out := make([]int32, 0, len(order))
	done := make([]bool, len(order))
	var put func(j int32)
	put = func(j int32) {
		if done[j] {
			return
		}
		done[j] = true
		for _, v := range p.Code[j].ins {
			if m, made := maker[v]; made && m < j {
				put(m)
			}
		}
		out = append(out, j)
	}
	for _, j := range order {
		put(j)
	}
	return out
}
