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
	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// gnu says how the public tools turn the text of an instruction set into bytes.
var gnu = map[string]struct{ as, ld []string }{
	"t32":  {as: []string{"-mcpu=cortex-m4", "-mthumb"}},
	"rv32": {as: []string{"-march=rv32imac_zicsr_zifencei", "-mabi=ilp32"}, ld: []string{"-m", "elf32lriscv"}},
	"x86":  {as: []string{"--64"}},
}

// TestAsm assembles the text of every kernel, its keys function included, for every CPU with the GNU tools: the
// bytes must be those of the images.
func TestAsm(t *testing.T) {
	testAsm(t, compile.Options{Level: 1})
}

// TestAsmShort does so with code that is looped and short.
func TestAsmShort(t *testing.T) {
	testAsm(t, compile.Options{Level: 1, Keep: 1, Short: compile.ShortEncodings | compile.ShortAccesses})
}

func testAsm(t *testing.T, o compile.Options) {
	seen := map[string]bool{}
	for _, c := range catalogue(t) {
		build := fmt.Sprint(c.Subject.Name, c.CPU.ISA, c.CPU.CodeBudget.Value) // what the default run takes one CPU of
		if o.Keep > 0 && !c.CPU.Timed() || foreign.Count(1, 2) == 1 && seen[build] {
			continue
		}
		seen[build] = true
		e := exported(t, c, o)
		var text bytes.Buffer
		if err := e.WriteAsm(&text); err != nil {
			t.Fatal(err)
		}
		if seen[text.String()] { // the text of the Cortex-M3 may be that of the Cortex-M4
			continue
		}
		seen[text.String()] = true
		t.Run(fmt.Sprintf("%s on %s", c.Subject.Name, c.CPU.Name), func(t *testing.T) {
			exe := assemble(t, e.Kernel, text.Bytes())
			for _, p := range e.programs() {
				got, addr := functionBytes(t, exe, p.Block.Name)
				im, err := p.Arch.Assemble([]*isa.Block{p.Block}, addr) // tables have absolute addresses
				if err != nil {
					t.Fatal(err)
				}
				var want []byte
				for _, s := range im.Segments {
					want = append(want, s.Data...)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s: GNU as makes %d bytes, the image has %d; first difference at byte %d", p.Block.Name, len(got), len(want), differ(got, want))
				}
			}
		})
	}
}

// exported compiles a cell for export without the checks, which TestCatalogue and TestKeys make.
func exported(t *testing.T, c Cell, o compile.Options) *Export {
	t.Helper()
	e := &Export{}
	for kernel, p := range map[*ir.Kernel]**Program{c.Subject.Kernel: &e.Kernel, c.Subject.Kernel.Keys: &e.Keys} {
		if kernel == nil {
			continue
		}
		var err error
		if *p, err = compileWith(kernel, c.CPU, o); err != nil {
			t.Fatalf("%s on %s: %v", kernel.Name, c.CPU.Name, err)
		}
	}
	return e
}

func differ(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// assemble runs as and ld at the image's address, and returns the linked file.
func assemble(t *testing.T, p *Program, text []byte) (exe string) {
	t.Helper()
	tools := gnu[p.Arch.Name()]
	dir := t.TempDir()
	src, obj := filepath.Join(dir, "k.s"), filepath.Join(dir, "k.o")
	exe = filepath.Join(dir, "k.elf")
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
	return exe
}

// functionBytes reads the bytes of a function from a linked file, as its symbol bounds them, and its address.
func functionBytes(t *testing.T, exe, name string) (code []byte, addr uint64) {
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
		addr = s.Value &^ 1
		return data[addr-section.Addr:][:s.Size], addr
	}
	t.Fatalf("no symbol %s", name)
	return nil, 0
}
