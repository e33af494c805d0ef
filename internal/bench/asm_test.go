package bench

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
)

// gnu says how the public tools turn the text of an instruction set into bytes.
var gnu = map[string]struct{ as, ld []string }{
	"t32":  {as: []string{"-mcpu=cortex-m4", "-mthumb"}},
	"rv32": {as: []string{"-march=rv32imac_zicsr_zifencei", "-mabi=ilp32"}, ld: []string{"-m", "elf32lriscv"}},
	"x86":  {as: []string{"--64"}},
}

// TestAsm assembles the text of every kernel and CPU with the GNU tools: the bytes must be those of the image.
func TestAsm(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range catalogue(t) {
		p, err := Compile(c.Subject.Kernel, c.CPU, nil)
		if err != nil {
			t.Fatalf("%s on %s: %v", c.Subject.Name, c.CPU.Name, err)
		}
		var text bytes.Buffer
		if err := WriteAsm(&text, p); err != nil {
			t.Fatal(err)
		}
		if seen[text.String()] { // the text of the Cortex-M3 may be that of the Cortex-M4
			continue
		}
		seen[text.String()] = true
		t.Run(fmt.Sprintf("%s on %s", c.Subject.Name, c.CPU.Name), func(t *testing.T) {
			got := assemble(t, p, text.Bytes())
			var want []byte
			for _, s := range p.Image.Segments {
				want = append(want, s.Data...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("GNU as makes %d bytes, the image has %d; first difference at byte %d", len(got), len(want), differ(got, want))
			}
		})
	}
}

func differ(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// assemble runs as and ld at the image's address, and returns the bytes of the function.
func assemble(t *testing.T, p *Program, text []byte) []byte {
	t.Helper()
	tools := gnu[p.Arch.Name()]
	dir := t.TempDir()
	src, obj, exe := filepath.Join(dir, "k.s"), filepath.Join(dir, "k.o"), filepath.Join(dir, "k.elf")
	if err := os.WriteFile(src, text, 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(tool string, args ...string) {
		t.Helper()
		out, err := exec.Command(foreign.Tool(t, p.Arch.Triple()+tool), args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", tool, err, strings.TrimSpace(string(out)))
		}
	}
	run("as", append(tools.as, "-o", obj, src)...)
	run("ld", append(tools.ld, "-e", p.Block.Name, fmt.Sprintf("-Ttext=%#x", p.Image.Segments[0].Addr), "-o", exe, obj)...)
	return functionBytes(t, exe, p.Block.Name)
}

// functionBytes reads the bytes of a function from a linked file, as its symbol bounds them.
func functionBytes(t *testing.T, exe, name string) []byte {
	t.Helper()
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Name != name {
			continue
		}
		section := f.Sections[s.Section]
		data, err := section.Data()
		if err != nil {
			t.Fatal(err)
		}
		return data[s.Value&^1-section.Addr:][:s.Size]
	}
	t.Fatalf("no symbol %s", name)
	return nil
}

// assertions are C static assertions about the context struct of a header.
func assertions(p *Program) string {
	if p.Context == nil {
		return ""
	}
	var out strings.Builder
	name := "struct " + p.Block.Name + "_context"
	fmt.Fprintf(&out, "_Static_assert(sizeof(%s) == (%d + 63) / 64 * 64, \"size\");\n", name, p.Context.Size)
	for _, f := range p.Context.Fields {
		fmt.Fprintf(&out, "_Static_assert(offsetof(%s, %s) == %d, \"%s\");\n", name, f.Name, f.Offset, f.Name)
	}
	return out.String()
}
