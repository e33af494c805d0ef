package rv32

import (
	"encoding/binary"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"simrun/internal/foreign"
)

// notDecoded are texts of objdump that Decode refuses, with the reason.
var notDecoded = map[string]string{
	"c.unimp": "the 16-bit word 0 is defined to be illegal; compilers put it where a run must end",
}

// picolibc is where Debian puts the C library for this compiler, by the compiler's own names of
// variants.
const picolibc = "/usr/lib/picolibc/riscv64-unknown-elf/lib"

// TestLibraries compares Decode and Print with objdump for every instruction of the compiler's and
// the C library: what a compiler makes of much C code. objdumpText names the
// differences of spelling.
func TestLibraries(t *testing.T) {
	objdump := foreign.Tool(t, Arch{}.Triple()+"objdump")
	gcc := foreign.Tool(t, Arch{}.Triple()+"gcc")
	ask := func(what string) string {
		return strings.TrimSpace(string(run(t, gcc, "-march=rv32imac", "-mabi=ilp32", what)))
	}
	variant := filepath.Join(picolibc, ask("-print-multi-directory"))
	for name, file := range map[string]string{
		"libgcc": ask("-print-libgcc-file-name"),
		"libc":   filepath.Join(variant, "libc.a"),
	} {
		t.Run(name, func(t *testing.T) {
			foreign.File(t, file)
			out := run(t, objdump, "-d", "-M", "no-aliases", "-w", "-z", file)
			n := 0
			for line := range strings.Lines(string(out)) {
				addr, code, text, ok := cutDisassembly(line)
				if !ok {
					continue
				}
				n++
				if own := ownSpelling(code, addr); own != text && notDecoded[text] == "" {
					t.Errorf("%x at %#x: %q, objdump %q", code, addr, own, text)
				}
			}
			t.Logf("%d instructions", n)
			if n < 1000 {
				t.Errorf("only %d instructions in %s", n, file)
			}
		})
	}
}

// cutDisassembly reads a line of objdump: address, code, text without comments.
func cutDisassembly(line string) (addr uint64, code []byte, text string, ok bool) {
	parts := strings.SplitN(strings.TrimSpace(line), "\t", 3)
	if len(parts) != 3 || !strings.HasSuffix(parts[0], ":") {
		return 0, nil, "", false
	}
	addr, err := strconv.ParseUint(strings.TrimSuffix(parts[0], ":"), 16, 64)
	word, err2 := strconv.ParseUint(strings.TrimSpace(parts[1]), 16, 32)
	if err != nil || err2 != nil {
		return 0, nil, "", false
	}
	code = binary.LittleEndian.AppendUint32(nil, uint32(word))[:len(strings.TrimSpace(parts[1]))/2]
	text, _, _ = strings.Cut(parts[2], "#")
	text, _, isTarget := strings.Cut(text, " <")
	text = strings.TrimSpace(strings.ReplaceAll(text, "\t", " "))
	if i := strings.LastIndexAny(text, " ,") + 1; isTarget { // an address with a symbol stands without 0x
		text = text[:i] + "0x" + text[i:]
	}
	return addr, code, text, true
}

// ownSpelling decodes and prints code as objdumpText does; the error of one that does not decode.
func ownSpelling(code []byte, addr uint64) string {
	in, n, err := Arch{}.Decode(code, addr)
	switch {
	case err != nil:
		return err.Error()
	case n != len(code):
		return "another length: " + Arch{}.Print(in)
	}
	return objdumpText(in)
}
