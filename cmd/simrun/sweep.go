package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/internal/result"
	"simrun/reports"
)

// placement is the one thing that a sweep may go over.
const placement = "placement"

// sweepFlag asks for the same code at several places.
type sweepFlag struct{ what string }

func (f *sweepFlag) add(cmd *cobra.Command) {
	cmd.Flags().Var(f, "sweep", "`WHAT` to go over: placement, the same code at each offset below 16 bytes")
}

func (f *sweepFlag) String() string { return f.what }

func (f *sweepFlag) Set(text string) error {
	if text != placement {
		return errors.New(f.wants())
	}
	f.what = text
	return nil
}

func (f *sweepFlag) Type() string { return "what" }

func (f *sweepFlag) wants() string { return placement }

func (f *sweepFlag) wanted() bool { return f.what != "" }

// kernel sweeps a kernel.
func (f *sweepFlag) kernel(cmd *cobra.Command, cell bench.Cell, format reports.Format) error {
	s, err := cell.Sweep()
	if err != nil {
		return err
	}
	return writeSweep(cmd.OutOrStdout(), s, format)
}

// call sweeps a function of a file.
func (f *sweepFlag) call(cmd *cobra.Command, file string, cpu *costmodel.CPU, flags *callFlags, format reports.Format) error {
	if len(flags.dump) > 0 {
		return usagef("--dump-arg belongs to one call, not to a sweep")
	}
	t, err := flags.open(file, cpu)
	if err != nil {
		return err
	}
	s, err := bench.SweepCall(file, t.data, cpu, t.call)
	if err != nil {
		return err
	}
	return writeSweep(cmd.OutOrStdout(), s, format)
}

func writeSweep(w io.Writer, s *bench.Sweep, format reports.Format) error {
	if format.Name == "json" {
		return sweepJSON(w, s)
	}
	fmt.Fprintf(w, "kernel    %s\ncpu       %s (%s)\nverified  %s\n", s.Row.Kernel, s.Row.CPU, s.Row.ISA, s.Row.Verified)
	fmt.Fprintf(w, "%6s  %10s  %12s  %12s  %12s\n", "offset", "address", "cycles", "difference", "cold cycles")
	for _, p := range s.Places {
		_, err := fmt.Fprintf(w, "%6d  %#10x  %12.3f  %+12.3f  %12.0f\n", p.Offset, p.Address, p.Cycles, p.Cycles-s.Places[0].Cycles, p.Cold)
		if err != nil {
			return err
		}
	}
	return nil
}

// placeJSON is a bench.Place in JSON.
type placeJSON struct {
	Offset     uint64  `json:"offset"`
	Address    uint64  `json:"address"`
	Cycles     float64 `json:"cycles"`
	Difference float64 `json:"difference"` // from the first
	ColdCycles float64 `json:"cold_cycles"`
}

func sweepJSON(w io.Writer, s *bench.Sweep) error {
	out := struct {
		Schema   int             `json:"schema"`
		Tool     string          `json:"tool"`
		Kernel   string          `json:"kernel"`
		CPU      string          `json:"cpu"`
		CPUFile  string          `json:"cpu_file"`
		ISA      string          `json:"isa"`
		Verified result.Verified `json:"verified"`
		Sweep    string          `json:"sweep"`
		Places   []placeJSON     `json:"places"`
	}{s.Row.Schema, s.Row.Tool, s.Row.Kernel, s.Row.CPU, s.Row.CPUFile, s.Row.ISA, s.Row.Verified, placement, nil}
	for _, p := range s.Places {
		out.Places = append(out.Places, placeJSON{p.Offset, p.Address, p.Cycles, p.Cycles - s.Places[0].Cycles, p.Cold})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
