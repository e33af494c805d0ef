package main

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/internal/input"
	"simrun/programs/ir"
)

// subjectFlags choose a kernel out of a file that holds several, and its public parameters.
type subjectFlags struct {
	kernel string
	public []string
}

func (f *subjectFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.kernel, "kernel", "", "the `KERNEL` of a .kir file that holds several")
	cmd.Flags().StringArrayVar(&f.public, "public", nil, "value of a public parameter, `NAME=N` (may be repeated)")
}

// find returns the kernel that arg names: of the catalogue, or of a .kir file.
func (f *subjectFlags) find(arg string) (*bench.Subject, error) {
	entry, err := f.entry(arg)
	if err != nil {
		return nil, err
	}
	return subjectOf(entry, f.public)
}

// subjectOf is a kernel with its vectors and the values of its public parameters.
func subjectOf(e ciphers.Entry, public []string) (*bench.Subject, error) {
	s, err := bench.NewSubject(e)
	if err != nil {
		return nil, err
	}
	s.Public, err = parsePublic(public, s.Kernel)
	return s, err
}

// findToRun is find for a kernel that will run: every public parameter has a value.
func (f *subjectFlags) findToRun(arg string) (*bench.Subject, error) {
	s, err := f.find(arg)
	if err != nil {
		return nil, err
	}
	return s, runnable(s)
}

// kernelFlags choose a kernel and how it is compiled.
type kernelFlags struct {
	subject subjectFlags
	level   levelFlag
}

func (f *kernelFlags) add(cmd *cobra.Command) {
	f.subject.add(cmd)
	f.level.add(cmd)
}

// cell is the kernel that arg names, on a CPU.
func (f *kernelFlags) cell(cmd *cobra.Command, arg string, cpu *costmodel.CPU) (bench.Cell, error) {
	b, err := f.level.build(cmd)
	if err != nil {
		return bench.Cell{}, err
	}
	s, err := f.subject.find(arg)
	return bench.Cell{Subject: s, CPU: cpu, Build: b}, err
}

// cellToRun is cell for a kernel that will run: every public parameter has a value.
func (f *kernelFlags) cellToRun(cmd *cobra.Command, arg string, cpu *costmodel.CPU) (bench.Cell, error) {
	c, err := f.cell(cmd, arg, cpu)
	if err != nil {
		return bench.Cell{}, err
	}
	return c, runnable(c.Subject)
}

// runnable wants a value for every public parameter.
func runnable(s *bench.Subject) error {
	for _, p := range publicParams(s.Kernel) {
		if _, ok := s.Public[p.Name]; !ok {
			return usagef("public parameter %s of %s has no value: give --public %s=N%s", p.Name, s.Name, p.Name, rangeHint(p))
		}
	}
	return nil
}

// entry finds the kernel without its vectors.
func (f *subjectFlags) entry(arg string) (ciphers.Entry, error) {
	if !strings.HasSuffix(arg, ".kir") {
		if f.kernel != "" {
			return ciphers.Entry{}, usagef("--kernel chooses from a .kir file; %s is none", arg)
		}
		e, err := ciphers.Find(arg)
		if info, none := os.Stat(arg); err != nil && none == nil && !info.Mode().IsRegular() {
			_, err = input.ReadFile(arg, input.MaxProgram) // says what it is
		}
		if err != nil {
			return e, usageError{err}
		}
		return e, nil
	}
	entries, err := ciphers.FromFile(arg)
	if err != nil {
		return ciphers.Entry{}, err
	}
	names := entryNames(entries)
	switch i := slices.Index(names, f.kernel); {
	case i >= 0:
		return entries[i], nil
	case f.kernel != "":
		return ciphers.Entry{}, unknown("kernel of "+arg, f.kernel, names)
	case len(entries) > 1:
		return ciphers.Entry{}, usagef("%s holds several kernels: choose one of %s with --kernel", arg, input.Few(names))
	}
	return entries[0], nil
}

// parsePublic reads the values of public parameters of a kernel: each at most once and in its range.
func parsePublic(list []string, k *ir.Kernel) (map[string]int64, error) {
	params := publicParams(k)
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	values := map[string]int64{}
	for _, text := range list {
		name, number, _ := strings.Cut(text, "=")
		v, err := strconv.ParseInt(number, 0, 64)
		if err != nil {
			return nil, usagef("--public %s: want name=N", input.Clip(text))
		}
		i := slices.Index(names, name)
		if i < 0 {
			return nil, usagef("--public %s: %s has %s", input.Clip(text), k.Name, publicHint(names))
		}
		if _, given := values[name]; given {
			return nil, usagef("--public %s: %s is given twice", text, name)
		}
		if p := params[i]; p.Lo != p.Hi && (v < p.Lo || v >= p.Hi) {
			return nil, usagef("--public %s: outside its range%s", text, rangeHint(p))
		}
		values[name] = v
	}
	return values, nil
}

func publicHint(names []string) string {
	if len(names) == 0 {
		return "no public parameters"
	}
	return "no public parameter of this name, but " + input.Few(names)
}

// anySlice is a width that S may have; public parameters do not depend on it.
const anySlice = 32

func publicParams(k *ir.Kernel) []ir.Param {
	return slices.DeleteFunc(slices.Clone(k.Params(anySlice)), func(p ir.Param) bool { return !p.Public })
}

func rangeHint(p ir.Param) string {
	if p.Lo == p.Hi {
		return ""
	}
	return " of " + strconv.FormatInt(p.Lo, 10) + " to " + strconv.FormatInt(p.Hi-1, 10)
}

func entryNames(entries []ciphers.Entry) []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names
}
