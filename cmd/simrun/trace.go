package main

import (
	"github.com/spf13/cobra"

	"simrun/internal/bench"
)

// traceFormats are the forms of a trace.
var traceFormats = []string{"text"}

func newTrace() *cobra.Command {
	var cpu cpuFlags
	var subject subjectFlags
	var call callFlags
	var format string
	cmd := &cobra.Command{
		Use:   "trace TARGET --cpu CPU",
		Short: "one cold call, instruction by instruction with its cycles",
		Args:  exactly("TARGET"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != traceFormats[0] {
				return unknown("format", format, traceFormats)
			}
			c, err := cpu.load()
			if err != nil {
				return err
			}
			if wants, err := call.wanted(args[0]); err != nil {
				return err
			} else if wants {
				t, err := call.open(args[0], c)
				if err != nil {
					return err
				}
				return bench.TraceCall(cmd.OutOrStdout(), t.image, c, t.call)
			}
			s, err := subject.find(args[0])
			if err != nil {
				return err
			}
			return bench.Cell{Subject: s, CPU: c}.Trace(cmd.OutOrStdout())
		},
	}
	cpu.add(cmd)
	subject.add(cmd)
	call.addTarget(cmd)
	cmd.Flags().StringVar(&format, "format", traceFormats[0], "`FORMAT`, one of text")
	return cmd
}
