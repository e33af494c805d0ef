package bench

import (
	"bytes"
	"context"
	"flag"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/result"
	"simrun/reports"
)

var update = flag.Bool("update", false, "rewrite the committed tables in reports/ and docs/")

// catalogue returns every kernel of the catalogue on every CPU, as `simrun table` does.
func catalogue(t *testing.T) []Cell {
	t.Helper()
	entries, err := ciphers.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var cells []Cell
	for _, e := range entries {
		s, err := NewSubject(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range costmodel.Names() {
			if c := (Cell{Subject: s, CPU: load(t, name)}); c.Possible() {
				cells = append(cells, c)
			}
		}
	}
	return cells
}

func load(t testing.TB, name string) *costmodel.CPU {
	t.Helper()
	cpu, err := costmodel.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return cpu
}

func find(t testing.TB, name string) *Subject {
	t.Helper()
	e, err := ciphers.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSubject(e)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCatalogue runs every kernel that `simrun list` shows on every CPU against all its vectors in
// every block position, and holds the rows against the committed tables.
func TestCatalogue(t *testing.T) {
	cells := catalogue(t)
	for i := range cells {
		cells[i].Build.BothEnds = true
	}
	rows, programs, err := SimulateAll(context.Background(), cells, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		checkRow(t, &cells[i], &rows[i], programs[i])
	}
	if err := reports.Attach(rows); err != nil {
		t.Fatal(err)
	}
	committed(t, "../../reports/table.md", rows, reports.Markdown)
	committed(t, "../../reports/table.json", rows, reports.JSON)
}

// checkRow tests what holds for every row of the table.
func checkRow(t *testing.T, c *Cell, row *result.Row, p *Program) {
	t.Helper()
	name := row.Kernel + " on " + row.CPU
	want := result.Vectors
	if c.Subject.entry.Kernel.Keys == nil { // a change of form, no cipher
		want = result.Interpreter
	}
	if row.Verified != want || want == result.Vectors && c.Subject.Cases() == 0 {
		t.Errorf("%s: checked by %q with %d vectors, want %q", name, row.Verified, c.Subject.Cases(), want)
	}
	if row.Blocks < 1 || row.Bytes%row.Blocks != 0 || row.CodeBytes == 0 || row.Instructions == 0 {
		t.Errorf("%s: %d blocks, %d bytes, %d bytes of code, %v instructions", name, row.Blocks, row.Bytes, row.CodeBytes, row.Instructions)
	}
	if !c.CPU.Timed() {
		return
	}
	sum := 0.0
	for _, n := range row.Causes {
		sum += n
	}
	if row.Cycles <= 0 || math.Abs(sum-float64(row.Cycles)) > 1e-9 {
		t.Errorf("%s: causes add up to %v, cycles are %v", name, sum, row.Cycles)
	}
	if s := row.Small; s == nil || s.CodeBytes > row.CodeBytes || s.CodeBytes == 0 || s.Cycles > SmallFactor*row.Cycles {
		t.Errorf("%s: the small end is %+v, the row has %d bytes and %v cycles", name, s, row.CodeBytes, row.Cycles)
	}
	if int(row.CodeBytes) <= c.CPU.CodeBudget.Value && row.Causes["i-cache"] != 0 { // what no kept loop makes fit may miss
		t.Errorf("%s: warm code misses the instruction cache for %v cycles (%d bytes of code)", name, row.Causes["i-cache"], row.CodeBytes)
	}
}

func committed(t *testing.T, file string, rows []result.Row, write func(io.Writer, []result.Row) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got, rows); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("%s is not what this tree gives; make report (-committed +this tree):\n%s", file, diff)
	}
}

// TestNative runs every kernel on this computer against all its vectors in every block position.
func TestNative(t *testing.T) {
	host, err := HostISA()
	if err != nil {
		t.Skip(err)
	}
	ran := 0
	for _, c := range catalogue(t) {
		if c.CPU.ISA != host {
			continue
		}
		calls := checkNative(t, c)
		t.Logf("%s: %d vectors in %d calls", c.Subject.Name, c.Subject.Cases(), calls)
		ran++
	}
	if ran == 0 {
		t.Errorf("no CPU has the instruction set %s of this computer", host)
	}
}

func checkNative(t *testing.T, c Cell) (calls int) {
	t.Helper()
	p, err := Compile(c.Subject.Kernel, c.CPU, nil)
	if err != nil {
		t.Fatalf("%s: %v", c.Subject.Name, err)
	}
	n, err := mapNative(p, nil)
	if err != nil {
		t.Fatalf("%s: %v", c.Subject.Name, err)
	}
	defer n.code.Close()
	calls, err = c.Subject.check(p, n)
	if err != nil {
		t.Errorf("%s: %v", c.Subject.Name, err)
	}
	return calls
}

// TestKeys compiles every keys function for every instruction set and holds it against the interpreter.
func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range catalogue(t) {
		keys := c.Subject.Kernel.Keys
		if keys == nil {
			continue // a change of form, no cipher
		}
		if id := keys.Name + " " + c.CPU.ISA; seen[id] {
			continue
		} else {
			seen[id] = true
		}
		k := c.Keys()
		p, m := open(t, k.Subject, k.CPU.Name)
		if _, err := k.Subject.check(p, m); err != nil {
			t.Errorf("%s on %s: %v", keys.Name, k.CPU.Name, err)
		}
		if host, err := HostISA(); err == nil && host == c.CPU.ISA {
			checkNative(t, k)
		}
	}
}

// TestDeterministic makes a few rows twice, side by side and one by one.
func TestDeterministic(t *testing.T) {
	var cells []Cell
	for _, kernel := range []string{"gift64/fixsliced", "gift128/fixsliced"} {
		s := find(t, kernel)
		for _, name := range []string{"cortex-m3", "sifive-e31"} {
			cells = append(cells, Cell{Subject: s, CPU: load(t, name)})
		}
	}
	first, _, err := SimulateAll(context.Background(), cells, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cells {
		again, _, err := c.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&first[i], again); diff != "" {
			t.Errorf("%s on %s gives two results:\n%s", c.Subject.Name, c.CPU.Name, diff)
		}
	}
}
