package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/programs/native"
	"simrun/reports"
)

// measureTime bounds the measuring of a whole table: with a build from nothing, `make run` then takes less
// than a minute on two cores.
const measureTime = 25 * time.Second

func newTable() *cobra.Command {
	var kernels string
	var cpus []string
	var measure bool
	var format formatFlag
	var flags cpuFlags
	var level levelFlag
	cmd := &cobra.Command{
		Use:   "table",
		Short: "predicted, measured and published cycles side by side",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := format.find()
			if err != nil {
				return err
			}
			b, err := level.build(cmd)
			if err != nil {
				return err
			}
			cells, err := tableCells(kernels, cpus, &flags, b)
			if err != nil {
				return err
			}
			return writeTable(cmd, f, cells, measure)
		},
	}
	cmd.Flags().StringVar(&kernels, "kernel", "*", "kernels whose names match this `PATTERN`, in which * stands for anything")
	cmd.Flags().StringSliceVar(&cpus, "cpu", nil, "`LIST` of CPUs, separated by commas (default: all)")
	cmd.Flags().BoolVar(&measure, "measure", false, "also measure on this computer what it can run")
	format.add(cmd, reports.Formats)
	flags.addSet(cmd)
	level.add(cmd)
	return cmd
}

// tableCells lists the cells by kernel, then by CPU in the order given.
func tableCells(pattern string, cpus []string, flags *cpuFlags, build bench.Build) ([]bench.Cell, error) {
	if len(cpus) == 0 {
		cpus = costmodel.Names()
	}
	var models []*costmodel.CPU
	for _, name := range cpus {
		c, err := flags.loadName(name)
		if err != nil {
			return nil, err
		}
		models = append(models, c)
	}
	entries, err := kernelsLike(pattern)
	if err != nil {
		return nil, err
	}
	var cells []bench.Cell
	for _, e := range entries {
		s, err := bench.NewSubject(e)
		if err != nil {
			return nil, err
		}
		for _, c := range models {
			cells = append(cells, bench.Cell{Subject: s, CPU: c, Build: build})
		}
	}
	return cells, nil
}

func writeTable(cmd *cobra.Command, format reports.Format, cells []bench.Cell, measure bool) error {
	progress, done := progressBar(cmd.ErrOrStderr(), "simulating")
	rows, programs, err := bench.SimulateAll(cmd.Context(), cells, progress)
	done()
	if err != nil {
		return err
	}
	if measure {
		progress, done := progressBar(cmd.ErrOrStderr(), "measuring")
		err := bench.MeasureAll(cmd.Context(), cells, programs, rows, measureTime, progress)
		done()
		if errors.Is(err, native.ErrUnsupported) {
			fmt.Fprintf(cmd.ErrOrStderr(), "simrun: nothing is measured: %v\n", err)
		} else if err != nil {
			return err
		}
	}
	if err := reports.Attach(rows); err != nil {
		return err
	}
	return format.Write(cmd.OutOrStdout(), rows)
}

// progressBar shows progress on a terminal and nothing elsewhere. done removes it.
func progressBar(w io.Writer, what string) (progress bench.Progress, done func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	progress = func(n, total int) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(w),
				progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish(),
				progressbar.OptionShowCount())
		}
		_ = bar.Set(n)
	}
	return progress, func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
}
