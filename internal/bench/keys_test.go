package bench

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"simrun/ciphers"
)

// TestExpandAll holds the interpretation of many keys at once against the interpreter, for every
// keys function and for a last row that is not full.
func TestExpandAll(t *testing.T) {
	entries, err := ciphers.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, e := range entries {
		n := e.Kernel.Keys.Params(32)[0].Mem.Bytes()
		var keys [][]byte
		for i := range rowOfKeys + 3 {
			keys = append(keys, some(rng, i, n))
		}
		got, err := expandAll(e.Kernel.Keys, 32, keys)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{0, 1, 2, rowOfKeys - 1, rowOfKeys, rowOfKeys + 2} {
			want, err := e.ExpandKey(32, keys[i])
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got[i], want) {
				t.Errorf("%s: key %d is %x, the interpreter has %x", e.Kernel.Keys.Name, i, got[i], want)
			}
		}
	}
}
