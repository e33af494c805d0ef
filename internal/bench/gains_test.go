package bench

import (
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
	var b strings.Builder
	passes := slices.DeleteFunc(compile.Optional(), func(p string) bool { return p == "equal-forms" || p == "near-slots" }) // of x86 alone
	gains(t, &b, "cycles", passes, func(r *result.Row) float64 { return float64(r.Cycles) })
	fmt.Fprintln(&b)
	gains(t, &b, "code bytes", forSize, func(r *result.Row) float64 { return float64(r.CodeBytes) })
	shown(t, "../../docs/compiler.md", "gains", b.String())
}

// shown compares the part of a page between <!-- NAME --> and <!-- /NAME --> with what this tree gives; -update
// writes it.
func shown(t *testing.T, page, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for %s", page, name)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != want {
		t.Errorf("%s is not of this tree (run make report); it should say\n%s", page, want)
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
