package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
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

// TestFlagsOfTargets: a flag of a command that takes targets belongs to some of them, or is known to belong to all.
func TestFlagsOfTargets(t *testing.T) {
	all := map[string]bool{"cpu": true, "set": true, "format": true, "output": true, "top": true}
	root := newRoot()
	for _, name := range []string{"run", "trace", "profile"} {
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, some := belongsTo(name, f.Name); some == all[f.Name] {
				t.Errorf("simrun %s --%s: of all targets %v, of some %v; want one of them", name, f.Name, all[f.Name], some)
			}
		})
	}
}
