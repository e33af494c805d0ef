package ciphers

import (
	"strings"
	"testing"

	"simrun/ciphers/ref"
)

// neighbour is the plain reference of the cipher that the entry implements.
func neighbour(t *testing.T, e Entry) func(key, block []byte) []byte {
	t.Helper()
	cipher, _, _ := strings.Cut(e.Name, "/")
	f := ref.Ciphers()[cipher]
	if f == nil {
		t.Fatalf("%s: no reference of %s in ciphers/ref", e.Name, cipher)
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
	batches := FillBatches(cases, s.shape.Blocks, neighbour(t, e))
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
