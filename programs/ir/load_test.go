package ir

import (
	"strings"
	"testing"
	"testing/fstest"
)

// files makes a file system of name, text pairs.
func files(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

func TestUse(t *testing.T) {
	fsys := files(
		"a/main.kir", "use \"left.kir\"\nuse \"../b/right.kir\"\n"+
			"kernel t/k(in a: w32, out b: w32, key k: w32 from expand) { b = left(right(a)) ^ C ^ k }\n",
		"a/left.kir", "use \"../b/base.kir\"\ndef left(x: w32) { return base(x) }\n",
		"b/right.kir", "use \"base.kir\"\ndef right(x: w32) { return base(x) }\n"+
			"keys expand(k: w32) -> w32 { return ~k }\nkernel t/other(in a: w32, out b: w32) { b = a }\n",
		"b/base.kir", "const C = 1\ndef base(x: w32) { return x ^ 2 }\n",
	)
	f, err := ParseFile(fsys, "a/main.kir")
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Kernels()) != 1 || f.Kernels()[0].Keys == nil {
		t.Fatalf("kernels %v", f.Kernels())
	}
	b := make([]byte, 4)
	run(t, f.Kernels()[0], map[string][]byte{"a": {8, 0, 0, 0}, "b": b, "k": make([]byte, 4)}, nil)
	if b[0] != 9 {
		t.Errorf("result %x, expected 09", b[0])
	}
}

func TestUseMistakes(t *testing.T) {
	for _, c := range []struct {
		name, want string
		fsys       fstest.MapFS
	}{
		{"conflict", "c.kir:2:5: f is already a def, declared at d.kir:1:5; choose another name",
			files("a.kir", "use \"c.kir\"\n", "b.kir", "def f(x: w8) { return x }\n", "c.kir", "use \"d.kir\"\nuse \"b.kir\"\n", "d.kir", "def f(x: w8) { return x }\n")},
		{"inside", "b.kir:1:13: unknown name X",
			files("a.kir", "use \"b.kir\"\n", "b.kir", "const A = 1+X\n")},
		{"circle", "b.kir:1:5: files use each other: a.kir -> b.kir -> a.kir; move what both need to a third file",
			files("a.kir", "use \"b.kir\"\n", "b.kir", "use \"a.kir\"\n")},
		{"escape", "a.kir:1:5: cannot read ../b.kir: file does not exist; the path is relative to this file",
			files("a.kir", "use \"../b.kir\"\n")},
		{"large", "a.kir: larger than 1 MiB, the most that is read of such a file",
			files("a.kir", strings.Repeat("# ten bytes", 100_000))},
		{"absent", "a.kir: file does not exist", files()},
	} {
		_, err := ParseFile(c.fsys, "a.kir")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, expected %s", c.name, err, c.want)
		}
	}
}

// TestManyMistakes makes sure that one file gives at most ten messages.
func TestManyMistakes(t *testing.T) {
	_, err := parse(strings.Repeat("const = 1\n", 100))
	if err == nil || len(strings.Split(err.Error(), "\n")) != 10 {
		t.Errorf("%v", err)
	}
}
