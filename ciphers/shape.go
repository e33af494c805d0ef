package ciphers

import (
	"fmt"

	"simrun/programs/ir"
)

// Shape is how a kernel takes a message: one input, one output and one key.
type Shape struct {
	In, Out, Key string // names of the memory parameters; In == Out for inout
	Blocks       int    // blocks of one call
	BlockBytes   int
	KeyBytes     int // argument of the keys function, or the key itself if there is none
}

// ShapeOf returns the shape of a kernel. sliceBits is the width of S; 0 will do for the
// sizes of a block and of a key.
func ShapeOf(k *ir.Kernel, sliceBits int) (Shape, error) {
	if sliceBits == 0 {
		sliceBits = 32
	}
	var s Shape
	for _, p := range k.Params(sliceBits) {
		slot := &s.Key
		switch {
		case p.Public:
			return s, fmt.Errorf("kernel %s takes the public number %s; vectors give none", k.Name, p.Name)
		case p.Mem.Kind == ir.In:
			slot = &s.In
		case p.Mem.Kind == ir.Out:
			slot = &s.Out
		case p.Mem.Kind == ir.InOut:
			slot, s.Out = &s.In, p.Name
		}
		if *slot != "" {
			return s, fmt.Errorf("kernel %s has two parameters of one kind, %s and %s; vectors have one plaintext, ciphertext and key", k.Name, *slot, p.Name)
		}
		*slot = p.Name
		if p.Mem.Kind == ir.Key {
			s.KeyBytes = p.Mem.Bytes()
		} else {
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

// Interpret runs one call of the kernel on the interpreter: its keys function on key, then
// the kernel on in, Blocks blocks.
func (e Entry) Interpret(sliceBits int, key, in []byte) ([]byte, error) {
	s, err := ShapeOf(e.Kernel, sliceBits)
	if err != nil {
		return nil, err
	}
	rk, err := e.ExpandKey(sliceBits, key)
	if err != nil {
		return nil, err
	}
	out := append([]byte(nil), in...)
	mem := map[string][]byte{s.Key: rk, s.In: in}
	mem[s.Out] = out
	return out, ir.Run(e.Kernel, sliceBits, mem, nil)
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
