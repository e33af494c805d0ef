package t32

import (
	"strings"
	"testing"
)

// TestTermsAreOfRows: terms by mnemonic are of rows that there are.
func TestTermsAreOfRows(t *testing.T) {
	names := map[string]bool{}
	for i := range encodings {
		base, _, _ := strings.Cut(encodings[i].form.Mnemonic, ".")
		names[base] = true
	}
	for name := range rowTerms {
		if !names[name] {
			t.Errorf("no row is %s", name)
		}
	}
}
