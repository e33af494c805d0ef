package main

import (
	"github.com/spf13/cobra"

	"simrun/internal/input"
	"simrun/internal/output"
)

func newAsm() *cobra.Command {
	var cpu cpuFlags
	var kernel kernelFlags
	var text, header string
	cmd := &cobra.Command{
		Use:     "asm KERNEL --cpu CPU",
		Short:   "the machine code as text for the GNU assembler, and its C header",
		Example: "  simrun asm aes128/fixsliced --cpu cortex-m4 -o aes.S --header aes.h",
		Args:    exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := apart(args[0], text, header); err != nil {
				return err
			}
			c, err := cpu.load()
			if err != nil {
				return err
			}
			cell, err := kernel.cellToRun(cmd, args[0], c)
			if err != nil {
				return err
			}
			e, err := cell.Export()
			if err != nil {
				return err
			}
			if header != "" {
				if err := output.Write(header, e.WriteHeader); err != nil {
					return err
				}
			}
			if text != "" {
				return output.Write(text, e.WriteAsm)
			}
			return e.WriteAsm(cmd.OutOrStdout())
		},
	}
	cpu.add(cmd)
	kernel.add(cmd)
	cmd.Flags().StringVarP(&text, "output", "o", "", "write the assembler text to `FILE`")
	cmd.Flags().StringVar(&header, "header", "", "write the C prototype, and the context struct if there is one, to `FILE`")
	return cmd
}

// apart refuses files to write that are the one to read, or one another; "" is no file.
func apart(source, text, header string) error {
	for _, name := range []string{text, header} {
		if name != "" && input.SameFile(name, source) {
			return usagef("%s is the file to read: write to another", name)
		}
	}
	if text != "" && header != "" && input.SameFile(text, header) {
		return usagef("-o and --header name the same file %s", text)
	}
	return nil
}
