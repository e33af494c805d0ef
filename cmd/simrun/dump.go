package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simrun/costmodel"
	"simrun/internal/bench"
)

func newDump() *cobra.Command {
	var cpu cpuFlags
	var subject subjectFlags
	var stage string
	cmd := &cobra.Command{
		Use:   "dump KERNEL --cpu CPU",
		Short: "any stage of the compilation, between text and bytes",
		Args:  exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := cpu.load()
			if err != nil {
				return err
			}
			s, err := subject.find(args[0])
			if err != nil {
				return err
			}
			return dump(cmd.OutOrStdout(), s, c, stage)
		},
	}
	cpu.add(cmd)
	subject.add(cmd)
	cmd.Flags().StringVar(&stage, "stage", "", "the `STAGE` to print; without it the stages are listed")
	return cmd
}

// dump compiles and prints the stage. A compilation that fails behind the stage still prints it.
func dump(w io.Writer, s *bench.Subject, c *costmodel.CPU, stage string) error {
	var stages []string
	var text string
	_, err := bench.Compile(s.Kernel, c, func(name string, print func() string) {
		stages = append(stages, name)
		if name == stage {
			text = print()
		}
	})
	switch {
	case slices.Contains(stages, stage):
		_, err = fmt.Fprintln(w, strings.TrimRight(text, "\n"))
		return err
	case err != nil:
		return fmt.Errorf("%s on %s: %w", s.Name, c.Name, err)
	case stage == "":
		_, err = fmt.Fprintln(w, strings.Join(stages, "\n"))
		return err
	}
	return unknown("stage", stage, stages)
}
