package t32

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// assembleGNU assembles text with the GNU assembler, links it to address 0 and returns the
// bytes of .text.
func assembleGNU(t testing.TB, text string) []byte {
	t.Helper()
	as := foreign.Tool(t, "arm-none-eabi-as")
	ld := foreign.Tool(t, "arm-none-eabi-ld")
	objcopy := foreign.Tool(t, "arm-none-eabi-objcopy")
	dir := t.TempDir()
	src, obj := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	linked, bin := filepath.Join(dir, "a.elf"), filepath.Join(dir, "a.bin")
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, as, "-mcpu=cortex-m4", "-o", obj, src)
	run(t, ld, "-Ttext", "0", "-e", "0", "-o", linked, obj) // calls of global functions need it
	run(t, objcopy, "-O", "binary", "-j", ".text", linked, bin)
	code, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func run(t testing.TB, name string, args ...string) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(name), err, stderr.String()[:min(2000, stderr.Len())])
	}
	return out
}

// randomInst draws an instruction of row e by filling the free bits of its pattern; pc is where it
// stands. Rows with narrow operands need several draws.
func randomInst(r *rand.Rand, e *encoding, pc uint32) isa.Inst {
	for range 100_000 {
		var in isa.Inst
		if e.decode(&in, e.fixed|r.Uint32()&^e.mask&(1<<(8*uint(e.size))-1), pc) {
			return in
		}
	}
	panic("no instance of " + e.form.ID)
}

// bytesOf encodes an instruction that must be encodable.
func bytesOf(t testing.TB, in isa.Inst, pc uint64) []byte {
	t.Helper()
	b, err := Arch{}.Encode(in, pc)
	if err != nil {
		t.Fatalf("%s %v: %v", in.Form.ID, in.Args, err)
	}
	return b
}

// hexOf writes code as halfwords, as the manual shows it.
func hexOf(code []byte) string {
	s := ""
	for i := 0; i+1 < len(code); i += 2 {
		if i > 0 {
			s += " "
		}
		s += fmt.Sprintf("%02x%02x", code[i+1], code[i])
	}
	return s
}

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 32)) }
