package bench

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"simrun/internal/foreign"
)

// TestHeader compiles the header of each convention as C and as C++: what it says of offsets and sizes holds.
func TestHeader(t *testing.T) {
	s := find(t, "gift64/fixsliced")
	for _, name := range []string{"cortex-m4", "x86-64-ssse3"} {
		e, err := Cell{Subject: s, CPU: load(t, name)}.Export()
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := e.WriteHeader(&text); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"Checked on the simulator by 503 blocks of test vectors", "must not overlap", "aligned to 4", "gift64_fixsliced_keys"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: the header does not say %q:\n%s", name, want, text.String())
			}
		}
		for _, language := range []string{"c", "c++"} {
			compiler := map[string]string{"c": "gcc", "c++": "g++"}[language]
			cmd := exec.Command(foreign.Tool(t, compiler), "-x"+language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-include", "stddef.h", "-")
			cmd.Stdin = strings.NewReader(text.String() + assertions(language, e))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s as %s: %v\n%s", name, language, err, out)
			}
		}
	}
}

// assertions are static assertions about the context structs of a header.
func assertions(language string, e *Export) string {
	assert := map[string]string{"c": "_Static_assert", "c++": "static_assert"}[language]
	var out strings.Builder
	for _, p := range e.programs() {
		if p.Context == nil {
			continue
		}
		name := "struct " + p.Block.Name + "_context"
		fmt.Fprintf(&out, "%s(sizeof(%s) == (%d + 63) / 64 * 64, \"size\");\n", assert, name, p.Context.Size)
		for _, f := range p.Context.Fields {
			fmt.Fprintf(&out, "%s(offsetof(%s, %s) == %d, \"%s\");\n", assert, name, f.Name, f.Offset, f.Name)
		}
	}
	return out.String()
}

// A kernel that fails its check is not exported; public parameters show their range.
func TestExportIsChecked(t *testing.T) {
	wrong := find(t, "gift64/fixsliced")
	wrong.cases = slices.Clone(wrong.cases)
	wrong.cases[0].Out = bytes.Clone(wrong.cases[0].Out)
	wrong.cases[0].Out[3] ^= 1
	if _, err := (Cell{Subject: wrong, CPU: load(t, "cortex-m4")}).Export(); err == nil || !strings.Contains(err.Error(), "wrong result") {
		t.Errorf("a kernel that fails its vectors: %v", err)
	}
	turns := own(t, `
kernel own/turns(in new: w32[1], out b: w32[1], public n: int in 0..4) {
  x = new[0]
  repeat i in 0..n { x = x <<< 3 }
  b[0] = x
}`)
	turns.Public = map[string]int64{"n": 2}
	e, err := Cell{Subject: turns, CPU: load(t, "sifive-e31")}.Export()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := e.WriteHeader(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"n: a number that is not secret, from 0 to 3", "const uint32_t *__restrict new_, ", "One call works on 1 block, 4 bytes", "by the interpreter"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the header does not say %q:\n%s", want, text.String())
		}
	}
}
