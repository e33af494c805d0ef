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
	"simrun/sim/inorder"
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
}

const stopAt = 0xffff_f000

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
	blocks, err := b.arch.Parse(p.Name, fmt.Sprintf(b.frame, p.Setup, p.Body))
	if err != nil {
		return timing{}, err
	}
	image, err := b.arch.Assemble(blocks, cpu.Memory.Code.Base)
	if err != nil {
		return timing{}, err
	}
	pipe, err := inorder.New(cpu, b.arch)
	if err != nil {
		return timing{}, err
	}
	return execute(p, b, cpu, image, pipe, watch)
}

func execute(p *Program, b *bench, cpu *costmodel.CPU, image *isa.Image, pipe *inorder.Pipeline, watch bool) (t timing, err error) {
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
		core.SetReg(b.back, stopAt|1)
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
	for _, r := range []*isa.Region{
		{Name: "code", Base: cpu.Memory.Code.Base, Data: make([]byte, 1<<16), Perm: isa.R | isa.X},
		{Name: "data", Base: cpu.Memory.Data.Base, Data: make([]byte, cpu.Memory.Data.Size), Perm: isa.R | isa.W},
		{Name: "stack", Base: cpu.Memory.Stack.Base, Data: make([]byte, cpu.Memory.Stack.Size), Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			return nil, err
		}
	}
	for _, s := range image.Segments {
		if err := mem.Write(s.Addr, s.Data); err != nil {
			return nil, err
		}
	}
	return b.arch.NewCore(mem, cpu.Features), nil
}

// timedCPUs returns the CPU files that have cycles.
func timedCPUs(t *testing.T) []*costmodel.CPU {
	t.Helper()
	var out []*costmodel.CPU
	for _, name := range costmodel.Names() {
		cpu, err := costmodel.Load(name)
		if err != nil {
			t.Fatal(err)
		}
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
			t.Run(cpu.Name+"/"+p.Name, func(t *testing.T) { testProgram(t, p, &b, cpu.Name, want) })
		}
	}
}

func testProgram(t *testing.T, p *Program, b *bench, cpu string, want int) {
	watched, err := run(p, b, reload(t, cpu), true)
	if err != nil {
		t.Fatalf("%s.txt:%d: %v", cpu, p.Line, err)
	}
	if watched.body.Cycles != uint64(want) {
		t.Errorf("line %d, rules %v: %d cycles, want %d (%s); causes %v",
			p.Line, p.Rules, watched.body.Cycles, want, p.Why, watched.body.Map())
	}
	replayed, err := run(p, b, reload(t, cpu), false)
	if err != nil {
		t.Fatal(err)
	}
	if replayed.total != watched.total {
		t.Errorf("replayed %v, walked %v", replayed.total.Map(), watched.total.Map())
	}
}

// TestEveryRuleHasAProgram also demands that programs speak of rules and CPUs that exist.
func TestEveryRuleHasAProgram(t *testing.T) {
	for _, cpu := range timedCPUs(t) {
		programs, err := Programs(cpu.Pipeline)
		if err != nil {
			t.Fatal(err)
		}
		covered := map[int]bool{}
		for i := range programs {
			p := &programs[i]
			for _, n := range p.Rules {
				if cpu.Rules[n] == "" {
					t.Errorf("program %q: %s has no rule %d", p.Name, cpu.Name, n)
				}
				covered[n] = covered[n] || p.Cycles[cpu.Name] > 0
			}
			for name := range p.Cycles {
				if !slices.Contains(costmodel.Names(), name) {
					t.Errorf("program %q: no CPU %s", p.Name, name)
				}
			}
			if p.Why == "" || len(p.Rules) == 0 {
				t.Errorf("program %q has no rule or no sum", p.Name)
			}
		}
		for n, text := range cpu.Rules {
			if !covered[n] {
				t.Errorf("%s rule %d has no program: %s", cpu.Name, n, text)
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
