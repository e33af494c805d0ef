package bench

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"simrun/ciphers"
	"simrun/programs/ir"
)

// check proves a program right: by the vectors of the subject in every block position, or by
// the interpreter on random inputs if it has none. It returns the number of calls made. The
// runner is left with the memory of the last call.
func (s *Subject) check(p *Program, r runner) (calls int, err error) {
	if len(s.cases) > 0 {
		return s.checkVectors(p, r)
	}
	return s.checkInterpreter(p, r)
}

func (s *Subject) checkVectors(p *Program, r runner) (calls int, err error) {
	shape, err := ciphers.ShapeOf(s.Kernel, p.Target.SliceBits)
	if err != nil {
		return 0, err
	}
	for _, b := range ciphers.FillBatches(s.cases, p.Blocks, nil) {
		calls++
		if err := s.checkBatch(p, r, shape, &b); err != nil {
			return calls, err
		}
	}
	return calls, nil
}

func (s *Subject) checkBatch(p *Program, r runner, shape ciphers.Shape, b *ciphers.Batch) error {
	key, err := s.expand(p.Target.SliceBits, b.Key)
	if err != nil {
		return err
	}
	if err := r.set(shape.Key, key); err != nil {
		return err
	}
	if err := r.set(shape.In, shape.Load(b.In)); err != nil {
		return err
	}
	for name, data := range shape.Beside(b) {
		if err := r.set(name, data); err != nil {
			return err
		}
	}
	if err := r.call(); err != nil {
		return err
	}
	got, err := r.get(shape.Out)
	if err != nil {
		return err
	}
	if err := b.Check(shape.Read(got)); err != nil {
		return fmt.Errorf("wrong result: %w", err)
	}
	return nil
}

// interpreterCalls is the number of calls compared with the interpreter: all bits 0, all bits 1, then random.
const interpreterCalls = 16

func (s *Subject) checkInterpreter(p *Program, r runner) (calls int, err error) {
	rng := rand.New(rand.NewPCG(3, 4))
	for call := range interpreterCalls {
		memory, err := s.randomMemory(p, rng, call)
		if err != nil {
			return call, err
		}
		if err := s.compare(p, r, memory); err != nil {
			return call, err
		}
	}
	return interpreterCalls, nil
}

// some returns n bytes for a call: zeros in the first, ones in the second, then random.
func some(rng *rand.Rand, call, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		switch call {
		case 0:
		case 1:
			b[i] = 0xff
		default:
			b[i] = byte(rng.Uint32())
		}
	}
	return b
}

// randomMemory fills the buffers of all parameters.
func (s *Subject) randomMemory(p *Program, rng *rand.Rand, call int) (map[string][]byte, error) {
	memory := map[string][]byte{}
	for _, param := range p.Params {
		if param.Mem == nil {
			continue
		}
		data := some(rng, call, p.bufferBytes(param.Mem))
		if param.Mem.Kind == ir.Key && s.Kernel.Keys != nil {
			var err error
			argument := s.Kernel.Keys.Params(p.Target.SliceBits)[0].Mem
			if data, err = s.entry.ExpandKey(p.Target.SliceBits, some(rng, call, argument.Bytes())); err != nil {
				return nil, err
			}
		}
		memory[param.Name] = data
	}
	return memory, nil
}

// compare makes one call and holds every output against the interpreter, lane by lane.
func (s *Subject) compare(p *Program, r runner, memory map[string][]byte) error {
	for name, data := range memory {
		if err := r.set(name, data); err != nil {
			return err
		}
	}
	if err := r.call(); err != nil {
		return err
	}
	for lane := range p.Lanes {
		if err := ir.Run(s.Kernel, p.Target.SliceBits, laneView(p, memory, lane), s.Public); err != nil {
			return err
		}
	}
	for _, param := range p.Params {
		if param.Mem == nil || param.Mem.Kind != ir.Out && param.Mem.Kind != ir.InOut {
			continue
		}
		got, err := r.get(param.Name)
		if err != nil {
			return err
		}
		if want := memory[param.Name]; !bytes.Equal(got, want) {
			return fmt.Errorf("wrong result: %s is %x, the interpreter has %x", param.Name, got, want)
		}
	}
	return nil
}

// laneView is the part of each buffer that belongs to one lane.
func laneView(p *Program, memory map[string][]byte, lane int) map[string][]byte {
	view := map[string][]byte{}
	for _, param := range p.Params {
		if param.Mem == nil {
			continue
		}
		data := memory[param.Name]
		if param.Mem.Kind != ir.Key {
			n := param.Mem.Bytes()
			data = data[lane*n:][:n:n]
		}
		view[param.Name] = data
	}
	return view
}
