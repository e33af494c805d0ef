package lower

import (
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// bitGates are the instructions of the base set that combine two registers bit by bit.
func bitGates() []compile.Gate {
	return []compile.Gate{
		{Truth: 0b0110, Make: compile.Binary(mk, "XOR")},
		{Truth: 0b1000, Make: compile.Binary(mk, regForm[ir.And])},
		{Truth: 0b1110, Make: compile.Binary(mk, regForm[ir.Or])},
	}
}
