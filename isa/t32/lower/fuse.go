package lower

import (
	"cmp"
	"slices"

	"simrun/isa"
	"simrun/isa/t32"
)

// word is a single load or store with an immediate offset.
type word struct {
	reg, base isa.Reg
	off       int64
}

// multiple says by which rows words are transferred together: two anywhere, several from the base on upwards.
var multiple = map[string]struct{ double, many string }{
	"LDR_imm_T3": {"LDRD_imm_T1", "LDM_T2"},
	"STR_imm_T3": {"STRD_imm_T1", "STM_T2"},
}

// reachDouble is the largest offset of LDRD and STRD.
const reachDouble = 1020

// fuse makes one instruction of loads or stores of consecutive words. LDRD, STRD, LDM and STM want aligned words, which
// those of kernels are.
func fuse(run []isa.Inst) (isa.Inst, bool) {
	rows, ok := multiple[run[0].Form.ID]
	if !ok {
		return isa.Inst{}, false
	}
	words := make([]word, len(run))
	for i := range run {
		w := word{run[i].Reg(0), run[i].Reg(1), run[i].Args[2]}
		changesBase := run[i].Form.Flags&isa.Load != 0 && w.reg == w.base && i < len(run)-1
		if run[i].Form != run[0].Form || w.base != run[0].Reg(1) || changesBase {
			return isa.Inst{}, false
		}
		words[i] = w
	}
	slices.SortFunc(words, func(a, b word) int { return cmp.Compare(a.off, b.off) })
	var set isa.RegSet
	ascending := true
	for i, w := range words {
		if w.off != words[0].off+4*int64(i) || w.off&3 != 0 || run[0].Form.Flags&isa.Load != 0 && set.Has(w.reg) {
			return isa.Inst{}, false
		}
		ascending = ascending && set>>w.reg == 0
		set = set.With(w.reg)
	}
	first := words[0]
	switch {
	case len(words) == 2 && first.off <= reachDouble:
		return mk(rows.double, first.reg, words[1].reg, first.base, first.off), true
	case first.off == 0 && ascending && first.base != t32.SP:
		return mk(rows.many, first.base, int64(set)), true
	}
	return isa.Inst{}, false
}
