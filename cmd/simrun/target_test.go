package main

import (
	"strings"
	"testing"
)

// TestBelongs: every name of the table is a flag of a command that takes targets.
func TestBelongs(t *testing.T) {
	root := newRoot()
	for key := range belongs {
		commands, name := []string{"run", "trace", "profile"}, key
		if command, flag, ok := strings.Cut(key, " "); ok {
			commands, name = []string{command}, flag
		}
		known := false
		for _, c := range commands {
			cmd, _, err := root.Find([]string{c})
			if err != nil {
				t.Fatal(err)
			}
			known = known || cmd.Flags().Lookup(name) != nil
		}
		if !known {
			t.Errorf("%s: no command has this flag", key)
		}
	}
}
