package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simrun/costmodel"
)

func newCPU() *cobra.Command {
	var flags cpuFlags
	cmd := &cobra.Command{
		Use:     "cpu CPU",
		Short:   "the model of a CPU: every number and its source, what is not modelled",
		Example: "  simrun cpu cortex-m4",
		Args:    exactly("CPU"),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.name = args[0]
			cpu, err := flags.load()
			if err != nil {
				return err
			}
			return writeCPU(cmd.OutOrStdout(), cpu)
		},
	}
	flags.addSet(cmd)
	return cmd
}

func writeCPU(w io.Writer, c *costmodel.CPU) error {
	err := aligned(w, func(t io.Writer) {
		fmt.Fprintf(t, "name\t%s\n", c.Name)
		if len(c.Aliases) > 0 {
			fmt.Fprintf(t, "also\t%s\n", strings.Join(c.Aliases, ", "))
		}
		fmt.Fprintf(t, "what\t%s\n", c.Title)
		for _, h := range c.Hosts {
			fmt.Fprintf(t, "models\t%s (%s)\n", h, c.Cited(h.Source))
		}
		fmt.Fprintf(t, "isa\t%s %s\n", c.ISA, strings.Join(c.Features, " "))
		fmt.Fprintf(t, "pipeline\t%s\n", c.Pipeline)
		fmt.Fprintf(t, "code budget\t%d bytes\n", c.CodeBudget.Value)
		fmt.Fprintf(t, "file\t%s (%s)\n", c.File, c.Hash())
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := aligned(w, func(t io.Writer) { writeNumbers(t, c.Numbers()) }); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, n := range slices.Sorted(maps.Keys(c.Rules)) {
		fmt.Fprintf(w, "rule %-2d  %s\n", n, c.Rule(n))
	}
	fmt.Fprintln(w)
	for _, what := range c.NotModelled {
		if _, err := fmt.Fprintf(w, "not modelled: %s\n", what); err != nil {
			return err
		}
	}
	return nil
}

func writeNumbers(w io.Writer, numbers []costmodel.Number) {
	fmt.Fprintln(w, "number\tvalue\trule\tkind\tsource")
	for _, n := range numbers {
		rule := ""
		if n.Rule > 0 {
			rule = fmt.Sprint(n.Rule)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", n.Key, n.Text, rule, n.Kind, n.Source)
	}
}
