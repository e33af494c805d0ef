package ir

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBuiltins(t *testing.T) {
	f, err := ParseFile(os.DirFS("testdata"), "builtins.kir")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.RunTests(); err != nil {
		t.Error(err)
	}
}

// TestBuiltinsAreTested looks for every function of the table in the tests above.
func TestBuiltinsAreTested(t *testing.T) {
	text, err := os.ReadFile("testdata/builtins.kir")
	if err != nil {
		t.Fatal(err)
	}
	for name := range builtins {
		if !strings.Contains(string(text), name+"(") {
			t.Errorf("%s is not tested in testdata/builtins.kir", name)
		}
	}
}

// TestFailingTests makes sure that a wrong test fails, and how it says so.
func TestFailingTests(t *testing.T) {
	f := mustParse(t, failingText)
	err := f.RunTests()
	if err == nil {
		t.Fatal("no failure")
	}
	got := strings.Split(err.Error(), "\n")
	want := []string{
		"a.kir:2:6: test failed: the left side is 0x1, the right side is 0x2",
		"a.kir:7:7: f and g differ: for ",
		"a.kir:8:7: h and i differ: for ",
		"a.kir:9:6: test failed: the left side is (0x1, 0x2), the right side is (0x1, 0x3)",
		"a.kir:10:6: test failed: the left side is [0x1 0x2], the right side is [0x1 0x3]",
	}
	if len(got) != len(want) {
		t.Fatalf("%d failures, expected %d:\n%v", len(got), len(want), err)
	}
	for n := range want {
		if !strings.HasPrefix(got[n], want[n]) {
			t.Errorf("failure %d: %s, expected %s..", n, got[n], want[n])
		}
	}
}

const failingText = `
test w8(1) == w8(2)
def f(x: S) -> S { return x }
def g(x: S) -> S { return ~x }
def h(x: w64) -> w64 { return x }
def i(x: w64) -> w64 { return x & 0x7fff_ffff_ffff_ffff }
equiv f, g
equiv h, i
test (w8(1), w8(2)) == (w8(1), w8(3))
test [w8(1), 2] == [w8(1), 3]
`

// TestCheck: each clause is reported with its text and what its truth rests on.
func TestCheck(t *testing.T) {
	f := mustParse(t, `
def f(x: S) -> S { return x ^ x }
def g(x: S) -> S { return x & ~x }
def h(x: w32) -> w32 { return x + x }
def i(x: w32) -> w32 { return x << 1 }
test w8(1) == w8(1)
equiv f, g
equiv h, i
equiv h, h
test w8(1) == w8(2)
`)
	var got []string
	for _, o := range f.Check() {
		got = append(got, fmt.Sprintf("%d %s: %s %v", o.Pos.Line, o.Clause, o.How, o.Err != nil))
	}
	want := []string{
		"6 test w8(1) == w8(1): computed false",
		"7 equiv f, g: proven false",
		"8 equiv h, i: sampled false",
		"9 equiv h, h: sampled false",
		"10 test w8(1) == w8(2):  true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestEquivKinds holds pairs that agree for zero and for every single bit: taking them for
// affine would prove them equal.
func TestEquivKinds(t *testing.T) {
	for _, pair := range [][2]string{
		{"x & (x >> 1)", "x ^ x"},
		{"x | (x >> 1)", "x ^ (x >> 1)"},
		{"x + (x >> 1)", "x ^ (x >> 1)"},
		{"mux(x, x >> 1, 0)", "x ^ x"},
		{"andn(x, x >> 1) ^ (x >> 1)", "x ^ x"},
	} {
		f := mustParse(t, "def f(x: w32) -> w32 { return "+pair[0]+" }\ndef g(x: w32) -> w32 { return "+pair[1]+" }\nequiv f, g\n")
		if err := f.RunTests(); err == nil {
			t.Errorf("%s and %s are said to be equal", pair[0], pair[1])
		}
	}
}

// TestEquivProves makes sure that affine and bitwise defs are compared completely: each pair
// differs in a place that random words hardly meet.
func TestEquivProves(t *testing.T) {
	for name, text := range map[string]string{
		"affine":  "def f(x: v128) { return rev(rev(x)) ^ 1 }\ndef g(x: v128) { return mrot(x; 0x7fff_ffff_ffff_ffff_ffff_ffff_ffff_ffff:0) ^ 1 }\n",
		"bitwise": "def f(x: S[12]) { y = x[0]\nfor i in 1..12 { y &= x[i] }\nreturn y }\ndef g(x: S[12]) { return x[0] ^ x[0] }\n",
	} {
		if err := mustParse(t, text+"equiv f, g\n").RunTests(); err == nil {
			t.Errorf("%s: the difference is not found", name)
		}
	}
	f := mustParse(t, "def f(x: w64[4]) { return x <<< 1 }\ndef g(x: w64[4]) { return (x << 1) ^ (x >> 63) }\nequiv f, g\n")
	if err := f.RunTests(); err != nil {
		t.Error(err)
	}
}
