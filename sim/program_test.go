package sim_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

// board is the memory map of a machine for whole programs.
var boards = map[string][]sim.Area{
	"t32": {
		{Name: "code", Base: 0x08000000, Size: 0x100000, Perm: isa.R | isa.X},
		{Name: "data", Base: 0x20000000, Size: 0x3c000, Perm: isa.R | isa.W, Use: sim.Data},
		{Name: "stack", Base: 0x2003c000, Size: 0x4000, Perm: isa.R | isa.W, Use: sim.Stack},
	},
	"rv32": {
		{Name: "code", Base: 0x20400000, Size: 0x100000, Perm: isa.R | isa.X},
		{Name: "data", Base: 0x80000000, Size: 0x3000, Perm: isa.R | isa.W, Use: sim.Data},
		{Name: "stack", Base: 0x80003000, Size: 0x1000, Perm: isa.R | isa.W, Use: sim.Stack},
	},
}

var programFeatures = map[string][]string{
	"t32":  {"dsp"},
	"rv32": {"m", "a", "c", "zicsr", "zifencei"},
	"x86":  {"sse3", "ssse3"},
}

// outcome is what a program wrote and how it ended.
type outcome struct {
	out    string
	status int
}

// newProgram puts an image on a machine.
func newProgram(t testing.TB, im *isa.Image, change func(*sim.ProgramConfig)) *sim.Program {
	t.Helper()
	c := sim.ProgramConfig{
		Config: sim.Config{Arch: all.Arch(im.Arch), Image: im, Areas: boards[im.Arch], Features: programFeatures[im.Arch]},
		Args:   []string{"program"},
	}
	if change != nil {
		change(&c)
	}
	p, err := sim.NewProgram(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// simulate runs an ELF file to its exit.
func simulate(t testing.TB, path string) outcome {
	t.Helper()
	return simulateWith(t, path, nil)
}

func simulateWith(t testing.TB, path string, change func(*sim.ProgramConfig)) outcome {
	t.Helper()
	var out bytes.Buffer
	p := newProgram(t, loadProgram(t, path), func(c *sim.ProgramConfig) {
		c.Stdout = &out
		if change != nil {
			change(c)
		}
	})
	exit, err := p.RunTo(isa.NoAddr)
	if err != nil {
		t.Fatal(err)
	}
	return outcome{out.String(), exit.Status}
}

// emulate runs an ELF file under QEMU, or by itself if qemu is empty.
func emulate(t testing.TB, qemu, path string) outcome {
	t.Helper()
	cmd := exec.Command(path)
	if qemu != "" {
		cmd = exec.Command(foreign.Tool(t, qemu), path)
	}
	var out bytes.Buffer
	status := runQEMU(t, cmd, &out, nil)
	return outcome{out.String(), status}
}

// runQEMU returns the exit status.
func runQEMU(t testing.TB, cmd *exec.Cmd, stdout, stderr io.Writer) int {
	t.Helper()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("%v: %v", cmd, cmd.ProcessState)
	}
	return cmd.ProcessState.ExitCode()
}

// builder is a public compiler for whole programs.
type builder struct {
	arch, gcc, qemu string
	flags           string
}

var builders = []builder{
	{"t32", "arm-none-eabi-gcc", "qemu-arm", "-mcpu=cortex-m4 -mthumb -fomit-frame-pointer"},
	{"rv32", "riscv64-unknown-elf-gcc", "qemu-riscv32", "-march=rv32imac -mabi=ilp32"},
}

// link compiles files of testdata/programs into one ELF file and returns its path.
func (b builder) link(t testing.TB, flags string, files ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.elf")
	args := append(strings.Fields(b.flags), strings.Fields(flags)...)
	args = append(args, "-o", path)
	for _, f := range files {
		if !strings.HasPrefix(f, "-") {
			f = filepath.Join("testdata", "programs", f)
		}
		args = append(args, f)
	}
	if text, err := exec.Command(foreign.Tool(t, b.gcc), args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", b.gcc, err, text)
	}
	return path
}

// needs skips the test if the compiler has no such C library; in CI it fails.
func (b builder) needs(t testing.TB, specs string) {
	t.Helper()
	path, err := exec.Command(foreign.Tool(t, b.gcc), "-print-file-name="+specs).Output()
	if err == nil && strings.TrimSpace(string(path)) != specs {
		return
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s has no %s: required in CI, see .ci/run", b.gcc, specs)
	}
	t.Skipf("not compared: %s has no %s", b.gcc, specs)
}

var levels = []string{"-O0", "-O1", "-O2", "-O3", "-Os"}

// TestPrograms compares output and exit status of compiled programs with those under QEMU, of x86-64 with those on this computer: the long form at every level, the short
// one at every other, so that each program and each level is there.
func TestPrograms(t *testing.T) {
	programs := []string{"sort.c", "crc.c", "aes.c", "bignum.c", "recursion.c", "chacha20.c", "widths.c"}
	for _, b := range slices.Concat(builders, hostBuilders) {
		for i, program := range programs {
			for j, level := range levels {
				if (i+j)%foreign.Count(2, 1) != 0 {
					continue
				}
				t.Run(b.arch+"/"+program+level, func(t *testing.T) {
					t.Parallel()
					path := b.link(t, level+" -ffreestanding -nostdlib", "start.c", program, "-lgcc")
					if got, want := simulate(t, path), emulate(t, b.qemu, path); got != want {
						t.Errorf("%+v, not simulated %+v", got, want)
					}
				})
			}
		}
	}
}

// TestPrintf runs a program that stands on a C library: with semihosting and, for ARM, with system calls of
// Linux, since qemu-arm has no semihosting for Cortex-M.
func TestPrintf(t *testing.T) {
	for _, level := range levels {
		t.Run("t32"+level, func(t *testing.T) {
			t.Parallel()
			builders[0].needs(t, "rdimon.specs")
			linux := builders[0].link(t, level+" -nostartfiles", "newlib_linux.c", "printf.c")
			want := emulate(t, "qemu-arm", linux)
			if got := simulate(t, linux); got != want {
				t.Errorf("%+v, QEMU gives %+v", got, want)
			}
			if got := simulate(t, builders[0].link(t, level+" --specs=rdimon.specs", "printf.c")); got != want {
				t.Errorf("with semihosting %+v, QEMU gives %+v", got, want)
			}
		})
		t.Run("rv32"+level, func(t *testing.T) {
			t.Parallel()
			builders[1].needs(t, "picolibc.specs")
			path := builders[1].link(t, level+" --specs=picolibc.specs --oslib=semihost --crt0=none -nostartfiles", "picolibc_semihost.c", "printf.c")
			// The error output is where QEMU shows the semihosting console of a user-mode program.
			var console bytes.Buffer
			want := outcome{status: runQEMU(t, exec.Command(foreign.Tool(t, "qemu-riscv32"), path), nil, &console)}
			want.out = console.String()
			if got := simulate(t, path); got != want {
				t.Errorf("%+v, QEMU gives %+v", got, want)
			}
		})
	}
}
