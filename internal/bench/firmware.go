package bench

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"simrun/costmodel"
	"simrun/internal/nearest"
	"simrun/internal/result"
	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

// Firmware is a run of a user's whole program.
type Firmware struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Dir            string   // folder whose files the program may read, "" = none
	Args           []string // the program's arguments, without its name
	Limit          uint64   // cycles, 0 = the default
	Measure        *Window  // nil = from the start to the exit
	ExpectExit     *int     // nil = any
	ExpectOutput   []byte   // nil = any; what the program must write to its standard output
}

// Window is a part of a program's run: from an arrival at From to the next arrival at To. Both are a
// symbol, an address, or SYMBOL+OFFSET.
type Window struct {
	From, To string
	Repeat   int // windows to count: the first is cold, the others are averaged
}

// ParseWindow reads FROM..TO.
func ParseWindow(text string, repeat int) (*Window, error) {
	from, to, ok := strings.Cut(text, "..")
	if !ok || from == "" || to == "" {
		return nil, fmt.Errorf("measuring window %q: want FROM..TO, each a symbol, an address or SYMBOL+OFFSET", text)
	}
	return &Window{From: from, To: to, Repeat: max(repeat, 1)}, nil
}

// Ran is the outcome of a program.
type Ran struct {
	Row  *result.Row
	Exit *sim.Exit // nil = the run ended behind the window
}

// RunFirmware runs a program on a CPU and counts its cycles. name stands in the row.
func RunFirmware(name string, im *isa.Image, cpu *costmodel.CPU, f Firmware) (*Ran, error) {
	r, err := newFirmwareRun(name, im, cpu, f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.program.Close()
	ran, err := r.run()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return ran, nil
}

// firmwareRun is a program that runs.
type firmwareRun struct {
	Firmware
	name    string
	cpu     *costmodel.CPU
	image   *isa.Image
	program *sim.Program
	pipe    pipeline      // nil = the CPU has no cycles
	output  *bytes.Buffer // nil = not compared
}

func newFirmwareRun(name string, im *isa.Image, cpu *costmodel.CPU, f Firmware) (*firmwareRun, error) {
	r := &firmwareRun{Firmware: f, name: name, cpu: cpu, image: im}
	arch := all.Arch(cpu.ISA)
	var listener isa.Listener
	if cpu.Timed() {
		pipe, err := newPipeline(cpu, arch)
		if err != nil {
			return nil, err
		}
		r.pipe, listener = pipe, pipe
	}
	stdout := f.Stdout
	if f.ExpectOutput != nil {
		r.output = &bytes.Buffer{}
		stdout = r.output
		if f.Stdout != nil {
			stdout = io.MultiWriter(f.Stdout, r.output)
		}
	}
	var err error
	r.program, err = sim.NewProgram(sim.ProgramConfig{
		Config: sim.Config{Arch: arch, Image: im, Areas: areas(cpu), Features: cpu.Features, Listener: listener},
		Exact:  len(cpu.Regions) > 0,
		Stdin:  f.Stdin, Stdout: stdout, Stderr: f.Stderr, Dir: f.Dir,
		Args: append([]string{name}, f.Args...), Limit: f.Limit,
	})
	return r, err
}

// run runs to the end: the exit, or behind the window if nothing is expected of the exit.
func (r *firmwareRun) run() (*Ran, error) {
	n, exit := (*counted)(nil), (*sim.Exit)(nil)
	var err error
	if r.Measure != nil {
		if n, err = r.windows(); err != nil {
			return nil, err
		}
	}
	if r.Measure == nil || r.ExpectExit != nil || r.output != nil {
		if exit, err = r.program.RunTo(isa.NoAddr); err != nil {
			return nil, err
		}
	}
	if n == nil {
		n = r.counts([][]uint64{r.totals()})
	}
	if r.pipe != nil {
		if err := r.pipe.Totals().Check(); err != nil {
			return nil, err
		}
	}
	verified, err := r.check(exit)
	if err != nil {
		return nil, err
	}
	row := newRow(r.cpu, n)
	row.Kernel, row.Verified = r.name, verified
	row.CodeBytes, row.StackBytes = result.Count(executableBytes(r.image)), r.program.StackUsed()
	return &Ran{Row: row, Exit: exit}, nil
}

// executableBytes is the size of the segments that hold code.
func executableBytes(im *isa.Image) int {
	n := 0
	for _, s := range im.Segments {
		if s.Perm&isa.X != 0 {
			n += len(s.Data)
		}
	}
	return n
}

// windows counts the windows; a program that ends before the last of them is an error.
func (r *firmwareRun) windows() (*counted, error) {
	from, to, err := r.window()
	if err != nil {
		return nil, err
	}
	var spans [][]uint64
	for len(spans) < r.Measure.Repeat {
		exit, err := r.program.RunTo(from)
		before := r.totals()
		if err == nil && exit == nil {
			exit, err = r.program.RunOn(to)
		}
		if err != nil {
			return nil, err
		}
		if exit != nil {
			return nil, r.Measure.missed(exit, len(spans))
		}
		spans = append(spans, minus(r.totals(), before))
	}
	return r.counts(spans), nil
}

// window returns the addresses between which to measure.
func (r *firmwareRun) window() (from, to uint64, err error) {
	if from, err = r.address(r.Measure.From); err != nil {
		return 0, 0, err
	}
	to, err = r.address(r.Measure.To)
	return from, to, err
}

// missed is the error of a program that ended after so many windows.
func (w *Window) missed(exit *sim.Exit, windows int) error {
	if windows == 0 {
		return fmt.Errorf("the program ended (status %d) before it came from %s to %s", exit.Status, w.From, w.To)
	}
	return fmt.Errorf("the program ended (status %d) after %d of %d windows from %s to %s: ask for --repeat %d",
		exit.Status, windows, w.Repeat, w.From, w.To, windows)
}

// address reads a symbol, an address, or SYMBOL+OFFSET.
func (r *firmwareRun) address(text string) (uint64, error) {
	if v, err := strconv.ParseUint(text, 0, 32); err == nil {
		return v &^ 1, nil
	}
	name, offset, plus := strings.Cut(text, "+")
	s, ok := r.image.Lookup(name)
	if !ok {
		return 0, fmt.Errorf("no symbol %q%s", name, nearest.Hint(name, functions(r.image)))
	}
	if !plus {
		return s.Addr, nil
	}
	off, err := strconv.ParseUint(offset, 0, 32)
	if err != nil {
		return 0, fmt.Errorf("%s: want a number behind the +", text)
	}
	return s.Addr + off, nil
}

// totals are the running totals: slots, instructions and slots by cause; without cycles the instructions
// alone.
func (r *firmwareRun) totals() []uint64 {
	if r.pipe == nil {
		return []uint64{0, r.program.Core().Retired()}
	}
	return flatten(r.pipe.Totals())
}

func minus(a, b []uint64) []uint64 {
	d := make([]uint64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return d
}

// counts makes a result of windows: the first is the cold one, and the only one if there is no other;
// the others are averaged.
func (r *firmwareRun) counts(spans [][]uint64) *counted {
	warm := spans[min(1, len(spans)-1):]
	c := &counted{cold: float64(spans[0][0]), causes: map[string]float64{}}
	mean := func(i int) float64 {
		sum := uint64(0)
		for _, s := range warm {
			sum += s[i]
		}
		return float64(sum) / float64(len(warm))
	}
	c.cycles, c.instructions = mean(0), mean(1)
	for i := range spans[0][2:] {
		if v := mean(2 + i); v != 0 {
			c.causes[costmodel.Causes[i]] = v
		}
	}
	if r.pipe != nil {
		c.inCycles(r.pipe)
	}
	return c
}

// check compares with what was expected.
func (r *firmwareRun) check(exit *sim.Exit) (result.Verified, error) {
	if r.ExpectExit == nil && r.output == nil {
		return result.NotChecked, nil
	}
	if r.ExpectExit != nil && exit.Status != *r.ExpectExit {
		return "", fmt.Errorf("exit status %d (%s), expected %d", exit.Status, exit.By, *r.ExpectExit)
	}
	if r.output != nil && !bytes.Equal(r.output.Bytes(), r.ExpectOutput) {
		return "", fmt.Errorf("output differs from the expected one at byte %d", firstDifference(r.output.Bytes(), r.ExpectOutput))
	}
	return result.Expected, nil
}

// firstDifference is the index of the first byte in which a and b differ.
func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
