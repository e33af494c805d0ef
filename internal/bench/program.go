package bench

import (
	"errors"
	"fmt"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
	"simrun/programs/targets"
)

// Program is a kernel compiled for a CPU.
type Program struct {
	*compile.Code
	CPU    *costmodel.CPU
	Arch   isa.Arch
	Target *compile.Target
	Blocks int // blocks of the cipher in one call, all lanes
	Bytes  int // bytes of message in one call, all lanes
}

// Level is how hard the compiler tries.
type Level uint8

const (
	O1 Level = iota // the default: the stored schedule, or a search of about a second if there is none that fits
	O0              // the order of the text, no loads moved
	O2              // a search of about a minute
)

// Build says how a kernel is compiled. The zero value is what every report uses.
type Build struct {
	Level    Level
	Seed     uint64
	Without  []string                               // optional passes to leave out
	Size     float64                                // if not 0: the shortest code within this factor of the fastest
	BothEnds bool                                   // also look for the small end of a row, unless Size is given
	Order    *compile.Order                         // used instead, if not nil
	Dump     func(stage string, text func() string) // told of every stage; may be nil
	Warn     func(message string)                   // told why a stored schedule is not used; may be nil
}

// Tries of the order search at -O1, where no schedule is stored, and at -O2.
const (
	quickTries = 2000
	longTries  = 100000

	movesPerTry = 50 // of settling
)

// Compile compiles k, without schedule or search, for a CPU within its code budget. dump may be nil.
func Compile(k *ir.Kernel, cpu *costmodel.CPU, dump func(stage string, text func() string)) (*Program, error) {
	return compileWith(k, cpu, compile.Options{Level: 1, Dump: dump})
}

// Compile compiles the kernel of the cell as its Build says.
func (c Cell) Compile() (*Program, error) {
	o := compile.Options{Level: 1, Dump: c.Build.Dump, Order: c.Build.Order, Without: c.Build.Without,
		Meter: newMeter(c.CPU, c.Subject.Kernel, c.Subject.Public)}
	switch {
	case c.Build.Size > 0 && c.CPU.Timed():
		return c.smallest(c.Build.Size)
	case c.Build.Level == O0:
		o.Level = 0
	case o.Order != nil || !c.CPU.Timed():
	case c.Build.Level == O2:
		o.Search = c.search(longTries)
	default:
		return c.scheduled(o)
	}
	return compileWith(c.Subject.Kernel, c.CPU, o)
}

// scheduled compiles by the stored schedule, or after a short search.
func (c Cell) scheduled(o compile.Options) (*Program, error) {
	s, err := c.Subject.schedule(c.CPU)
	if err != nil {
		return nil, err
	}
	if s != nil {
		o.Order = s.Order()
		p, err := compileWith(c.Subject.Kernel, c.CPU, o)
		if !errors.Is(err, compile.ErrOrder) {
			return p, err
		}
		c.warn()
		o.Order = nil
	}
	o.Search = c.search(quickTries)
	return compileWith(c.Subject.Kernel, c.CPU, o)
}

// search is one of so many tries, with the moves of settling that take about as long.
func (c Cell) search(tries int) compile.Search {
	return compile.Search{Tries: tries, Seed: c.Build.Seed, Settle: tries * movesPerTry}
}

func (c Cell) warn() {
	if c.Build.Warn != nil {
		c.Build.Warn(fmt.Sprintf("the stored schedule of %s on %s is of other code; searching for a second instead (simrun tune %s --cpu %s makes a new one)",
			c.Subject.Name, c.CPU.Name, c.Subject.Name, c.CPU.Name))
	}
}

// Possible reports whether the instruction set of the CPU has words as wide as those of the kernel.
func (c Cell) Possible() bool {
	target, err := targets.For(c.CPU.ISA)
	return err != nil || target.Takes(c.Subject.Kernel)
}

// Searcher starts an order search on the kernel of the cell.
func (c Cell) Searcher(s compile.Search) (*compile.Searcher, error) {
	target, err := targets.For(c.CPU.ISA)
	if err != nil {
		return nil, err
	}
	return compile.NewSearcher(c.Subject.Kernel, target, forCPU(c.CPU, compile.Options{Level: 1, Search: s}))
}

// Settler starts settling the kernel of the cell in an order of the selected code, with as many moves as take about
// the time of so many tries. It gives nil where the CPU settles nothing.
func (c Cell) Settler(o compile.Order, tries int, seed uint64) (*compile.Settler, error) {
	meter := newMeter(c.CPU, c.Subject.Kernel, c.Subject.Public)
	if meter == nil {
		return nil, nil
	}
	target, err := targets.For(c.CPU.ISA)
	if err != nil {
		return nil, err
	}
	opt := forCPU(c.CPU, compile.Options{Level: 1, Order: &o, Meter: meter})
	return compile.NewSettler(c.Subject.Kernel, target, opt, tries*movesPerTry, seed)
}

// forCPU fills in what the CPU says.
func forCPU(cpu *costmodel.CPU, o compile.Options) compile.Options {
	o.Org, o.Latency, o.Features = cpu.Memory.Code.Base, cpu.Latency, cpu.Features
	o.SameCost, o.Demand = sameCost(cpu), demandOn(cpu)
	if o.Budget == 0 {
		o.Budget = cpu.CodeBudget.Value
	}
	return o
}

// sameCost compares timing classes by the numbers of the CPU file; nil if it has none.
func sameCost(cpu *costmodel.CPU) func(a, b string) bool {
	if !cpu.Timed() {
		return nil
	}
	return func(a, b string) bool {
		x, errX := cpu.Class(a)
		y, errY := cpu.Class(b)
		x.Rule, x.Source, y.Rule, y.Source = 0, "", 0, ""
		return errX == nil && errY == nil && x == y
	}
}

func compileWith(k *ir.Kernel, cpu *costmodel.CPU, o compile.Options) (*Program, error) {
	target, err := targets.For(cpu.ISA)
	if err != nil {
		return nil, err
	}
	code, err := compile.Compile(k, target, forCPU(cpu, o))
	if err != nil {
		return nil, err
	}
	return programOf(k, cpu, code)
}

func programOf(k *ir.Kernel, cpu *costmodel.CPU, code *compile.Code) (*Program, error) {
	target, err := targets.For(cpu.ISA)
	if err != nil {
		return nil, err
	}
	p := &Program{Code: code, CPU: cpu, Arch: target.Arch, Target: target}
	p.Blocks = k.Blocks(target.SliceBits) * code.Lanes
	p.Bytes = messageBytes(code.Params) * code.Lanes
	return p, nil
}

// messageBytes is the size of the message of one call of one lane: the output, which every
// kernel has.
func messageBytes(params []ir.Param) int {
	n := 0
	for _, p := range params {
		if p.Mem != nil && (p.Mem.Kind == ir.Out || p.Mem.Kind == ir.InOut) {
			n += p.Mem.Bytes()
		}
	}
	return n
}

// bufferBytes is the size of a parameter's buffer: a key is shared by the lanes.
func (p *Program) bufferBytes(m *ir.Mem) int {
	if m.Kind == ir.Key {
		return m.Bytes()
	}
	return m.Bytes() * p.Lanes
}

// codeBytes is the size of the image: code and constants.
func codeBytes(im *isa.Image) int {
	n := 0
	for _, s := range im.Segments {
		n += len(s.Data)
	}
	return n
}
