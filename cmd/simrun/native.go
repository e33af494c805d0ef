package main

import (
	"time"

	"github.com/spf13/cobra"

	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/reports"
)

// nativeTime bounds one native measurement.
const nativeTime = 10 * time.Second

func newNative() *cobra.Command {
	var cpu cpuFlags
	var kernel kernelFlags
	var format formatFlag
	cmd := &cobra.Command{
		Use:     "native KERNEL",
		Short:   "measured cycles of a CPU's image on this computer",
		Example: "  simrun native gift64/fixsliced\n  simrun native examples/mix.kir --format json",
		Args:    exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := format.find()
			if err != nil {
				return err
			}
			c, err := nativeCPU(&cpu)
			if err != nil {
				return err
			}
			cell, err := kernel.cellToRun(cmd, args[0], c)
			if err != nil {
				return err
			}
			cells := []bench.Cell{cell}
			rows, programs, err := bench.SimulateAll(cmd.Context(), cells, nil)
			if err != nil {
				return err
			}
			if err := bench.MeasureAll(cmd.Context(), cells, programs, rows, nativeTime, nil); err != nil {
				return err
			}
			return writeRow(cmd, f, &rows[0])
		},
	}
	cpu.add(cmd)
	kernel.add(cmd)
	format.add(cmd, reports.RowFormats)
	return cmd
}

// nativeCPU is the CPU given, or the one whose code stands for this computer.
func nativeCPU(flags *cpuFlags) (*costmodel.CPU, error) {
	isaName, err := bench.HostISA()
	if err != nil {
		return nil, err
	}
	if flags.name == "" {
		var cpus []*costmodel.CPU
		var refused error
		for _, name := range costmodel.Names() {
			c, err := flags.loadName(name)
			if err == nil {
				cpus = append(cpus, c)
			} else if refused == nil {
				refused = err
			}
		}
		if c := bench.ThisCPU(cpus); c != nil {
			return c, nil
		}
		if refused != nil {
			return nil, refused
		}
	}
	c, err := flags.load()
	if err == nil && c.ISA != isaName {
		return nil, usagef("%s has the instruction set %s, this computer %s", c.Name, c.ISA, isaName)
	}
	return c, err
}
