package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"simrun/ciphers"
	"simrun/costmodel"
	"simrun/internal/bench"
)

// lists are the things that can be listed.
var lists = []struct {
	name  string
	write func(io.Writer) error
}{
	{"kernels", listKernels},
	{"cpus", listCPUs},
	{"ciphers", listCiphers},
}

func newList() *cobra.Command {
	var cpu string
	cmd := &cobra.Command{
		Use:     "list [kernels|cpus|ciphers]",
		Short:   "what there is",
		Example: "  simrun list cpus",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usagef("list takes at most one of kernels, cpus, ciphers")
			case cpu != "" && (len(args) == 0 || args[0] != "kernels"):
				return usagef("--cpu chooses among the kernels: simrun list kernels --cpu %s", cpu)
			case cpu != "":
				return listKernelsFor(cmd.OutOrStdout(), cpu)
			}
			return writeLists(cmd.OutOrStdout(), args)
		},
	}
	cmd.Flags().StringVar(&cpu, "cpu", "", "only kernels that this `CPU` has words for")
	return cmd
}

// writeLists writes the named list, or all with a title each.
func writeLists(w io.Writer, args []string) error {
	var names []string
	for i, l := range lists {
		names = append(names, l.name)
		if len(args) > 0 && args[0] != l.name {
			continue
		}
		if len(args) == 0 {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintln(w, l.name)
		}
		if err := l.write(w); err != nil || len(args) > 0 {
			return err
		}
	}
	if len(args) > 0 {
		return unknown("list", args[0], names)
	}
	return nil
}

func listKernels(w io.Writer) error {
	return writeKernels(w, func(ciphers.Entry) bool { return true })
}

func listKernelsFor(w io.Writer, name string) error {
	cpu, err := costmodel.Load(name)
	if err != nil {
		return err
	}
	return writeKernels(w, func(e ciphers.Entry) bool {
		return bench.Cell{Subject: &bench.Subject{Kernel: e.Kernel}, CPU: cpu}.Possible()
	})
}

func writeKernels(w io.Writer, wanted func(ciphers.Entry) bool) error {
	catalogue, err := ciphers.Catalogue()
	if err != nil {
		return err
	}
	return aligned(w, func(t io.Writer) {
		for _, e := range catalogue {
			if !wanted(e) {
				continue
			}
			fmt.Fprintf(t, "%s\t%s\tvectors: %s\n", e.Name, e.File, strings.Join(e.Vectors, ", "))
		}
	})
}

// listCPUs lists the CPUs, then the boards with one.
func listCPUs(w io.Writer) error {
	var cpus []*costmodel.CPU
	for _, name := range append(costmodel.Names(), costmodel.Boards()...) {
		cpu, err := costmodel.Load(name)
		if err != nil {
			return err
		}
		cpus = append(cpus, cpu)
	}
	return aligned(w, func(t io.Writer) {
		for _, c := range cpus {
			fmt.Fprintf(t, "%s\t%s\t%s\n", c.Name, c.ISA, c.Title)
		}
	})
}

func listCiphers(w io.Writer) error {
	catalogue, err := ciphers.Catalogue()
	if err != nil {
		return err
	}
	var names []string
	kernels := map[string]int{}
	for _, e := range catalogue {
		cipher, _, _ := strings.Cut(e.Name, "/")
		if kernels[cipher]++; kernels[cipher] == 1 {
			names = append(names, cipher)
		}
	}
	return aligned(w, func(t io.Writer) {
		for _, n := range names {
			fmt.Fprintf(t, "%s\t%d kernels\n", n, kernels[n])
		}
	})
}

// aligned writes lines of tab-separated cells in columns.
func aligned(w io.Writer, write func(io.Writer)) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	write(t)
	return t.Flush()
}
