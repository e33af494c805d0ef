package main

import (
	"io"

	"github.com/spf13/cobra"

	"simrun/internal/compare"
	"simrun/internal/input"
	"simrun/internal/result"
)

// maxResults bounds a file of results, in bytes.
const maxResults = 64 << 20

// comparisons are the ways to write a comparison, the default first.
var comparisons = []struct {
	name  string
	write func(io.Writer, []compare.Pair) error
}{
	{"text", compare.Text},
	{"json", compare.JSON},
}

func newCompare() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "what changed between two files of results: figures, and cycles by cause",
		Long: `Compares two JSON files that simrun table or simrun run has written. A and B are each

  FILE                  all its rows
  FILE:KERNEL@CPU       those of one kernel and one CPU; either may be left out, and * stands for anything

Rows are of the same kernel and CPU. Where each side is of one CPU the two may differ, and so may kernels where
each side is of one. The exit status is 0 whether something changed or not; simrun check --baseline is the gate.`,
		Example: `  simrun table --format json > before.json
  simrun compare before.json after.json
  simrun compare before.json@cortex-m3 before.json@cortex-m4
  simrun compare before.json:gift64/fixsliced before.json:gift64/bitsliced`,
		Args: exactly("A", "B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := comparison(format)
			if err != nil {
				return err
			}
			a, err := selectRows(args[0])
			if err != nil {
				return err
			}
			b, err := selectRows(args[1])
			if err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), compare.Pairs(a, b))
		},
	}
	cmd.Flags().StringVar(&format, "format", comparisons[0].name, "`FORMAT`, one of text, json")
	return cmd
}

// comparison is the writer of that name.
func comparison(format string) (func(io.Writer, []compare.Pair) error, error) {
	var names []string
	for _, c := range comparisons {
		if c.name == format {
			return c.write, nil
		}
		names = append(names, c.name)
	}
	return nil, unknown("format", format, names)
}

// selectRows reads the rows that a word of the command line chooses.
func selectRows(arg string) ([]result.Row, error) {
	s := compare.ParseSelector(arg)
	rows, err := readResults(s.File)
	if err != nil {
		return nil, err
	}
	return s.Select(rows)
}

func readResults(file string) ([]result.Row, error) {
	data, err := input.ReadFile(file, maxResults)
	if err != nil {
		return nil, err
	}
	return compare.Read(file, data)
}
