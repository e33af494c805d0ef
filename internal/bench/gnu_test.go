package bench

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa/all"
)

// TestAssembleGNU assembles for every instruction set that has cycles; neither success nor failure leaves a file.
func TestAssembleGNU(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	right, wrong := filepath.Join(dir, "-right.S"), filepath.Join(dir, "wrong.S")
	for name, text := range map[string]string{
		right: "#define NAME f\n\t.global NAME\nNAME:\n\tnop\n",
		wrong: "/* nothing */\n\tfly\n\tswim\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, name := range []string{"cortex-m3", "cortex-m4", "sifive-e31", "fe310-g000", "x86-64-ssse3"} {
		cpu := load(t, name)
		foreign.Tool(t, all.Arch(cpu.ISA).Triple()+"gcc")
		data, err := AssembleGNU("-right.S", cpu)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		im, err := LoadImage("-right.S", data, cpu)
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := im.Lookup("f"); !ok || !s.Func {
			t.Errorf("%s: symbol %+v", name, s)
		}
		_, err = AssembleGNU(wrong, cpu)
		if err == nil || !strings.Contains(err.Error(), "wrong.S:2: Error:") || !strings.Contains(err.Error(), "wrong.S:3: Error:") || strings.Contains(err.Error(), "messages") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%v are left behind, error %v", left, err)
	}
}

// TestAssembleWithoutGNU runs without the tools, and on files that are none.
func TestAssembleWithoutGNU(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.S")
	if err := os.WriteFile(name, []byte("nop\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := AssembleGNU(name+".S", load(t, "cortex-m3")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	t.Setenv("PATH", t.TempDir())
	for cpu, tool := range map[string]string{"cortex-m3": "arm-none-eabi-gcc", "sifive-e31": "riscv64-unknown-elf-gcc", "x86-64-ssse3": "gcc"} {
		_, err := AssembleGNU(name, load(t, cpu))
		want := name + ": a .S file goes through " + tool + ", which is not installed; install it, or name the file .s if it needs no preprocessor"
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
