package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"simrun/ciphers"
	"simrun/programs/ir"
)

func newCheck() *cobra.Command {
	var gate gateFlags
	cmd := &cobra.Command{
		Use:   "check FILE [--baseline RESULTS]",
		Short: "the tests of a kernel file, or results against a baseline: nothing may get slower",
		Long: `check FILE.kir decides every test and equiv clause of a kernel file and prints one line for each. Vectors run
on the interpreter of the language, each in every block position. The file need not declare a kernel. A
clause that fails ends in exit status 1.

computed  both sides of a test are known numbers
proven    an equiv was tried on inputs that decide all others
sampled   an equiv was tried on random inputs

check FILE --baseline RESULTS is a gate for regressions: exit status 1, and one line for each row that got slower by
more than --tolerance percent, was checked and no longer is, or is gone. Rows that got faster are told on the error
output. RESULTS is a JSON file of simrun table or simrun run. FILE is another, or a .kir file: its kernels are
compiled and counted on the CPUs of --cpu, or on those of the baseline, and compared with its rows of them.`,
		Example: `  simrun check docs/course/2-present-sbox.kir
  simrun check now.json --baseline before.json
  simrun check examples/mix.kir --baseline before.json --cpu cortex-m4 --tolerance 1`,
		Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := gate.fits(cmd, args[0]); err != nil {
				return err
			}
			if gate.baseline != "" {
				return gate.check(cmd, args[0])
			}
			return checkClauses(cmd.OutOrStdout(), args[0])
		},
	}
	gate.add(cmd)
	return cmd
}

// isKernelFile reports whether a name is that of kernel text.
func isKernelFile(name string) bool { return strings.HasSuffix(name, ".kir") }

// checkClauses decides the clauses of a kernel file.
func checkClauses(w io.Writer, file string) error {
	list, err := ciphers.Check(file)
	if err != nil {
		return err
	}
	if err := writeOutcomes(w, list); err != nil {
		return err
	}
	return failures(file, list)
}

// clauseWidth is how much of a clause is shown, in bytes.
const clauseWidth = 72

func writeOutcomes(w io.Writer, list []ir.Outcome) error {
	for _, o := range list {
		clause := o.Clause
		if len(clause) > clauseWidth {
			clause = clause[:clauseWidth] + ".."
		}
		text := fmt.Sprintf("ok      %s (%s)\n", clause, o.How)
		if o.Err != nil {
			text = fmt.Sprintf("failed  %s\n        %v\n", clause, o.Err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// failures is the error of clauses that do not hold, and of a file without any.
func failures(name string, list []ir.Outcome) error {
	failed := 0
	for _, o := range list {
		if o.Err != nil {
			failed++
		}
	}
	switch {
	case len(list) == 0:
		return fmt.Errorf("%s has no test and no equiv; write one, for example: test 1 + 1 == 2", name)
	case failed > 0:
		return fmt.Errorf("%s: %d of %d clauses failed", name, failed, len(list))
	}
	return nil
}
