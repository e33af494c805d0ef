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
	f := ref.Ciphers()[strings.TrimSuffix(cipher, "-ctr")]
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
	if len(e.Vectors) == 0 {
		t.Skip("no cipher: the interpreter judges the code")
	}
	cases, skipped, err := e.Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("no vectors in %v", e.Vectors)
	}
	r := newRunner(t, e)
	batches := FillBatches(cases, r.shape.Blocks, neighbour(e))
	r.check(batches)
	t.Logf("%d blocks in each of %d positions, %d calls; not applicable: %v", len(cases), r.shape.Blocks, len(batches), skipped)
}

// Kernels on slices as wide as those of the largest target, on some of the vectors.
func TestWideSlices(t *testing.T) {
	all, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if !e.Kernel.Slice || len(e.Vectors) == 0 {
			continue
		}
		cases, _, err := e.Cases()
		if err != nil {
			t.Fatal(err)
		}
		shape, err := ShapeOf(e.Kernel, 128)
		if err != nil {
			t.Fatal(err)
		}
		interpreted(t, e, shape, 128, FillBatches(cases[:4], shape.Blocks, neighbour(e)))
	}
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
		r := newRunner(t, e)
		rng := rand.New(rand.NewPCG(3, 4))
		var batches []Batch
		for range foreign.Count(20, 20_000) {
			batches = append(batches, randomBatch(rng, r.shape, encrypt))
		}
		r.check(batches)
	}
}

func randomBatch(rng *rand.Rand, s Shape, encrypt func(key, block []byte) []byte) Batch {
	b := Batch{Key: random(rng, s.KeyBytes), In: random(rng, s.Blocks*s.BlockBytes)}
	if s.Counter != "" {
		b.Counter = random(rng, s.BlockBytes)
		for i := rng.IntN(s.BlockBytes); i < s.BlockBytes; i++ {
			b.Counter[i] = 0xff // a carry
		}
	}
	for i := range s.Blocks {
		b.Names = append(b.Names, "random")
		in := b.In[i*s.BlockBytes:][:s.BlockBytes]
		if s.Counter == "" {
			b.Out = append(b.Out, encrypt(b.Key, in)...)
			continue
		}
		for j, k := range encrypt(b.Key, counterPlus(b.Counter, i)) {
			b.Out = append(b.Out, in[j]^k)
		}
	}
	return b
}

func random(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}
