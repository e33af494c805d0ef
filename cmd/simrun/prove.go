package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simrun/internal/bench"
	"simrun/internal/result"
	"simrun/programs/prove"
)

// proofFormats are the forms of a proof, the default first.
var proofFormats = []struct {
	name  string
	write func(io.Writer, []proven) error
}{{"text", writeProofs}, {"json", writeProofsJSON}}

func newProve() *cobra.Command {
	var cpu cpuFlags
	var kernel kernelFlags
	var format string
	var names []string
	for _, f := range proofFormats {
		names = append(names, f.name)
	}
	cmd := &cobra.Command{
		Use:   "prove KERNEL --cpu CPU",
		Short: "whether machine code and kernel text are the same function, for all inputs and keys",
		Long: `Runs the machine code of a kernel, and of the keys function it names, on symbolic bits, and so the text of the
language, and proves each output bit equal: not for some inputs but for all. A counterexample is run on the interpreter and on the
simulated core before it is shown. Exit status 1 if a bit is refuted or stays open, or if the code does
what no kernel may do. docs/proofs.md says what is proven and what is trusted.`,
		Example: "  simrun prove aes128/fixsliced --cpu cortex-m4\n  simrun prove examples/mix.kir --cpu sifive-e31 -O2",
		Args:    exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.Index(names, format)
			if i < 0 {
				return unknown("format", format, names)
			}
			c, err := cpu.load()
			if err != nil {
				return err
			}
			cell, err := kernel.cellToRun(cmd, args[0], c)
			if err != nil {
				return err
			}
			list, err := proveCell(cell)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", cell.Subject.Name, c.Name, err)
			}
			if err := proofFormats[i].write(cmd.OutOrStdout(), list); err != nil {
				return err
			}
			return unproven(list)
		},
	}
	cpu.add(cmd)
	kernel.add(cmd)
	cmd.Flags().StringVar(&format, "format", names[0], "`FORMAT`, one of "+strings.Join(names, ", "))
	return cmd
}

// proven is one program with what was proven of it.
type proven struct {
	kernel, cpu, isa string
	public           map[string]int64
	*prove.Result
}

// proveCell proves the kernel of a cell, and its keys function.
func proveCell(c bench.Cell) ([]proven, error) {
	cells := []bench.Cell{c}
	if c.Subject.Kernel.Keys != nil {
		cells = append(cells, c.Keys())
	}
	var list []proven
	for _, c := range cells {
		p, err := c.Compile()
		if err != nil {
			return nil, err
		}
		public := c.Subject.Public
		r, err := prove.Kernel(prove.Job{Code: p.Code, Target: p.Target, Features: c.CPU.Features, Public: public})
		if err != nil {
			return nil, err
		}
		list = append(list, proven{c.Subject.Name, c.CPU.Name, c.CPU.ISA, public, r})
	}
	return list, nil
}

func writeProofs(w io.Writer, list []proven) error {
	for _, p := range list {
		what := "inputs and keys"
		for _, name := range slices.Sorted(maps.Keys(p.public)) {
			what += fmt.Sprintf(" with %s = %d", name, p.public[name])
		}
		_, err := fmt.Fprintf(w, "%s on %s: %d of %d output bits proven equal to the text for all %s (%d instructions, %d nodes; merged by truth table %d, over GF(2) %d)\n",
			p.kernel, p.cpu, p.Proven, p.Bits, what, p.Steps, p.Nodes, p.Merges.Table, p.Merges.Span)
		if err != nil {
			return err
		}
		if len(p.Open) > 0 {
			fmt.Fprintf(w, "  not proven: bits of %s%s\n", strings.Join(p.Open, ", "), more(p.OpenMore))
		}
		if err := writeCounter(w, p.Counter); err != nil {
			return err
		}
	}
	return nil
}

func more(yes bool) string {
	if yes {
		return " and others"
	}
	return ""
}

func writeCounter(w io.Writer, c *prove.Counterexample) error {
	if c == nil {
		return nil
	}
	fmt.Fprintln(w, "  refuted, interpreter and core agree on that:")
	for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
		fmt.Fprintf(w, "    with  %s = %x\n", name, c.Inputs[name])
	}
	_, err := fmt.Fprintf(w, "    text  %s = %x\n    code  %s = %x\n", c.Output, c.Text, c.Output, c.Code)
	return err
}

// proofJSON is the JSON form of one proof.
type proofJSON struct {
	Schema       int              `json:"schema"`
	Tool         string           `json:"tool"`
	Kernel       string           `json:"kernel"`
	CPU          string           `json:"cpu"`
	ISA          string           `json:"isa"`
	Public       map[string]int64 `json:"public,omitempty"`
	Equal        bool             `json:"equal"`
	Bits         int              `json:"bits"`
	Proven       int              `json:"proven_bits"`
	Open         []string         `json:"not_proven"`
	Instructions int              `json:"instructions"`
	Nodes        int              `json:"nodes"`
	Table        int              `json:"merged_by_truth_table"`
	Span         int              `json:"merged_over_gf2"`
	Counter      *counterJSON     `json:"counterexample"`
}

type counterJSON struct {
	Inputs map[string]string `json:"inputs"`
	Output string            `json:"output"`
	Text   string            `json:"text"`
	Code   string            `json:"code"`
}

func writeProofsJSON(w io.Writer, list []proven) error {
	out := []proofJSON{}
	for _, p := range list {
		j := proofJSON{
			Schema: result.Schema, Tool: result.Tool, Kernel: p.kernel, CPU: p.cpu, ISA: p.isa, Public: p.public,
			Equal: p.Equal(), Bits: p.Bits, Proven: p.Proven, Open: append([]string{}, p.Open...),
			Instructions: p.Steps, Nodes: p.Nodes, Table: p.Merges.Table, Span: p.Merges.Span,
		}
		if c := p.Counter; c != nil {
			j.Counter = &counterJSON{map[string]string{}, c.Output, hex.EncodeToString(c.Text), hex.EncodeToString(c.Code)}
			for name, b := range c.Inputs {
				j.Counter.Inputs[name] = hex.EncodeToString(b)
			}
		}
		out = append(out, j)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// unproven is the error of code that is not proven.
func unproven(list []proven) error {
	for _, p := range list {
		switch {
		case p.Counter != nil:
			return fmt.Errorf("%s on %s: machine code and text differ", p.kernel, p.cpu)
		case !p.Equal():
			return fmt.Errorf("%s on %s: %d of %d output bits are neither proven nor refuted", p.kernel, p.cpu, p.Bits-p.Proven, p.Bits)
		}
	}
	return nil
}
