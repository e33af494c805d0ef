package ir

import (
	"testing"
	"testing/fstest"
)

// parse checks one text as a.kir.
func parse(text string) (*File, error) {
	return ParseFile(fstest.MapFS{"a.kir": {Data: []byte(text)}}, "a.kir")
}

func mustParse(t testing.TB, text string) *File {
	t.Helper()
	f, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
