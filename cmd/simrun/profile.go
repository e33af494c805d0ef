package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/internal/output"
)

// profileFlags say what of a profile is wanted, and where it goes.
type profileFlags struct {
	file string
	cold bool
	top  int
}

func newProfile() *cobra.Command {
	var cpu cpuFlags
	var kernel kernelFlags
	var call callFlags
	var program programFlags
	var flags profileFlags
	cmd := &cobra.Command{
		Use:     "profile TARGET --cpu CPU [-- ARGUMENTS]",
		Short:   "cycles per function and line, as tables and for pprof",
		Example: "  simrun profile aes128/fixsliced --cpu cortex-m4\n  simrun profile aes128/fixsliced --cpu cortex-m4 -o aes.pprof",
		Args:    targetAndArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.top < 0 {
				return usagef("--top must not be negative")
			}
			if flags.cold && call.repeat > 0 {
				return usagef("--cold is one call: leave --repeat away")
			}
			if err := apart(args[0], flags.file, ""); err != nil {
				return err
			}
			c, err := cpu.load()
			if err != nil {
				return err
			}
			span := bench.Span{Calls: call.repeat, Cold: flags.cold}
			switch kind, err := call.kindOf(cmd, args, c); {
			case err != nil:
				return err
			case kind == aProgram:
				return flags.program(cmd, args[0], args[1:], c, &call, &program)
			case kind == aFunction:
				return flags.call(cmd, args[0], c, &call, span)
			}
			cell, err := kernel.cellToRun(cmd, args[0], c)
			if err != nil {
				return err
			}
			p, err := cell.Profile(span)
			if err != nil {
				return err
			}
			return flags.write(cmd, cell.Subject.Name, c, p)
		},
	}
	cpu.add(cmd)
	kernel.add(cmd)
	call.addTarget(cmd)
	call.addExpect(cmd)
	program.add(cmd)
	cmd.Flags().Var(count{&call.repeat, maxRepeat}, "repeat", "profile `N` calls after N others (default 8)")
	cmd.Flags().BoolVar(&flags.cold, "cold", false, "profile the first call instead")
	cmd.Flags().IntVar(&flags.top, "top", 20, "at most `N` rows in a table, 0 = all")
	cmd.Flags().StringVarP(&flags.file, "output", "o", "", "write the profile to `FILE` for go tool pprof")
	return cmd
}

// call profiles a function of an ELF or assembly file.
func (f *profileFlags) call(cmd *cobra.Command, file string, cpu *costmodel.CPU, call *callFlags, span bench.Span) error {
	t, err := call.open(file, cpu)
	if err != nil {
		return err
	}
	name := filepath.Base(file)
	p, err := bench.ProfileCall(name, t.image, cpu, t.call, span)
	if err != nil {
		return err
	}
	addLines(cmd, name, p, t.loadedFile)
	return f.write(cmd, name+":"+t.call.Symbol, cpu, p)
}

// addLines reads the lines of an ELF file; those of assembly text are in the image. Without them functions are still
// known.
func addLines(cmd *cobra.Command, name string, p *bench.Profiled, file *loadedFile) {
	if file.image.Source != "" {
		return
	}
	if err := p.Source.AddELF(file.data); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "simrun: %s: %v\n", name, err)
	}
}

// program profiles a whole program. Its output comes before the tables.
func (f *profileFlags) program(cmd *cobra.Command, file string, args []string, cpu *costmodel.CPU, call *callFlags, flags *programFlags) error {
	t, err := openProgram(cmd, file, args, cpu, call, flags)
	if err != nil {
		return err
	}
	out := &lines{w: cmd.OutOrStdout()}
	t.run.Stdout = out
	name := filepath.Base(file)
	p, _, err := bench.ProfileFirmware(name, t.image, cpu, t.run)
	out.end()
	if err != nil {
		return err
	}
	addLines(cmd, name, p, t.loadedFile)
	return f.write(cmd, name, cpu, p)
}

// write prints the tables and writes the file.
func (f *profileFlags) write(cmd *cobra.Command, name string, cpu *costmodel.CPU, p *bench.Profiled) error {
	var out bytes.Buffer
	head := profileHead(name, cpu, p)
	fmt.Fprintln(&out, strings.Join(head, "\n")+"\n")
	if err := p.WriteTables(&out, p.Source, p.Calls, f.top); err != nil {
		return err
	}
	if len(cpu.NotModelled) > 0 {
		fmt.Fprintf(&out, "\nnot modelled  %s\n", strings.Join(cpu.NotModelled, "\n              "))
	}
	if _, err := out.WriteTo(cmd.OutOrStdout()); err != nil {
		return err
	}
	if p.CallersCut() {
		fmt.Fprintln(cmd.ErrOrStderr(), "simrun: calls too deep or too many paths: some cycles are booked to fewer callers than they had")
	}
	if f.file == "" {
		return nil
	}
	notes := append(head, "not modelled  "+strings.Join(cpu.NotModelled, "; "))
	// pprof shows what stands behind the last slash.
	binary := strings.ReplaceAll(name, "/", "_")
	return output.Write(f.file, func(w io.Writer) error { return p.WritePprof(w, p.Source, binary, notes) })
}

// profileHead says what the figures are.
func profileHead(name string, cpu *costmodel.CPU, p *bench.Profiled) []string {
	t := p.Totals()
	perCall := func(n uint64) float64 { return float64(n) / float64(p.Calls) }
	return []string{
		"kernel        " + name,
		fmt.Sprintf("cpu           %s (%s)", cpu.Name, cpu.ISA),
		"verified      " + string(p.Verified),
		"profile       " + p.Of,
		fmt.Sprintf("cycles        %.3f", perCall(t.Slots)/float64(max(t.Width, 1))),
		fmt.Sprintf("instructions  %.3f", perCall(t.Instructions)),
		fmt.Sprintf("code bytes    %d executed", p.CodeBytes()),
		fmt.Sprintf("stack bytes   %d", p.StackBytes),
	}
}
