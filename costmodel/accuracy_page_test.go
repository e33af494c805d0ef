package costmodel_test

import (
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simrun/costmodel"
)

var update = flag.Bool("update", false, "rewrite the generated parts of docs/accuracy.md")

const (
	figuresFile = "../docs/accuracy.csv"
	pageFile    = "../docs/accuracy.md"
)

// figure is a row of docs/accuracy.csv: a published cycle count and what the model predicts of the same machine code.
type figure struct {
	group, code, revision, cpu, window string
	predicted, published               float64
	predictedText, unit, inView, note  string
}

// groups are the parts of the table, in its order.
var groups = []struct{ name, title string }{
	{"no wait states", "Code and data without wait states"},
	{"tables in flash", "The same, tables read from flash"},
	{"beyond the instruction cache", "Code that does not fit the instruction cache"},
	{"wait states", "Boards: code from flash with wait states"},
	{"out of order, fitted", "Core 2, out of order: what issue_delay and release_delay were chosen on"},
	{"out of order", "Core 2, out of order: the others"},
	{"not run", "Not run"},
}

func readFigures(t *testing.T) []figure {
	t.Helper()
	f, err := os.Open(figuresFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := "group,code,revision,cpu,window,predicted,published,unit,in_view,note,source"
	if got := strings.Join(rows[0], ","); got != want {
		t.Fatalf("columns %s, want %s", got, want)
	}
	var list []figure
	for i, r := range rows[1:] {
		x := figure{group: r[0], code: r[1], revision: r[2], cpu: r[3], window: r[4], predictedText: r[5], unit: r[7], inView: r[8], note: r[9]}
		x.published = number(t, i+2, r[6])
		if x.group != "not run" {
			x.predicted = number(t, i+2, r[5])
		}
		known := slices.ContainsFunc(groups, func(g struct{ name, title string }) bool { return g.name == x.group })
		if _, err := costmodel.Load(x.cpu); err != nil || !known || x.inView != "yes" && x.inView != "no" || r[10] == "" {
			t.Errorf("%s:%d: want a group of the table, a CPU, yes or no in in_view, and a source: %v", figuresFile, i+2, r)
		}
		list = append(list, x)
	}
	return list
}

func number(t *testing.T, line int, s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v <= 0 {
		t.Errorf("%s:%d: %q is not a count over 0", figuresFile, line, s)
	}
	return v
}

// inGroup returns the figures of a group; view, if not empty, is what in_view must be.
func inGroup(all []figure, group, view string) (list []figure) {
	for _, x := range all {
		if x.group == group && (view == "" || x.inView == view) {
			list = append(list, x)
		}
	}
	return list
}

func errors(list []figure) costmodel.ErrorStats {
	var pairs []costmodel.Pair
	for _, x := range list {
		pairs = append(pairs, costmodel.Pair{Predicted: x.predicted, Published: x.published})
	}
	return costmodel.Errors(pairs)
}

// summary is one line per group and view.
func summary(all []figure) string {
	var s strings.Builder
	s.WriteString("| figures | in view | number | mean error | worst | bias |\n| --- | --- | ---: | ---: | ---: | ---: |\n")
	for _, g := range groups {
		for _, view := range []string{"yes", "no"} {
			if list := inGroup(all, g.name, view); len(list) > 0 && g.name != "not run" {
				e := errors(list)
				fmt.Fprintf(&s, "| %s | %s | %d | %.2f %% | %.2f %% | %+.2f %% |\n", g.title, view, e.N, 100*e.Mean, 100*e.Max, 100*e.Bias)
			}
		}
	}
	return s.String()
}

func table(all []figure) string {
	var s strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&s, "**%s**\n\n| code | CPU | predicted | published | error | in view | note |\n| --- | --- | ---: | ---: | ---: | --- | --- |\n", g.title)
		for _, x := range inGroup(all, g.name, "") {
			change := ""
			if x.predicted > 0 {
				change = fmt.Sprintf("%+.2f %%", 100*(x.predicted/x.published-1))
			}
			fmt.Fprintf(&s, "| %s, %s | %s | %s | %v %s | %s | %s | %s |\n",
				x.code, x.revision, x.cpu, x.predictedText, x.published, x.unit, change, x.inView, x.note)
		}
		s.WriteString("\n")
	}
	return strings.TrimSuffix(s.String(), "\n")
}

// fitted lists the numbers that were chosen with published counts in view.
func fitted(t *testing.T) string {
	t.Helper()
	var s strings.Builder
	s.WriteString("| CPU | number | value | rule | chosen |\n| --- | --- | --- | ---: | --- |\n")
	for _, name := range append(costmodel.Names(), costmodel.Boards()...) {
		cpu, err := costmodel.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range cpu.Numbers() {
			if n.Kind == "fit" && !inherited(t, cpu, n) {
				fmt.Fprintf(&s, "| %s | `%s` | %s | %d | %s |\n", name, n.Key, n.Text, n.Rule, n.Source)
			}
		}
	}
	return s.String()
}

func inherited(t *testing.T, cpu *costmodel.CPU, n costmodel.Number) bool {
	t.Helper()
	if cpu.Base == "" {
		return false
	}
	base, err := costmodel.Load(cpu.Base)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Contains(base.Numbers(), n)
}

// TestAccuracyPage holds docs/accuracy.md against docs/accuracy.csv and the CPU files; with -update it rewrites the
// parts of the page between <!-- name --> and <!-- end name -->.
func TestAccuracyPage(t *testing.T) {
	all := readFigures(t)
	data, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for name, text := range map[string]string{"summary": summary(all), "figures": table(all), "fitted": fitted(t)} {
		before, rest, ok := strings.Cut(page, "<!-- "+name+" -->\n")
		_, after, ok2 := strings.Cut(rest, "<!-- end "+name+" -->")
		if !ok || !ok2 {
			t.Fatalf("%s has no part %q", pageFile, name)
		}
		page = before + "<!-- " + name + " -->\n" + text + "<!-- end " + name + " -->" + after
	}
	switch {
	case page == string(data):
	case *update:
		if err := os.WriteFile(pageFile, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what docs/accuracy.csv and the CPU files say: make report rewrites it", pageFile)
	}
}
