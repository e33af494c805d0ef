package ir

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// FuzzParse feeds any text to the parser and the checker: no panic, no hang; and a text
// without mistakes survives printing.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.kir", "testdata/errors/*.kir"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Add(toyText)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := ParseFile(fstest.MapFS{"a.kir": {Data: []byte(text)}}, "a.kir")
		if err == nil && len(text) < 4096 {
			roundTripText(t, file)
		}
	})
}

// roundTripText checks only the text: the tests of a fuzzed file may fail.
func roundTripText(t *testing.T, f *File) {
	first := Print(f)
	again, err := parse(first)
	if err != nil {
		t.Fatalf("the printed text has mistakes: %v\n%s", err, first)
	}
	if second := Print(again); second != first {
		t.Fatalf("printed\n%s\nthen\n%s", first, second)
	}
}
