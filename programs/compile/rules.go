package compile

import (
	"fmt"

	"simrun/isa"
)

// Rules says how a selector S selects each operation. An operation that is not there is refused by name.
type Rules[S any] map[Op]func(S, *Value)

// Select applies the rule for v. fits says whether words of v's width can be lowered by that rule.
func (rules Rules[S]) Select(b *Builder, s S, v *Value, fits func(*Value) bool) {
	rule := rules[v.Op]
	switch {
	case rule == nil:
		b.Refuse(v.Pos, OpName(v.Op)+" is not lowered yet", "")
	case !fits(v):
		b.Refuse(v.Pos, fmt.Sprintf("%s on words of %d bits is not lowered yet", OpName(v.Op), v.Width), "use w32")
	}
	rule(s, v)
}

// slots is an argument of Maker that fills several slots: a memory operand.
type slots interface{ Slots() []int64 }

// Maker turns an ISA's Make into one that takes registers, numbers and memory operands as they come.
func Maker(makeInst func(id string, args ...int64) isa.Inst) func(id string, args ...any) isa.Inst {
	return func(id string, args ...any) isa.Inst {
		var ns []int64
		for _, a := range args {
			switch a := a.(type) {
			case isa.Reg:
				ns = append(ns, int64(a))
			case int:
				ns = append(ns, int64(a))
			case int64:
				ns = append(ns, a)
			case uint32:
				ns = append(ns, int64(a))
			case slots:
				ns = append(ns, a.Slots()...)
			default:
				panic(fmt.Sprintf("compile: %s: argument of type %T", id, a))
			}
		}
		return makeInst(id, ns...)
	}
}

// To gives the instruction with a label as its target.
func To(label string, in isa.Inst) isa.Inst {
	in.Sym = label
	return in
}
