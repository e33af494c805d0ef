package x86

import (
	"strings"
	"testing"
)

// TestTermsAreOfRows: terms by mnemonic are of rows that there are, with an operation of that kind.
func TestTermsAreOfRows(t *testing.T) {
	vec, alu := map[string]bool{}, map[string]bool{}
	for _, r := range rows {
		name, _, _ := strings.Cut(r.ID, "_")
		vec[name] = vec[name] || r.vec != nil
		alu[name] = alu[name] || r.alu != nil
	}
	for name := range vecTerms {
		if !vec[name] {
			t.Errorf("no row of %s has a vector operation", name)
		}
	}
	for name := range aluTerms {
		if !alu[name] {
			t.Errorf("no row of %s has an integer operation", name)
		}
	}
}

// TestMeaningSegment: an address relative to FS has no terms, so it is refused.
func TestMeaningSegment(t *testing.T) {
	in, err := parseInst("mov rax, fs:[rcx]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theArch.Meaning(in, 0, 4); err == nil || !strings.Contains(err.Error(), "with a segment") {
		t.Errorf("%v", err)
	}
}
