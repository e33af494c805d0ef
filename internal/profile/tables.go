package profile

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"simrun/costmodel"
	"simrun/internal/input"
)

// column is one column of a table.
type column struct {
	head string
	left bool
	cell func(e *Entry, runs, total uint64) string
}

var (
	cycles = column{"cycles", false, func(e *Entry, runs, _ uint64) string { return perRun(e.Own.Slots, runs*e.width()) }}
	share  = column{"%", false, func(e *Entry, _, total uint64) string { return fmt.Sprintf("%.1f", percent(e.Own.Slots, total)) }}
	within = column{"with calls", false, func(e *Entry, runs, _ uint64) string { return perRun(e.Cumulative, runs*e.width()) }}
	count  = column{"instructions", false, func(e *Entry, runs, _ uint64) string { return perRun(e.Own.Instructions, runs) }}
	cause  = column{"lost most to", true, func(e *Entry, _, _ uint64) string { return e.TopCause() }}

	functionColumns = []column{{"function", true, func(e *Entry, _, _ uint64) string { return e.Func }}, cycles, share, within, count, cause}
	lineColumns     = []column{{"line", true, func(e *Entry, _, _ uint64) string { return e.Place() }}, cycles, share, count, cause,
		{"function", true, func(e *Entry, _, _ uint64) string { return e.Func }}}
)

// width is the number of slots of a cycle.
func (e *Entry) width() uint64 { return max(e.Own.Width, 1) }

// perRun prints a figure per run: a whole number if it is one.
func perRun(n, runs uint64) string {
	if n%runs == 0 {
		return fmt.Sprint(n / runs)
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(runs))
}

// WriteTables writes a table of functions and one of lines for a terminal, in figures per run. Each
// has at most top rows, 0 = all.
func (p *Profile) WriteTables(w io.Writer, src *Source, runs, top int) error {
	var out strings.Builder
	for i, t := range []struct {
		columns []column
		entries []Entry
	}{{functionColumns, p.Functions(src)}, {lineColumns, p.Lines(src)}} {
		if i > 0 {
			out.WriteByte('\n')
		}
		if err := writeTable(&out, t.columns, t.entries, uint64(runs), &p.total, top); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func writeTable(out *strings.Builder, columns []column, entries []Entry, runs uint64, total *costmodel.Totals, top int) error {
	shown := entries
	if top > 0 && len(entries) > top {
		shown = entries[:top]
	}
	var text strings.Builder
	t := newTable(&text, columns)
	for i := range shown {
		cells := make([]string, len(columns))
		for c := range columns {
			cells[c] = input.Printable(columns[c].cell(&shown[i], runs, total.Slots))
		}
		if err := t.Append(cells); err != nil {
			return err
		}
	}
	if err := t.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	rest, width := uint64(0), max(total.Width, 1)
	for i := range entries[len(shown):] {
		rest += entries[len(shown)+i].Own.Slots
	}
	if n := len(entries) - len(shown); n > 0 {
		fmt.Fprintf(out, "and %d more with %s cycles (--top 0 shows all)\n", n, perRun(rest, runs*width))
	}
	return nil
}

func newTable(w io.Writer, columns []column) *tablewriter.Table {
	heads := make([]string, len(columns))
	sides := make(tw.Alignment, len(columns))
	for i, c := range columns {
		heads[i], sides[i] = c.head, tw.AlignRight
		if c.left {
			sides[i] = tw.AlignLeft
		}
	}
	t := tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.SeparatorsNone,
				Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off},
			},
		})),
		tablewriter.WithPadding(tw.Padding{Left: tw.Empty, Right: "  ", Overwrite: true}),
		tablewriter.WithAlignment(sides),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
	)
	t.Header(heads)
	return t
}
