package ciphers

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simrun/programs/ir"
)

func TestCatalogueIsSortedAndComplete(t *testing.T) {
	all, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
		if e.File == "aes/slices.kir" { // a change of form, no cipher
			continue
		}
		if len(e.Vectors) == 0 {
			t.Errorf("%s: no vectors clause in %s", e.Name, e.File)
		}
		if e.Kernel.Keys == nil {
			t.Errorf("%s: no keys function", e.Name)
		}
		if e.Family != path.Dir(e.File) {
			t.Errorf("%s: family %q, file %q", e.Name, e.Family, e.File)
		}
	}
	want := []string{
		"aes128/barrel", "aes128/fixsliced", "aes128/semifixsliced",
		"aes256/barrel", "aes256/fixsliced", "aes256/semifixsliced",
		"gift128/bitsliced", "gift128/fixsliced", "gift64/bitsliced", "gift64/fixsliced",
		"giftb128/fixsliced",
	}
	for _, w := range want {
		if !slices.Contains(names, w) {
			t.Errorf("no kernel %s", w)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %v", names)
	}
}

// The closed tests and equivalences of every file: round constants, S-box forms.
func TestKernelFileTests(t *testing.T) {
	files, err := fs.Glob(embedded, "*/*.kir")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := ir.ParseFile(embedded, name)
		if err == nil {
			err = f.RunTests()
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFind(t *testing.T) {
	e, err := Find("gift64/fixsliced")
	if err != nil || e.Name != "gift64/fixsliced" || e.Kernel == nil {
		t.Fatalf("Find = %+v, %v", e, err)
	}
	for name, want := range map[string]string{
		"aes128/fixslice": `no kernel "aes128/fixslice" (did you mean aes128/fixsliced?)`,
		"?":               `no kernel "?"; 'simrun list kernels' shows all`,
	} {
		if _, err := Find(name); err == nil || err.Error() != want {
			t.Errorf("Find(%q): %v, want %s", name, err, want)
		}
	}
}

// toy is a cipher of one round in the form that a user adds: a kernel file and vectors.
var toy = fstest.MapFS{
	"toy/toy.kir": {Data: []byte(`keys toy_keys(k: w32[2] be) -> w32[2] { return [k[1], ~k[0]] }
kernel toy/plain(in pt: w32[2][2] be, out ct: w32[2][2] be, key rk: w32[2] from toy_keys) {
    for b in 0..2 {
        ct[b][0] = pt[b][1] ^ rk[0]
        ct[b][1] = (pt[b][0] <<< 8) ^ rk[1]
    }
}
test toy/plain vectors "toy.json"
`)},
	"toy/toy.json": {Data: []byte(`{"cipher": "Toy", "byte_order": "big-endian words", "checked": "by hand", "vectors": [
{"name": "one", "kind": "official", "source": "here", "key": "0000000f00000001", "plaintext": "0102030400000002", "ciphertext": "00000003fdfcfbf1"},
{"name": "long", "mode": "ECB", "key": "0000000000000000", "plaintext": "00000001000000020000000300000004", "ciphertext": "00000002fffffeff00000004fffffcff"},
{"name": "chained", "mode": "CBC", "key": "0000000000000000", "plaintext": "00", "ciphertext": "00"},
{"name": "wide", "key": "00", "plaintext": "0000000000000000", "ciphertext": "0000000000000000"}
]}`)},
}

// A cipher is a kernel file and a vectors file, no Go.
func TestNewCipher(t *testing.T) {
	all, err := Read(toy)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 || all[0].Name != "toy/plain" {
		t.Fatalf("Read = %+v", all)
	}
	checkToy(t, all[0])
}

func checkToy(t *testing.T, e Entry) {
	t.Helper()
	cases, skipped, err := e.Cases()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.Name)
	}
	if want := []string{"one", "long block 1", "long block 2"}; !slices.Equal(names, want) {
		t.Errorf("cases %v, want %v", names, want)
	}
	if len(skipped) != 2 || skipped["mode CBC"] != 1 || skipped["8-bit key"] != 1 {
		t.Errorf("skipped %v", skipped)
	}
	for _, b := range FillBatches(cases, 2, nil) {
		got, err := e.Interpret(32, &b)
		if err == nil {
			err = b.Check(got)
		}
		if err != nil {
			t.Errorf("%s: %v", b.Names, err)
		}
	}
}

func TestFromFile(t *testing.T) {
	dir := t.TempDir()
	for name, f := range toy {
		if err := os.WriteFile(filepath.Join(dir, path.Base(name)), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := FromFile(filepath.Join(dir, "toy.kir"))
	if err != nil || len(list) != 1 {
		t.Fatalf("FromFile = %v, %v", list, err)
	}
	checkToy(t, list[0])

	empty := filepath.Join(dir, "empty.kir")
	if err := os.WriteFile(empty, []byte("const A = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := FromFile(empty); err == nil || !strings.Contains(err.Error(), "declares no kernel") {
		t.Errorf("a file without a kernel: %v", err)
	}
	if _, err := FromFile(filepath.Join(dir, "none.kir")); err == nil {
		t.Error("a missing file is no error")
	}
}

func TestSameNameTwice(t *testing.T) {
	fsys := fstest.MapFS{"a/one.kir": toy["toy/toy.kir"], "b/two.kir": toy["toy/toy.kir"]}
	_, err := Read(fsys)
	if want := "kernel toy/plain is declared in a/one.kir and in b/two.kir; rename one"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
