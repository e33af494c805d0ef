package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simrun/internal/bench"
)

func newDump() *cobra.Command {
	var cpu cpuFlags
	var kernel kernelFlags
	var stage string
	cmd := &cobra.Command{
		Use:     "dump KERNEL --cpu CPU",
		Short:   "any stage of the compilation, between text and bytes",
		Example: "  simrun dump gift64/fixsliced --cpu cortex-m4\n  simrun dump gift64/fixsliced --cpu cortex-m4 --stage select",
		Args:    exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := cpu.load()
			if err != nil {
				return err
			}
			cell, err := kernel.cell(cmd, args[0], c)
			if err != nil {
				return err
			}
			return dump(cmd.OutOrStdout(), cell, stage)
		},
	}
	cpu.add(cmd)
	kernel.add(cmd)
	cmd.Flags().StringVar(&stage, "stage", "", "the `STAGE` to print; without it the stages are listed")
	return cmd
}

// dump compiles and prints the stage. A compilation that fails behind the stage still prints it.
func dump(w io.Writer, c bench.Cell, stage string) error {
	var stages []string
	var text string
	c.Build.Dump = func(name string, print func() string) {
		stages = append(stages, name)
		if name == stage {
			text = print()
		}
	}
	_, err := c.Compile()
	switch {
	case slices.Contains(stages, stage):
		_, err = fmt.Fprintln(w, strings.TrimRight(text, "\n"))
		return err
	case err != nil:
		return fmt.Errorf("%s on %s: %w", c.Subject.Name, c.CPU.Name, err)
	case stage == "":
		_, err = fmt.Fprintln(w, strings.Join(stages, "\n"))
		return err
	}
	return unknown("stage", stage, stages)
}
