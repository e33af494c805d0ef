package bench

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"simrun/programs/compile"
)

// TestGains compares the table of docs/compiler.md, what each optional pass saves, with this tree; -update writes it.
func TestGains(t *testing.T) {
	const page, begin, end = "../../docs/compiler.md", "<!-- gains -->\n", "<!-- /gains -->\n"
	var b strings.Builder
	fmt.Fprintf(&b, "| kernel | CPU | cycles |")
	for _, p := range compile.Optional() {
		fmt.Fprintf(&b, " without %s |", p)
	}
	fmt.Fprintf(&b, "\n| --- | --- | ---: |%s\n", strings.Repeat(" ---: |", len(compile.Optional())))
	for _, name := range []string{"aes128/fixsliced", "aes128/barrel", "gift64/fixsliced", "gift128/fixsliced"} {
		s := find(t, name)
		for _, cpu := range []string{"cortex-m4", "sifive-e31"} {
			c := Cell{Subject: s, CPU: load(t, cpu)}
			all := cyclesOf(t, c)
			fmt.Fprintf(&b, "| `%s` | %s | %.0f |", name, cpu, all)
			for _, p := range compile.Optional() {
				c.Build.Without = []string{p}
				fmt.Fprintf(&b, " %+.1f %% |", 100*(cyclesOf(t, c)/all-1))
			}
			fmt.Fprintln(&b)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the table", page)
	}
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(page, []byte(before+begin+b.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != b.String() {
		t.Errorf("%s is not of this tree (run make report); it should say\n%s", page, b.String())
	}
}

func cyclesOf(t *testing.T, c Cell) float64 {
	t.Helper()
	row, _, err := c.Simulate()
	if err != nil {
		t.Fatal(err)
	}
	return float64(row.Cycles)
}
