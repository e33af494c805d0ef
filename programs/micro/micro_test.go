package micro

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/rv32"
	"simrun/isa/t32"
	"simrun/isa/x86"
	"simrun/sim/inorder"
	"simrun/sim/ooo"
)

// bench is where the programs of one instruction set run.
type bench struct {
	arch isa.Arch
	// frame is the source around a program: set-up, body. The body begins at a multiple of 64 with
	// a full pipeline and an undisturbed fetch queue.
	frame string
	regs  []isa.Reg // hold data + 64 * number
	back  isa.Reg   // the return address
}

var benches = map[string]bench{
	"cortex-m": {
		arch: t32.New(), back: 12, regs: []isa.Reg{0, 1, 2, 3, 4, 5, 6, 7},
		frame: "\t.syntax unified\n\t.thumb\n\t.global micro, begin, end\n" +
			"\t.type micro, %%function\n\t.type begin, %%function\n\t.type end, %%function\n" +
			"micro:\n%s\tb.w 1f\n\t.balign 64\n1:\n" + strings.Repeat("\tnop.w\n", 16) +
			"begin:\n%send:\n\tnop\n\tbx r12\n",
	},
	"rocket": {
		arch: rv32.New(), back: 9, regs: []isa.Reg{5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31},
		frame: "\t.option norvc\n\t.global micro, begin, end\n" +
			"\t.type micro, @function\n\t.type begin, @function\n\t.type end, @function\n" +
			"micro:\n%s\tj 1f\n\t.balign 64\n1:\n" + strings.Repeat("\tnop\n", 16) +
			"begin:\n%send:\n\tnop\n\tjr s1\n",
	},
	"ooo": {
		arch: x86.New(), back: 15, regs: []isa.Reg{0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
		frame: "\t.global micro, begin, end\n\t.type micro, @function\n\t.type begin, @function\n\t.type end, @function\n" +
			"micro:\n%s\tjmp begin\n\t.balign 64\nbegin:\n%send:\n\tjmp r15\n",
	},
}

// pipeline counts the cycles of a program.
type pipeline interface {
	isa.Listener
	isa.Clock
	Totals() costmodel.Totals
	SetSink(func(costmodel.Timed))
}

func newPipeline(cpu *costmodel.CPU, arch isa.Arch) (pipeline, error) {
	if cpu.Pipeline == ooo.Name {
		return ooo.New(cpu, arch)
	}
	return inorder.New(cpu, arch)
}

const stopAt = 0xffff_f000

// vectors is where the table of exception handlers stands in data.
const vectors = 512

// timing is what a run of a program gives.
type timing struct {
	body  costmodel.Totals // of the body in the last pass
	total costmodel.Totals // of everything
}

// run executes a program on a CPU. With watch the body is counted instruction by
// instruction; without, the pipeline may replay what it knows.
func run(p *Program, b *bench, cpu *costmodel.CPU, watch bool) (timing, error) {
	for _, kv := range p.Set {
		if err := cpu.Set(kv[0], kv[1]); err != nil {
			return timing{}, err
		}
	}
	return runBody(p, b, cpu, watch, p.Body)
}

func runBody(p *Program, b *bench, cpu *costmodel.CPU, watch bool, body string) (timing, error) {
	blocks, err := b.arch.Parse(p.Name, fmt.Sprintf(b.frame, p.Setup, body))
	if err != nil {
		return timing{}, err
	}
	code := cpu.Memory.Code.Base
	if p.At != "" {
		code = cpu.Region(p.At).Base
	}
	image, err := b.arch.Assemble(blocks, code)
	if err != nil {
		return timing{}, err
	}
	pipe, err := newPipeline(cpu, b.arch)
	if err != nil {
		return timing{}, err
	}
	return execute(p, b, cpu, image, pipe, watch)
}

func execute(p *Program, b *bench, cpu *costmodel.CPU, image *isa.Image, pipe pipeline, watch bool) (t timing, err error) {
	core, err := newCore(b, cpu, image)
	if err != nil {
		return t, err
	}
	core.SetClock(pipe)
	at := map[string]uint64{}
	for _, s := range image.Symbols {
		at[s.Name] = s.Addr &^ 1
	}
	pass := 0
	if watch {
		pipe.SetSink(func(x costmodel.Timed) {
			if pass == p.Pass && x.PC >= at["begin"] && x.PC < at["end"] {
				t.body.Add(&x)
			}
		})
	}
	for pass = 1; pass <= p.Pass; pass++ {
		for _, r := range b.regs {
			core.SetReg(r, cpu.Memory.Data.Base+64*uint64(r))
		}
		core.SetReg(b.arch.ABI().SP, cpu.Memory.Stack.Base+cpu.Memory.Stack.Size)
		back := uint64(stopAt)
		if b.arch.ABI().Thumb {
			back |= 1
		}
		core.SetReg(b.back, back)
		core.SetPC(at["micro"])
		if stop := core.Run(pipe, 100_000, stopAt); stop.Kind != isa.StopAddr {
			return t, fmt.Errorf("stopped at %#x, kind %d: %v", stop.PC, stop.Kind, stop.Err)
		}
	}
	t.total = pipe.Totals()
	return t, t.total.Check()
}

func newCore(b *bench, cpu *costmodel.CPU, image *isa.Image) (isa.Core, error) {
	mem := &isa.Memory{}
	for _, r := range regions(cpu) {
		if err := mem.Add(r); err != nil {
			return nil, err
		}
	}
	for _, s := range image.Segments {
		if err := mem.Write(s.Addr, s.Data); err != nil {
			return nil, err
		}
	}
	core := b.arch.NewCore(mem, cpu.Features)
	if v, ok := core.(isa.Vectors); ok {
		v.SetVectors(cpu.Memory.Data.Base + vectors)
	}
	return core, nil
}

// regions maps 64 KiB of code, and data and stack or, on a board, every memory but flash.
func regions(cpu *costmodel.CPU) []*isa.Region {
	out := []*isa.Region{{Name: "code", Base: cpu.Memory.Code.Base, Data: make([]byte, 1<<16), Perm: isa.R | isa.X}}
	add := func(name string, base, size uint64) {
		out = append(out, &isa.Region{Name: name, Base: base, Data: make([]byte, size), Perm: isa.R | isa.W | isa.X})
	}
	if len(cpu.Regions) == 0 {
		add("data", cpu.Memory.Data.Base, cpu.Memory.Data.Size)
		add("stack", cpu.Memory.Stack.Base, cpu.Memory.Stack.Size)
	}
	for _, r := range cpu.Regions {
		if r.Kind != "flash" && r.Kind != "qspi" {
			add(r.Name, r.Base, r.Size)
		}
	}
	return out
}

// timedCPUs returns the CPUs and boards that have cycles.
func timedCPUs(t *testing.T) []*costmodel.CPU {
	t.Helper()
	var out []*costmodel.CPU
	for _, name := range append(costmodel.Names(), costmodel.Boards()...) {
		cpu := reload(t, name)
		if cpu.Timed() && benches[cpu.Pipeline].arch != nil {
			out = append(out, cpu)
		}
	}
	return out
}

func reload(t *testing.T, name string) *costmodel.CPU {
	t.Helper()
	cpu, err := costmodel.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return cpu
}

func TestPrograms(t *testing.T) {
	for _, cpu := range timedCPUs(t) {
		programs, err := Programs(cpu.Pipeline)
		if err != nil {
			t.Fatal(err)
		}
		b := benches[cpu.Pipeline]
		for i := range programs {
			p := &programs[i]
			want, ok := p.Cycles[cpu.Name]
			if !ok {
				continue
			}
			test := testProgram
			if cpu.Pipeline == ooo.Name {
				test = testRow
			}
			t.Run(cpu.Name+"/"+p.Name, func(t *testing.T) { test(t, p, &b, cpu.Name, want) })
		}
	}
}

func testProgram(t *testing.T, p *Program, b *bench, cpu string, want int) {
	watched, err := run(p, b, reload(t, cpu), true)
	if err != nil {
		t.Fatalf("%s:%d: %v", p.File, p.Line, err)
	}
	if watched.body.Slots != uint64(want) {
		t.Errorf("%s:%d, rules %v: %d cycles, want %d (%s); causes %v",
			p.File, p.Line, p.Rules, watched.body.Slots, want, p.Why, watched.body.Map())
	}
	replayed, err := run(p, b, reload(t, cpu), false)
	if err != nil {
		t.Fatal(err)
	}
	if replayed.total != watched.total {
		t.Errorf("replayed %v, walked %v", replayed.total.Map(), watched.total.Map())
	}
}

// copies is how often a body stands in the shorter row: more than a reorder buffer holds, and with many divisors, so that
// most rhythms end with it.
const copies = 144

// row returns the body n times: in a row, or in a loop.
func (p *Program) row(n int) string {
	if p.Turns == 0 {
		return strings.Repeat(p.Body, n)
	}
	return fmt.Sprintf("\tmov ecx, %d\n.Lturn:\n%s\tdec ecx\n\tjne .Lturn\n", n, p.Body)
}

// testRow is testProgram out of order, where an instruction alone has no cycles: the difference between a row of bodies
// and one of twice the length counts, within a cycle of the whole.
func testRow(t *testing.T, p *Program, b *bench, name string, want int) {
	p.Pass = min(p.Pass, 8) // rows are long: they need no more to warm up
	n := copies
	if p.Turns > 0 {
		n = p.Turns
	}
	var slots [2]uint64
	for i := range slots {
		cpu := reload(t, name)
		for _, kv := range p.Set {
			if err := cpu.Set(kv[0], kv[1]); err != nil {
				t.Fatal(err)
			}
		}
		row := p.row(n << i)
		watched, err := runBody(p, b, cpu, true, row)
		if err != nil {
			t.Fatalf("%s:%d: %v", p.File, p.Line, err)
		}
		alone, err := runBody(p, b, cpu, false, row)
		if err != nil {
			t.Fatal(err)
		}
		if alone.total != watched.total {
			t.Errorf("with records %v, without %v", watched.total.Map(), alone.total.Map())
		}
		slots[i] = watched.body.Slots
		if i == 0 {
			continue
		}
		width := int(watched.body.Width)
		if got := int(slots[1] - slots[0]); got < (want*n-1)*width || got > (want*n+1)*width {
			t.Errorf("%s:%d, rules %v: %.3f cycles, want %d (%s); causes %v", p.File, p.Line, p.Rules,
				float64(got)/float64(n*width), want, p.Why, watched.body.Map())
		}
	}
}

// TestEveryRuleHasAProgram demands one for every rule that a CPU or board does not inherit as it is; the rules of
// a CPU that has no base are all its own.
func TestEveryRuleHasAProgram(t *testing.T) {
	for _, cpu := range timedCPUs(t) {
		covered := covers(t, cpu)
		inherited := map[int]string{}
		if len(cpu.Regions) > 0 {
			inherited = reload(t, cpu.Base).Rules
		}
		for n, text := range cpu.Rules {
			if !covered[n] && inherited[n] != text {
				t.Errorf("%s rule %d has no program: %s", cpu.Name, n, text)
			}
		}
	}
}

// covers returns the rules that programs speak of, for a CPU.
func covers(t *testing.T, cpu *costmodel.CPU) map[int]bool {
	t.Helper()
	programs, err := Programs(cpu.Pipeline)
	if err != nil {
		t.Fatal(err)
	}
	covered := map[int]bool{}
	for i := range programs {
		p := &programs[i]
		if p.Cycles[cpu.Name] == 0 {
			continue
		}
		for _, n := range p.Rules {
			covered[n] = true
		}
	}
	return covered
}

// TestProgramsSpeakOfWhatExists looks at rules, CPUs and sums.
func TestProgramsSpeakOfWhatExists(t *testing.T) {
	known := append(costmodel.Names(), costmodel.Boards()...)
	for _, pipeline := range []string{"cortex-m", "rocket", "ooo"} {
		programs, err := Programs(pipeline)
		if err != nil {
			t.Fatal(err)
		}
		for i := range programs {
			p := &programs[i]
			if p.Why == "" || len(p.Rules) == 0 || len(p.Cycles) == 0 {
				t.Errorf("program %q has no rule, no cycles or no sum", p.Name)
			}
			for name := range p.Cycles {
				if !slices.Contains(known, name) {
					t.Errorf("program %q: no CPU %s", p.Name, name)
					continue
				}
				for _, n := range p.Rules {
					if reload(t, name).Rules[n] == "" {
						t.Errorf("program %q: %s has no rule %d", p.Name, name, n)
					}
				}
			}
		}
	}
}

func TestBadProgramFiles(t *testing.T) {
	for text, want := range map[string]string{
		"== a\nrule: x":             `f.txt:2: rule "x" is not a number`,
		"== a\ncycles: cortex-m3":   "f.txt:2: cycles: want pairs of CPU and count",
		"== a\ncycles: cortex-m3 x": `f.txt:2: cycles of cortex-m3: "x" is not a number`,
		"== a\npass: 0":             `f.txt:2: pass "0" is not a count`,
		"== a\nspeed: 1":            `f.txt:2: unknown key "speed"`,
		"== a\nnonsense":            `f.txt:2: "nonsense" is no line of the form "key: value"`,
	} {
		if _, err := parse("f.txt", text); err == nil || err.Error() != want {
			t.Errorf("parse(%q): %v, want %s", text, err, want)
		}
	}
	if _, err := Programs("nothing"); err == nil {
		t.Error("Programs of an unknown pipeline: no error")
	}
}
