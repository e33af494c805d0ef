package ir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// texts returns every well-formed kernel text of the repository, by path below the
// repository's ciphers or testdata folder.
func texts(t *testing.T) map[string]func() (*File, error) {
	t.Helper()
	all := map[string]func() (*File, error){}
	for _, root := range []string{"../../ciphers", "testdata"} {
		for _, pattern := range []string{"*.kir", "*/*.kir"} {
			files, err := filepath.Glob(filepath.Join(root, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range files {
				if strings.Contains(name, "errors") {
					continue
				}
				rel, err := filepath.Rel(root, name)
				if err != nil {
					t.Fatal(err)
				}
				all[name] = func() (*File, error) { return ParseFile(os.DirFS(root), rel) }
			}
		}
	}
	return all
}

// TestPrintRoundTrip prints every text, parses what was printed and compares print and
// meaning.
func TestPrintRoundTrip(t *testing.T) {
	for name, load := range texts(t) {
		f, err := load()
		if err != nil {
			t.Error(err)
			continue
		}
		roundTrip(t, name, f)
	}
}

// roundTrip parses the printed file beside the files that it uses.
func roundTrip(t interface {
	Errorf(string, ...any)
	Helper()
}, name string, f *File) {
	t.Helper()
	fsys := fstest.MapFS{}
	addUsed(fsys, f)
	first := Print(f)
	again, err := ParseFile(fsys, f.path)
	if err != nil {
		t.Errorf("%s: the printed text has mistakes: %v\n%s", name, err, first)
		return
	}
	if diff := cmp.Diff(first, Print(again)); diff != "" {
		t.Errorf("%s prints differently the second time:\n%s", name, diff)
	}
	if err := again.RunTests(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for _, k := range f.Kernels() {
		if diff := cmp.Diff(trace(k), trace(again.Kernel(k.Name))); diff != "" {
			t.Errorf("%s: the printed kernel %s means something else:\n%s", name, k.Name, diff)
		}
	}
}

func addUsed(fsys fstest.MapFS, f *File) {
	fsys[f.path] = &fstest.MapFile{Data: []byte(Print(f))}
	for _, u := range f.uses {
		addUsed(fsys, u.file)
	}
}

// tracer is a symbolic domain: a word is the number of the line that made it.
type tracer struct{ lines []string }

func (d *tracer) add(format string, args ...any) int {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
	return len(d.lines) - 1
}

func (d *tracer) At(Pos) {}

func (d *tracer) Const(w int, c Word) int { return d.add("const %d %s", w, c) }

func (d *tracer) Op(op Op, w int, args []int, imm Imm) int {
	table := ""
	if imm.Table != nil {
		table = imm.Table.Name
	}
	return d.add("op %d w%d %v %d %v %v %s", op, w, args, imm.N, imm.Rots, imm.Perm, table)
}

func (d *tracer) Load(m *Mem, i Index) int { return d.add("load %s %v", m.Name, i) }

func (d *tracer) Store(m *Mem, i Index, v int) { d.add("store %s %v %d", m.Name, i, v) }

func (d *tracer) Public(name string) Index {
	return Index{Terms: []Term{{Var: d.add("public %s", name), Coef: 1}}}
}

func (d *tracer) Repeat(lo, hi Index, step int64, carried []int, body func(Index, []int) []int) []int {
	v := d.add("repeat %v %v %d %v", lo, hi, step, carried)
	in := make([]int, len(carried))
	for i := range in {
		in[i] = d.add("carried")
	}
	out := body(Index{Terms: []Term{{Var: v, Coef: 1}}}, in)
	d.add("end %v", out)
	return out
}

func (d *tracer) If(c Compare, a, b Index, carried []int, then, otherwise func([]int) []int) []int {
	d.add("if %d %v %v %v", c, a, b, carried)
	x := then(carried)
	d.add("else")
	y := otherwise(carried)
	out := make([]int, len(carried))
	for i := range out {
		out[i] = d.add("join %v %v", x[i], y[i])
	}
	return out
}

func trace(k *Kernel) []string {
	d := &tracer{}
	if err := Eval[int](k, d, 128); err != nil {
		d.add("%v", err)
	}
	return d.lines
}

// TestPrintRandom prints random expressions and parses them back.
func TestPrintRandom(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := randomExpr(rt, 4)
		f := mustParse(t, "kernel t/k(in a: w32[4], out b: w32) { b = "+text(e)+" }\n")
		body := f.Kernels()[0].decl.body.stmts[0].(*assignStmt)
		if got, want := text(body.right), text(e); got != want {
			rt.Fatalf("printed %s, parsed and printed %s", want, got)
		}
		if diff := cmp.Diff(shape(e), shape(body.right)); diff != "" {
			rt.Fatalf("%s has another tree: %s", text(e), diff)
		}
	})
}

// randomExpr builds a well-typed word expression.
func randomExpr(rt *rapid.T, depth int) expr {
	if depth == 0 {
		n := &intExpr{text: fmt.Sprint(rapid.IntRange(0, 3).Draw(rt, "index"))}
		return &indexExpr{x: &nameExpr{name: "a"}, index: []indexArg{{lo: n}}}
	}
	sub := func() expr { return randomExpr(rt, rapid.IntRange(0, depth-1).Draw(rt, "depth")) }
	switch rapid.IntRange(0, 5).Draw(rt, "kind") {
	case 0:
		return &unaryExpr{op: rapid.SampledFrom([]string{"~", "-"}).Draw(rt, "op"), x: sub()}
	case 1:
		op := rapid.SampledFrom([]string{"<<<", ">>>", "<<", ">>"}).Draw(rt, "op")
		return &binaryExpr{op: op, x: sub(), y: &intExpr{text: "3"}}
	case 2:
		return &callExpr{fn: &nameExpr{name: "mux"}, args: []expr{sub(), sub(), sub()}}
	case 3:
		c := &binaryExpr{op: "<", x: &intExpr{text: "1"}, y: &intExpr{text: "2"}}
		return &condExpr{cond: c, x: sub(), y: sub()}
	}
	op := rapid.SampledFrom([]string{"^", "&", "|", "+", "-"}).Draw(rt, "op")
	return &binaryExpr{op: op, x: sub(), y: sub()}
}

// shape prints a tree with every operator in parentheses.
func shape(x expr) string {
	switch x := x.(type) {
	case *unaryExpr:
		return "(" + x.op + shape(x.x) + ")"
	case *binaryExpr:
		return "(" + shape(x.x) + x.op + shape(x.y) + ")"
	case *condExpr:
		return "(" + shape(x.cond) + "?" + shape(x.x) + ":" + shape(x.y) + ")"
	case *callExpr:
		s := x.fn.name
		for _, a := range x.args {
			s += "," + shape(a)
		}
		return s + ")"
	}
	return text(x)
}
