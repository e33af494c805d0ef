package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"simrun/internal/bench"
)

func newAsm() *cobra.Command {
	var cpu cpuFlags
	var subject subjectFlags
	var level levelFlag
	var output, header string
	cmd := &cobra.Command{
		Use:   "asm KERNEL --cpu CPU",
		Short: "the machine code as text for the GNU assembler, and its C header",
		Args:  exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := cpu.load()
			if err != nil {
				return err
			}
			s, err := subject.find(args[0])
			if err != nil {
				return err
			}
			b, err := level.build(cmd)
			if err != nil {
				return err
			}
			e, err := bench.Cell{Subject: s, CPU: c, Build: b}.Export()
			if err != nil {
				return err
			}
			if header != "" {
				if err := writeFile(header, e.WriteHeader); err != nil {
					return err
				}
			}
			if output != "" {
				return writeFile(output, e.WriteAsm)
			}
			return e.WriteAsm(cmd.OutOrStdout())
		},
	}
	cpu.add(cmd)
	subject.add(cmd)
	level.add(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the assembler text to `FILE`")
	cmd.Flags().StringVar(&header, "header", "", "write the C prototype, and the context struct if there is one, to `FILE`")
	return cmd
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
