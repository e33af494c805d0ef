package x86

import (
	"strings"
	"testing"
)

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
