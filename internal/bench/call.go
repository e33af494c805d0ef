package bench

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"simrun/costmodel"
	"simrun/internal/input"
	"simrun/internal/nearest"
	"simrun/internal/result"
	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

// Call is a call of a function in a user's own program by the C convention.
type Call struct {
	Symbol string
	Args   []Arg
	Bytes  int            // bytes of message in one call, 0 = no cycles per byte
	Repeat int            // calls of the measuring window: n and 2n; 0 = the default
	Limit  uint64         // instructions of one call, 0 = the default
	Expect map[int][]byte // argument number -> what its buffer must begin with after the first call
}

// Arg is one argument: a number, or the address of a buffer that holds Data again before every call.
type Arg struct {
	Value  uint64
	Buffer bool
	Data   []byte
}

// maxBuffer bounds one buffer of an argument, in bytes.
const maxBuffer = 16 << 20

// ParseArg reads an argument: a number (12, -1, 0x1f), @FILE for a buffer with that file's
// bytes, alloc:N or alloc:N:FILE for a buffer of N bytes that is zero behind the file's.
func ParseArg(text string) (Arg, error) {
	if name, ok := strings.CutPrefix(text, "@"); ok {
		data, err := readBuffer(name)
		return Arg{Buffer: true, Data: data}, err
	}
	if spec, ok := strings.CutPrefix(text, "alloc:"); ok {
		return parseAlloc(text, spec)
	}
	if v, err := strconv.ParseUint(text, 0, 64); err == nil {
		return Arg{Value: v}, nil
	}
	v, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return Arg{}, fmt.Errorf("argument %q: want a number, @FILE, alloc:N or alloc:N:FILE", text)
	}
	return Arg{Value: uint64(v)}, nil
}

func parseAlloc(text, spec string) (Arg, error) {
	size, name, fill := strings.Cut(spec, ":")
	n, err := strconv.ParseUint(size, 0, 32)
	if err != nil || n > maxBuffer {
		return Arg{}, fmt.Errorf("argument %q: want a size from 0 to %d bytes behind alloc:", text, maxBuffer)
	}
	data := make([]byte, n)
	if !fill {
		return Arg{Buffer: true, Data: data}, nil
	}
	content, err := readBuffer(name)
	if err != nil {
		return Arg{}, err
	}
	if len(content) > len(data) {
		return Arg{}, fmt.Errorf("argument %q: %s has %d bytes, the buffer %d", text, name, len(content), n)
	}
	copy(data, content)
	return Arg{Buffer: true, Data: data}, nil
}

func readBuffer(name string) ([]byte, error) {
	return input.ReadFile(name, maxBuffer)
}

// Start is the symbol at which a whole program in assembly text begins.
const Start = "_start"

// LoadImage reads a user's program: an ELF file, assembly text in a file that ends in .s, or what AssembleGNU made of
// one that ends in .S.
func LoadImage(name string, data []byte, cpu *costmodel.CPU) (*isa.Image, error) {
	if filepath.Ext(name) == ".s" {
		return assembleText(name, data, cpu)
	}
	im, err := sim.LoadELF(data, all.Archs(), sim.Place{Code: cpu.Memory.Code.Base, Data: cpu.Memory.Data.Base})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if IsPreprocessed(name) {
		enterAtStart(im)
	}
	return im, nil
}

// assembleText assembles the text of a .s file.
func assembleText(name string, text []byte, cpu *costmodel.CPU) (*isa.Image, error) {
	arch := all.Arch(cpu.ISA)
	blocks, err := arch.Parse(name, string(text))
	if err != nil {
		return nil, err
	}
	im, err := arch.Assemble(blocks, cpu.Memory.Code.Base)
	if err != nil {
		return nil, err
	}
	im.Source = name
	enterAtStart(im)
	return im, nil
}

// enterAtStart lets assembly text begin at its start, if it has one.
func enterAtStart(im *isa.Image) {
	if s, ok := im.Lookup(Start); ok {
		im.Entry = s.Addr
	}
}

// Called is the outcome of a Call.
type Called struct {
	Row     *result.Row
	Return  uint64   // result of the first call
	Buffers [][]byte // by argument, after the first call; nil for numbers
}

// RunCall calls a function of an image on a CPU and counts its cycles. name stands in the row.
func RunCall(name string, im *isa.Image, cpu *costmodel.CPU, c Call) (*Called, error) {
	f, err := newFunction(im, cpu, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out := &Called{}
	if out.Return, err = f.call(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if out.Buffers, err = f.contents(); err != nil {
		return nil, err
	}
	verified, err := c.verify(name, out.Buffers)
	if err != nil {
		return nil, err
	}
	n, err := count(f.machine, cpu, c.Repeat, func() error { _, err := f.call(); return err })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out.Row = newRow(cpu, n)
	out.Row.Kernel, out.Row.Verified = name+":"+c.Symbol, verified
	out.Row.CodeBytes, out.Row.StackBytes = result.Count(f.size), f.machine.StackUsed()
	if out.Row.Bytes = result.Count(c.Bytes); c.Bytes > 0 {
		out.Row.CyclesPerByte = result.Figure(n.cycles / float64(c.Bytes))
	}
	return out, nil
}

// verify compares the buffers after the first call with what is expected of them.
func (c *Call) verify(name string, buffers [][]byte) (result.Verified, error) {
	verified := result.NotChecked
	for _, i := range slices.Sorted(maps.Keys(c.Expect)) {
		want := c.Expect[i]
		if i < 0 || i >= len(buffers) || buffers[i] == nil || len(want) > len(buffers[i]) {
			return "", fmt.Errorf("expected bytes of argument %d: it is no buffer of at least %d bytes", i, len(want))
		}
		if got := buffers[i][:len(want)]; !bytes.Equal(got, want) {
			return "", fmt.Errorf("%s: argument %d of %s is %x, expected %x", name, i, c.Symbol, got, want)
		}
		verified = result.Expected
	}
	return verified, nil
}

// function is a function on a machine with its arguments in place.
type function struct {
	machine *sim.Machine
	entry   uint64
	size    int // bytes of code of the function, 0 if the symbol does not say
	limit   uint64
	args    []Arg
	words   []uint64
}

func newFunction(im *isa.Image, cpu *costmodel.CPU, c Call) (*function, error) {
	arch := all.Arch(cpu.ISA)
	m, err := sim.New(sim.Config{Arch: arch, Image: im, Areas: areas(cpu), Features: cpu.Features})
	if err != nil {
		return nil, err
	}
	symbol, ok := im.Lookup(c.Symbol)
	if !ok {
		return nil, fmt.Errorf("no function %q%s", c.Symbol, nearest.Hint(c.Symbol, functions(im)))
	}
	if !symbol.Func && im.Source == "" {
		return nil, fmt.Errorf("%s at %#x is no function%s", c.Symbol, symbol.Addr, nearest.Hint(c.Symbol, functions(im)))
	}
	f := &function{machine: m, entry: symbol.Addr, size: int(symbol.Size), limit: c.Limit, args: c.Args}
	for i, a := range c.Args {
		word := a.Value
		if a.Buffer {
			if word, err = m.Alloc(len(a.Data), bufferAlign); err != nil {
				return nil, fmt.Errorf("argument %d: %w", i, err)
			}
		}
		f.words = append(f.words, word)
	}
	return f, nil
}

func functions(im *isa.Image) []string {
	var names []string
	for _, s := range im.Symbols {
		if s.Func {
			names = append(names, s.Name)
		}
	}
	return names
}

// call makes one call with every buffer as it was given.
func (f *function) call() (uint64, error) {
	for i, a := range f.args {
		if a.Buffer {
			if err := f.machine.Write(f.words[i], a.Data); err != nil {
				return 0, err
			}
		}
	}
	ret, _, err := f.machine.Call(f.entry, f.words, f.limit)
	return ret, err
}

func (f *function) contents() ([][]byte, error) {
	out := make([][]byte, len(f.args))
	for i, a := range f.args {
		if !a.Buffer {
			continue
		}
		data, err := f.machine.Read(f.words[i], len(a.Data))
		if err != nil {
			return nil, err
		}
		out[i] = data
	}
	return out, nil
}
