package ir

import (
	"os"
	"strings"
	"testing"
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
