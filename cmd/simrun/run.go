package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simrun/costmodel"
	"simrun/internal/bench"
	"simrun/internal/input"
	"simrun/isa"
	"simrun/reports"
)

// callFlags describe the call of a function in a user's own program.
type callFlags struct {
	symbol string
	args   []string
	dump   []int
	expect []string
	repeat int
	bytes  int
	limit  uint64

	loaded *loadedFile // the target, once it has been read
}

// addTarget adds the flags that say what is called.
func (f *callFlags) addTarget(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.symbol, "call", "", "`FUNCTION` of an ELF or assembly file to call by the C convention")
	flags.StringArrayVar(&f.args, "arg", nil, "its next `ARGUMENT`: a number, @FILE, alloc:N or alloc:N:FILE (may be repeated)")
	flags.Uint64Var(&f.limit, "limit", 0, "end a call or program after `N` cycles, or N instructions while none are counted (default 2^28, a program 2^32)")
}

func (f *callFlags) add(cmd *cobra.Command) {
	f.addTarget(cmd)
	flags := cmd.Flags()
	flags.IntSliceVar(&f.dump, "dump-arg", nil, "print the buffer of argument `N` after the call, numbered from 0")
	f.addExpect(cmd)
	flags.Var(count{&f.repeat, maxRepeat}, "repeat", "measuring window of `N` and 2N calls (default 8), or N windows of --measure")
	flags.Var(count{&f.bytes, maxBytes}, "bytes", "`BYTES` of message in one call, for cycles per byte")
}

func (f *callFlags) addExpect(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.expect, "expect-arg", nil, "`N:FILE`, the bytes that argument N must begin with after the call")
}

const (
	maxRepeat = 100_000 // calls of the measuring window, windows of a program
	maxBytes  = 1 << 30 // of message in one call
)

// call turns the flags into a bench.Call.
func (f *callFlags) call() (bench.Call, error) {
	c := bench.Call{Symbol: f.symbol, Bytes: f.bytes, Repeat: f.repeat, Limit: f.limit, Expect: map[int][]byte{}}
	for _, text := range f.args {
		a, err := bench.ParseArg(text)
		if file := new(input.FileError); errors.As(err, &file) {
			return c, err
		} else if err != nil {
			return c, usageError{err}
		}
		c.Args = append(c.Args, a)
	}
	for _, text := range f.expect {
		number, file, ok := strings.Cut(text, ":")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || !f.isBuffer(c, n) {
			return c, usagef("--expect-arg %s: want N:FILE with N the number of a buffer argument, from 0", text)
		}
		if c.Expect[n], err = input.ReadFile(file, input.MaxProgram); err != nil {
			return c, err
		}
	}
	for _, n := range f.dump {
		if !f.isBuffer(c, n) {
			return c, usagef("--dump-arg %d: no buffer argument has this number", n)
		}
	}
	return c, nil
}

func (f *callFlags) isBuffer(c bench.Call, n int) bool {
	return n >= 0 && n < len(c.Args) && c.Args[n].Buffer
}

func newRun() *cobra.Command {
	var cpu cpuFlags
	var kernel kernelFlags
	var call callFlags
	var program programFlags
	var format formatFlag
	var moves sweepFlag
	cmd := &cobra.Command{
		Use:   "run TARGET --cpu CPU [-- ARGUMENTS]",
		Short: "one kernel, a whole ELF program, or one function of an ELF or assembly file, with its cycles by cause",
		Long: `Runs a TARGET on the model of a CPU and says where its cycles went. A TARGET is

  a kernel        by its name in the catalogue, or a .kir file: compiled, checked, called n and 2n times
  a function      of an ELF, object or assembly file, by --call: called by the C convention
  a program       an ELF file, or an assembly file with a global _start: run from its start to its exit

Assembly text is read from a .s file. A .S file goes through the C preprocessor and the GNU assembler, which must be
installed: arm-none-eabi-gcc, riscv64-unknown-elf-gcc or gcc.

--arg gives a function its arguments, in order:

  12, -1, 0x1f    a number
  @FILE           the address of a buffer with the bytes of the file
  alloc:N         the address of a buffer of N zero bytes, for example for a result
  alloc:N:FILE    the same with the bytes of the file at its start

Buffers hold the same bytes again before every call. --dump-arg N prints what argument N holds after the
call, --expect-arg N:FILE compares it; without it the result is "not checked".`,
		Example: `  simrun run aes128/fixsliced --cpu cortex-m4
  simrun run examples/mix.kir --cpu sifive-e31 --format json
  simrun run aes128/fixsliced --cpu cortex-m4 --set load.word=3
  simrun run gift64/fixsliced --cpu stm32f103-72mhz --sweep placement
  simrun run xtea.o --cpu cortex-m3 --call xtea_encrypt --arg alloc:8 --arg @plain.bin --arg @key.bin --expect-arg 0:cipher.bin --bytes 8
  simrun run firmware.elf --cpu stm32f407-168mhz --measure start..stop --repeat 10 --expect-exit 0`,
		Args: targetAndArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := format.find()
			if err != nil {
				return err
			}
			c, err := cpu.load()
			if err != nil {
				return err
			}
			switch kind, err := call.kindOf(cmd, args, c); {
			case err != nil:
				return err
			case kind == aProgram:
				return runProgram(cmd, args[0], args[1:], c, &call, &program, f)
			case kind == aFunction && moves.wanted():
				return moves.call(cmd, args[0], c, &call, f)
			case kind == aFunction:
				return runCall(cmd, args[0], c, &call, f)
			}
			return runKernel(cmd, args[0], c, &kernel, &moves, f)
		},
	}
	cpu.add(cmd)
	kernel.add(cmd)
	call.add(cmd)
	program.add(cmd)
	moves.add(cmd)
	format.add(cmd, reports.RowFormats)
	return cmd
}

// runKernel compiles and counts a kernel and writes its row, or what it takes at each place.
func runKernel(cmd *cobra.Command, target string, c *costmodel.CPU, kernel *kernelFlags, moves *sweepFlag, f reports.Format) error {
	cell, err := kernel.cellToRun(cmd, target, c)
	if err != nil {
		return err
	}
	if moves.wanted() {
		return moves.kernel(cmd, cell, f)
	}
	cell.Build.BothEnds = true
	row, _, err := cell.Simulate()
	if err != nil {
		return err
	}
	return writeRow(cmd, f, row)
}

// targetAndArguments wants a target; more may follow behind --.
func targetAndArguments(cmd *cobra.Command, args []string) error {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return exactly("TARGET")(cmd, args[:n])
	}
	return exactly("TARGET")(cmd, args)
}

// wholeProgram reports whether the target is a program to run from its start: a file that is no kernel, with no
// call asked for; assembly text has the global symbol _start.
func (f *callFlags) wholeProgram(target string, cpu *costmodel.CPU) (bool, error) {
	if f.symbol != "" || len(f.args)+len(f.dump)+len(f.expect) > 0 {
		return false, nil
	}
	info, err := os.Stat(target)
	if err != nil || !info.Mode().IsRegular() || isKernelFile(target) {
		return false, nil
	}
	if !strings.EqualFold(filepath.Ext(target), ".s") {
		return true, nil
	}
	p, err := f.load(target, cpu)
	if err != nil {
		return false, err
	}
	_, starts := p.image.Lookup(bench.Start)
	return starts, nil
}

// wanted reports whether the command line asks for a call. A program without --call and arguments
// without one are mistakes.
func (f *callFlags) wanted(target string) (bool, error) {
	if f.symbol != "" {
		return true, nil
	}
	if len(f.args)+len(f.dump)+len(f.expect) > 0 {
		return false, usagef("arguments without a function: name it with --call")
	}
	info, err := os.Stat(target)
	if err == nil && info.Mode().IsRegular() && !strings.HasSuffix(target, ".kir") {
		return false, usagef("%s is no kernel file (.kir): name the function to call in it with --call", target)
	}
	return false, nil
}

// loadedFile is a program of the user's.
type loadedFile struct {
	data  []byte // ELF or assembly text
	image *isa.Image
}

// load reads the target, once.
func (f *callFlags) load(file string, cpu *costmodel.CPU) (*loadedFile, error) {
	if f.loaded != nil {
		return f.loaded, nil
	}
	data, err := readProgram(file, cpu)
	if err != nil {
		return nil, err
	}
	im, err := bench.LoadImage(file, data, cpu)
	if err != nil {
		return nil, err
	}
	f.loaded = &loadedFile{data, im}
	return f.loaded, nil
}

// callTarget is a loaded program and the call to make.
type callTarget struct {
	*loadedFile
	call bench.Call
}

// open reads the flags and the program.
func (f *callFlags) open(file string, cpu *costmodel.CPU) (*callTarget, error) {
	call, err := f.call()
	if err != nil {
		return nil, err
	}
	p, err := f.load(file, cpu)
	if err != nil {
		return nil, err
	}
	return &callTarget{p, call}, nil
}

// readProgram reads an ELF or assembly file; of a .S file, the object file that the GNU tools make of it.
func readProgram(name string, cpu *costmodel.CPU) ([]byte, error) {
	switch {
	case bench.IsPreprocessed(name):
		return bench.AssembleGNU(name, cpu)
	case filepath.Ext(name) == ".s":
		return input.ReadFile(name, input.MaxText)
	}
	return input.ReadFile(name, input.MaxProgram)
}

// runCall calls a function of a file and writes its row and the buffers asked for.
func runCall(cmd *cobra.Command, file string, cpu *costmodel.CPU, flags *callFlags, format reports.Format) error {
	t, err := flags.open(file, cpu)
	if err != nil {
		return err
	}
	called, err := bench.RunCall(filepath.Base(file), t.image, cpu, t.call)
	if err != nil {
		return err
	}
	if err := writeRow(cmd, format, called.Row); err != nil {
		return err
	}
	return dumpBuffers(cmd.OutOrStdout(), flags.dump, called)
}

func dumpBuffers(w io.Writer, args []int, called *bench.Called) error {
	for _, n := range args {
		if _, err := fmt.Fprintf(w, "argument %d\n%s", n, hex.Dump(called.Buffers[n])); err != nil {
			return err
		}
	}
	return nil
}
