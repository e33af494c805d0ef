package compare

import (
	"fmt"

	"simrun/internal/input"
	"simrun/internal/result"
)

// Verdict is what a regression gate says, a line each.
type Verdict struct {
	Worse  []string // rows that got slower, lost their proof, or are gone: the gate is shut
	Better []string
	Notes  []string // rows without a baseline, CPUs with another model
	Rows   int      // of the baseline
}

// Gate holds rows against a baseline by kernel and CPU: cycles, or instructions where the baseline has no cycles, may be
// more by tolerance percent. A row that was checked must still be checked.
func Gate(base, now []result.Row, tolerance float64) *Verdict {
	v := &Verdict{Rows: len(base)}
	models := map[string]bool{}
	for _, p := range pairs(base, now, id{}) {
		switch {
		case p.B == nil:
			v.Worse = append(v.Worse, fmt.Sprintf("gone    %s", idOf(p.A)))
		case p.A == nil:
			v.Notes = append(v.Notes, fmt.Sprintf("%s is not in the baseline", idOf(p.B)))
		default:
			v.weigh(p, tolerance)
			if p.A.CPUFile != p.B.CPUFile && !models[p.A.CPU] {
				models[p.A.CPU] = true
				v.Notes = append(v.Notes, fmt.Sprintf("the model of %s is not that of the baseline; make the baseline again", input.Printable(p.A.CPU)))
			}
		}
	}
	return v
}

// weigh judges a row that both sides have.
func (v *Verdict) weigh(p Pair, tolerance float64) {
	unit, a, b := "cycles", float64(p.A.Cycles), float64(p.B.Cycles)
	if a == 0 {
		unit, a, b = "instructions", float64(p.A.Instructions), float64(p.B.Instructions)
	}
	of := idOf(p.A)
	if checked(p.A) && !checked(p.B) {
		v.Worse = append(v.Worse, fmt.Sprintf("proof   %s: was checked by %s, is %s", of, input.Printable(string(p.A.Verified)), result.NotChecked))
	}
	if a == 0 {
		return // nothing is known of the baseline
	}
	percent, _ := Difference{A: a, B: b}.Percent()
	change := fmt.Sprintf("%s: %s %s, %s in the baseline (%+.2f %%)", of, plain(b), unit, plain(a), percent)
	switch {
	case b == 0:
		v.Worse = append(v.Worse, fmt.Sprintf("gone    %s: no %s, %s in the baseline", of, unit, plain(a)))
	case 100*(b-a) > tolerance*a:
		v.Worse = append(v.Worse, "slower  "+change)
	case b < a:
		v.Better = append(v.Better, "faster  "+change)
	}
}

func checked(r *result.Row) bool { return r.Verified != "" && r.Verified != result.NotChecked }
