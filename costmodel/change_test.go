package costmodel

import (
	"maps"
	"slices"
	"testing"
)

// sizes are parameters that no mechanism is: what is big enough for every kernel, or shows with another.
var sizes = map[string]string{
	"branch_entries": "kernels have few branches",
	"pass_entries":   "kernels have few loads that pass_after matters to",
	"line":           "line_cross_load and line_cross_store are what it costs",
	"l1d_ways":       "l1d_bytes is what matters",
	"l1i_ways":       "l1i_bytes is what matters",
	"l2":             "l1d_bytes and l1i_bytes take the misses away",
}

// changing are the CPUs whose mechanisms can be changed.
func changing(t *testing.T) []*CPU {
	t.Helper()
	var list []*CPU
	for _, name := range Names() {
		c, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(mechanisms[c.Pipeline]) > 0 {
			list = append(list, c)
		}
	}
	if len(list) < 3 {
		t.Fatalf("only %d CPUs have mechanisms", len(list))
	}
	return list
}

// TestMechanisms: every parameter of a pipeline whose mechanisms are listed is among them or a size, and none is both.
func TestMechanisms(t *testing.T) {
	for pipeline, list := range mechanisms {
		named := map[string]bool{}
		for _, m := range list {
			for _, n := range m.set {
				named[n.name] = true
			}
		}
		for _, p := range Parameters[pipeline] {
			if _, size := sizes[p.Name]; size == named[p.Name] {
				t.Errorf("pipeline %s: parameter %s is mechanism: %v, size: %v; a new one wants a row in mechanisms", pipeline, p.Name, named[p.Name], size)
			}
		}
	}
}

// TestChanges: what is listed is possible on every CPU, changes its numbers and nothing of the CPU itself, and no two
// changes are the same. Every row changes some CPU.
func TestChanges(t *testing.T) {
	used := map[string]bool{}
	for _, c := range changing(t) {
		before := c.Hash()
		for _, m := range mechanisms[c.Pipeline] {
			if change, changed := c.change(m); changed {
				used[m.what] = true
				if _, err := c.With(change.Settings); err != nil {
					t.Errorf("%s: %s: %v", c.Name, m.what, err)
				}
			}
		}
		seen := map[string]string{before: "as it is"}
		for _, change := range c.Changes() {
			changed, err := c.With(change.Settings)
			if err != nil {
				t.Fatal(err)
			}
			if other := seen[changed.Hash()]; other != "" {
				t.Errorf("%s: %s is the same as %s", c.Name, change, other)
			}
			seen[changed.Hash()] = change.String()
		}
		if c.Hash() != before {
			t.Errorf("%s: looking at changes has changed it", c.Name)
		}
	}
	for _, pipeline := range slices.Sorted(maps.Keys(mechanisms)) {
		for _, m := range mechanisms[pipeline] {
			if !used[m.what] {
				t.Errorf("pipeline %s: %q changes no CPU", pipeline, m.what)
			}
		}
	}
}

// TestLessIsNotNone: one less of a number never is 0, which says that there is no limit.
func TestLessIsNotNone(t *testing.T) {
	for now, want := range map[int][2]int{0: {0, 0}, 1: {1, 2}, 2: {1, 3}, 4: {3, 5}} {
		if got := [2]int{less(1)(now, 0, 9), more(1)(now, 0, 9)}; got != want {
			t.Errorf("one less and one more than %d are %v, want %v", now, got, want)
		}
	}
}

// TestNoChanges: in order, there is no list.
func TestNoChanges(t *testing.T) {
	c, err := Load("cortex-m4")
	if err != nil {
		t.Fatal(err)
	}
	if list := c.Changes(); len(list) != 0 {
		t.Errorf("%s has the changes %v", c.Name, list)
	}
}
