package reports

import (
	"encoding/json"
	"io"

	"simrun/internal/result"
)

// Format is one way to write a table of rows.
type Format struct {
	Name  string
	Write func(io.Writer, []result.Row) error
}

// Formats are the ways to write a table, the default first.
var Formats = []Format{
	{"text", Text},
	{"markdown", Markdown},
	{"csv", CSV},
	{"json", JSON},
}

// RowFormats are the ways to write a single result, the default first. The writer is given one row.
var RowFormats = []Format{
	{"text", func(w io.Writer, rows []result.Row) error { return RowText(w, &rows[0]) }},
	{"json", func(w io.Writer, rows []result.Row) error { return indented(w, &rows[0]) }},
}

// JSON writes the rows as {"schema", "tool", "rows"}, and behind them the "host" if something was measured.
func JSON(w io.Writer, rows []result.Row) error {
	if rows == nil {
		rows = []result.Row{}
	}
	return indented(w, struct {
		Schema int          `json:"schema"`
		Tool   string       `json:"tool"`
		Rows   []result.Row `json:"rows"`
		Host   *hostJSON    `json:"host,omitempty"`
	}{result.Schema, result.Tool, rows, newHere(rows).json()})
}

func indented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
