package costmodel

import (
	"math"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	got := Errors([]Pair{{101, 100}, {96, 100}, {7, 0}})
	want := ErrorStats{N: 2, Mean: 0.025, Max: 0.04, Bias: -0.015}
	if got.N != want.N || math.Abs(got.Mean-want.Mean) > 1e-12 || math.Abs(got.Max-want.Max) > 1e-12 ||
		math.Abs(got.Bias-want.Bias) > 1e-12 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := Errors(nil); got != (ErrorStats{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestTotals(t *testing.T) {
	var sum Totals
	sum.Add(&Timed{Slots: 3, Causes: [NumCauses]uint64{Issue: 1, LoadUse: 2}})
	before := sum
	sum.Add(&Timed{Slots: 1, Causes: [NumCauses]uint64{Issue: 1}})
	if err := sum.Check(); err != nil {
		t.Error(err)
	}
	if m := sum.Map(); len(m) != 2 || m["issue"] != 2 || m["load-use"] != 2 {
		t.Errorf("by name: %v", m)
	}
	if d := sum.Sub(before); d.Slots != 1 || d.Instructions != 1 || d.By[Issue] != 1 || d.By[LoadUse] != 0 {
		t.Errorf("difference: %+v", d)
	}
	sum.Slots++
	if err := sum.Check(); err == nil || !strings.Contains(err.Error(), "4") || !strings.Contains(err.Error(), "5") {
		t.Errorf("a cycle without cause: %v", err)
	}
}

func TestCausesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for c, name := range Causes {
		if name == "" || seen[name] {
			t.Errorf("cause %d has the name %q, empty or taken", c, name)
		}
		seen[name] = true
	}
	if Retire.String() != "retire" || Mispredict.String() != "mispredict" {
		t.Error("names and constants have come apart")
	}
}
