package rv32

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// TestObjdump compares the text of random instructions of every row with the GNU disassembler's.
func TestObjdump(t *testing.T) {
	objdump := foreign.Tool(t, Arch{}.Triple()+"objdump")
	rnd := rand.New(rand.NewPCG(7, 8))
	var code []byte
	want := map[string]string{}
	for range foreign.Count(5000, 200_000) {
		e := entries[rnd.IntN(len(entries))]
		pc := gnuBase + uint64(len(code))
		in := randomInst(e, pc, func(lo, hi int64) int64 { return lo + rnd.Int64N(hi-lo+1) })
		if i := e.operandIndex("csr"); i >= 0 {
			in.Args[i] = int64(csrByName[[]string{"mcycle", "minstreth", "mepc", "mhartid"}[rnd.IntN(4)]])
		}
		code = append(code, mustEncode(in, pc)...)
		want[fmt.Sprintf("%x", pc)] = objdumpText(in)
	}
	file := filepath.Join(t.TempDir(), "code.bin")
	if err := os.WriteFile(file, code, 0o666); err != nil {
		t.Fatal(err)
	}
	// The executable says which extensions it is for; without symbols objdump takes all bytes for code.
	exe := gnuLink(t, fmt.Sprintf(".incbin %q", file), "-s")
	out := run(t, objdump, "-D", "-j", ".text", "-M", "no-aliases", "--no-show-raw-insn", exe)
	seen := 0
	for line := range strings.Lines(string(out)) {
		addr, text, ok := strings.Cut(strings.TrimSpace(line), ":\t")
		if !ok {
			continue
		}
		seen++
		text, _, _ = strings.Cut(text, "#")
		text, _, _ = strings.Cut(text, "<")
		text = strings.TrimSpace(strings.ReplaceAll(text, "\t", " "))
		if want[addr] != text {
			t.Errorf("%s: %q, objdump %q", addr, want[addr], text)
		}
	}
	if seen != len(want) {
		t.Errorf("objdump shows %d instructions, not %d", seen, len(want))
	}
}

// objdumpText is Print in the spelling of objdump, which knows no c.nop without aliases.
func objdumpText(in isa.Inst) string {
	text := Arch{}.Print(in)
	switch in.Form.ID {
	case "C.NOP":
		return "c.addi zero,0"
	case "C.NOP_HINT":
		return "c.addi zero," + strings.TrimPrefix(text, "c.nop ")
	}
	return text
}
