package profile

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"simrun/costmodel"
	"simrun/internal/foreign"
	"simrun/isa/t32"
)

// small is a profile of thumbCalls in which the first instruction waits.
func small(t testing.TB) (*Profile, *Source) {
	t.Helper()
	im, mem := program(t, t32.New(), thumbCalls)
	s := steps(t, t32.New(), im)
	p := New(t32.New(), mem)
	feed(p, s[0], s[1], s[4], s[5], s[2], s[4], s[5])
	x := costmodel.Timed{PC: s[3], Start: 7, Slots: 6}
	x.Causes[costmodel.Issue], x.Causes[costmodel.LoadUse] = 1, 5
	p.Timed(x)
	return p, NewSource(im)
}

func TestPprof(t *testing.T) {
	p, src := small(t)
	var first, second bytes.Buffer
	for _, w := range []*bytes.Buffer{&first, &second} {
		if err := p.WritePprof(w, src, "calls", []string{"a comment"}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same profile gives different bytes")
	}
	got, err := pprof.Parse(&first)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	var stacks []string
	for _, s := range got.Sample {
		for i, v := range s.Value {
			sums[got.SampleType[i].Type] += v
		}
		var names []string
		for _, l := range s.Location {
			for _, line := range l.Line {
				names = append(names, line.Function.Name)
			}
		}
		stacks = append(stacks, strings.Join(names, "<"))
	}
	want := map[string]int64{"cycles": 13, "instructions": 8, "issue": 8, "load-use": 5}
	if diff := cmp.Diff(want, sums); diff != "" {
		t.Errorf("sums of the samples: -want +got\n%s", diff)
	}
	wantStacks := []string{"outer", "outer", "outer", "outer", "inner<outer", "inner<outer", "inner<outer", "inner<outer"}
	if diff := cmp.Diff(wantStacks, stacks); diff != "" {
		t.Errorf("stacks: -want +got\n%s", diff)
	}
}

// TestGoToolPprof opens a profile with the public tool.
func TestGoToolPprof(t *testing.T) {
	p, src := small(t)
	file := filepath.Join(t.TempDir(), "out.pprof")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WritePprof(out, src, "calls", nil); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(foreign.Tool(t, "go"), "tool", "pprof", "-top", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, want := range []string{"13cycles total", "9cycles 69.23%", " outer\n", "4cycles 30.77%", " inner\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestTables(t *testing.T) {
	p, src := small(t)
	var out strings.Builder
	if err := p.WriteTables(&out, src, 2, 2); err != nil {
		t.Fatal(err)
	}
	want := `function  cycles     %  with calls  instructions  lost most to
-------------------------------------------------------------------
outer      4.500  69.2       6.500             2  load-use 55.6 %
inner          2  30.8           2             2

line        cycles     %  instructions  lost most to     function
-------------------------------------------------------------------
calls.s:11       3  46.2         0.500  load-use 83.3 %  outer
calls.s:16       1  15.4             1                   inner
and 4 more with 2.500 cycles (--top 0 shows all)
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
