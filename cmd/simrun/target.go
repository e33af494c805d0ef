package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simrun/costmodel"
)

// targetKind is what a TARGET may be.
type targetKind string

const (
	aKernel   targetKind = "kernel"
	aFunction targetKind = "function of a program (--call)"
	aProgram  targetKind = "whole program"
)

// belongs says for which targets a flag means something, where that is not all of them, beside levelFlags. A name with
// a command before it goes first.
var belongs = map[string][]targetKind{
	"kernel":         {aKernel},
	"public":         {aKernel},
	"call":           {aFunction},
	"arg":            {aFunction},
	"dump-arg":       {aFunction},
	"expect-arg":     {aFunction},
	"bytes":          {aFunction},
	"cold":           {aKernel, aFunction},
	"repeat":         {aFunction, aProgram},
	"profile repeat": {aKernel, aFunction},
	"limit":          {aFunction, aProgram},
	"measure":        {aProgram},
	"expect-exit":    {aProgram},
	"expect-output":  {aProgram},
	"sweep":          {aKernel, aFunction},
}

// belongsTo returns the targets for which a flag of a command means something; some is false if it does for all.
func belongsTo(command, flag string) (kinds []targetKind, some bool) {
	if slices.Contains(levelFlags, flag) {
		return []targetKind{aKernel}, true
	}
	if kinds, some = belongs[command+" "+flag]; some {
		return kinds, true
	}
	kinds, some = belongs[flag]
	return kinds, some
}

// kindOf says what the target is, and refuses flags and arguments that mean nothing for it.
func (f *callFlags) kindOf(cmd *cobra.Command, args []string, cpu *costmodel.CPU) (targetKind, error) {
	kind := aKernel
	if whole, err := f.wholeProgram(args[0], cpu); err != nil {
		return "", err
	} else if whole {
		kind = aProgram
	} else if wants, err := f.wanted(args[0]); err != nil {
		return "", err
	} else if wants {
		kind = aFunction
	}
	if len(args) > 1 && kind != aProgram {
		return "", usagef("%s is a %s: arguments behind -- belong to a whole program", args[0], kind)
	}
	var err error
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		kinds, some := belongsTo(cmd.Name(), flag.Name)
		if some && !slices.Contains(kinds, kind) {
			err = usagef("--%s belongs to a %s; %s is a %s", flag.Name, joinKinds(kinds), args[0], kind)
		}
	})
	return kind, err
}

func joinKinds(kinds []targetKind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, " or a ")
}
