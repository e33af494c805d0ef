package prove

import (
	"bytes"
	"fmt"

	"simrun/isa"
	"simrun/programs/ir"
)

// Counterexample is inputs for which code and text differ. It was tried on the interpreter and on the core.
type Counterexample struct {
	Inputs map[string][]byte // memory of every parameter before the call, all lanes
	Output string            // a parameter that comes out wrong
	Text   []byte            // what the text says it is
	Code   []byte            // what the code makes of it
}

// refute looks for a pattern that tells open bits apart.
func (p *proof) refute() (*Counterexample, error) {
	for range extraRounds {
		for _, q := range p.outputs() {
			got := p.buffers[q.Name].bytes
			for i, want := range p.wanted[q.Name] {
				for b := range want {
					if pattern := p.g.differs(want[b], got[i][b]); pattern >= 0 {
						return p.counterexample(q.Name, pattern)
					}
				}
			}
		}
		p.g.again()
	}
	return nil, nil
}

func (p *proof) counterexample(output string, pattern int) (*Counterexample, error) {
	c := &Counterexample{Inputs: map[string][]byte{}, Output: output}
	for name, a := range p.buffers {
		c.Inputs[name] = p.known(a.first, pattern)
	}
	c.Text = p.known(p.wanted[output], pattern)
	c.Code = p.known(p.buffers[output].bytes, pattern)
	text, err := p.interpret(c.Inputs, output)
	if err != nil {
		return nil, err
	}
	code, err := p.execute(output, pattern)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(text, c.Text) || !bytes.Equal(code, c.Code) {
		return nil, fmt.Errorf("the proof of %s is wrong: it has %x and %x for %s, the interpreter %x, the core %x",
			p.Code.Kernel.Name, c.Text, c.Code, output, text, code)
	}
	return c, nil
}

// known is bytes for one pattern.
func (p *proof) known(b []word, pattern int) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[i] = byte(p.value(b[i], pattern)[0])
	}
	return out
}

// value is a word of up to 128 bits for one pattern.
func (p *proof) value(w word, pattern int) (v [2]uint64) {
	for i, e := range w {
		v[i/64] |= p.g.value(e, pattern) << (i % 64)
	}
	return v
}

// interpret runs the text on known memory and returns one output.
func (p *proof) interpret(inputs map[string][]byte, output string) ([]byte, error) {
	var all []byte
	for lane := range p.Code.Lanes {
		memory := map[string][]byte{}
		for _, q := range p.Code.Params {
			if q.Mem == nil {
				continue
			}
			b := inputs[q.Name]
			if q.Mem.Kind != ir.Key {
				b = b[lane*q.Mem.Bytes():][:q.Mem.Bytes()]
			}
			memory[q.Name] = bytes.Clone(b)
		}
		if err := ir.Run(p.Code.Kernel, p.Target.SliceBits, memory, p.Public); err != nil {
			return nil, err
		}
		all = append(all, memory[output]...)
	}
	return all, nil
}

// execute runs the code on the core, in the same memory with the values of one pattern, and returns one output.
func (p *proof) execute(output string, pattern int) ([]byte, error) {
	var mem isa.Memory
	regions := map[string]*isa.Region{}
	for _, a := range p.m.areas {
		r := &isa.Region{Name: a.name, Base: a.base, Data: p.known(a.first, pattern), Perm: isa.R}
		switch {
		case a.writable:
			r.Perm |= isa.W
		case p.buffers[a.name] != a:
			r.Perm |= isa.X
		}
		if len(r.Data) == 0 {
			continue
		}
		if err := mem.Add(r); err != nil {
			return nil, err
		}
		regions[a.name] = r
	}
	core := p.Target.Arch.NewCore(&mem, p.Features)
	for r, w := range p.m.first {
		setRegister(core, r, w, p.value(w, pattern))
	}
	core.SetPC(p.m.entry)
	stop := core.Run(nil, uint64(p.m.limit), p.m.ret)
	if stop.Kind != isa.StopAddr {
		return nil, fmt.Errorf("the core stops at %#x: %v", stop.PC, stop.Err)
	}
	return regions[output].Data, nil
}

// setRegister gives a register as wide as w its value.
func setRegister(core isa.Core, r isa.Reg, w word, v [2]uint64) {
	if len(w) > 64 {
		core.SetVec(r, v)
		return
	}
	core.SetReg(r, v[0])
}
