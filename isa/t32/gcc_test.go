package t32

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
)

// What GCC writes at several levels of optimisation parses to the bytes that the GNU assembler
// makes of it: branches, literal pools, IT blocks, alignment and all.
func TestParseGCC(t *testing.T) {
	gcc := foreign.Tool(t, "arm-none-eabi-gcc")
	for _, level := range []string{"-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -g", "-O1 -ffunction-sections"} {
		for _, cpu := range []string{"cortex-m3", "cortex-m4"} {
			out := filepath.Join(t.TempDir(), "sample.s")
			args := []string{"-mcpu=" + cpu, "-mthumb", "-mfloat-abi=soft", "-ffreestanding", "-w", "-S", "-o", out}
			args = append(args, strings.Fields(level)...)
			run(t, gcc, append(args, "testdata/sample.c")...)
			checkFile(t, level+" "+cpu, out)
		}
	}
}

func checkFile(t *testing.T, level, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := Arch{}.Parse("sample.s", string(text))
	if err != nil {
		t.Fatalf("%s: %v", level, err)
	}
	im, err := Arch{}.Assemble(blocks, 0)
	if err != nil {
		t.Fatalf("%s: %v", level, err)
	}
	ours, theirs := im.Segments[0].Data, assembleGNU(t, string(text))
	if bytes.HasPrefix(theirs, ours) && len(theirs)-len(ours) < 8 {
		return
	}
	for i := range min(len(ours), len(theirs)) {
		if ours[i] != theirs[i] {
			i &^= 1
			t.Fatalf("%s: at %#x ours %s, GNU %s", level, i, hexOf(ours[i:min(i+8, len(ours))]), hexOf(theirs[i:min(i+8, len(theirs))]))
		}
	}
	t.Fatalf("%s: %d bytes, GNU has %d", level, len(ours), len(theirs))
}
