package rv32

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

const (
	gnuBase  = 0x10000 // where tests link their text
	gnuMarch = "-march=rv32imac_zicsr_zifencei_zba_zbb_zbkb"
)

// gnuText assembles and links text with the GNU tools at gnuBase, without linker relaxation, and
// returns the bytes of .text and the symbols.
func gnuText(t testing.TB, text string) ([]byte, map[string]uint64) {
	t.Helper()
	f, err := elf.Open(gnuLink(t, text+"\n\t.text\ngnu.end:\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	code, err := f.Section(".text").Data()
	if err != nil {
		t.Fatal(err)
	}
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	addr := map[string]uint64{}
	for _, s := range syms {
		addr[s.Name] = s.Value
	}
	// The assembler pads a section to its alignment.
	return code[:addr["gnu.end"]-gnuBase], addr
}

// gnuLink makes an executable of text and returns its path; ldFlags go to the linker.
func gnuLink(t testing.TB, text string, ldFlags ...string) string {
	t.Helper()
	as := foreign.Tool(t, Arch{}.Triple()+"as")
	ld := foreign.Tool(t, Arch{}.Triple()+"ld")
	dir := t.TempDir()
	src, obj, exe := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o"), filepath.Join(dir, "a.elf")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, as, gnuMarch, "-mabi=ilp32", "-mno-relax", src, "-o", obj)
	run(t, ld, append(ldFlags, "-m", "elf32lriscv", "--no-relax", "--no-warn-rwx-segments", "-e", "0", "-Ttext=0x10000", obj, "-o", exe)...)
	return exe
}

func run(t testing.TB, name string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%.2000s", filepath.Base(name), err, out)
	}
	return out
}

// ownText is gnuText by this package: Parse and Assemble.
func ownText(text string) ([]byte, error) {
	blocks, err := Arch{}.Parse("a.s", text)
	if err != nil {
		return nil, err
	}
	im, err := Arch{}.Assemble(blocks, gnuBase)
	if err != nil {
		return nil, err
	}
	return im.Segments[0].Data, nil
}

// randomInst fills a form with random operands within its fields' limits at pc.
func randomInst(e *entry, pc uint64, n func(lo, hi int64) int64) isa.Inst {
	in := isa.Inst{Form: &e.form}
	for i, fi := range e.slots {
		f := &e.pat.fields[fi]
		low, high := f.limits()
		if e.form.Ops[i].Kind == isa.KindReg && f.ext == unsigned && !f.prime {
			low, high = 0, 31
		}
		v := n(low>>f.lo, high>>f.lo) << f.lo
		for _, err := f.encode(v); err != nil; _, err = f.encode(v) {
			v = n(low>>f.lo, high>>f.lo) << f.lo
		}
		if f.ext == upper {
			v &= upperMask
		}
		if e.form.Ops[i].Kind == isa.KindLabel {
			v = int64(uint32(int64(pc) + v))
		}
		in.Args[i] = v
	}
	return in
}
