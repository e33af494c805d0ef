package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simrun/internal/input"
	"simrun/internal/nearest"
)

// usageError is a mistake in the command line rather than in what it names.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// unknown says that name is no such thing, and offers the nearest of the names there are.
func unknown(what, name string, names []string) error {
	return usagef("unknown %s \"%s\"%s", what, input.Clip(name), nearest.Hint(name, names))
}

// longestLine bounds a line of an error, in bytes.
const longestLine = 1000

// oneLine prints an error in one line; joined errors (a kernel text with several mistakes) stay
// one line each. Nothing of it can move the cursor of a terminal or fill its screen.
func oneLine(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	for i, line := range lines {
		if len(line) > longestLine {
			line = strings.ToValidUTF8(line[:longestLine], "") + "..."
		}
		lines[i] = input.Printable(line)
	}
	return strings.Join(lines, "\nsimrun: ")
}

// flagError says in plain words what the flag parser found.
func flagError(cmd *cobra.Command, err error) error {
	var absent *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &absent) && absent.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + absent.GetSpecifiedName()
		return usagef("unknown flag: %s%s", input.Clip(name), nearest.Hint(name, names))
	case errors.As(err, &value):
		f := value.GetFlag()
		if v, ok := f.Value.(strict); ok {
			return usagef("--%s %s: want %s", f.Name, input.Clip(value.GetValue()), v.wants())
		}
		return usagef("--%s %s: want %s", f.Name, input.Clip(value.GetValue()), wanted(f.Value.Type()))
	}
	return usageError{err}
}

// wanted describes the values of a type of flag.
func wanted(kind string) string {
	words := map[string]string{
		"int": "a whole number", "uint64": "a whole number from 0", "intSlice": "whole numbers, separated by commas",
		"bool": "true or false", "stringSlice": "a list, separated by commas",
	}
	if w, ok := words[kind]; ok {
		return w
	}
	return "a value of the type " + kind
}

// refuseCompletion refuses the hidden commands with which a shell would ask for completions.
func refuseCompletion(root *cobra.Command, args []string) error {
	i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if i >= 0 && (args[i] == cobra.ShellCompRequestCmd || args[i] == cobra.ShellCompNoDescRequestCmd) {
		return unknown("command", args[i], commandNames(root))
	}
	return nil
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}
