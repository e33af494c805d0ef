package ciphers

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// Batch is the message of one call: as many blocks as the kernel takes, under one key.
type Batch struct {
	Key     []byte
	In, Out []byte   // the blocks side by side; Out is zero where Names is ""
	Names   []string // by block: a case, "neighbour" if its output was computed, "" if unknown
}

// FillBatches lays cases into calls of the given number of blocks, so that every case stands
// once in every position, among other blocks each time: cases of the same key, and random
// blocks where they run out. neighbour computes the output of a random block; nil leaves it
// unknown. Same arguments, same batches.
func FillBatches(cases []Case, blocks int, neighbour func(key, block []byte) []byte) []Batch {
	f := filler{blocks: blocks, neighbour: neighbour, rng: rand.New(rand.NewPCG(1, 1))}
	byKey := map[string][]Case{}
	var order []string
	for _, c := range cases {
		k := string(c.Key)
		if byKey[k] == nil {
			order = append(order, k)
		}
		byKey[k] = append(byKey[k], c)
	}
	for _, k := range order {
		f.key(byKey[k])
	}
	return f.out
}

type filler struct {
	blocks    int
	neighbour func(key, block []byte) []byte
	rng       *rand.Rand
	out       []Batch
}

// key lays out the cases of one key. In turn t, case i stands in position (i+t) mod blocks;
// which cases meet there is shuffled.
func (f *filler) key(cases []Case) {
	for t := range f.blocks {
		at := make([][]Case, f.blocks)
		calls := 0
		for i, c := range cases {
			p := (i + t) % f.blocks
			at[p] = append(at[p], c)
			calls = max(calls, len(at[p]))
		}
		for _, list := range at {
			f.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		for n := range calls {
			f.call(at, n, &cases[0])
		}
	}
}

// call makes a batch of the n-th case of each position.
func (f *filler) call(at [][]Case, n int, like *Case) {
	b := Batch{Key: like.Key}
	for _, list := range at {
		c := Case{}
		if n < len(list) {
			c = list[n]
		} else {
			c = f.random(like)
		}
		b.In = append(b.In, c.In...)
		b.Out = append(b.Out, c.Out...)
		b.Names = append(b.Names, c.Name)
	}
	f.out = append(f.out, b)
}

func (f *filler) random(like *Case) Case {
	c := Case{In: make([]byte, len(like.In)), Out: make([]byte, len(like.Out))}
	for i := range c.In {
		c.In[i] = byte(f.rng.Uint32())
	}
	if f.neighbour != nil {
		c.Name, c.Out = "neighbour", f.neighbour(like.Key, c.In)
	}
	return c
}

// Check compares what a kernel made of the batch with the known outputs. The error names the
// first wrong block.
func (b *Batch) Check(got []byte) error {
	if len(got) != len(b.Out) {
		return fmt.Errorf("%d bytes of output, expected %d", len(got), len(b.Out))
	}
	size := len(b.Out) / len(b.Names)
	for i, name := range b.Names {
		g, w := got[i*size:(i+1)*size], b.Out[i*size:(i+1)*size]
		if name != "" && !bytes.Equal(g, w) {
			return fmt.Errorf("block %d of %d (%s): got %x, want %x", i+1, len(b.Names), name, g, w)
		}
	}
	return nil
}
