package rv32

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"simrun/internal/foreign"
)

var update = flag.Bool("update", false, "make the golden bytes anew with the GNU assembler")

const goldenFile = "testdata/enc.txt"

// goldenLine is one line of the golden file; mode holds the directives in force.
type goldenLine struct {
	num             int
	mode, asm, code string
}

func readGolden(t *testing.T) (raw []string, lines []goldenLine) {
	t.Helper()
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	raw = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	mode := ""
	for i, l := range raw {
		// The text itself may hold a bar: the last one counts.
		switch bar := strings.LastIndex(l, "|"); {
		case strings.HasPrefix(l, "."):
			mode = l
		case bar >= 0:
			lines = append(lines, goldenLine{i, mode, strings.TrimSpace(l[:bar]), strings.TrimSpace(l[bar+1:])})
		}
	}
	return raw, lines
}

// TestGolden compares Parse and Assemble with the bytes in the file, line by line, and sees that
// every row and every alias occurs.
func TestGolden(t *testing.T) {
	raw, lines := readGolden(t)
	if *update {
		gnu := gnuLines(t, lines)
		for i, l := range lines {
			raw[l.num] = l.asm + " | " + gnu[i]
			lines[i].code = gnu[i]
		}
		if err := os.WriteFile(goldenFile, []byte(strings.Join(raw, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	missing := map[string]bool{}
	for _, f := range forms {
		missing[f.ID] = true
	}
	for key := range aliases {
		missing[key] = true
	}
	for name := range specials {
		missing[name] = true
	}
	for _, l := range lines {
		code, err := ownText(l.mode + "\n" + l.asm + "\n")
		if got := hex.EncodeToString(code); err != nil || got != l.code {
			t.Errorf("line %d: %s: %s (%v), want %s", l.num+1, l.asm, got, err, l.code)
			continue
		}
		word, args := cutWord(l.asm)
		delete(missing, word)
		delete(missing, fmt.Sprintf("%s/%d", word, len(splitOperands(args))))
		if in, _, err := (Arch{}).Decode(code, gnuBase); err == nil {
			delete(missing, in.Form.ID)
		}
	}
	for id := range missing {
		t.Errorf("%s has no line in %s", id, goldenFile)
	}
}

// TestGoldenGNU sees that the file holds what the GNU assembler makes today.
func TestGoldenGNU(t *testing.T) {
	foreign.Tool(t, Arch{}.Triple()+"as")
	_, lines := readGolden(t)
	for i, code := range gnuLines(t, lines) {
		if code != lines[i].code {
			t.Errorf("line %d: %s: GNU makes %s, the file has %s", lines[i].num+1, lines[i].asm, code, lines[i].code)
		}
	}
}

// gnuLines gives the bytes in hex that the GNU assembler makes of each line.
func gnuLines(t *testing.T, lines []goldenLine) []string {
	var b strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&b, "%s\ngolden.%d:\n%s\n", l.mode, i, l.asm)
	}
	fmt.Fprintf(&b, "golden.%d:\n", len(lines))
	code, addr := gnuText(t, b.String())
	out := make([]string, len(lines))
	for i := range lines {
		from, to := addr[fmt.Sprint("golden.", i)], addr[fmt.Sprint("golden.", i+1)]
		out[i] = hex.EncodeToString(code[from-gnuBase : to-gnuBase])
	}
	return out
}
