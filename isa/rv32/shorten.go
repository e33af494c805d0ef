package rv32

import "simrun/isa"

// Shorten returns the compressed form of an instruction, if there is one. A label counts as near.
func Shorten(in isa.Inst, _ isa.RegSet) (isa.Inst, bool) {
	c, ok := compressAnywhere(in)
	c.Sym = in.Sym
	return c, ok
}
