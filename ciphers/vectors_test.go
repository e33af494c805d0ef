package ciphers

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"text/tabwriter"

	"pgregory.net/rapid"
)

const goodEntry = `{"name": "a", "key": "00", "plaintext": "0011", "ciphertext": "2233"}`

func TestBadVectorFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "v.json:1: the file ends too early; is it truncated?"},
		{"truncated", "{\"vectors\": [\n" + goodEntry + ",\n{\"na", "v.json:3: the file ends too early; is it truncated?"},
		{"syntax", "{\"vectors\": [\n}", "v.json:2: invalid character '}' looking for beginning of value"},
		{"list at top", "[]", "v.json:1: expected an object, found array"},
		{"field type", `{"cipher": 1, "vectors": []}`, `v.json:1: field "cipher" has the wrong type: number`},
		{"unknown field", `{"cypher": "x", "vectors": [` + goodEntry + `]}`, `v.json:1: unknown field "cypher"`},
		{"no vectors", `{"cipher": "x"}`, "v.json: no vectors;"},
		{"tail", `{"vectors": [` + goodEntry + `]} x`, "v.json:1: more text after the end of the object"},
		{"entry field", `{"vectors": [{"name": "a", "nonce": "00"}]}`, `v.json:1: entry 1 (a): unknown field "nonce"`},
		{"hex", `{"vectors": [{"name": "a", "key": "0g"}]}`, `v.json:1: entry 1 (a): "0g" is not hex: it holds `},
		{"odd hex", `{"vectors": [{"name": "a", "key": "012"}]}`, `v.json:1: entry 1 (a): "012" is not hex: it has an odd number of digits`},
		{"number", `{"vectors": [{"name": "a", "key": 7}]}`, "v.json:1: entry 1 (a): expected a string of hex digits"},
		{"name", `{"vectors": [` + goodEntry + `, {"key": "00"}]}`, `v.json:1: entry 2 (): no "name"`},
		{"key", `{"vectors": [{"name": "a"}]}`, `v.json:1: entry 1 (a): no "key"`},
		{"plaintext", `{"vectors": [{"name": "a", "key": "00"}]}`, `v.json:1: entry 1 (a): no "plaintext"`},
		{"lengths", `{"vectors": [{"name": "a", "key": "00", "plaintext": "00", "ciphertext": ""}]}`, "v.json:1: entry 1 (a): plaintext of 1 bytes, ciphertext of 0"},
	} {
		_, err := LoadVectors(fstest.MapFS{"v.json": {Data: []byte(c.text)}}, "v.json")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line that starts with %s", c.name, err, c.want)
		}
	}
	if _, err := LoadVectors(fstest.MapFS{}, "v.json"); err == nil {
		t.Error("a missing file is no error")
	}
}

// A file cut anywhere gives an error of one line, never a panic or a shorter list.
func TestTruncatedVectorFile(t *testing.T) {
	text := toy["toy/toy.json"].Data
	for n := range text {
		_, err := LoadVectors(fstest.MapFS{"v.json": {Data: text[:n]}}, "v.json")
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("cut after %d bytes: error %v", n, err)
		}
	}
}

// FuzzLoadVectors: any text gives a file or an error of one line.
func FuzzLoadVectors(f *testing.F) {
	f.Add(toy["toy/toy.json"].Data)
	f.Add([]byte(`{"vectors": [` + goodEntry + `]}`))
	f.Add([]byte(`{"vectors": [{"name": "a", "key": null}, 7]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := LoadVectors(fstest.MapFS{"v.json": {Data: text}}, "v.json")
		switch {
		case err == nil && len(file.Vectors) == 0:
			t.Error("no vectors and no error")
		case err != nil && strings.Contains(err.Error(), "\n"):
			t.Errorf("an error of several lines: %q", err)
		}
	})
}

func TestBlockSizeMismatch(t *testing.T) {
	all, err := Read(toy)
	if err != nil {
		t.Fatal(err)
	}
	f := &VectorFile{Path: "v.json", Vectors: []Vector{{Name: "short", Key: make([]byte, 8), Plaintext: make([]byte, 7), Ciphertext: make([]byte, 7)}}}
	_, _, err = f.For(all[0].Kernel)
	if want := "v.json: short: 7 bytes are not whole blocks of 8, which toy/plain has"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Every vector of every file is either cut into cases or counted as not applicable.
func TestEveryVectorIsAccountedFor(t *testing.T) {
	all, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "kernel\tfile\tvectors\tused\tblocks\tnot applicable")
	for _, e := range all {
		for _, name := range e.Vectors {
			f, err := LoadVectors(e.FS, name)
			if err != nil {
				t.Fatal(err)
			}
			cases, skipped, err := f.For(e.Kernel)
			if err != nil {
				t.Fatal(err)
			}
			used := usedVectors(cases)
			left := used
			for _, n := range skipped {
				left += n
			}
			if left != len(f.Vectors) {
				t.Errorf("%s: %s: %d vectors, but %d used or counted as not applicable", e.Name, name, len(f.Vectors), left)
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%v\n", e.Name, name, len(f.Vectors), used, len(cases), skipped)
		}
	}
	w.Flush()
	t.Log("\n" + text.String())
}

// usedVectors is the number of vectors that the cases were cut from.
func usedVectors(cases []Case) int {
	whole := map[string]bool{}
	for _, c := range cases {
		name, _, _ := strings.Cut(c.Name, " block ")
		whole[name+string(c.Key)] = true
	}
	return len(whole)
}

// Every case stands once in every position; calls are full and of one key.
func TestFillBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.IntRange(1, 8).Draw(t, "blocks")
		var cases []Case
		for i := range rapid.IntRange(1, 20).Draw(t, "cases") {
			key := []byte{byte(rapid.IntRange(0, 3).Draw(t, "key"))}
			cases = append(cases, Case{Name: fmt.Sprint("case ", i), Key: key, In: []byte{byte(i), 0}, Out: []byte{byte(i), key[0]}})
		}
		places := map[string]int{}
		for _, b := range FillBatches(cases, blocks, nil) {
			if len(b.Names) != blocks || len(b.In) != 2*blocks {
				t.Fatalf("a call of %d names and %d bytes for %d blocks", len(b.Names), len(b.In), blocks)
			}
			for p, name := range b.Names {
				if name != "" {
					places[fmt.Sprintf("%s at %d", name, p)]++
					if b.Out[2*p+1] != b.Key[0] {
						t.Fatalf("%s stands in a call of key %d", name, b.Key[0])
					}
				}
			}
		}
		for place, n := range places {
			if n != 1 {
				t.Fatalf("%s %d times", place, n)
			}
		}
		if len(places) != len(cases)*blocks {
			t.Fatalf("%d places filled, want %d cases in %d positions", len(places), len(cases), blocks)
		}
	})
}

func TestNeighbours(t *testing.T) {
	one := []Case{{Name: "a", Key: []byte{1}, In: []byte{2}, Out: []byte{3}}}
	other := func(_, block []byte) []byte { return []byte{^block[0]} }
	seen := map[byte]bool{}
	for _, b := range FillBatches(one, 4, other) {
		for p, name := range b.Names {
			if name == "neighbour" {
				seen[b.In[p]] = true
				if b.Out[p] != ^b.In[p] {
					t.Errorf("neighbour %x has output %x", b.In[p], b.Out[p])
				}
			}
		}
	}
	if len(seen) < 8 {
		t.Errorf("only %d different neighbours in 12 places", len(seen))
	}
}

func TestBatchCheck(t *testing.T) {
	b := Batch{In: make([]byte, 4), Out: []byte{1, 2, 0, 0}, Names: []string{"a", ""}}
	if err := b.Check([]byte{1, 2, 9, 9}); err != nil {
		t.Errorf("an unknown neighbour is compared: %v", err)
	}
	err := b.Check([]byte{1, 3, 0, 0})
	if want := "block 1 of 2 (a): got 0103, want 0102"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if err := b.Check(bytes.Repeat([]byte{1}, 3)); err == nil {
		t.Error("output of a wrong length passes")
	}
}

// TestManyBlocks reads a vector of more blocks than are run.
func TestManyBlocks(t *testing.T) {
	all, err := Read(toy)
	if err != nil {
		t.Fatal(err)
	}
	e := all[0]
	shape, err := ShapeOf(e.Kernel, 0)
	if err != nil {
		t.Fatal(err)
	}
	long := make([]byte, (maxCases+1)*shape.BlockBytes)
	f := &VectorFile{Path: "v.json", Vectors: []Vector{{Name: "long", Key: make([]byte, shape.KeyBytes), Plaintext: long, Ciphertext: long}}}
	if _, _, err := f.For(e.Kernel); err == nil || !strings.Contains(err.Error(), "more than 65536 blocks") {
		t.Errorf("%v", err)
	}
}

// In calls of many blocks, a case is in every position, and for any two positions there is a call with a case in one and
// a neighbour in the other.
func TestManyPositions(t *testing.T) {
	const blocks = 64
	cases := []Case{{Name: "a", Key: []byte{1}, In: []byte{2}, Out: []byte{3}}, {Name: "b", Key: []byte{1}, In: []byte{4}, Out: []byte{5}}}
	list := FillBatches(cases, blocks, nil)
	seen := map[string]bool{}
	for _, b := range list {
		for p, name := range b.Names {
			seen[fmt.Sprint(name, p)] = true
		}
	}
	for p := range blocks {
		for q := range blocks {
			apart := slices.ContainsFunc(list, func(b Batch) bool { return b.Names[p] != "" && b.Names[q] == "" })
			if !seen[fmt.Sprint("a", p)] || !seen[fmt.Sprint("b", p)] || p != q && !apart {
				t.Fatalf("positions %d and %d: both cases seen %t, apart %t", p, q, seen[fmt.Sprint("a", p)], apart)
			}
		}
	}
}

// Counters of a call follow each other, across a wrap too, and cases come to every position.
func TestCounterBatches(t *testing.T) {
	counter := []byte{0xff, 0xff}
	cases := []Case{{Name: "a", Key: []byte{1}, In: []byte{2, 2}, Out: []byte{3, 3}, Counter: counter},
		{Name: "b", Key: []byte{1}, In: []byte{4, 4}, Out: []byte{5, 5}, Counter: []byte{0, 0}}}
	for _, blocks := range []int{1, 8, 64} {
		seen := map[int]bool{}
		for _, b := range FillBatches(cases, blocks, nil) {
			for p, name := range b.Names {
				if name == "" {
					continue
				}
				seen[p] = true
				if want := cases[name[0]-'a'].Counter; !bytes.Equal(counterPlus(b.Counter, p), want) {
					t.Fatalf("%s stands at %d of a call that begins at %x, its counter is %x", name, p, b.Counter, want)
				}
			}
		}
		if len(seen) != blocks {
			t.Errorf("%d of %d positions have a case", len(seen), blocks)
		}
	}
}

func TestSliced(t *testing.T) {
	in, out, back := make([]byte, 16*3), make([]byte, 16*3), make([]byte, 16*3)
	in[5*3+1] = 0x20 // block 5, byte 1, bit 2 from the top
	sliced(out, in, 16)
	want := make([]byte, 16*3)
	want[(8*1+2)*2] = 1 << 5
	if unsliced(back, out, 16); !bytes.Equal(out, want) || !bytes.Equal(back, in) {
		t.Errorf("sliced %x, want %x; back %x", out, want, back)
	}
}
