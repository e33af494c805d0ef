package compare

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"simrun/internal/result"
)

// Pair is a row of A beside a row of B; one of them may be nil.
type Pair struct{ A, B *result.Row }

// Pairs joins rows by kernel and CPU, in the order of A, then those that only B has. Where each side is of one CPU
// the CPUs need not be the same, and likewise kernels, so that two CPUs or two kernels can be compared.
func Pairs(a, b []result.Row) []Pair {
	return pairs(a, b, id{
		kernel: everyIfOne(a, b, func(r *result.Row) string { return r.Kernel }),
		cpu:    everyIfOne(a, b, func(r *result.Row) string { return r.CPU }),
	})
}

// every stands for all names.
const every = "*"

// everyIfOne is every if the rows of each side have one name, else "".
func everyIfOne(a, b []result.Row, name func(*result.Row) string) string {
	for _, rows := range [][]result.Row{a, b} {
		for i := range rows {
			if name(&rows[i]) != name(&rows[0]) {
				return ""
			}
		}
	}
	return every
}

// pairs joins rows by what they are of; with is that of all rows where it is not empty.
func pairs(a, b []result.Row, with id) []Pair {
	key := func(r *result.Row) id {
		k := idOf(r)
		if with.kernel != "" {
			k.kernel = with.kernel
		}
		if with.cpu != "" {
			k.cpu = with.cpu
		}
		return k
	}
	at := map[id]int{}
	var list []Pair
	for i := range a {
		at[key(&a[i])] = len(list)
		list = append(list, Pair{A: &a[i]})
	}
	for i := range b {
		if n, ok := at[key(&b[i])]; ok {
			list[n].B = &b[i]
		} else {
			list = append(list, Pair{B: &b[i]})
		}
	}
	return list
}

// Difference is a figure that differs. 0 means that a side does not have it.
type Difference struct {
	Name, Key string // for people, and in JSON as in a row
	A, B      float64
}

// By is how much B has more.
func (d Difference) By() float64 { return d.B - d.A }

// Percent is By in percent of A; ok is false where that is no number.
func (d Difference) Percent() (p float64, ok bool) {
	p = 100 * d.By() / d.A
	return p, !math.IsNaN(p) && !math.IsInf(p, 0)
}

// figures are the figures of a row, in the order of reports.
var figures = []struct {
	name, key string
	of        func(*result.Row) float64
}{
	{"cycles", "cycles", func(r *result.Row) float64 { return float64(r.Cycles) }},
	{"cycles/byte", "cycles_per_byte", func(r *result.Row) float64 { return float64(r.CyclesPerByte) }},
	{"cold cycles", "cold_cycles", func(r *result.Row) float64 { return float64(r.ColdCycles) }},
	{"instructions", "instructions", func(r *result.Row) float64 { return float64(r.Instructions) }},
	{"message bytes", "bytes", func(r *result.Row) float64 { return float64(r.Bytes) }},
	{"code bytes", "code_bytes", func(r *result.Row) float64 { return float64(r.CodeBytes) }},
	{"stack bytes", "stack_bytes", func(r *result.Row) float64 { return float64(r.StackBytes) }},
}

// full reports whether both rows are there.
func (p Pair) full() bool { return p.A != nil && p.B != nil }

// Figures lists the figures that differ; none if a row is not there.
func (p Pair) Figures() []Difference {
	if !p.full() {
		return nil
	}
	var list []Difference
	for _, f := range figures {
		if d := (Difference{f.name, f.key, f.of(p.A), f.of(p.B)}); d.A != d.B {
			list = append(list, d)
		}
	}
	return list
}

// Causes lists the cycles by cause that differ, the largest difference first; none if a row is not there.
func (p Pair) Causes() []Difference {
	if !p.full() {
		return nil
	}
	names := map[string]bool{}
	for _, r := range []*result.Row{p.A, p.B} {
		for name := range r.Causes {
			names[name] = true
		}
	}
	var list []Difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if d := (Difference{name, name, p.A.Causes[name], p.B.Causes[name]}); d.A != d.B {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(x, y Difference) int { return cmp.Compare(math.Abs(y.By()), math.Abs(x.By())) })
	return list
}

// Same reports whether both rows are there with the same figures, causes and proof.
func (p Pair) Same() bool {
	return p.full() && p.A.Verified == p.B.Verified && len(p.Figures()) == 0 && len(p.Causes()) == 0
}
