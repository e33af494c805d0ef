package ciphers

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Batch is the message of one call: as many blocks as the kernel takes, under one key.
type Batch struct {
	Key     []byte
	Counter []byte   // of the first block, in counter mode
	Start   []byte   // of all messages side by side, in mode f8
	In, Out []byte   // the blocks side by side; Out is zero where Names is ""
	Names   []string // by block: a case, "neighbour" if its output was computed, "" if unknown
	Bits    []int    // by block: how many bits of its output are known, 0 = all
}

// manyBlocks is the number of blocks of a call from which on a case stands in several of its positions at once.
const manyBlocks = 32

// FillBatches lays cases into calls of the given number of blocks, so that every case stands
// in every position, among other blocks each time: cases of the same key, and random
// blocks where they run out. neighbour computes the output of a random block; nil leaves it
// unknown. Same arguments, same batches.
//
// In calls of many blocks a key with few cases has them in half of the positions at a time: those whose number
// has a certain bit set, then those that have it not. So any two positions differ in some call in whether a case stands there.
//
// In counter mode a case fixes the counters of its whole call. Cases with counters that follow each other stand side by side, and
// where they are few in calls of many blocks, only one of them comes to each position.
func FillBatches(cases []Case, blocks int, neighbour func(key, block []byte) []byte) []Batch {
	f := filler{blocks: blocks, neighbour: neighbour, rng: rand.New(rand.NewPCG(1, 1))}
	for len(cases) > 0 && cases[0].Counter != nil {
		n := 1
		for n < len(cases) && cases[n].follows(&cases[n-1]) {
			n++
		}
		f.run(cases[:n])
		cases = cases[n:]
	}
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
		if list := byKey[k]; blocks < manyBlocks || len(list) >= blocks/8 {
			f.key(list)
		} else {
			f.halves(list)
		}
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
		if n < len(list) {
			b.add(&list[n])
		} else {
			b.add(f.random(like, nil))
		}
	}
	f.out = append(f.out, b)
}

// poolSize is the number of random blocks that halves has for a key.
const poolSize = 16

// halves lays out the few cases of one key by the bits of the positions.
func (f *filler) halves(cases []Case) {
	var pool [poolSize]*Case
	for i := range pool {
		pool[i] = f.random(&cases[0], nil)
	}
	for first := range cases {
		for bit := 1; bit < f.blocks; bit *= 2 {
			for _, with := range [2]int{0, bit} {
				b := Batch{Key: cases[0].Key}
				for p := range f.blocks {
					if p&bit == with {
						b.add(&cases[(first+p)%len(cases)])
					} else {
						b.add(pool[f.rng.IntN(poolSize)])
					}
				}
				f.out = append(f.out, b)
			}
		}
	}
}

// run lays out cases whose counters follow each other.
func (f *filler) run(cases []Case) {
	step := 1
	if f.blocks >= manyBlocks {
		step = len(cases)
	}
	for first := 1 - len(cases); first < f.blocks; first += step {
		b := Batch{Key: cases[0].Key, Counter: counterPlus(cases[0].Counter, -first)}
		for p := range f.blocks {
			if i := p - first; i >= 0 && i < len(cases) {
				b.add(&cases[i])
			} else {
				b.add(f.random(&cases[0], counterPlus(cases[0].Counter, i)))
			}
		}
		f.out = append(f.out, b)
	}
}

func (b *Batch) add(c *Case) {
	b.In = append(b.In, c.In...)
	b.Out = append(b.Out, c.Out...)
	b.Names = append(b.Names, c.Name)
	b.Start, b.Bits = append(b.Start, c.Start...), append(b.Bits, c.Bits)
}

// random makes a block under the key of like; counter is nil outside counter mode.
func (f *filler) random(like *Case, counter []byte) *Case {
	c := &Case{In: f.bytes(len(like.In)), Out: make([]byte, len(like.Out)), Start: f.bytes(len(like.Start))}
	switch {
	case f.neighbour == nil:
		return c
	case counter == nil:
		c.Out = f.neighbour(like.Key, c.In)
	default:
		for i, k := range f.neighbour(like.Key, counter) {
			c.Out[i] = c.In[i] ^ k
		}
	}
	c.Name = "neighbour"
	return c
}

func (f *filler) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(f.rng.Uint32())
	}
	return b
}

// follows reports whether the case is of the key of another and has the counter behind it.
func (c *Case) follows(before *Case) bool {
	return bytes.Equal(c.Key, before.Key) && bytes.Equal(c.Counter, counterPlus(before.Counter, 1))
}

// counterPlus adds n to a counter, a big-endian number that wraps.
func counterPlus(counter []byte, n int) []byte {
	sum := slices.Clone(counter)
	for i := len(sum) - 1; i >= 0; i-- {
		n += int(sum[i])
		sum[i] = byte(n)
		n >>= 8
	}
	return sum
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
		if len(b.Bits) > 0 && b.Bits[i] > 0 {
			g, w = firstBits(g, b.Bits[i]), firstBits(w, b.Bits[i])
		}
		if name != "" && !bytes.Equal(g, w) {
			return fmt.Errorf("block %d of %d (%s): got %x, want %x", i+1, len(b.Names), name, g, w)
		}
	}
	return nil
}

// firstBits is the first n bits of b, then zeros to the end of the byte.
func firstBits(b []byte, n int) []byte {
	b = slices.Clone(b[:(n+7)/8])
	if n%8 > 0 {
		b[n/8] &= 0xff << (8 - n%8)
	}
	return b
}
