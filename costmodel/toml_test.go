package costmodel

import (
	"strings"
	"testing"
)

// TestTypesInPlainWords makes sure that a value of the wrong type is refused with line and key and
// without a type of Go.
func TestTypesInPlainWords(t *testing.T) {
	for text, want := range map[string]string{
		"name = 1": "f.toml:1:8: name must be a text in quotes, not: integer",
		"base = \"cortex-m3\"\nclass.mul.cycles = 1.5": "f.toml:2:20: class.mul.cycles must be a whole number, not: float",
		"features = \"m\"":      "f.toml:1:12: features must be a list, not: string",
		"class = 3":             "f.toml:1:9: class must be a table, not: integer",
		"memory.code.base = -1": "f.toml:1:20: memory.code.base must be a whole number from 0, not: negative integer value -1",
	} {
		_, err := Parse("f.toml", []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestLongKey(t *testing.T) {
	_, err := Parse("f.toml", []byte("a"+strings.Repeat(".a", 10_000)+" = 1"))
	if err == nil || len(err.Error()) > 200 {
		t.Errorf("%.300v", err)
	}
}

func TestByteOrderMark(t *testing.T) {
	_, err := Parse("f.toml", []byte("\xef\xbb\xbfnothing = 1"))
	if err == nil || err.Error() != "f.toml:1: unknown key nothing" {
		t.Errorf("%v", err)
	}
}

func TestControlCharacters(t *testing.T) {
	for _, text := range []string{
		"name = \"x\\u001b[2J\"", "not_modelled = [\"a\", \"x\\u001b[2J\"]", "[sources.a]\ntitle = \"x\\u001b[2J\"",
	} {
		_, err := Parse("f.toml", []byte(text))
		if err == nil || err.Error() != `f.toml: the text "x\x1b[2J" has a control character` {
			t.Errorf("%s: %v", text, err)
		}
	}
}
