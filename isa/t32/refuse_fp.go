package t32

import (
	"strings"
)

// A refusal is an instruction that exists and is not simulated. It stops a core even where the
// program handles faults: what the hardware would do is something else.
type refusal struct{ name string }

func (r *refusal) Error() string {
	return r.name + ": floating-point arithmetic is not simulated; compile with -mfloat-abi=soft"
}

// refusedPatterns are fpArithmetic as masks.
var refusedPatterns = func() (list []refusedPattern) {
	for _, r := range fpArithmetic {
		e := encoding{row: &row{id: r.name, bits: r.bits}}
		e.pattern()
		list = append(list, refusedPattern{r.name, e.mask, e.fixed})
	}
	return list
}()

type refusedPattern struct {
	name        string
	mask, fixed uint32
}

// refused finds the instruction of a word that no row decodes; nil if there is none.
func refused(w uint32) error {
	for _, p := range refusedPatterns {
		if w&p.mask != p.fixed {
			continue
		}
		name, ok := strings.CutSuffix(p.name, ".F")
		switch {
		case ok && w>>8&1 != 0:
			name += ".F64"
		case ok:
			name += ".F32"
		}
		return &refusal{name}
	}
	return nil
}

// refusedName is refused for assembly text, by the name without its type.
func refusedName(word string) error {
	base, _, _ := strings.Cut(word, ".")
	for _, p := range refusedPatterns {
		if name, _, _ := strings.Cut(p.name, "."); strings.EqualFold(name, base) {
			return &refusal{strings.ToUpper(word)}
		}
	}
	return nil
}
