package reports

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"

	"simrun/internal/result"
)

// line is one line of a single result; it is left out where the text is empty.
type line struct {
	name string
	text func(*result.Row) string
}

var rowLines = []line{
	{"kernel", func(r *result.Row) string { return r.Kernel }},
	{"cpu", func(r *result.Row) string { return r.CPU + " (" + r.ISA + ")" }},
	{"verified", func(r *result.Row) string { return string(r.Verified) }},
	{"message", func(r *result.Row) string {
		if r.Blocks == 0 {
			return ""
		}
		return fmt.Sprintf("%d bytes, blocks: %d", r.Bytes, r.Blocks)
	}},
	{"cycles", func(r *result.Row) string { return number(r.Cycles, 3) }},
	{"cycles/byte", func(r *result.Row) string { return number(r.CyclesPerByte, 3) }},
	{"cold cycles", func(r *result.Row) string {
		if r.ColdCycles == 0 {
			return ""
		}
		return number(r.ColdCycles, 0) + " (the first call, with empty caches and predictors)"
	}},
	{"instructions", func(r *result.Row) string { return number(r.Instructions, 3) }},
	{"ipc", func(r *result.Row) string { return number(r.IPC, 3) }},
	{"code bytes", func(r *result.Row) string {
		if r.Form == "" {
			return whole(r.CodeBytes)
		}
		return whole(r.CodeBytes) + ", " + string(r.Form)
	}},
	{"small code", func(r *result.Row) string {
		if r.Small == nil {
			return ""
		}
		return fmt.Sprintf("%s bytes, %s, at %s cycles", whole(r.Small.CodeBytes), r.Small.Form, number(r.Small.Cycles, 3))
	}},
	{"stack bytes", func(r *result.Row) string { return fmt.Sprint(r.StackBytes) }},
}

// RowText writes one result for people: its figures, where the cycles went, what is
// published, and what the model leaves out.
func RowText(w io.Writer, r *result.Row) error {
	var out bytes.Buffer
	for _, l := range rowLines {
		if text := l.text(r); text != "" {
			fmt.Fprintf(&out, "%-12s  %s\n", l.name, text)
		}
	}
	WriteCauses(&out, r)
	for _, p := range r.Published {
		writePublished(&out, p, r)
	}
	if m := r.Measured; m != nil {
		unit := " c/B"
		if m.CyclesPerByte == 0 {
			unit = ""
		}
		fmt.Fprintf(&out, "%-12s  %s%s on %s\n", "measured", measuredCell(r, nil), unit, m.Host)
		if m.ErrorPercent != nil {
			fmt.Fprintf(&out, "%-12s  the prediction errs by %s %%\n", "", errorCell(m))
		}
		fmt.Fprintf(&out, "%-12s  %d and %d calls a window, %d windows, %.0f %% accepted, chain %.0f MHz\n",
			"", m.Calls, 2*m.Calls, m.Windows, 100*m.Acceptance, m.ChainMHz)
	}
	for i, what := range r.NotModelled {
		name := "not modelled"
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(&out, "%-12s  %s\n", name, what)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// WriteCauses lists the causes, the largest first, each with its share of the total.
func WriteCauses(w io.Writer, r *result.Row) {
	names := slices.Collect(maps.Keys(r.Causes))
	sort.Slice(names, func(i, j int) bool {
		a, b := r.Causes[names[i]], r.Causes[names[j]]
		return a > b || a == b && names[i] < names[j]
	})
	for _, name := range names {
		if c := r.Causes[name]; c != 0 {
			fmt.Fprintf(w, "%-12s  %-14s %12.3f  %5.1f %%\n", "  cause", name, c, 100*c/float64(r.Cycles))
		}
	}
}

func writePublished(w io.Writer, p result.Published, r *result.Row) {
	record := ""
	if p.Record {
		record = ", the record"
	}
	fmt.Fprintf(w, "%-12s  %g %s%s: %s\n", "published", p.Value, p.Unit, record, p.Source)
}
