package ciphers

import (
	"math/rand/v2"
	"strings"
	"testing"

	"simrun/ciphers/ref"
	"simrun/internal/foreign"
)

// neighbour is the plain reference of the cipher that the entry implements, nil if there is
// none: a new cipher needs no Go.
func neighbour(e Entry) func(key, block []byte) []byte {
	cipher, _, _ := strings.Cut(e.Name, "/")
	f := ref.Ciphers()[cipher]
	if f == nil {
		return nil
	}
	return func(key, block []byte) []byte {
		trace := f(key, block)
		return trace[len(trace)-1]
	}
}

// Every kernel over all its vectors, each in every position.
func TestVectors(t *testing.T) {
	all, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			checkVectors(t, e)
		})
	}
}

func checkVectors(t *testing.T, e Entry) {
	cases, skipped, err := e.Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("no vectors in %v", e.Vectors)
	}
	s := newStraight(t, e)
	batches := FillBatches(cases, s.shape.Blocks, neighbour(e))
	for i, b := range batches {
		got, _ := s.call(b.Key, b.In)
		err := b.Check(got)
		if err == nil && i%97 == 0 {
			err = checkInterpreter(e, b)
		}
		if err != nil {
			t.Fatalf("%s: key %x: %v", e.File, b.Key, err)
		}
	}
	t.Logf("%d blocks in each of %d positions, %d calls; not applicable: %v", len(cases), s.shape.Blocks, len(batches), skipped)
}

// checkInterpreter runs a batch by ir.Run, which is the same text by another way.
func checkInterpreter(e Entry, b Batch) error {
	got, err := e.Interpret(32, b.Key, b.In)
	if err != nil {
		return err
	}
	return b.Check(got)
}

// Random keys and blocks against the references.
func TestRandomBlocks(t *testing.T) {
	all, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		encrypt := neighbour(e)
		if encrypt == nil {
			continue
		}
		s := newStraight(t, e)
		rng := rand.New(rand.NewPCG(3, 4))
		for range foreign.Count(20, 20_000) {
			b := Batch{Key: random(rng, s.shape.KeyBytes), In: random(rng, s.shape.Blocks*s.shape.BlockBytes)}
			for i := range s.shape.Blocks {
				b.Names = append(b.Names, "random")
				b.Out = append(b.Out, encrypt(b.Key, b.In[i*s.shape.BlockBytes:(i+1)*s.shape.BlockBytes])...)
			}
			got, _ := s.call(b.Key, b.In)
			if err := b.Check(got); err != nil {
				t.Fatalf("%s: key %x: %v", e.Name, b.Key, err)
			}
		}
	}
}

func random(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}
