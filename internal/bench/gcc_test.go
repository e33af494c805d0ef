package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/programs/ir"
)

// gccLimit is how many times the cycles of GCC's best code a kernel with tables may take.
const gccLimit = 1.05

// gccFlags are the ways to compile of which GCC's best is taken: -O2 and -O3, then what helps one or the other form.
var gccFlags = []string{
	"-O2", "-O3", "-O2 -fno-tree-vectorize", "-O3 -fno-tree-vectorize", "-O3 -fno-tree-vectorize -march=core2",
	"-O3 -fno-tree-vectorize -fschedule-insns -fsched-pressure",
}

// TestGCC: on core2-merom the kernels with tables take hardly more cycles than the best code that GCC makes of the same in C,
// in several forms. The C functions are checked as kernels are, and called through the ELF door. The figures are those of
// docs/core2.md where the compiler is the one named there; -update writes them.
func TestGCC(t *testing.T) {
	gcc := foreign.Tool(t, "gcc")
	version, err := exec.Command(gcc, "-dumpfullversion").Output()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "GCC %s:\n\n", strings.TrimSpace(string(version)))
	fmt.Fprintln(&b, "| kernel | c/B | GCC `-O2` | GCC `-O3` | GCC's best | how | kernel / GCC's best |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | ---: | ---: | --- | ---: |")
	for _, name := range []string{"aes128/table", "kasumi/table"} {
		row, p, err := Cell{Subject: find(t, name), CPU: load(t, "core2-merom")}.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		best, plain := bestGCC(t, gcc, name, p)
		ratio := float64(row.Cycles) / best.cycles
		if ratio > gccLimit {
			t.Errorf("%s takes %.1f cycles, %s with %s %.1f: more than %v times", name, row.Cycles, best.form, best.flags, best.cycles, gccLimit)
		}
		perByte := func(cycles float64) float64 { return cycles / float64(p.Bytes) }
		fmt.Fprintf(&b, "| `%s` | %.2f | %.2f | %.2f | %.2f | `%s`, `%s` | %.3f |\n", name, row.CyclesPerByte,
			perByte(plain["-O2"]), perByte(plain["-O3"]), perByte(best.cycles), best.form, best.flags, ratio)
	}
	holdGCCPage(t, b.String())
}

// compiled is a form in C and what it takes.
type compiled struct {
	form, flags string
	cycles      float64
}

// bestGCC finds the form and flags of the fewest cycles, and the fewest for each way to compile.
func bestGCC(t *testing.T, gcc, kernel string, p *Program) (best compiled, byFlags map[string]float64) {
	t.Helper()
	byFlags = map[string]float64{}
	for _, flags := range gccFlags {
		for _, c := range measureGCC(t, gcc, kernel, p, flags) {
			if best.cycles == 0 || c.cycles < best.cycles {
				best = c
			}
			if old := byFlags[flags]; old == 0 || c.cycles < old {
				byFlags[flags] = c.cycles
			}
		}
	}
	return best, byFlags
}

// measureGCC compiles the forms of a kernel in C, checks each by the kernel's vectors, and counts its cycles.
func measureGCC(t *testing.T, gcc, kernel string, p *Program, flags string) []compiled {
	t.Helper()
	s := find(t, kernel)
	source := filepath.Join("testdata", "gcc", strings.ReplaceAll(kernel, "/", "_")+".c")
	im, err := LoadImage("kernel.o", compileC(t, gcc, source, tablesInC(t, s.Kernel), flags), p.CPU)
	if err != nil {
		t.Fatal(err)
	}
	forms := functions(im)
	if len(forms) < 5 {
		t.Fatalf("%s has only the forms %v", source, forms)
	}
	var list []compiled
	for _, form := range forms {
		k, err := newELFKernel(im, p, form)
		if err != nil {
			t.Fatal(err)
		}
		if calls, err := s.check(p, k); err != nil || calls == 0 {
			t.Fatalf("%s: %s with %s: %d calls, %v", source, form, flags, calls, err)
		}
		n, err := count(k.machine, p.CPU, 0, k.call)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, compiled{form, flags, n.cycles})
		t.Logf("%-13s %-17s %-58s %7.1f cycles", kernel, form, flags, n.cycles)
	}
	return list
}

// compileC compiles a file that includes tables.h.
func compileC(t *testing.T, gcc, source, tables, flags string) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tables.h"), []byte(tables), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "kernel.o")
	args := []string{"-fno-pic", "-fcf-protection=none", "-ffreestanding", "-I", dir, "-c", "-o", out, source}
	if text, err := exec.Command(gcc, append(strings.Fields(flags), args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", gcc, err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// elfKernel is a function of an ELF file in place of a kernel: its arguments are the kernel's parameters in their order.
type elfKernel struct {
	*function
	at map[string]int // by parameter
}

func newELFKernel(im *isa.Image, p *Program, symbol string) (*elfKernel, error) {
	k := &elfKernel{at: map[string]int{}}
	var args []Arg
	for i, param := range p.Params {
		k.at[param.Name] = i
		args = append(args, Arg{Buffer: true, Data: make([]byte, p.bufferBytes(param.Mem))})
	}
	var err error
	k.function, err = newFunction(im, p.CPU, Call{Symbol: symbol, Args: args})
	return k, err
}

func (k *elfKernel) set(name string, data []byte) error {
	copy(k.args[k.at[name]].Data, data)
	return nil
}

func (k *elfKernel) get(name string) ([]byte, error) {
	out, err := k.contents()
	if err != nil {
		return nil, err
	}
	return out[k.at[name]], nil
}

func (k *elfKernel) call() error {
	_, err := k.function.call()
	return err
}

// tablesInC declares the constant tables of a kernel in C.
func tablesInC(t *testing.T, k *ir.Kernel) string {
	t.Helper()
	var tables tableList
	if err := ir.Eval(k, &tables, 32); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, table := range tables {
		fmt.Fprintf(&b, "static const uint%d_t %s[%d] = {", table.Width, table.Name, len(table.Entries))
		for i, e := range table.Entries {
			if i%16 == 0 {
				b.WriteString("\n\t")
			}
			fmt.Fprintf(&b, "%d, ", e.Lo)
		}
		b.WriteString("\n};\n")
	}
	return b.String()
}

// tableList is a domain that computes nothing and collects the tables looked up.
type tableList []*ir.Table

func (l *tableList) Op(_ ir.Op, _ int, _ []ir.Word, imm ir.Imm) ir.Word {
	if imm.Table != nil && !slices.Contains(*l, imm.Table) {
		*l = append(*l, imm.Table)
	}
	return ir.Word{}
}

func (*tableList) At(ir.Pos)                        {}
func (*tableList) Const(int, ir.Word) ir.Word       { return ir.Word{} }
func (*tableList) Public(string) ir.Index           { return ir.Index{} }
func (*tableList) Load(*ir.Mem, ir.Index) ir.Word   { return ir.Word{} }
func (*tableList) Store(*ir.Mem, ir.Index, ir.Word) {}

func (*tableList) Repeat(lo, _ ir.Index, _ int64, carried []ir.Word, body func(ir.Index, []ir.Word) []ir.Word) []ir.Word {
	return body(lo, carried)
}

func (*tableList) If(_ ir.Compare, _, _ ir.Index, carried []ir.Word, then, _ func([]ir.Word) []ir.Word) []ir.Word {
	return then(carried)
}

// holdGCCPage compares the table with the one in docs/core2.md, if that is of the same compiler.
func holdGCCPage(t *testing.T, table string) {
	t.Helper()
	const page = "../../docs/core2.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	compiler, _, _ := strings.Cut(table, "\n")
	if !*update && !strings.Contains(string(text), "<!-- gcc -->\n"+compiler+"\n") {
		t.Logf("not compared with %s: its figures are not of %s", page, strings.TrimSuffix(compiler, ":"))
		return
	}
	shown(t, page, "gcc", table)
}
