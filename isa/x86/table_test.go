package x86

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simrun/isa"
)

// TestClassesDocumented compares the list in doc.go with the table.
func TestClassesDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "# Timing classes")
	words := regexp.MustCompile(`[a-z]+(\.[a-z]+)*`).FindAllString(list, -1)
	for _, c := range New().Classes() {
		if !slices.Contains(words, c) {
			t.Errorf("class %s is not in the list of doc.go", c)
		}
	}
	for _, w := range words {
		if strings.Contains(w, ".") && !slices.Contains(New().Classes(), w) {
			t.Errorf("doc.go lists %s, which no form has", w)
		}
	}
}

// TestRows checks what every consumer of the table relies on.
func TestRows(t *testing.T) {
	for i, f := range New().Forms() {
		r := rows[i]
		if f.Num != i || New().Form(f.ID) != f {
			t.Errorf("%s is not row %d", f.ID, i)
		}
		if (r.as == 0) == (r.own == nil) {
			t.Errorf("%s: want one encoder", f.ID)
		}
		if int(r.kind) >= len(handlers) || handlers[r.kind] == nil && !inHotLoop[r.kind] {
			t.Errorf("%s: kind %d is not executed", f.ID, r.kind)
		}
		if r.mem() >= 0 && r.memSize() > 0 && r.Mnemonic != "nop" && f.Flags&(isa.Load|isa.Store) == 0 {
			t.Errorf("%s: a memory operand, but neither Load nor Store", f.ID)
		}
		if f.Flags&isa.Commute != 0 && len(r.operands) != 2 {
			t.Errorf("%s: Commute with %d operands", f.ID, len(r.operands))
		}
	}
	if New().Form("PXOR") != nil {
		t.Error("a form without operands in its name")
	}
}

var inHotLoop = map[kind]bool{kPxor: true, kPand: true, kPor: true, kPandn: true, kVecMov: true, kVecRR: true, kVecI: true}
