package prove

import (
	"fmt"
	"slices"

	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// Job is a compiled kernel to be proven.
type Job struct {
	Code     *compile.Code
	Target   *compile.Target
	Features []string         // of the CPU; to run a counterexample
	Public   map[string]int64 // values of public parameters: the proof is for these
	Limit    int              // of instructions until the return; 0 = DefaultLimit
}

// Result is what was proven.
type Result struct {
	Bits     int      // of all outputs
	Proven   int      // of them
	Open     []string // the first elements with a bit that is not proven
	OpenMore bool     // there are more of them
	Nodes    int      // of the graph: inputs and different gates
	Merges   Merges
	Steps    int // instructions executed
	Counter  *Counterexample
}

// Equal reports whether the code computes the text's function.
func (r *Result) Equal() bool { return r.Proven == r.Bits }

// DefaultLimit is more instructions than a kernel executes that the compiler takes.
const DefaultLimit = 4_000_000

// extraRounds is how many more rounds of random patterns look for a counterexample, where bits stay open.
const extraRounds = 64

// Kernel compares machine code with the text of its kernel on all inputs and keys. Code that reads or writes outside
// its memory, lets an address or a branch depend on the data, does not return or does not restore what the
// convention asks for gives a *Refusal.
func Kernel(j Job) (*Result, error) {
	sem, ok := j.Target.Arch.(isa.Semantics)
	if !ok {
		return nil, fmt.Errorf("%s: no instruction of %s has terms", j.Code.Kernel.Name, j.Target.Arch.Name())
	}
	if n := memoryBytes(j.Code); n > maxMemory {
		return nil, fmt.Errorf("parameters and stack of %d bytes: a proof takes %d at most", n, maxMemory)
	}
	p := newProof(j, sem)
	if err := p.runText(); err != nil {
		return nil, err
	}
	steps, err := p.m.run()
	if err != nil {
		return nil, err
	}
	if err := p.restored(); err != nil {
		return nil, err
	}
	r := p.compare()
	r.Nodes, r.Merges, r.Steps = len(p.g.nodes), p.g.count, steps
	if r.Equal() {
		return r, nil
	}
	r.Counter, err = p.refute()
	return r, err
}

// proof is the two sides of a comparison.
type proof struct {
	Job
	g       *graph
	m       *machine
	buffers map[string]*area  // of the code, by parameter
	context *area             // nil if parameters are arguments
	wanted  map[string][]word // bytes of outputs by the text, all lanes
}

// runText runs the kernel text, once for each lane.
func (p *proof) runText() error {
	for lane := range p.Code.Lanes {
		d := &text{g: p.g, public: p.Public, memory: map[*ir.Mem][]word{}}
		for _, q := range p.Code.Params {
			if q.Mem != nil {
				d.memory[q.Mem] = slices.Clone(p.laneOf(q.Mem, p.buffers[q.Name].first, lane))
			}
		}
		if err := ir.Eval(p.Code.Kernel, ir.Domain[word](d), p.Target.SliceBits); err != nil {
			return err
		}
		for _, q := range p.outputs() {
			p.wanted[q.Name] = append(p.wanted[q.Name], d.memory[q.Mem]...)
		}
	}
	return nil
}

// laneOf is the part of a parameter's memory that one lane has. All lanes have the same key.
func (p *proof) laneOf(m *ir.Mem, bytes []word, lane int) []word {
	if m.Kind == ir.Key {
		return bytes
	}
	return bytes[lane*m.Bytes():][:m.Bytes()]
}

func (p *proof) outputs() []ir.Param {
	return slices.DeleteFunc(slices.Clone(p.Code.Params), func(q ir.Param) bool {
		return q.Mem == nil || q.Mem.Kind != ir.Out && q.Mem.Kind != ir.InOut
	})
}

// restored checks what a caller relies on besides the outputs.
func (p *proof) restored() error {
	abi := p.Target.Arch.ABI()
	name := p.Target.Arch.RegName
	sp := uint64(stackTop)
	if got, public := p.m.regs[abi.SP].number(); !public || got != sp {
		return p.refusal("%s is not restored", name(abi.SP))
	}
	for r := range isa.NoReg {
		if abi.CalleeSaved.Has(r) && !slices.Equal(p.m.regs[r], p.m.first[r]) {
			return p.refusal("%s is not restored", name(r))
		}
	}
	if c := p.Code.Context; c != nil {
		for _, f := range c.Fields {
			for k := f.Offset; k < f.Offset+8; k++ {
				if !slices.Equal(p.context.bytes[k], p.context.first[k]) {
					return p.refusal("the field %s of the context block is changed", f.Name)
				}
			}
		}
	}
	return nil
}

func (p *proof) refusal(format string, args ...any) error {
	return &Refusal{p.m.pc, "return", fmt.Sprintf(format, args...)}
}

// maxOpen is how many open elements are named.
const maxOpen = 4

// compare counts the output bits that ended in the same node.
func (p *proof) compare() *Result {
	r := &Result{}
	for _, q := range p.outputs() {
		size := q.Mem.Width / 8
		for i, want := range p.wanted[q.Name] {
			got := p.buffers[q.Name].bytes[i]
			r.Bits += len(want)
			for b := range want {
				if want[b] == got[b] {
					r.Proven++
					continue
				}
				if name := fmt.Sprintf("%s[%d]", q.Name, i/size); !slices.Contains(r.Open, name) {
					r.Open = append(r.Open, name)
				}
			}
		}
	}
	if r.OpenMore = len(r.Open) > maxOpen; r.OpenMore {
		r.Open = r.Open[:maxOpen]
	}
	return r
}
