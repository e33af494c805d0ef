package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simrun/internal/result"
)

// here is what was measured on one computer beside what is predicted.
type here struct {
	host, model string   // model: the CPU that is the model of host, "" = none
	cpus        []string // others with predictions and the same instruction set
	codes       []string // CPUs whose code was measured
	lines       []hereLine
}

// hereLine is one kernel.
type hereLine struct {
	measured  *result.Row
	predicted map[string]result.Figure // by CPU
}

// newHere gathers the measured rows of the first computer that they name; nil if nothing was measured.
func newHere(rows []result.Row) *here {
	first := slices.IndexFunc(rows, func(r result.Row) bool { return r.Measured != nil })
	if first < 0 {
		return nil
	}
	h := &here{host: rows[first].Measured.Host, model: string(rows[first].Measured.Model)}
	for i := range rows {
		if m := rows[i].Measured; m != nil && m.Host == h.host {
			h.add(&rows[i], rows)
		}
	}
	return h
}

func (h *here) add(measured *result.Row, rows []result.Row) {
	line := hereLine{measured, map[string]result.Figure{}}
	for i := range rows {
		r := &rows[i]
		if r.Kernel != measured.Kernel || r.ISA != measured.ISA || r.Cycles == 0 || r.CPU == h.model {
			continue
		}
		line.predicted[r.CPU] = r.CyclesPerByte
		h.cpus = appendNew(h.cpus, r.CPU)
	}
	h.lines = append(h.lines, line)
	h.codes = appendNew(h.codes, measured.CPU)
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func (h *here) table() (heads []heading, lines [][]string) {
	heads = append(heads, heading{"kernel", true})
	for _, cpu := range h.cpus {
		heads = append(heads, heading{cpu + " c/B", false})
	}
	model := "this computer's model c/B"
	if h.model != "" {
		model = "this computer's model, " + h.model + " c/B"
	}
	heads = append(heads, heading{model, false}, heading{"measured c/B [95 %]", false}, heading{"error %", false})
	for _, l := range h.lines {
		m := l.measured.Measured
		cells := []string{l.measured.Kernel}
		for _, cpu := range h.cpus {
			cells = append(cells, orNone(number(l.predicted[cpu], 1)))
		}
		lines = append(lines, append(cells, orNone(number(m.ModelCyclesPerByte, 1)), measuredCell(l.measured, nil), errorCell(m)))
	}
	return heads, lines
}

func errorCell(m *result.Measured) string {
	if m.ErrorPercent == nil {
		return none
	}
	return fmt.Sprintf("%+.1f", *m.ErrorPercent)
}

// meanError is the mean of the errors without their signs, over n kernels.
func (h *here) meanError() (percent float64, n int) {
	for _, l := range h.lines {
		if e := l.measured.Measured.ErrorPercent; e != nil {
			percent += math.Abs(*e)
			n++
		}
	}
	return percent / float64(max(n, 1)), n
}

// notes says whose code was measured and, last, what the predictions for this computer are worth.
func (h *here) notes() []string {
	lines := []string{"measured: the code made for " + strings.Join(h.codes, ", ")}
	if h.model != "" && slices.Contains(h.codes, h.model) {
		lines = append(lines, "error: predicted / measured - 1")
	}
	return append(lines, h.verdict())
}

func (h *here) verdict() string {
	mean, n := h.meanError()
	switch {
	case n > 0:
		return fmt.Sprintf("mean |error| of %s over %s: %.1f %%", h.model, plural(n, "kernel"), mean)
	case h.model == "":
		return h.host + " is not modelled: measured only, predictions for it not checked"
	case slices.Contains(h.codes, h.model):
		return h.host + " is modelled by " + h.model + ", but no figure was measured: predictions for it not checked"
	}
	return h.host + " is modelled by " + h.model + ", which is not in this table: predictions for it not checked"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// hostJSON is here in JSON, but for what stands in the rows.
type hostJSON struct {
	Name             string      `json:"name"`
	Model            result.Name `json:"model"`
	MeanErrorPercent *float64    `json:"mean_error_percent"` // without signs, over the kernels with an error
	Kernels          int         `json:"kernels"`            // with an error
	Note             string      `json:"note"`
}

func (h *here) json() *hostJSON {
	if h == nil {
		return nil
	}
	j := &hostJSON{Name: h.host, Model: result.Name(h.model), Note: h.verdict()}
	if mean, n := h.meanError(); n > 0 {
		j.MeanErrorPercent, j.Kernels = &mean, n
	}
	return j
}
