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
	return &cobra.Command{
		Use:   "check FILE.kir",
		Short: "every test and equiv of a kernel file: ok or failed, proven or sampled",
		Long: `Decides every test and equiv clause of a kernel file and prints one line for each. Vectors run on the
interpreter of the language, each in every block position. The file need not declare a kernel. A clause
that fails ends in exit status 1.

computed  both sides of a test are known numbers
proven    an equiv was tried on inputs that decide all others
sampled   an equiv was tried on random inputs`,
		Example: "  simrun check docs/course/2-present-sbox.kir",
		Args:    exactly("FILE.kir"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !strings.HasSuffix(args[0], ".kir") {
				return usagef("%s is no kernel file (.kir)", args[0])
			}
			list, err := ciphers.Check(args[0])
			if err != nil {
				return err
			}
			if err := writeOutcomes(cmd.OutOrStdout(), list); err != nil {
				return err
			}
			return failures(args[0], list)
		},
	}
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
