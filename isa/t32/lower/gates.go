package lower

import (
	"slices"

	"simrun/programs/compile"
	"simrun/programs/ir"
)

// truthOf is the truth table of an operation on two bits, as compile.Gate has it.
var truthOf = map[ir.Op]uint8{ir.Xor: 0b0110, ir.And: 0b1000, ir.Or: 0b1110}

// bitGates are the instructions that combine two plain registers bit by bit, by what the rows of gates say of them.
func bitGates() []compile.Gate {
	var list []compile.Gate
	for _, op := range []ir.Op{ir.Xor, ir.And, ir.Or} {
		for i, g := range gates[op] {
			// The gate gives op of its operands, complemented as i says, or the complement of that.
			var truth uint8
			for in := range 4 {
				if out := truthOf[op]>>(in^i)&1 != 0; out != g.not {
					truth |= 1 << in
				}
			}
			if !slices.ContainsFunc(list, func(o compile.Gate) bool { return o.Truth == truth }) {
				list = append(list, compile.Gate{Truth: truth, Make: compile.Binary(mk, g.id, 0)})
			}
		}
	}
	return list
}
