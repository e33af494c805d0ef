package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/internal/input"
	"simrun/reports"
)

// programFlags describe the run of a whole program.
type programFlags struct {
	measure      string
	expectExit   int
	expectOutput string
}

func (f *programFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.measure, "measure", "", "count from the first arrival at FROM to the next arrival at TO, `FROM..TO` (symbols, addresses or SYMBOL+OFFSET)")
	flags.IntVar(&f.expectExit, "expect-exit", 0, "exit `STATUS` that the program must end with")
	flags.StringVar(&f.expectOutput, "expect-output", "", "`FILE` with what the program must write to its standard output")
}

// firmware turns the flags into a run. The program reads the files of the current folder.
func (f *programFlags) firmware(cmd *cobra.Command, call *callFlags, args []string) (bench.Firmware, error) {
	w := bench.Firmware{
		Stdin: cmd.InOrStdin(), Stderr: cmd.ErrOrStderr(), Dir: ".", Args: args, Limit: call.limit,
	}
	if call.repeat > 0 && f.measure == "" {
		return w, usagef("--repeat counts calls or windows: name one with --call or --measure")
	}
	var err error
	if f.measure != "" {
		if w.Measure, err = bench.ParseWindow(f.measure, call.repeat); err != nil {
			return w, usageError{err}
		}
	}
	if cmd.Flags().Changed("expect-exit") {
		w.ExpectExit = &f.expectExit
	}
	if f.expectOutput != "" {
		if w.ExpectOutput, err = input.ReadFile(f.expectOutput, input.MaxProgram); err != nil {
			return w, err
		}
		w.ExpectOutput = append([]byte{}, w.ExpectOutput...) // an empty file is an expectation too
	}
	return w, nil
}

// exitStatus is the status of a program, carried over to the one of simrun.
type exitStatus int

func (s exitStatus) Error() string {
	return fmt.Sprintf("the program ended with exit status %d", int(s))
}

// programTarget is a loaded program and how to run it.
type programTarget struct {
	*loadedFile
	run bench.Firmware
}

func openProgram(cmd *cobra.Command, file string, args []string, cpu *costmodel.CPU, call *callFlags, flags *programFlags) (*programTarget, error) {
	run, err := flags.firmware(cmd, call, args)
	if err != nil {
		return nil, err
	}
	p, err := call.load(file, cpu)
	if err != nil {
		return nil, err
	}
	return &programTarget{p, run}, nil
}

// runProgram runs a whole program and writes its row. Its output comes before the row, or on the error output
// if the row is for machines to read.
func runProgram(cmd *cobra.Command, file string, args []string, cpu *costmodel.CPU, call *callFlags, flags *programFlags, format reports.Format) error {
	t, err := openProgram(cmd, file, args, cpu, call, flags)
	if err != nil {
		return err
	}
	out := &lines{w: cmd.OutOrStdout()}
	if format.Name != reports.RowFormats[0].Name {
		out.w = cmd.ErrOrStderr()
	}
	t.run.Stdout = out
	ran, err := bench.RunFirmware(filepath.Base(file), t.image, cpu, t.run)
	out.end()
	if err != nil {
		return err
	}
	if err := writeRow(cmd, format, ran.Row); err != nil {
		return err
	}
	if ran.Exit != nil && t.run.ExpectExit == nil && ran.Exit.Status != 0 {
		return exitStatus(ran.Exit.Status)
	}
	return nil
}

// lines passes text on and remembers whether the last line has ended.
type lines struct {
	w    io.Writer
	open bool
}

func (l *lines) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.open = p[len(p)-1] != '\n'
	}
	return l.w.Write(p)
}

// end ends a line that is open.
func (l *lines) end() {
	if l.open {
		fmt.Fprintln(l.w)
	}
}
