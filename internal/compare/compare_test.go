package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/internal/result"
)

func row(kernel, cpu string, cycles float64) result.Row {
	return result.Row{
		Schema: result.Schema, Kernel: kernel, CPU: cpu, CPUFile: "1", Verified: result.Vectors,
		Cycles: result.Figure(cycles), Instructions: 10, CodeBytes: 20, Causes: map[string]float64{"issue": 10, "branch": cycles - 10},
	}
}

func names(list []Pair) []string {
	name := func(r *result.Row) string {
		if r == nil {
			return "-"
		}
		return r.Kernel + "@" + r.CPU
	}
	var out []string
	for _, p := range list {
		out = append(out, name(p.A)+" "+name(p.B))
	}
	return out
}

func TestPairs(t *testing.T) {
	a1, a2, b1, b2 := row("a", "1", 12), row("a", "2", 12), row("b", "1", 12), row("b", "2", 12)
	for _, c := range []struct {
		a, b []result.Row
		want []string
	}{
		{[]result.Row{a1, a2, b1}, []result.Row{b1, b2, a2}, []string{"a@1 -", "a@2 a@2", "b@1 b@1", "- b@2"}},
		{[]result.Row{a1, b1}, []result.Row{b2, a2}, []string{"a@1 a@2", "b@1 b@2"}},              // one CPU each
		{[]result.Row{a1, a2}, []result.Row{b2, b1}, []string{"a@1 b@1", "a@2 b@2"}},              // one kernel each
		{[]result.Row{a1}, []result.Row{b2}, []string{"a@1 b@2"}},                                 // one row each
		{[]result.Row{a1, b2}, []result.Row{a2}, []string{"a@1 -", "b@2 -", "- a@2"}},             // neither
		{[]result.Row{a1, b1}, []result.Row{a1, a2}, []string{"a@1 a@1", "b@1 -", "- a@2"}},       // neither
		{[]result.Row{a1, b1}, []result.Row{a1, b1, b2}, []string{"a@1 a@1", "b@1 b@1", "- b@2"}}, // two CPUs in B
	} {
		if diff := cmp.Diff(c.want, names(Pairs(c.a, c.b))); diff != "" {
			t.Errorf("%s", diff)
		}
	}
}

func TestDifferences(t *testing.T) {
	a, b := row("a", "1", 12), row("a", "1", 15)
	b.Causes = map[string]float64{"issue": 10, "load-use": 5}
	p := Pair{&a, &b}
	if diff := cmp.Diff([]Difference{{"cycles", "cycles", 12, 15}}, p.Figures()); diff != "" {
		t.Errorf("%s", diff)
	}
	if diff := cmp.Diff([]Difference{{"load-use", "load-use", 0, 5}, {"branch", "branch", 2, 0}}, p.Causes()); diff != "" {
		t.Errorf("%s", diff)
	}
	var text bytes.Buffer
	other, alone := row("c", "2", 9), row("d", "1", 9)
	if err := Text(&text, []Pair{p, {&other, &other}, {A: &alone}, {B: &alone}}); err != nil {
		t.Fatal(err)
	}
	want := `a on 1
                                    A              B   difference
cycles                             12             15           +3   +25.00 %
  cause load-use                    0              5           +5
  cause branch                      2              0           -2  -100.00 %

d on 1: only in A

d on 1: only in B

the same: 1 row
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("%s", diff)
	}
}

func TestJSON(t *testing.T) {
	a, b := row("a", "1", 12), row("a", "1", 0)
	b.Causes = nil
	var text bytes.Buffer
	if err := JSON(&text, []Pair{{&a, &b}, {A: &a}}); err != nil {
		t.Fatal(err)
	}
	var got struct{ Pairs []map[string]any }
	if err := json.Unmarshal(text.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	cycles := map[string]any{"a": 12.0, "b": nil, "difference": -12.0, "percent": -100.0}
	branch := map[string]any{"a": 2.0, "b": 0.0, "difference": -2.0, "percent": -100.0}
	figures, causes := got.Pairs[0]["figures"].(map[string]any), got.Pairs[0]["causes"].(map[string]any)
	if diff := cmp.Diff(cycles, figures["cycles"]) + cmp.Diff(branch, causes["branch"]); diff != "" {
		t.Errorf("%s", diff)
	}
	if got.Pairs[1]["b"] != nil || got.Pairs[1]["same"] != false {
		t.Errorf("%v", got.Pairs[1])
	}
}

func TestGate(t *testing.T) {
	base := []result.Row{row("slow", "1", 100), row("fast", "1", 100), row("gone", "1", 100), row("same", "1", 100), row("proof", "1", 100), row("lost", "1", 100), row("untimed", "x", 0)}
	now := []result.Row{row("slow", "1", 102), row("fast", "1", 90), row("same", "1", 100), row("new", "1", 1), row("proof", "1", 100), row("lost", "1", 0), row("untimed", "x", 0)}
	now[4].Verified = result.NotChecked
	now[6].Instructions = 11
	now[2].CPUFile = "2"
	want := &Verdict{
		Worse: []string{
			"slower  slow on 1: 102 cycles, 100 in the baseline (+2.00 %)",
			"gone    gone on 1",
			"proof   proof on 1: was checked by vectors, is not checked",
			"gone    lost on 1: no cycles, 100 in the baseline",
			"slower  untimed on x: 11 instructions, 10 in the baseline (+10.00 %)",
		},
		Better: []string{"faster  fast on 1: 90 cycles, 100 in the baseline (-10.00 %)"},
		Notes:  []string{"the model of 1 is not that of the baseline; make the baseline again", "new on 1 is not in the baseline"},
		Rows:   7,
	}
	if diff := cmp.Diff(want, Gate(base, now, 0)); diff != "" {
		t.Errorf("%s", diff)
	}
	a, b := []result.Row{row("a", "1", 100)}, []result.Row{row("a", "1", 107)}
	if v := Gate(a, b, 7); len(v.Worse) > 0 {
		t.Errorf("7 %% more with a tolerance of 7 %%: %q", v.Worse)
	}
	for tolerance, worse := range map[float64]int{1.99: 5, 2: 4, 10: 3} {
		if v := Gate(base, now, tolerance); len(v.Worse) != worse {
			t.Errorf("tolerance %v: %q, want %d lines", tolerance, v.Worse, worse)
		}
	}
}

func TestRead(t *testing.T) {
	one := row("a", "1", 12)
	text, err := json.Marshal(one)
	if err != nil {
		t.Fatal(err)
	}
	table := fmt.Sprintf(`{"schema": 1, "tool": "x", "rows": [%s]}`, text)
	for _, data := range []string{string(text), table, "\xef\xbb\xbf" + table + "\n"} {
		rows, err := Read("f", []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]result.Row{one}, rows); diff != "" {
			t.Errorf("%s", diff)
		}
	}
	for data, want := range map[string]string{
		"":                       "no results in JSON",
		"null":                   "schema 0",
		"[]":                     "no results in JSON",
		string(text) + "x":       "more behind",
		string(text) + "{}":      "more behind",
		`{"schema": 2}`:          "results of schema 2, this program reads 1",
		`{"schema": 1}`:          "row 1 has no kernel",
		`{"schema":1,"rows":[]}`: "there is no row in it",
		`{"schema":1,"rows":[{"kernel":"a","cpu":"b"},{"kernel":"a","cpu":"b"}]}`: "row 2: a on b stands in it twice",
		`{"schema":1,"kernel":"a","cpu":"b","cycles":-1}`:                         "less than no cycles",
		`{"schema":1,"kernel":"a","cpu":"b","cycles":"x"}`:                        `no results in JSON: field "Row.cycles" has the wrong type: string`,
	} {
		rows, err := Read("f", []byte(data))
		if err == nil || !strings.HasPrefix(err.Error(), "f: ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, error %v, want %q", data, rows, err, want)
		}
	}
}

func TestSelect(t *testing.T) {
	rows := []result.Row{row("a/x", "m3", 1), row("a/y", "m3", 1), row("f.o:g", "m4", 1)}
	for text, want := range map[string]string{
		"r.json":           "a/x@m3 a/y@m3 f.o:g@m4",
		"r.json@m3":        "a/x@m3 a/y@m3",
		"r.json:a/*":       "a/x@m3 a/y@m3",
		"r.json:*y@m*":     "a/y@m3",
		"r.json:f.o:g@m4":  "f.o:g@m4",
		"r.json:@m4":       "f.o:g@m4",
		"dir@1/r.json:a/x": "a/x@m3",
		"r.json:a/z":       `r.json has no row of the kernel "a/z" (did you mean a/x?)`,
		"r.json:a/x@m5":    `r.json has no row of a/x on the CPU "m5" (did you mean m3?)`,
		"r.json:(a/x":      `r.json has no row of the kernel "(a/x" (did you mean a/x?)`,
		"dir@1/r.json@m4":  "f.o:g@m4",
		"r.json:\xff@m3":   `r.json has no row of the kernel "\xff"`,
	} {
		s := ParseSelector(text)
		list, err := s.Select(rows)
		var got []string
		for _, r := range list {
			got = append(got, r.Kernel+"@"+r.CPU)
		}
		words := strings.Join(got, " ")
		if err != nil {
			words = err.Error()
		}
		if words != want || !strings.HasSuffix(s.File, "r.json") {
			t.Errorf("%q chooses %q of %q, want %q", text, words, s.File, want)
		}
	}
}

// TestReadMeasured: what a table says of a computer does not keep its rows from being read.
func TestReadMeasured(t *testing.T) {
	for _, name := range []string{"host-modelled.json", "host-unknown.json", "row-measured.json"} {
		data, err := os.ReadFile("../../reports/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		measured := slices.DeleteFunc(slices.Clone(rows), func(r result.Row) bool { return r.Measured == nil })
		if len(measured) == 0 || measured[0].Measured.CyclesPerByte == 0 {
			t.Errorf("%s: no measured figure in %d rows", name, len(rows))
		}
		if v := Gate(rows, rows, 0); len(v.Worse)+len(v.Better)+len(v.Notes) > 0 {
			t.Errorf("%s against itself: %+v", name, v)
		}
	}
}
