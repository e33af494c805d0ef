package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"simrun/internal/bench"
	"simrun/sim/trace"
)

// findTraceFormat returns a form of a trace by its name.
func findTraceFormat(name string) (trace.Format, error) {
	for _, f := range trace.Formats {
		if f.Name == name {
			return f, nil
		}
	}
	return trace.Format{}, unknown("format", name, traceFormats())
}

func traceFormats() []string {
	names := make([]string, len(trace.Formats))
	for i, f := range trace.Formats {
		names[i] = f.Name
	}
	return names
}

func newTrace() *cobra.Command {
	var cpu cpuFlags
	var kernel kernelFlags
	var call callFlags
	var program programFlags
	var format string
	cmd := &cobra.Command{
		Use:     "trace TARGET --cpu CPU [-- ARGUMENTS]",
		Short:   "one cold call or a whole program, instruction by instruction with its cycles",
		Example: "  simrun trace gift64/fixsliced --cpu cortex-m4\n  simrun trace gift64/fixsliced --cpu cortex-m4 --format konata > gift64.log",
		Args:    targetAndArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := findTraceFormat(format)
			if err != nil {
				return err
			}
			c, err := cpu.load()
			if err != nil {
				return err
			}
			kind, err := call.kindOf(cmd, args, c)
			if err != nil {
				return err
			}
			if kind == aProgram {
				t, err := openProgram(cmd, args[0], args[1:], c, &call, &program)
				if err != nil {
					return err
				}
				t.run.Stdout = cmd.ErrOrStderr() // the trace has the standard output
				return bench.TraceFirmware(cmd.OutOrStdout(), f, filepath.Base(args[0]), t.image, c, t.run)
			}
			if kind == aFunction {
				t, err := call.open(args[0], c)
				if err != nil {
					return err
				}
				return bench.TraceCall(cmd.OutOrStdout(), f, t.image, c, t.call)
			}
			cell, err := kernel.cellToRun(cmd, args[0], c)
			if err != nil {
				return err
			}
			return cell.Trace(cmd.OutOrStdout(), f)
		},
	}
	cpu.add(cmd)
	kernel.add(cmd)
	call.addTarget(cmd)
	program.add(cmd)
	cmd.Flags().StringVar(&format, "format", trace.Formats[0].Name, "`FORMAT`, one of "+strings.Join(traceFormats(), ", "))
	return cmd
}
