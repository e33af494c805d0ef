package t32

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"simrun/isa"
)

var update = flag.Bool("update", false, "rewrite testdata/enc.txt with the GNU assembler's bytes")

const goldenFile = "testdata/enc.txt"

// goldenLine is text that stands alone, statements split by ";", and its code as halfwords.
type goldenLine struct{ text, code string }

func readGolden(t *testing.T) (lines []goldenLine, raw []string) {
	t.Helper()
	b, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	raw = strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	for _, l := range raw {
		if text, code, ok := strings.Cut(l, " | "); ok && l[0] != '#' {
			lines = append(lines, goldenLine{strings.TrimSpace(text), strings.TrimSpace(code)})
		}
	}
	return lines, raw
}

// Every line of the golden file parses and encodes to the bytes that the GNU assembler made of it,
// and every row of the table occurs.
func TestGolden(t *testing.T) {
	lines, raw := readGolden(t)
	if *update {
		updateGolden(t, lines, raw)
		return
	}
	seen := map[string]bool{}
	for _, l := range lines {
		blocks, err := Arch{}.Parse("enc", l.text)
		if err != nil {
			t.Errorf("%s: %v", l.text, err)
			continue
		}
		im, err := Arch{}.Assemble(blocks, 0)
		if err != nil {
			t.Errorf("%s: %v", l.text, err)
			continue
		}
		if got := hexOf(im.Segments[0].Data); got != l.code {
			t.Errorf("%s: %s, GNU has %s", l.text, got, l.code)
		}
		for _, it := range blocks[0].Items {
			if it.Inst.Form != nil {
				seen[it.Inst.Form.ID] = true
			}
		}
	}
	for _, e := range encodings {
		if !seen[e.form.ID] {
			t.Errorf("no line for %s", e.form.ID)
		}
	}
}

// The golden file is what the GNU assembler makes today.
func TestGoldenGNU(t *testing.T) {
	lines, _ := readGolden(t)
	for i, code := range goldenGNU(t, lines) {
		if code != lines[i].code {
			t.Errorf("%s: file has %s, GNU has %s", lines[i].text, lines[i].code, code)
		}
	}
}

// goldenGNU assembles all lines in one file, each aligned to 4 and ended by a marker.
func goldenGNU(t *testing.T, lines []goldenLine) []string {
	t.Helper()
	marker := []byte{0xef, 0xbe, 0xad, 0xde, 0x0d, 0xf0, 0xfe, 0xca}
	var text strings.Builder
	text.WriteString(Arch{}.Prologue() + "\n" + floatUnit + "\n")
	for i, l := range lines {
		text.WriteString("\t.balign 4, 0\n")
		local := strings.ReplaceAll(l.text, "here", fmt.Sprintf("here%d", i))
		text.WriteString(strings.ReplaceAll(local, "; ", "\n") + "\n.ltorg\n\t.4byte 0xdeadbeef, 0xcafef00d\n")
	}
	code := assembleGNU(t, text.String())
	var out []string
	at := 0
	for range lines {
		n := bytes.Index(code[at:], marker)
		if n < 0 {
			t.Fatal("marker lost")
		}
		out = append(out, hexOf(code[at:at+n]))
		at = (at + n + len(marker) + 3) &^ 3
	}
	return out
}

func updateGolden(t *testing.T, lines []goldenLine, raw []string) {
	t.Helper()
	if _, err := exec.LookPath("arm-none-eabi-as"); err != nil {
		t.Fatal("-update needs arm-none-eabi-as")
	}
	codes := goldenGNU(t, lines)
	next := 0
	for i, l := range raw {
		if text, _, ok := strings.Cut(l, " | "); ok && l[0] != '#' {
			raw[i] = fmt.Sprintf("%s | %s", text, codes[next])
			next++
		}
	}
	if err := os.WriteFile(goldenFile, []byte(strings.Join(raw, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Listings of the golden lines, IT blocks and data among them, are the same code again: for our
// parser, and those without labels for the GNU assembler in one file.
func TestListing(t *testing.T) {
	lines, _ := readGolden(t)
	var all []*isa.Block
	for i, l := range lines {
		blocks, err := Arch{}.Parse("enc", l.text)
		if err != nil {
			t.Fatal(err)
		}
		blocks[0].Name = fmt.Sprintf("f%d", i)
		var text strings.Builder
		if err := isa.WriteGNU(&text, Arch{}, blocks); err != nil {
			t.Fatal(err)
		}
		again, err := Arch{}.Parse("listing", text.String())
		if err != nil {
			t.Fatalf("%s: %v\n%s", l.text, err, text.String())
		}
		im, err := Arch{}.Assemble(again, 0)
		if err != nil || hexOf(im.Segments[0].Data) != l.code {
			t.Fatalf("%s: listed and read again: %v\n%s", l.text, err, text.String())
		}
		if !strings.Contains(text.String(), ".L") && !strings.Contains(text.String(), "here") {
			all = append(all, blocks...)
		}
	}
	im, err := Arch{}.Assemble(all, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := isa.WriteGNU(&text, Arch{}, all); err != nil {
		t.Fatal(err)
	}
	if got := assembleGNU(t, text.String()); !bytes.HasPrefix(got, im.Segments[0].Data) || len(all) < 500 {
		t.Errorf("the GNU assembler makes other bytes of the listing of %d lines", len(all))
	}
}

// What must be refused, and the words that say why.
func TestParseErrors(t *testing.T) {
	for _, c := range [][2]string{
		{"frob r0", "f.s:1: no instruction frob"},
		{"\n\nadd.n r8, r9, #1", "f.s:3: add"},
		{"moveq r0, #1", "outside an IT block"},
		{"it eq; movne r0, #1", "wants the condition eq"},
		{"ite eq; moveq r0, #1", "ends inside an IT block"},
		{"eor r0, r1, #0x101", "modified immediate"},
		{"ldr r0, [r1, #5000]", "cannot be 5000; want a multiple of 4"},
		{"ldrd r0, r0, [r1]", "must differ"},
		{"ldmia r1!, {r1, r9}", "list cannot be"},
		{"push {r13}", "must differ"},
		{"lsl r0, r1, #32", "lsl"},
		{".word here", "no label here"},
		{"here: .byte here", "the address of here does not fit 1 bytes"},
		{"here: .word here*2", "here"},
		{"ldr r0, =nowhere", "f.s:1: no label nowhere"},
		{".macro m a:req; nop; .endm; m", "m: no argument for a"},
		{".macro m a; nop; .endm; m 1, 2", "m: 2 arguments; want 1 at most"},
		{".macro m; m; .endm; m", "nested deeper than 32"},
		{".macro m; nop", ".macro m without .endm"},
		{".rept 99999999; nop; .endr", "more than 200000 statements"},
		{".macro m x; m \"\\x\\x\\x\\x\\x\\x\\x\\x\"; .endm; m abcdefgh", "f.s:1: "},
		{".if 1; nop", ".if 1 without .endif"},
		{"acc .req r99", "\"r99\" is no register"},
		{".frobnicate 3; .ifx 1; .endif", ".frobnicate is not supported"},
		{".frob 3", ".frob is not supported"},
		{".section .bss", "section .bss: want .text, .rodata or .data"},
		{"add r0, r1, #1+", "expression expected"},
		{"x: x: nop", "label x is defined twice"},
		{"/* open", "comment without an end"},
		{".ascii \"open", "string without an end"},
		{".space 99999999999", "bytes of space"},
		{".align 40", "alignment"},
		{".byte 1/0", "division by zero"},
	} {
		_, err := Arch{}.Parse("f.s", c[0])
		if err == nil || !strings.Contains(err.Error(), c[1]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %q, want one line with %q", c[0], fmt.Sprint(err), c[1])
		}
	}
}

// Branches out of reach and unknown labels are named when they are assembled.
func TestAssembleErrors(t *testing.T) {
	for _, c := range [][2]string{
		{"cbz r0, far; .space 200; far: nop", "CBZ_T1: label far at 0xca is not 4 to 130 bytes ahead"},
		{"b.n far; .space 4000; far: nop", "B_T2: label far at 0xfa2 is not within reach"},
		{"bl missing", "BL_T1: no label missing"},
		{".byte 1; nop", "odd address"},
	} {
		blocks, err := Arch{}.Parse("f.s", c[0])
		if err == nil {
			_, err = Arch{}.Assemble(blocks, 0)
		}
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%q: error %q, want %q", c[0], fmt.Sprint(err), c[1])
		}
	}
	virtual := isa.Block{Name: "f", Items: []isa.Item{{Inst: Make("EOR_reg_T1", isa.VirtBase+7, 0)}}}
	if _, err := (Arch{}).Assemble([]*isa.Block{&virtual}, 0); err == nil || !strings.Contains(err.Error(), "virtual register 7") {
		t.Errorf("virtual register: %v", err)
	}
}
