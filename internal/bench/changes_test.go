package bench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"simrun/costmodel"
	"simrun/internal/result"
)

// rests are the columns of the table of docs/core2.md.
var rests = []struct{ kernel, cpu string }{
	{"aes128/bitsliced", "core2-merom"},
	{"aes128-ctr/bitsliced", "core2-merom"},
	{"kasumi/bitsliced", "core2-merom"},
	{"aes128/byteshuffle", "core2-penryn"},
}

// TestMechanisms compares the table of docs/core2.md, what each mechanism does to figures, with this tree; -update
// writes it.
func TestMechanisms(t *testing.T) {
	cells := make([]Cell, len(rests))
	groups := make([][]int, len(rests))
	for i, r := range rests {
		cells[i], groups[i] = Cell{Subject: find(t, r.kernel), CPU: load(t, r.cpu)}, []int{i}
	}
	rows, lists, errs := make([]*result.Row, len(cells)), make([][]Changed, len(cells)), make([]error, len(cells))
	inGroups(context.Background(), groups, func(i int) { rows[i], lists[i], errs[i] = cells[i].Changes() })
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	shown(t, "../../docs/core2.md", "mechanisms", mechanismTable(rows, lists))
}

// effect is a row of the table: a change and its effects by column.
type effect struct {
	costmodel.Change
	by   map[int]*Changed
	most float64
}

func mechanismTable(rows []*result.Row, lists [][]Changed) string {
	var b, line strings.Builder
	fmt.Fprint(&b, "| change |")
	fmt.Fprint(&line, "\n| as it is, c/B |")
	for _, r := range rows {
		fmt.Fprintf(&b, " %s, %s |", r.Kernel, strings.TrimPrefix(r.CPU, "core2-"))
		fmt.Fprintf(&line, " %.2f |", r.CyclesPerByte)
	}
	fmt.Fprintf(&b, "\n| --- |%s%s\n", strings.Repeat(" ---: |", len(rows)), line.String())
	var none []string
	for _, e := range effects(lists) {
		if e.most < noEffect {
			none = append(none, "`"+e.Change.String()+"`")
			continue
		}
		fmt.Fprintf(&b, "| %s, `%s` |", e.What, e.Change)
		for i := range rows {
			text := "–"
			if x := e.by[i]; x != nil {
				text = percent(x)
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "\nNo change in any column: %s.\n", strings.Join(none, ", "))
	return b.String()
}

func percent(x *Changed) string {
	if x.None() {
		return "0"
	}
	return fmt.Sprintf("%+.1f %%", 100*x.Effect)
}

// effects joins the columns, the largest effect first.
func effects(lists [][]Changed) []*effect {
	var all []*effect
	for column, list := range lists {
		for i := range list {
			x := &list[i]
			k := slices.IndexFunc(all, func(e *effect) bool { return e.Change.String() == x.Change.String() })
			if k < 0 {
				k = len(all)
				all = append(all, &effect{Change: x.Change, by: map[int]*Changed{}})
			}
			all[k].by[column] = x
			all[k].most = max(all[k].most, math.Abs(x.Effect))
		}
	}
	slices.SortStableFunc(all, func(a, b *effect) int {
		return cmp.Or(cmp.Compare(b.most, a.most), strings.Compare(a.Change.String(), b.Change.String()))
	})
	return all
}

// TestChangesRepeat: where the code stays the same, a kernel compiled and counted for the changed CPU takes what its
// change says; and for changes other than of latencies, which the compiler goes by, it stays.
func TestChangesRepeat(t *testing.T) {
	for _, cpu := range []string{"core2-penryn", "znver3"} {
		c := Cell{Subject: find(t, "aes128/byteshuffle"), CPU: load(t, cpu)}
		before := c.CPU.Hash()
		row, list, err := c.Changes()
		if err != nil {
			t.Fatal(err)
		}
		plain, _, err := c.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		if plain.Cycles != row.Cycles || c.CPU.Hash() != before {
			t.Errorf("%s: %v cycles as it is, %v by itself", cpu, row.Cycles, plain.Cycles)
		}
		was, err := c.Compile()
		if err != nil {
			t.Fatal(err)
		}
		effective := 0
		for _, x := range list {
			if strings.Contains(x.Change.String(), ".latency=") {
				continue
			}
			if cycles := countAnew(t, c, was, x); cycles != x.Cycles {
				t.Errorf("%s: %s: %v cycles, compiled anew %v", cpu, x.Change, x.Cycles, cycles)
			}
			if !x.None() {
				effective++
			}
		}
		if effective < 8 {
			t.Errorf("%s: only %d changes have an effect", cpu, effective)
		}
	}
}

// countAnew compiles the kernel for the changed CPU, where it should be what it was.
func countAnew(t *testing.T, c Cell, was *Program, x Changed) float64 {
	t.Helper()
	var err error
	if c.CPU, err = c.CPU.With(x.Settings); err != nil {
		t.Fatal(err)
	}
	p, err := c.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p.Image.Segments[0].Data, was.Image.Segments[0].Data) {
		t.Errorf("%s on %s: %s gives other code", c.Subject.Name, c.CPU.Name, x.Change)
	}
	s, err := simulate(p, c.Subject.Public)
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.count()
	if err != nil {
		t.Fatal(err)
	}
	return n.cycles
}

// TestExplainCore: out of order there are causes that add up, bounds, and changes by their effect; and no estimate.
func TestExplainCore(t *testing.T) {
	e, err := Cell{Subject: find(t, "aes128/byteshuffle"), CPU: load(t, "core2-merom")}.Explain()
	if err != nil {
		t.Fatal(err)
	}
	if e.Estimate != nil || e.Core == nil || len(e.Core.Bounds) == 0 {
		t.Fatalf("explained by %+v", e)
	}
	row := e.Core.Row
	sum := 0.0
	for _, n := range row.Causes {
		sum += n
	}
	if math.Abs(sum-float64(row.Cycles)) > 1e-9 || math.Abs(e.Cycles-float64(row.Cycles)) > 0.5 {
		t.Errorf("%v cycles, causes add up to %v, parts to %v", row.Cycles, sum, e.Cycles)
	}
	for i, x := range e.Core.Changes {
		if i > 0 && math.Abs(x.Effect) > math.Abs(e.Core.Changes[i-1].Effect) {
			t.Errorf("%s stands behind a smaller effect", x.Change)
		}
		if off := x.Cycles - float64(row.Cycles)*(1+x.Effect); math.Abs(off) > 1e-6 {
			t.Errorf("%s: %v cycles are not %+v of %v", x.Change, x.Cycles, x.Effect, row.Cycles)
		}
	}
}
