package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/internal/compare"
	"simrun/internal/result"
	"simrun/programs/compile"
	"simrun/reports"
)

// cpuFlags are the flags of a command that works on one CPU.
type cpuFlags struct {
	name string
	set  setFlag
}

func (f *cpuFlags) add(cmd *cobra.Command) {
	cpu := &once{text: &f.name, hint: "simrun table compares several CPUs"}
	cmd.Flags().Var(cpu, "cpu", "`CPU` or board, by a name that 'simrun list cpus' shows or by the path of a CPU file")
	f.addSet(cmd)
}

func (f *cpuFlags) addSet(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar((*[]string)(&f.set), "set", nil, "change one number of the CPU, `NAME=VALUE` with a timing class or a parameter (may be repeated)")
}

// load reads the CPU. An unknown name is a mistake of the command line, a broken file is not.
func (f *cpuFlags) load() (*costmodel.CPU, error) {
	if f.name == "" {
		return nil, usagef("--cpu is missing: name one of %s, a board (%s), or the path of a CPU file",
			strings.Join(costmodel.Names(), ", "), strings.Join(costmodel.Boards(), ", "))
	}
	return f.loadName(f.name)
}

func (f *cpuFlags) loadName(name string) (*costmodel.CPU, error) {
	cpu, missing, err := f.loadWith(name)
	if err := errors.Join(missing...); err != nil {
		return nil, usageError{err}
	}
	return cpu, err
}

// loadWith reads the CPU and changes the numbers that it has; missing is as of [setFlag.apply].
func (f *cpuFlags) loadWith(name string) (cpu *costmodel.CPU, missing []error, err error) {
	cpu, err = costmodel.Load(name)
	if err != nil {
		if !strings.Contains(name, "/") && !strings.HasSuffix(name, ".toml") {
			return nil, nil, usageError{err}
		}
		return nil, nil, err
	}
	missing, err = f.set.apply(cpu)
	return cpu, missing, err
}

// levelFlag chooses how hard the compiler tries.
type levelFlag struct {
	name    string
	size    float64
	without []string
}

// levelFlags are its names.
var levelFlags = []string{"optimise", "without", "size"}

var levels = map[string]bench.Level{"0": bench.O0, "1": bench.O1, "2": bench.O2}

func (f *levelFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.name, "optimise", "O", "1",
		"`LEVEL` of the compiler: 0 keeps the order of the text, 1 takes the stored schedule or searches for a second, 2 searches for a minute")
	cmd.Flags().StringSliceVar(&f.without, "without", nil, "leave out these `PASSES` of the compiler: "+strings.Join(compile.Optional(), ", "))
	cmd.Flags().Var(factor{&f.size}, "size", "the shortest code that takes at most `FACTOR` times the cycles of the fastest, for example 1.3")
}

// build is what the flag says; warnings go to the command's stderr.
func (f *levelFlag) build(cmd *cobra.Command) (bench.Build, error) {
	level, ok := levels[f.name]
	if !ok {
		return bench.Build{}, usagef("-O %s: want 0, 1 or 2", f.name)
	}
	for _, p := range f.without {
		if !slices.Contains(compile.Optional(), p) {
			return bench.Build{}, unknown("optional pass", p, compile.Optional())
		}
	}
	return bench.Build{Level: level, Size: f.size, Without: f.without, Warn: func(m string) { fmt.Fprintln(cmd.ErrOrStderr(), "simrun: "+m) }}, nil
}

// formatFlag chooses one of a list of formats, the first by default.
type formatFlag struct {
	name    string
	formats []reports.Format
}

func (f *formatFlag) add(cmd *cobra.Command, formats []reports.Format) {
	f.formats = formats
	cmd.Flags().StringVar(&f.name, "format", formats[0].Name, "`FORMAT`, one of "+strings.Join(f.names(), ", "))
}

func (f *formatFlag) names() []string {
	names := make([]string, len(f.formats))
	for i, format := range f.formats {
		names[i] = format.Name
	}
	return names
}

// find returns the chosen format. It is asked before long work begins.
func (f *formatFlag) find() (reports.Format, error) {
	for _, format := range f.formats {
		if format.Name == f.name {
			return format, nil
		}
	}
	return reports.Format{}, unknown("format", f.name, f.names())
}

// kernelsLike returns the kernels of the files, or of the catalogue if there are none, whose names match a pattern, in
// which * stands for anything.
func kernelsLike(pattern string, files []string) ([]ciphers.Entry, error) {
	all, err := entriesOf(files)
	if err != nil {
		return nil, err
	}
	glob := compare.Glob(pattern)
	var found []ciphers.Entry
	for _, e := range all {
		if glob.MatchString(e.Name) {
			found = append(found, e)
		}
	}
	if len(found) == 0 {
		return nil, unknown("kernel", pattern, entryNames(all))
	}
	return found, nil
}

func entriesOf(files []string) ([]ciphers.Entry, error) {
	if len(files) == 0 {
		return ciphers.Catalogue()
	}
	var all []ciphers.Entry
	for _, name := range files {
		if !strings.HasSuffix(name, ".kir") {
			return nil, usagef("%s is no kernel file (.kir); --kernel chooses kernels by name", name)
		}
		list, err := ciphers.FromFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// writeRow attaches the published figures and writes one result.
func writeRow(cmd *cobra.Command, format reports.Format, row *result.Row) error {
	rows := []result.Row{*row}
	if err := reports.Attach(rows); err != nil {
		return err
	}
	return format.Write(cmd.OutOrStdout(), rows)
}
