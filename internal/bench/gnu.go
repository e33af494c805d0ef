package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"simrun/costmodel"
	"simrun/internal/input"
	"simrun/isa/all"
)

// IsPreprocessed reports whether a file is assembly text for the C preprocessor: .S, not .s.
func IsPreprocessed(name string) bool { return filepath.Ext(name) == ".S" }

const (
	gnuTime  = time.Minute // for one file
	gnuLines = 10          // of errors that are shown
	here     = "./"        // before a relative name, which is no flag then
)

// AssembleGNU makes an object file of a .S file by the public GNU tools, for the instructions that the CPU has. Nothing of
// it stays on the disk.
func AssembleGNU(name string, cpu *costmodel.CPU) ([]byte, error) {
	if _, err := input.ReadFile(name, input.MaxText); err != nil {
		return nil, err
	}
	tool := all.Arch(cpu.ISA).Triple() + "gcc"
	path, err := exec.LookPath(tool)
	if err != nil {
		return nil, fmt.Errorf("%s: a .S file goes through %s, which is not installed; install it, or name the file .s if it needs no preprocessor", name, tool)
	}
	dir, err := os.MkdirTemp("", "simrun-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	object := filepath.Join(dir, "object.o")
	if !filepath.IsAbs(name) {
		name = here + name
	}
	args := append(gnuFlags[cpu.ISA](cpu.Features), "-c", "-x", "assembler-with-cpp", "-o", object, name)
	if err := runGNU(path, args); err != nil {
		return nil, fmt.Errorf("%s: %w", tool, err)
	}
	return input.ReadFile(object, input.MaxProgram)
}

// runGNU runs a tool within gnuTime; an interrupt ends it too. The error has its first messages, a line each.
func runGNU(path string, args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, gnuTime)
	defer cancel()
	var messages bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stderr = &messages
	cmd.WaitDelay = time.Second // for children that hold the pipe
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("ended after %v", gnuTime)
	case ctx.Err() != nil:
		return errors.New("interrupted")
	}
	return gnuError(messages.String(), err)
}

// gnuError takes the lines that are errors out of the messages of a tool; err is what is said without any.
func gnuError(messages string, err error) error {
	var lines []string
	for line := range strings.Lines(messages) {
		if strings.Contains(strings.ToLower(line), "error: ") && len(lines) < gnuLines {
			lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), here))
		}
	}
	if len(lines) == 0 {
		return err
	}
	return errors.New(strings.Join(lines, "\n"))
}

// gnuFlags choose, by instruction set, the instructions of a CPU with the given features.
var gnuFlags = map[string]func(features []string) []string{
	"t32": func(features []string) []string {
		flags := []string{"-mthumb", "-mcpu=cortex-m3"}
		if slices.Contains(features, "dsp") {
			flags[1] = "-mcpu=cortex-m4"
		}
		if slices.Contains(features, "fp") {
			flags = append(flags, "-mfloat-abi=softfp", "-mfpu=fpv4-sp-d16")
		}
		return flags
	},
	"rv32": func(features []string) []string {
		march := "rv32i"
		for _, letter := range []string{"m", "a", "c"} {
			if slices.Contains(features, letter) {
				march += letter
			}
		}
		for _, f := range features {
			if strings.HasPrefix(f, "z") {
				march += "_" + f
			}
		}
		return []string{"-march=" + march, "-mabi=ilp32"}
	},
	"x86": func([]string) []string { return []string{"-m64"} },
}
