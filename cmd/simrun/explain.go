package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/reports"
)

func newExplain() *cobra.Command {
	var cpu cpuFlags
	var kernel kernelFlags
	cmd := &cobra.Command{
		Use:   "explain KERNEL --cpu CPU",
		Short: "where the cycles of a kernel go, its floor, and what would change them",
		Args:  exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := cpu.load()
			if err != nil {
				return err
			}
			if !c.Timed() {
				return usagef("%s has no cycles to explain", c.Name)
			}
			cell, err := kernel.cell(cmd, args[0], c)
			if err != nil {
				return err
			}
			e, err := cell.Explain()
			if err != nil {
				return err
			}
			return writeExplained(cmd.OutOrStdout(), cell.Subject.Name, c.Name, e)
		},
	}
	cpu.add(cmd)
	kernel.add(cmd)
	return cmd
}

func writeExplained(w io.Writer, kernel, cpu string, e *bench.Explained) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s on %s, a warm call\n\n", kernel, cpu)
	fmt.Fprint(t, "cycles\t%\tinstructions\t  part\n")
	n := 0.0
	for _, p := range e.Parts {
		fmt.Fprintf(t, "%.0f\t%.1f\t%.0f\t  %s\n", p.Cycles, 100*p.Cycles/e.Cycles, p.Instructions, p.Name)
		n += p.Instructions
	}
	fmt.Fprintf(t, "%.0f\t100.0\t%.0f\t  all\n", e.Cycles, n)
	if err := t.Flush(); err != nil {
		return err
	}
	if e.Core != nil {
		return writeCore(w, e.Core)
	}
	return writeEstimate(w, e)
}

func writeEstimate(w io.Writer, e *bench.Explained) error {
	i := e.Estimate
	fmt.Fprintf(w, "\nby the compiler's estimate (it knows no branches, fetches or calls):\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cycles float64, what string) {
		fmt.Fprintf(t, "%.0f\t%+.1f %%\t  %s\n", cycles, 100*(cycles/i.Now-1), what)
	}
	fmt.Fprintf(t, "%.0f\t\t  as it is; the pipeline says %.0f, %+.1f %%\n", i.Now, e.Cycles, 100*(e.Cycles/i.Now-1))
	row(i.OneMore, "with one register more")
	row(i.Unlimited, "with registers for everything: the floor of this instruction selection")
	row(i.FreeLoads, "if loads took no time")
	row(i.FreeRotate, "if rotations by a constant were free")
	return t.Flush()
}

// writeCore prints what is said of code out of order.
func writeCore(w io.Writer, c *bench.Core) error {
	fmt.Fprintln(w)
	reports.WriteCauses(w, c.Row)
	writeBounds(w, c)
	return writeChanges(w, c)
}

// writeBounds prints floors in cycles per byte.
func writeBounds(w io.Writer, c *bench.Core) {
	for i, b := range c.Bounds {
		lead := ", "
		if i == 0 {
			lead = "\nbounds: "
		}
		fmt.Fprintf(w, "%s%s %.2f", lead, b.Name, b.Cycles/float64(c.Row.Bytes))
	}
	fmt.Fprintf(w, " c/B; the pipeline says %.2f\n", c.Row.CyclesPerByte)
}

// writeChanges prints what the code would take, the largest effect first, and names at the end what has none.
func writeChanges(w io.Writer, c *bench.Core) error {
	fmt.Fprintln(w, "\nthe same code with one mechanism changed (+ is slower; its order was settled for the numbers as they are, so more of something may cost):")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "cycles\tc/B\teffect\t  change\n%.0f\t%.2f\t\t  as it is\n", c.Row.Cycles, c.Row.CyclesPerByte)
	var none []string
	for _, x := range c.Changes {
		if x.None() {
			none = append(none, x.Change.String())
			continue
		}
		fmt.Fprintf(t, "%.0f\t%.2f\t%+.1f %%\t  %s:%s\n", x.Cycles, x.Cycles/float64(c.Row.Bytes), 100*x.Effect, x.What, flags(x.Settings))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(none) > 0 {
		_, err := fmt.Fprintf(w, "under 0.05 %%: %s\n", strings.Join(none, "; "))
		return err
	}
	return nil
}

// flags are the settings as simrun takes them, each behind a blank.
func flags(settings []costmodel.Setting) string {
	var b strings.Builder
	for _, s := range settings {
		fmt.Fprintf(&b, " --set %s", s)
	}
	return b.String()
}
