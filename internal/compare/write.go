package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"simrun/internal/input"
	"simrun/internal/result"
)

// Text writes the pairs that differ, each with its figures and cycles by cause, and counts the others.
func Text(w io.Writer, pairs []Pair) error {
	var out bytes.Buffer
	same := 0
	for _, p := range pairs {
		if p.Same() {
			same++
			continue
		}
		writePair(&out, p)
	}
	if same > 0 || len(pairs) == 0 {
		fmt.Fprintf(&out, "the same: %s\n", rowCount(same))
	}
	_, err := w.Write(out.Bytes())
	return err
}

func rowCount(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

func writePair(w io.Writer, p Pair) {
	defer fmt.Fprintln(w)
	switch {
	case p.B == nil:
		fmt.Fprintf(w, "%s: only in A\n", idOf(p.A))
		return
	case p.A == nil:
		fmt.Fprintf(w, "%s: only in B\n", idOf(p.B))
		return
	case idOf(p.A) == idOf(p.B):
		fmt.Fprintln(w, idOf(p.A))
	default:
		fmt.Fprintf(w, "A %s, B %s\n", idOf(p.A), idOf(p.B))
	}
	fmt.Fprintf(w, "%-22s %14s %14s %12s\n", "", "A", "B", "difference")
	for _, d := range p.Figures() {
		writeDifference(w, d.Name, d)
	}
	for _, d := range p.Causes() {
		writeDifference(w, "  cause "+input.Printable(d.Name), d)
	}
	if p.A.Verified != p.B.Verified {
		fmt.Fprintf(w, "%-22s %14s %14s\n", "verified", input.Printable(string(p.A.Verified)), input.Printable(string(p.B.Verified)))
	}
	if p.A.CPU == p.B.CPU && p.A.CPUFile != p.B.CPUFile {
		fmt.Fprintln(w, "the model of the CPU differs")
	}
}

func writeDifference(w io.Writer, name string, d Difference) {
	change := ""
	if p, ok := d.Percent(); ok {
		change = fmt.Sprintf("%+.2f %%", p)
	}
	by := plain(d.By())
	if d.By() > 0 {
		by = "+" + by
	}
	line := fmt.Sprintf("%-22s %14s %14s %12s %10s", name, plain(d.A), plain(d.B), by, change)
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

// plain prints a figure with at most three decimals.
func plain(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 3, 64), "0"), ".")
}

// side names a row in JSON.
type side struct {
	Kernel   string          `json:"kernel"`
	CPU      string          `json:"cpu"`
	CPUFile  string          `json:"cpu_file"`
	Verified result.Verified `json:"verified"`
}

func sideOf(r *result.Row) *side {
	if r == nil {
		return nil
	}
	return &side{r.Kernel, r.CPU, r.CPUFile, r.Verified}
}

// change is a Difference in JSON: of figures a side may lack one, of causes it has 0. percent is null where A has 0.
type change[T result.Figure | float64] struct {
	A          T        `json:"a"`
	B          T        `json:"b"`
	Difference float64  `json:"difference"`
	Percent    *float64 `json:"percent"`
}

func changes[T result.Figure | float64](list []Difference) map[string]change[T] {
	m := map[string]change[T]{}
	for _, d := range list {
		c := change[T]{A: T(d.A), B: T(d.B), Difference: d.By()}
		if p, ok := d.Percent(); ok {
			c.Percent = &p
		}
		m[d.Key] = c
	}
	return m
}

// pairJSON is a Pair in JSON; a side that is not there is null.
type pairJSON struct {
	A       *side                            `json:"a"`
	B       *side                            `json:"b"`
	Same    bool                             `json:"same"`
	Figures map[string]change[result.Figure] `json:"figures"` // those that differ
	Causes  map[string]change[float64]       `json:"causes"`
}

// JSON writes all pairs as {"schema", "tool", "pairs"}.
func JSON(w io.Writer, pairs []Pair) error {
	list := []pairJSON{}
	for _, p := range pairs {
		j := pairJSON{A: sideOf(p.A), B: sideOf(p.B), Same: p.Same()}
		j.Figures, j.Causes = changes[result.Figure](p.Figures()), changes[float64](p.Causes())
		list = append(list, j)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Schema int        `json:"schema"`
		Tool   string     `json:"tool"`
		Pairs  []pairJSON `json:"pairs"`
	}{result.Schema, result.Tool, list})
}
