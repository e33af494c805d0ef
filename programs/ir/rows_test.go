package ir

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRunMany holds many calls at once against single ones, for a last row that is not full.
func TestRunMany(t *testing.T) {
	entries := make([]string, 256)
	for i := range entries {
		entries[i] = fmt.Sprint(i * 7 % 256)
	}
	kernels := []*Kernel{
		mustParse(t, strings.Replace(controlText, "TABLE", strings.Join(entries, ", "), 1)).Kernels()[0],
		mustParse(t, toyText).Kernel("toy/plain"),
	}
	rng := rand.New(rand.NewPCG(7, 8))
	public := map[string]int64{"n": 2}
	for _, k := range kernels {
		var many, single []map[string][]byte
		for range rowLen + 3 {
			a, b := map[string][]byte{}, map[string][]byte{}
			for _, p := range k.Params(32) {
				if p.Public {
					continue
				}
				a[p.Name] = make([]byte, p.Mem.Bytes())
				for i := range a[p.Name] {
					a[p.Name][i] = byte(rng.Uint32())
				}
				b[p.Name] = bytes.Clone(a[p.Name])
			}
			many, single = append(many, a), append(single, b)
		}
		if err := RunMany(k, 32, many, public); err != nil {
			t.Fatal(err)
		}
		for i := range single {
			run(t, k, single[i], public)
			for name, want := range single[i] {
				if !bytes.Equal(many[i][name], want) {
					t.Errorf("%s, call %d: %s is %x, want %x", k.Name, i, name, many[i][name], want)
				}
			}
		}
		delete(many[1], k.Params(32)[0].Name)
		if err := RunMany(k, 32, many, public); err == nil {
			t.Errorf("%s: a missing parameter is no error", k.Name)
		}
	}
}
