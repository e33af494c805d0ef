package ir

import (
	"bytes"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// toyText uses most of the language at once; the values expected below were worked out by
// hand.
const toyText = `
table RC: w32[4] = { 1, 2, 3, 4, }
const M = [0x55555555, 0x33333333]

def sm(a: S, b: S, m: S, n: int) -> (S, S) {
    t = (b ^ (a >> n)) & m
    return a ^ (t << n), b ^ t
}

keys toy_keys(k: w8[4]) -> w32[4] be {
    rk: w32[4]
    for i in 0..4 { rk[i] = w32(k[i]) << 8 }
    return rk
}

kernel toy/plain(in pt: w32[2][2], out ct: w32[2][2], key rk: w32[4] be from toy_keys, public n: int in 0..5) {
    for b in 0..2 {
        x, y = pt[b]
        repeat r in 0..4 {
            x ^= rk[r] ^ RC[r]
            if r == n { y = y + x } else { y = y - x }
        }
        (x, y) = sm(x, y, M[0] & 0, 1)
        ct[b] = [x, y]
    }
}

test toy/plain vectors "toy.json"
`

func run(t *testing.T, k *Kernel, mem map[string][]byte, public map[string]int64) {
	t.Helper()
	if err := Run(k, 32, mem, public); err != nil {
		t.Fatal(err)
	}
}

func TestRunToy(t *testing.T) {
	k := mustParse(t, toyText).Kernel("toy/plain")
	rk := make([]byte, 16)
	run(t, k.Keys, map[string][]byte{"in": {1, 2, 3, 4}, "out": rk}, nil)
	if got := hex.EncodeToString(rk); got != "00000100000002000000030000000400" {
		t.Errorf("keys: %s", got)
	}
	// x takes the values 0x101, 0x303, 0x000, 0x404; y = 0x1000 - 0x101 - 0x303 - 0x404, but
	// 0x303 is added where n = 1.
	for n, want := range map[int64]string{4: "04040000f8070000", 1: "04040000fe0d0000"} {
		pt := append(append(make([]byte, 5), 0x10, 0, 0), make([]byte, 8)...)
		ct := make([]byte, 16)
		run(t, k, map[string][]byte{"pt": pt, "ct": ct, "rk": rk}, map[string]int64{"n": n})
		if got := hex.EncodeToString(ct[:8]); got != want {
			t.Errorf("n = %d: %s, expected %s", n, got, want)
		}
	}
}

// TestMemoryForms copies words of each width through both orders of bytes.
func TestMemoryForms(t *testing.T) {
	for _, typ := range []string{"w8", "w16", "w32", "w64", "v128"} {
		k := mustParse(t, "kernel t/k(in a: "+typ+"[2] be, out b: "+typ+"[2] le, inout c: "+typ+"[2] be) {\n"+
			"b = a\nc[0] ^= a[1]\nc[1] = c[0] ^ c[0]\n}\n").Kernels()[0]
		size := k.Params(32)[0].Mem.Width / 8
		a := make([]byte, 2*size)
		for i := range a {
			a[i] = byte(i + 1)
		}
		b, c := make([]byte, 2*size), make([]byte, 2*size)
		run(t, k, map[string][]byte{"a": a, "b": b, "c": c}, nil)
		for i := range size {
			if b[i] != a[size-1-i] || b[size+i] != a[2*size-1-i] {
				t.Errorf("%s: be to le gives %x", typ, b)
				break
			}
		}
		if !bytes.Equal(c[:size], a[size:]) || !bytes.Equal(c[size:], make([]byte, size)) {
			t.Errorf("%s: inout gives %x", typ, c)
		}
	}
}

const controlText = `
table T: w8[256] = { TABLE }
table SMALL: w32[4] = { 100, 200, 300, 400 }

leaky kernel t/control(in a: w8[4], inout b: w32[4], public n: int in 0..5) {
    scratch s: w32[4]
    for i in 0..4 { s[i] = w32(T[a[i]]) }
    repeat i in n-1..-1 by -1 {
        b[i] = s[i] + SMALL[i]
    }
    x: w32 = 0
    if n > 2 {
        x = 7
    } else if n == 2 {
        x = 5
    }
    b[0] ^= x
}
`

func TestControl(t *testing.T) {
	var list []string
	for i := range 256 {
		list = append(list, []string{"1", "2"}[i%2])
	}
	k := mustParse(t, strings.Replace(controlText, "TABLE", strings.Join(list, ", "), 1)).Kernels()[0]
	for n, want := range []string{"00000000 00000000 00000000", "65000000 00000000 00000000", "60000000 ca000000 00000000", "62000000 ca000000 2d010000"} {
		b := make([]byte, 16)
		run(t, k, map[string][]byte{"a": {0, 1, 2, 3}, "b": b}, map[string]int64{"n": int64(n)})
		if got := hex.EncodeToString(b[:12]); got != strings.ReplaceAll(want, " ", "") {
			t.Errorf("n = %d: %s, expected %s", n, got, want)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	k := mustParse(t, toyText).Kernel("toy/plain")
	good := func() map[string][]byte {
		return map[string][]byte{"pt": make([]byte, 16), "ct": make([]byte, 16), "rk": make([]byte, 16)}
	}
	short, missing := good(), good()
	short["ct"] = short["ct"][:15]
	delete(missing, "rk")
	for _, c := range []struct {
		mem    map[string][]byte
		public map[string]int64
		want   string
	}{
		{short, map[string]int64{"n": 0}, "run toy/plain: ct has 15 bytes, expected 16"},
		{missing, map[string]int64{"n": 0}, "run toy/plain: the parameter rk is not given"},
		{good(), nil, "run toy/plain: the public parameter n is not given"},
		{good(), map[string]int64{"n": 5}, "run toy/plain: n = 5 is outside its range 0..5"},
	} {
		if err := Run(k, 32, c.mem, c.public); err == nil || err.Error() != c.want {
			t.Errorf("%v, expected %s", err, c.want)
		}
	}
	slice := mustParse(t, "kernel t/s(in a: S, out b: S) { b = ~a }\n").Kernels()[0]
	err := Run(slice, 24, nil, nil)
	if want := "a.kir:1:8: S of 24 bits: expected 8, 16, 32, 64 or 128"; err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
	if slice.Params(24) != nil || slice.Blocks(24) != 0 {
		t.Error("parameters for S of 24 bits")
	}
}

func TestKernelFacts(t *testing.T) {
	f := mustParse(t, toyText+"kernel toy/slices(in a: S[8], out b: S[8]) { b = a }\n")
	k := f.Kernel("toy/plain")
	if len(f.Kernels()) != 2 || f.Kernel("toy/none") != nil || k.Slice || k.Leaky || k.Blocks(0) != 2 {
		t.Errorf("kernel %+v of %d blocks", k, k.Blocks(0))
	}
	if k.Keys.Name != "toy/plain:keys" || k.Keys.Params(32)[1].Mem.Bytes() != 16 {
		t.Errorf("keys %s", k.Keys.Name)
	}
	p := k.Params(32)
	if rk := p[2].Mem; rk.Kind != Key || !rk.BigEndian || rk.Blocks != 0 {
		t.Errorf("key parameter %+v", rk)
	}
	if n := p[3]; !n.Public || n.Mem != nil || n.Lo != 0 || n.Hi != 5 {
		t.Errorf("public parameter %+v", n)
	}
	if v := f.Vectors(); len(v) != 1 || v[0].Kernel != k || v[0].File != "toy.json" || v[0].Pos.Line != 28 {
		t.Errorf("vectors %+v", v)
	}
	s := f.Kernel("toy/slices")
	if !s.Slice || s.Blocks(128) != 1 || s.Params(128)[0].Mem.Bytes() != 128 || s.Params(32)[0].Mem.Bytes() != 32 {
		t.Error("slice kernel: wrong sizes")
	}
	if &s.Params(64)[0] != &s.Params(64)[0] {
		t.Error("Params gives another list for the same width")
	}
}

// BenchmarkRun reports operations of the interpreter per second.
func BenchmarkRun(b *testing.B) {
	k := mustParse(b, `
kernel t/rounds(in a: w32[4], out b: w32[4]) {
    x = a[0..4]
    repeat r in 0..100 {
        for i in 0..4 { x[i] = (x[i] ^ x[(i+1) % 4]) + (x[i] <<< 7) & 0x0f0f0f0f }
    }
    b = x
}
`).Kernels()[0]
	mem := map[string][]byte{"a": make([]byte, 16), "b": make([]byte, 16)}
	const ops = 100 * 4 * 4
	for b.Loop() {
		if err := Run(k, 32, mem, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/ops, "ns/op-of-words")
}

// TestRunConcurrently runs one kernel from several goroutines; its layout is made by the
// first of them. Meant for go test -race as well.
func TestRunConcurrently(t *testing.T) {
	k := mustParse(t, "table T: w8[4] = { 1, 2, 3, 4 }\nconst C: w8[2] = [7, 8]\n"+
		"kernel t/k(in a: S, out b: S) { b = a ^ splat(T[2] ^ C[1]) }\n").Kernels()[0]
	results := make(chan []byte)
	for range 8 {
		go func() {
			b := make([]byte, 8)
			if err := Run(k, 64, map[string][]byte{"a": make([]byte, 8), "b": b}, nil); err != nil {
				b = []byte(err.Error())
			}
			results <- b
		}()
	}
	for range 8 {
		if b := <-results; !bytes.Equal(b, bytes.Repeat([]byte{11}, 8)) {
			t.Errorf("result %x", b)
		}
	}
}

// TestVectors moves run-time words and constants through the lanes of a v128.
func TestVectors(t *testing.T) {
	k := mustParse(t, `
kernel t/lanes(in a: w32[4], out b: w32[4]) {
    v = lanes(pack(a[0], 1, a[2], 3), [1, 2, 3, 0])
    v ^= v128(w8(a[3])) << 64
    for i in 0..4 { b[i] = lane(v, i) }
}
`).Kernels()[0]
	b := make([]byte, 16)
	run(t, k, map[string][]byte{"a": {1, 0, 0, 1, 2, 0, 0, 2, 3, 0, 0, 3, 0xf0, 0xff, 0, 4}, "b": b}, nil)
	if got := hex.EncodeToString(b); got != "0100000003000003f300000001000001" {
		t.Errorf("lanes: %s", got)
	}
}

func TestAnf(t *testing.T) {
	f, err := ParseFile(os.DirFS("testdata"), "anf.kir")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.RunTests(); err != nil {
		t.Fatal(err)
	}
	roundTripText(t, f)
}
