package compile_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/programs/compile"
	"simrun/programs/targets"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestStages compares the text of every stage of small kernels, for every target, with
// testdata/stages/*.txt.
func TestStages(t *testing.T) {
	for _, name := range glob(t, "testdata/stages/*.kir") {
		var got bytes.Buffer
		for _, k := range parse(t, os.DirFS("."), name) {
			for _, tg := range targets.All() {
				_, err := compile.Compile(k, tg, compile.Options{Level: 1, SameCost: sameCost, Dump: func(stage string, text func() string) {
					fmt.Fprintf(&got, "-- %s on %s: %s --\n%s\n", k.Name, tg.Arch.Name(), stage, text())
				}})
				must(t, err)
			}
		}
		golden(t, strings.TrimSuffix(name, ".kir")+".txt", got.Bytes())
	}
}

// TestShortCode compares the code of the same kernels in short encodings, and what led to it, with
// testdata/stages/*.short.txt.
func TestShortCode(t *testing.T) {
	for _, name := range glob(t, "testdata/stages/*.kir") {
		var got bytes.Buffer
		for _, k := range parse(t, os.DirFS("."), name) {
			for _, tg := range targets.All() {
				if tg.Shorten == nil || !tg.Takes(k) {
					continue
				}
				o := compile.Options{Level: 1, Short: compile.ShortEncodings | compile.ShortAccesses, Features: compressed}
				o.Dump = func(stage string, text func() string) {
					if stage == "rename-registers" || stage == "assemble" {
						fmt.Fprintf(&got, "-- %s on %s: %s --\n%s\n", k.Name, tg.Arch.Name(), stage, text())
					}
				}
				_, err := compile.Compile(k, tg, o)
				must(t, err)
			}
		}
		golden(t, strings.TrimSuffix(name, ".kir")+".short.txt", got.Bytes())
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}

// TestBugs runs the kernels that once came out wrong, for every value of their public parameter.
func TestBugs(t *testing.T) {
	for _, name := range glob(t, "testdata/bugs/*.kir") {
		for _, k := range parse(t, os.DirFS("."), name) {
			for _, tg := range targets.All() {
				if tg.Arch.Name() != "x86" && strings.Contains(name, "wide") {
					continue // such words are refused there
				}
				for _, o := range slices.Concat(forms, searched) {
					c, err := compile.Compile(k, tg, o)
					must(t, err)
					for n := range int64(4) {
						if d := differs(t, tg, c, o, 2, map[string]int64{"n": n}); d != "" {
							t.Error(d)
						}
					}
				}
			}
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	return names
}

// sameCost is a CPU to which all instructions are alike.
func sameCost(_, _ string) bool { return true }

// TestEqualForms: short forms are only taken where the classes are known to cost the same, and only by their pass.
func TestEqualForms(t *testing.T) {
	k := parse(t, os.DirFS("."), "testdata/stages/slices.kir")[0]
	tg, err := targets.For("x86")
	must(t, err)
	for _, c := range []struct {
		o    compile.Options
		want bool
	}{
		{compile.Options{Level: 1, SameCost: sameCost}, true},
		{compile.Options{Level: 1}, false},
		{compile.Options{Level: 1, SameCost: func(_, _ string) bool { return false }}, false},
		{compile.Options{Level: 1, SameCost: sameCost, Without: []string{"equal-forms"}}, false},
	} {
		code, err := compile.Compile(k, tg, c.o)
		must(t, err)
		short := 0
		for _, it := range code.Block.Items {
			if it.Inst.Form != nil && it.Inst.Form.Class == "vec.logic.ps" {
				short++
			}
		}
		if short > 0 != c.want {
			t.Errorf("%+v: %d short instructions", c.o, short)
		}
	}
}
