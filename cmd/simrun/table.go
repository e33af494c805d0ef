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

// tableFlags choose the cells of a table.
type tableFlags struct {
	kernels string
	cpus    []string
	public  []string
	set     cpuFlags
	level   levelFlag
	measure bool
}

func newTable() *cobra.Command {
	var flags tableFlags
	var format formatFlag
	cmd := &cobra.Command{
		Use:   "table [FILE.kir ..]",
		Short: "predicted, measured and published cycles side by side",
		Long: `Every kernel of the catalogue, or of the files given, on every CPU: checked, predicted, and beside it the
best published figure. "small code" is the shortest code that takes at most twice the cycles of its row, and "small c/B"
what it takes. --set changes the CPUs that have the number.`,
		Example: `  simrun table --kernel 'aes128/*' --cpu cortex-m4,sifive-e31
  simrun table examples/mix.kir
  simrun table --measure --format markdown`,
		RunE: func(cmd *cobra.Command, files []string) error {
			f, err := format.find()
			if err != nil {
				return err
			}
			cells, err := flags.cells(cmd, files)
			if err != nil {
				return err
			}
			err = writeTable(cmd, f, cells, flags.measure)
			if err != nil && len(files) > 0 && len(flags.cpus) == 0 {
				return fmt.Errorf("%w (--cpu chooses the CPUs of the table)", err)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&flags.kernels, "kernel", "*", "kernels whose names match this `PATTERN`, in which * stands for anything")
	cmd.Flags().StringSliceVar(&flags.cpus, "cpu", nil, "`LIST` of CPUs, separated by commas (default: all)")
	cmd.Flags().StringArrayVar(&flags.public, "public", nil, "value of a public parameter of the kernels, `NAME=N` (may be repeated)")
	cmd.Flags().BoolVar(&flags.measure, "measure", false, "also measure on this computer what it can run")
	format.add(cmd, reports.Formats)
	flags.set.addSet(cmd)
	flags.level.add(cmd)
	return cmd
}

// cells lists the cells by kernel, then by CPU in the order given.
func (f *tableFlags) cells(cmd *cobra.Command, files []string) ([]bench.Cell, error) {
	build, err := f.level.build(cmd)
	if err != nil {
		return nil, err
	}
	build.BothEnds = true
	models, err := f.models()
	if err != nil {
		return nil, err
	}
	entries, err := kernelsLike(f.kernels, files)
	if err != nil {
		return nil, err
	}
	var cells []bench.Cell
	for _, e := range entries {
		s, err := subjectOf(e, f.public)
		if err != nil {
			return nil, err
		}
		if err := runnable(s); err != nil {
			return nil, err
		}
		for _, c := range models {
			if cell := (bench.Cell{Subject: s, CPU: c, Build: build}); cell.Possible() {
				cells = append(cells, cell)
			}
		}
	}
	if len(cells) == 0 {
		return nil, usagef("no CPU of the table has words as wide as these kernels have; choose one with --cpu")
	}
	return cells, nil
}

// models reads the CPUs. A number that --set changes must be one of at least one of them.
func (f *tableFlags) models() ([]*costmodel.CPU, error) {
	names := f.cpus
	if len(names) == 0 {
		names = costmodel.Names()
	}
	var models []*costmodel.CPU
	lacking := make([]int, len(f.set.set)) // by change, the CPUs without the number
	for _, name := range names {
		c, missing, err := f.set.loadWith(name)
		if err != nil {
			return nil, err
		}
		models = append(models, c)
		for i, why := range missing {
			if why == nil {
				continue
			}
			if lacking[i]++; lacking[i] == len(names) {
				return nil, usagef("%w, nor has another CPU of the table; choose one that has it with --cpu", why)
			}
		}
	}
	return models, nil
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
