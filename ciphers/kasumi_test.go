package ciphers

import (
	"bytes"
	"testing"
)

// Test set 4 of TS 35.203 feeds a block through the cipher again and again.
func TestIterated(t *testing.T) {
	for _, name := range []string{"kasumi/table", "kasumi/bitsliced"} {
		e, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := LoadVectors(e.FS, e.Vectors[0])
		if err != nil {
			t.Fatal(err)
		}
		s, err := ShapeOf(e.Kernel, 32)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, v := range f.Vectors {
			if v.Mode != "ECB-iterated" {
				continue
			}
			seen++
			got := bytes.Repeat(v.Plaintext, s.Blocks)
			for range v.Iterations {
				if got, err = e.Interpret(32, &Batch{Key: v.Key, In: got}); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, bytes.Repeat(v.Ciphertext, s.Blocks)) {
				t.Errorf("%s: %s: got %x, want %x", name, v.Name, got[:8], v.Ciphertext)
			}
		}
		if seen == 0 {
			t.Errorf("%s: no vector of that mode", name)
		}
	}
}

// Bits past the end of a message are not compared, all others are.
func TestKnownBits(t *testing.T) {
	b := Batch{Out: []byte{0xff, 0xe0, 0, 1, 2, 3}, Names: []string{"a", "b"}, Bits: []int{11, 0}}
	if err := b.Check([]byte{0xff, 0xff, 0x55, 1, 2, 3}); err != nil {
		t.Error(err)
	}
	for _, wrong := range [][]byte{{0xfe, 0xe0, 0, 1, 2, 3}, {0xff, 0xc0, 0, 1, 2, 3}, {0xff, 0xe0, 0, 1, 2, 7}} {
		if b.Check(wrong) == nil {
			t.Errorf("%x passes", wrong)
		}
	}
}
