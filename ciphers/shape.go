package ciphers

import (
	"fmt"

	"simrun/programs/ir"
)

// Shape is how a kernel takes a message: one input, one output and one key; in counter mode also the first counter.
type Shape struct {
	In, Out, Key string // names of the memory parameters; In == Out for inout
	Counter      string // "" for blocks by themselves
	Start        string // in mode f8, where a block is a whole message: what each message starts from; else ""
	Blocks       int    // blocks of one call
	BlockBytes   int
	KeyBytes     int // argument of the keys function, or the key itself if there is none

	inSliced, outSliced, startSliced bool
}

// counterName is the name of the parameter that makes a kernel of counter mode.
const counterName = "counter"

// startName is the name of the parameter that makes a kernel of mode f8 of 3GPP TS 35.201, on messages side by side.
const startName = "start"

// ShapeOf returns the shape of a kernel. sliceBits is the width of S; 0 will do for the
// sizes of a block and of a key.
func ShapeOf(k *ir.Kernel, sliceBits int) (Shape, error) {
	if sliceBits == 0 {
		sliceBits = 32
	}
	var s Shape
	for _, p := range k.Params(sliceBits) {
		if p.Public {
			return s, fmt.Errorf("kernel %s takes the public number %s; vectors give none", k.Name, p.Name)
		}
		slot := s.slot(&p)
		if *slot != "" {
			return s, fmt.Errorf("kernel %s has two parameters of one kind, %s and %s; vectors have one plaintext, ciphertext and key", k.Name, *slot, p.Name)
		}
		*slot = p.Name
		switch {
		case p.Mem.Kind == ir.Key:
			s.KeyBytes = p.Mem.Bytes()
		case slot != &s.Counter && slot != &s.Start:
			s.Blocks = p.Mem.Blocks
			s.BlockBytes = p.Mem.Bytes() / p.Mem.Blocks
		}
	}
	if k.Keys != nil {
		s.KeyBytes = k.Keys.Params(sliceBits)[0].Mem.Bytes()
	}
	if s.In == "" || s.Out == "" || s.Key == "" {
		return s, fmt.Errorf("kernel %s lacks an in, out or key parameter, which vectors need", k.Name)
	}
	return s, nil
}

// slot is the field that a memory parameter fills.
func (s *Shape) slot(p *ir.Param) *string {
	switch m := p.Mem; {
	case m.Kind == ir.Key:
		return &s.Key
	case m.Kind == ir.Out:
		s.outSliced = m.Sliced
		return &s.Out
	case m.Kind == ir.InOut:
		s.Out, s.inSliced, s.outSliced = p.Name, m.Sliced, m.Sliced
	case p.Name == counterName:
		return &s.Counter
	case p.Name == startName:
		s.startSliced = m.Sliced
		return &s.Start
	default:
		s.inSliced = m.Sliced
	}
	return &s.In
}

// Mode is the mode of operation of the vectors that the kernel can show.
func (s *Shape) Mode() string {
	switch {
	case s.Counter != "":
		return "CTR"
	case s.Start != "":
		return "f8"
	}
	return "ECB"
}

// Load gives whole calls of blocks the form of the input parameter.
func (s *Shape) Load(blocks []byte) []byte {
	if !s.inSliced {
		return blocks
	}
	return s.eachCall(blocks, sliced)
}

// Read undoes the form of the output parameter.
func (s *Shape) Read(memory []byte) []byte {
	if !s.outSliced {
		return memory
	}
	return s.eachCall(memory, unsliced)
}

// eachCall transforms the blocks of each call, which lie side by side.
func (s *Shape) eachCall(in []byte, f func(out, in []byte, blocks int)) []byte {
	out := make([]byte, len(in))
	for n := s.Blocks * s.BlockBytes; len(in) >= n; in = in[n:] {
		f(out[len(out)-len(in):][:n], in[:n], s.Blocks)
	}
	return out
}

// sliced puts bit i of byte p of block b, the top bit being 0, at bit b of slice 8*p + i.
func sliced(out, in []byte, blocks int) {
	size, width := len(in)/blocks, blocks/8
	for b := range blocks {
		for p, x := range in[b*size : (b+1)*size] {
			for i := range 8 {
				out[(8*p+i)*width+b/8] |= x >> (7 - i) & 1 << (b % 8)
			}
		}
	}
}

func unsliced(out, in []byte, blocks int) {
	size, width := len(in)/blocks, blocks/8
	for b := range blocks {
		for p := range size {
			for i := range 8 {
				out[b*size+p] |= in[(8*p+i)*width+b/8] >> (b % 8) & 1 << (7 - i)
			}
		}
	}
}

// Memory is the memory of a call on a batch, but for the key parameter.
func (s *Shape) Memory(b *Batch) map[string][]byte {
	in := s.Load(b.In)
	mem := map[string][]byte{s.In: in}
	mem[s.Out] = append([]byte(nil), in...)
	for name, data := range s.Beside(b) {
		mem[name] = data
	}
	return mem
}

// Beside is what goes in beside message and key.
func (s *Shape) Beside(b *Batch) map[string][]byte {
	switch {
	case s.Counter != "":
		return map[string][]byte{s.Counter: b.Counter}
	case s.startSliced:
		out := make([]byte, len(b.Start))
		sliced(out, b.Start, s.Blocks)
		return map[string][]byte{s.Start: out}
	case s.Start != "":
		return map[string][]byte{s.Start: b.Start}
	}
	return nil
}

// Interpret runs one call of the kernel on the interpreter: its keys function on key, then
// the kernel on the blocks of the batch, whose output it returns.
func (e Entry) Interpret(sliceBits int, b *Batch) ([]byte, error) {
	s, err := ShapeOf(e.Kernel, sliceBits)
	if err != nil {
		return nil, err
	}
	rk, err := e.ExpandKey(sliceBits, b.Key)
	if err != nil {
		return nil, err
	}
	mem := s.Memory(b)
	mem[s.Key] = rk
	if err := ir.Run(e.Kernel, sliceBits, mem, nil); err != nil {
		return nil, err
	}
	return s.Read(mem[s.Out]), nil
}

// ExpandKey returns the memory form of the key parameter: what the keys function makes of
// key, or key itself if there is none.
func (e Entry) ExpandKey(sliceBits int, key []byte) ([]byte, error) {
	keys := e.Kernel.Keys
	if keys == nil {
		return key, nil
	}
	p := keys.Params(sliceBits)
	rk := make([]byte, p[1].Mem.Bytes())
	return rk, ir.Run(keys, sliceBits, map[string][]byte{p[0].Name: key, p[1].Name: rk}, nil)
}

// ExpandKeys is ExpandKey for many keys, by key. A file of vectors has hundreds.
func (e Entry) ExpandKeys(sliceBits int, list [][]byte) (map[string][]byte, error) {
	out := map[string][]byte{}
	var mem []map[string][]byte
	for _, key := range list {
		if _, known := out[string(key)]; known {
			continue
		}
		out[string(key)] = key
		if keys := e.Kernel.Keys; keys != nil {
			p := keys.Params(sliceBits)
			rk := make([]byte, p[1].Mem.Bytes())
			out[string(key)] = rk
			mem = append(mem, map[string][]byte{p[0].Name: key, p[1].Name: rk})
		}
	}
	if len(mem) == 0 {
		return out, nil
	}
	return out, ir.RunMany(e.Kernel.Keys, sliceBits, mem, nil)
}
