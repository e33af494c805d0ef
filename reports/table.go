package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"simrun/internal/result"
)

// none stands where a row has no figure.
const none = "-"

// column is one column of the table for people.
type column struct {
	head string
	left bool
	cell func(*result.Row, *notes) string
}

var columns = []column{
	{"kernel", true, func(r *result.Row, _ *notes) string { return r.Kernel }},
	{"cpu", true, func(r *result.Row, _ *notes) string { return r.CPU }},
	{"blocks", false, func(r *result.Row, _ *notes) string { return orNone(whole(r.Blocks)) }},
	{"predicted c/B", false, func(r *result.Row, _ *notes) string { return orNone(number(r.CyclesPerByte, 1)) }},
	{"cycles", false, func(r *result.Row, _ *notes) string { return orNone(number(r.Cycles, 0)) }},
	{"measured c/B [95 %]", false, measuredCell},
	{"published c/B", false, publishedCell},
	{"ratio", false, func(r *result.Row, _ *notes) string { return orNone(number(Ratio(r), 3)) }},
	{"code", false, func(r *result.Row, _ *notes) string { return orNone(whole(r.CodeBytes)) }},
	{"form", true, func(r *result.Row, _ *notes) string { return string(r.Form) }},
	{"stack", false, func(r *result.Row, _ *notes) string { return strconv.Itoa(r.StackBytes) }},
	{"small code", false, smallPart(func(s *result.Small) string { return whole(s.CodeBytes) })},
	{"small c/B", false, smallPart(func(s *result.Small) string { return number(s.CyclesPerByte, 1) })},
	{"verified", true, func(r *result.Row, _ *notes) string { return string(r.Verified) }},
}

func orNone(s string) string {
	if s == "" {
		return none
	}
	return s
}

func measuredCell(r *result.Row, _ *notes) string {
	switch m := r.Measured; {
	case m == nil:
		return none
	case m.CyclesPerByte == 0:
		return m.Note
	default:
		return fmt.Sprintf("%.3f [%.3f, %.3f]", m.CyclesPerByte, m.Low, m.High)
	}
}

func smallPart(part func(*result.Small) string) func(*result.Row, *notes) string {
	return func(r *result.Row, _ *notes) string {
		if r.Small == nil {
			return none
		}
		return part(r.Small)
	}
}

func publishedCell(r *result.Row, n *notes) string {
	p, ok := Record(r)
	if !ok {
		return none
	}
	return fmt.Sprintf("%.1f [%d]", PerByte(p, r), n.number(p.Source))
}

func recordPerByte(r *result.Row) float64 {
	p, _ := Record(r)
	return PerByte(p, r)
}

// Ratio is predicted over published record, 0 if either is missing.
func Ratio(r *result.Row) float64 {
	record := recordPerByte(r)
	if record == 0 {
		return 0
	}
	return float64(r.CyclesPerByte) / record
}

// notes numbers the sources in the order in which the table names them.
type notes struct{ sources []string }

func (n *notes) number(source string) int {
	i := slices.Index(n.sources, source)
	if i < 0 {
		n.sources = append(n.sources, source)
		i = len(n.sources) - 1
	}
	return i + 1
}

// style is how tables are drawn.
type style struct {
	renderer func() tw.Renderer
	pad      tw.Padding
	bullet   string // begins each line of the footnotes
}

var plain = style{
	renderer: func() tw.Renderer {
		return renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.SeparatorsNone,
				Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off},
			},
		})
	},
	pad: tw.Padding{Left: tw.Empty, Right: "  ", Overwrite: true},
}

var markdown = style{
	renderer: func() tw.Renderer { return renderer.NewMarkdown() },
	pad:      tw.PaddingDefault,
	bullet:   "- ",
}

// Text writes the table for a terminal: one line per kernel and CPU, and below it
// the sources, the computer measured on, and what each CPU's model leaves out; then what was measured beside what is predicted.
func Text(w io.Writer, rows []result.Row) error { return table(w, rows, plain) }

// Markdown writes the same tables and footnotes as Markdown.
func Markdown(w io.Writer, rows []result.Row) error { return table(w, rows, markdown) }

func table(w io.Writer, rows []result.Row, s style) error {
	var out bytes.Buffer
	var n notes
	heads, lines := mainTable(rows, &n)
	if err := s.draw(&out, heads, lines, footnotes(rows, n.sources)); err != nil {
		return err
	}
	if h := newHere(rows); h != nil {
		heads, lines := h.table()
		fmt.Fprintf(&out, "\non this computer, %s:\n\n", h.host)
		if err := s.draw(&out, heads, lines, h.notes()); err != nil {
			return err
		}
	}
	_, err := w.Write(trimLines(out.Bytes()))
	return err
}

// heading is the head of a column.
type heading struct {
	text string
	left bool
}

// mainTable lays out rows grouped by kernel: the name stands in the first line of its group. A column in
// which no row has a figure is left out.
func mainTable(rows []result.Row, n *notes) (heads []heading, lines [][]string) {
	lines = make([][]string, len(rows))
	for c, col := range columns {
		cells := make([]string, len(rows))
		used := col.left || len(rows) == 0
		for i := range rows {
			cells[i] = col.cell(&rows[i], n)
			used = used || cells[i] != none
			if c == 0 && i > 0 && rows[i].Kernel == rows[i-1].Kernel {
				cells[i] = ""
			}
		}
		if !used {
			continue
		}
		heads = append(heads, heading{col.head, col.left})
		for i := range rows {
			lines[i] = append(lines[i], cells[i])
		}
	}
	return heads, lines
}

// draw writes a table with its footnotes.
func (s style) draw(out *bytes.Buffer, heads []heading, lines [][]string, footnotes []string) error {
	sides, names := make([]tw.Align, len(heads)), make([]string, len(heads))
	for i, h := range heads {
		names[i], sides[i] = h.text, tw.AlignRight
		if h.left {
			sides[i] = tw.AlignLeft
		}
	}
	t := tablewriter.NewTable(out,
		tablewriter.WithRenderer(s.renderer()),
		tablewriter.WithPadding(s.pad),
		tablewriter.WithAlignment(sides),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
	)
	t.Header(names)
	for _, line := range lines {
		if err := t.Append(line); err != nil {
			return err
		}
	}
	if err := t.Render(); err != nil {
		return err
	}
	out.WriteByte('\n')
	for _, line := range footnotes {
		out.WriteString(s.bullet + line + "\n")
	}
	return nil
}

// trimLines removes the blanks that padding leaves at line ends.
func trimLines(text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return []byte(strings.Join(lines, "\n"))
}

func footnotes(rows []result.Row, sources []string) []string {
	var lines []string
	if slices.ContainsFunc(rows, func(r result.Row) bool { return r.Cycles > 0 }) {
		lines = append(lines, "predicted: warm cycles of one call, call and return included, / bytes of message; ratio: predicted / published record")
	}
	if slices.ContainsFunc(rows, func(r result.Row) bool { return Ratio(&r) > 0 && Ratio(&r) < 1 }) {
		lines = append(lines, "a ratio below 1: faster than the record in this model; the record was measured on hardware, the prediction was not")
	}
	if slices.ContainsFunc(rows, func(r result.Row) bool { return r.Small != nil }) {
		lines = append(lines, "small: the shortest code found that takes at most twice the cycles of its row")
	}
	for i, s := range sources {
		lines = append(lines, fmt.Sprintf("[%d] %s", i+1, s))
	}
	lines = append(lines, hostNotes(rows)...)
	return append(lines, modelNotes(rows)...)
}

// modelNotes points to what the models of the CPUs leave out.
func modelNotes(rows []result.Row) []string {
	var counts []string
	seen := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if n := len(r.NotModelled); n > 0 && !seen[r.CPU] {
			seen[r.CPU] = true
			counts = append(counts, fmt.Sprintf("%s %d", r.CPU, n))
		}
	}
	if len(counts) == 0 {
		return nil
	}
	return []string{"effects not modelled, listed by simrun cpu NAME: " + strings.Join(counts, ", ")}
}

// hostNotes says how the measured figures came about, one line for each computer.
func hostNotes(rows []result.Row) []string {
	var hosts []string
	byHost := map[string][]*result.Measured{}
	for i := range rows {
		if m := rows[i].Measured; m != nil {
			if byHost[m.Host] == nil {
				hosts = append(hosts, m.Host)
			}
			byHost[m.Host] = append(byHost[m.Host], m)
		}
	}
	lines := make([]string, len(hosts))
	for i, h := range hosts {
		mhz, accepted, windows := spanOf(byHost[h], func(m *result.Measured) float64 { return m.ChainMHz }),
			spanOf(byHost[h], func(m *result.Measured) float64 { return 100 * m.Acceptance }),
			spanOf(byHost[h], func(m *result.Measured) float64 { return float64(m.Windows) })
		lines[i] = fmt.Sprintf("measured on %s: core cycles by a dependent chain (%s MHz), %s windows a figure, %s %% of the windows undisturbed; median and 95 %% interval",
			h, mhz, windows, accepted)
	}
	return lines
}

// spanOf prints the smallest and the largest of a figure.
func spanOf(list []*result.Measured, part func(*result.Measured) float64) string {
	low, high := part(list[0]), part(list[0])
	for _, m := range list[1:] {
		low, high = min(low, part(m)), max(high, part(m))
	}
	if number(low, 0) == number(high, 0) {
		return fmt.Sprintf("%.0f", low)
	}
	return fmt.Sprintf("%.0f to %.0f", low, high)
}
