package main

import (
	"github.com/spf13/cobra"

	"simrun/internal/layout"
)

// layoutSliceBits is the width of S for kernels on slices: that of a 32-bit CPU.
const layoutSliceBits = 32

func newLayout() *cobra.Command {
	var subject subjectFlags
	cmd := &cobra.Command{
		Use:     "layout KERNEL",
		Short:   "where each bit of the message sits in the packed state",
		Example: "  simrun layout aes128/fixsliced",
		Args:    exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := subject.find(args[0])
			if err != nil {
				return err
			}
			l, err := layout.Trace(s.Kernel, layoutSliceBits)
			if err != nil {
				return err
			}
			return l.Text(cmd.OutOrStdout())
		},
	}
	subject.add(cmd)
	return cmd
}
