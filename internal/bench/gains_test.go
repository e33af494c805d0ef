package bench

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"simrun/internal/result"
	"simrun/programs/compile"
)

// TestGains compares the table of docs/compiler.md, what each optional pass saves, with this tree; -update writes it.
func TestGains(t *testing.T) {
	const page, begin, end = "../../docs/compiler.md", "<!-- gains -->\n", "<!-- /gains -->\n"
	var b strings.Builder
	passes := slices.DeleteFunc(compile.Optional(), func(p string) bool { return p == "equal-forms" }) // of x86 alone
	gains(t, &b, "cycles", passes, func(r *result.Row) float64 { return float64(r.Cycles) })
	fmt.Fprintln(&b)
	gains(t, &b, "code bytes", forSize, func(r *result.Row) float64 { return float64(r.CodeBytes) })
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

// forSize are the optional passes that make code shorter.
var forSize = []string{"rename-registers", "fuse-loads", "short-encodings"}

// gains writes a table of what kernels take, and how much more they take without each pass.
func gains(t *testing.T, b *strings.Builder, what string, passes []string, of func(*result.Row) float64) {
	fmt.Fprintf(b, "| kernel | CPU | %s |", what)
	for _, p := range passes {
		fmt.Fprintf(b, " without %s |", p)
	}
	fmt.Fprintf(b, "\n| --- | --- | ---: |%s\n", strings.Repeat(" ---: |", len(passes)))
	for _, name := range []string{"aes128/fixsliced", "aes128/barrel", "gift64/fixsliced", "gift128/fixsliced"} {
		s := find(t, name)
		for _, cpu := range []string{"cortex-m4", "sifive-e31"} {
			c := Cell{Subject: s, CPU: load(t, cpu)}
			all := of(rowOf(t, c))
			fmt.Fprintf(b, "| `%s` | %s | %.0f |", name, cpu, all)
			for _, p := range passes {
				c.Build.Without = []string{p}
				fmt.Fprintf(b, " %+.1f %% |", 100*(of(rowOf(t, c))/all-1))
			}
			fmt.Fprintln(b)
		}
	}
}

func rowOf(t *testing.T, c Cell) *result.Row {
	t.Helper()
	row, _, err := c.Simulate()
	if err != nil {
		t.Fatal(err)
	}
	return row
}
