package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simrun/internal/bench"
	"simrun/internal/compare"
	"simrun/internal/result"
)

// gateFlags describe a check against a baseline.
type gateFlags struct {
	baseline  string
	tolerance float64
	cells     tableFlags
}

func (f *gateFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.baseline, "baseline", "", "`RESULTS` in JSON that FILE is held against")
	flags.Var(percent{&f.tolerance}, "tolerance", "`PERCENT` that a row may be slower")
	flags.StringSliceVar(&f.cells.cpus, "cpu", nil, "`LIST` of CPUs to count a .kir file on, separated by commas (default: those of the baseline)")
	flags.StringArrayVar(&f.cells.public, "public", nil, "value of a public parameter of its kernels, `NAME=N` (may be repeated)")
	f.cells.level.add(cmd)
	f.cells.kernels = "*"
}

// fits refuses a file that cannot be checked so, and flags that mean nothing for it.
func (f *gateFlags) fits(cmd *cobra.Command, file string) error {
	if f.baseline == "" && !isKernelFile(file) {
		return usagef("%s is no kernel file (.kir); results are checked against a --baseline", file)
	}
	var err error
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		counts := flag.Name == "cpu" || flag.Name == "public" || slices.Contains(levelFlags, flag.Name)
		switch {
		case !counts && flag.Name != "tolerance":
		case f.baseline == "":
			err = usagef("--%s belongs to a check against a --baseline", flag.Name)
		case counts && !isKernelFile(file):
			err = usagef("--%s belongs to a kernel file (.kir); %s is results", flag.Name, file)
		}
	})
	return err
}

// check holds a file against the baseline.
func (f *gateFlags) check(cmd *cobra.Command, file string) error {
	base, err := selectRows(f.baseline)
	if err != nil {
		return err
	}
	var now []result.Row
	if isKernelFile(file) {
		now, base, err = f.count(cmd, file, base)
	} else {
		now, err = selectRows(file)
	}
	if err != nil {
		return err
	}
	return f.report(cmd, file, compare.Gate(base, now, f.tolerance))
}

// count compiles and counts the kernels of a file, and returns their rows beside those of the baseline that are of
// the same kernels and CPUs.
func (f *gateFlags) count(cmd *cobra.Command, file string, base []result.Row) (now, same []result.Row, err error) {
	cells := f.cells
	if len(cells.cpus) == 0 {
		for i := range base {
			if !slices.Contains(cells.cpus, base[i].CPU) {
				cells.cpus = append(cells.cpus, base[i].CPU)
			}
		}
	}
	list, err := cells.cells(cmd, []string{file})
	if err != nil {
		return nil, nil, err
	}
	same = slices.DeleteFunc(slices.Clone(base), func(r result.Row) bool {
		return !slices.ContainsFunc(list, func(c bench.Cell) bool { return c.Subject.Name == r.Kernel && c.CPU.Name == r.CPU })
	})
	if len(same) == 0 {
		return nil, nil, fmt.Errorf("%s has no row of a kernel of %s on these CPUs; make one with simrun table %s --format json", f.baseline, file, file)
	}
	progress, done := progressBar(cmd.ErrOrStderr(), "simulating")
	now, _, err = bench.SimulateAll(cmd.Context(), list, progress)
	done()
	return now, same, err
}

// report writes what the gate says: what shuts it on the output, the rest on the error output.
func (f *gateFlags) report(cmd *cobra.Command, file string, v *compare.Verdict) error {
	for _, line := range append(v.Notes, v.Better...) {
		fmt.Fprintln(cmd.ErrOrStderr(), "simrun: "+line)
	}
	for _, line := range v.Worse {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), line); err != nil {
			return err
		}
	}
	if n := len(v.Worse); n > 0 {
		return fmt.Errorf("%s is worse than %s: lines above: %d, rows of the baseline: %d", file, f.baseline, n, v.Rows)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "ok      no row is slower than in %s by more than %g %%; rows: %d\n", f.baseline, f.tolerance, v.Rows)
	return err
}

// maxTolerance is the most that a row may be allowed to be slower, in percent.
const maxTolerance = 1000

// percent is a flag for a number of percent.
type percent struct{ v *float64 }

func (p percent) String() string {
	if p.v == nil {
		return "0"
	}
	return strconv.FormatFloat(*p.v, 'g', -1, 64)
}

func (p percent) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= maxTolerance) { // NaN is neither
		return errors.New(p.wants())
	}
	*p.v = v
	return nil
}

func (p percent) Type() string { return "percent" }

func (p percent) wants() string { return fmt.Sprintf("a number from 0 to %d", maxTolerance) }
