package layout

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"simrun/programs/ir"
)

func parse(t *testing.T, fsys fs.FS, file string) *ir.File {
	t.Helper()
	f, err := ir.ParseFile(fsys, file)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A kernel small enough to say by hand where its bits are: two bytes, their odd and even bits
// exchanged, the key added, and exchanged back.
const small = `
kernel small/swap(in pt: w8[2], out ct: w8[2], key rk: w8[2]) {
  a, b = swapmove(pt[0], pt[1], 0x55, 1)
  a ^= rk[0]
  b ^= rk[1]
  a, b = swapmove(a, b, 0x55, 1)
  ct[0] = a
  ct[1] = ~b
}
`

func TestText(t *testing.T) {
	f := parse(t, fstest.MapFS{"small.kir": {Data: []byte(small)}}, "small.kir")
	l, err := Trace(f.Kernels()[0], 32)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := l.Text(&out); err != nil {
		t.Fatal(err)
	}
	want := `small/swap: bits of the message as block.byte.bit, the most significant bit of each word first

packed, before the first round
  word 0 (line 4)
      7..0     0.1.6   0.0.6   0.1.4   0.0.4   0.1.2   0.0.2   0.1.0   0.0.0
  word 1 (line 5)
      7..0     0.1.7   0.0.7   0.1.5   0.0.5   0.1.3   0.0.3   0.1.1   0.0.1

packed, after the last round
  word 0 (line 4)
      7..0     0.1.6   0.0.6   0.1.4   0.0.4   0.1.2   0.0.2   0.1.0   0.0.0
  word 1 (line 5)
      7..0     0.1.7   0.0.7   0.1.5   0.0.5   0.1.3   0.0.3   0.1.1   0.0.1
not traced: the rounds in between
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Every kernel of the catalogue is packed and unpacked by a permutation of bits.
func TestCatalogueIsTraced(t *testing.T) {
	fsys := os.DirFS("../../ciphers")
	files, err := fs.Glob(fsys, "*/*.kir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernel files: %v", err)
	}
	kernels := 0
	for _, file := range files {
		for _, k := range parse(t, fsys, file).Kernels() {
			if k.Keys == nil || k.Leaky {
				continue // without a key no step for the bits to meet; look-ups are no moves of bits
			}
			kernels++
			l, err := Trace(k, 32)
			if err != nil {
				t.Fatal(err)
			}
			bits := 0
			for _, p := range k.Params(32) {
				switch p.Mem.Kind { // the message, which stands behind what starts a mode
				case ir.In, ir.InOut:
					bits = p.Mem.Len * p.Mem.Width
				}
			}
			for name, states := range map[string][]State{"first": l.First, "last": l.Last} {
				if n := distinct(states); n != bits {
					t.Errorf("%s: %d of %d bits found in the %s state", k.Name, n, bits, name)
				}
			}
		}
	}
	if kernels < 8 {
		t.Errorf("only %d kernels looked at", kernels)
	}
}

func distinct(states []State) int {
	seen := map[Place]bool{}
	for _, s := range states {
		for i, p := range s.Bits {
			if s.Known[i] {
				seen[p] = true
			}
		}
	}
	return len(seen)
}

// The interpreter agrees: flipping bit i of word w of the first round key is flipping the message
// bit that sits there, and flipping one of the last round key flips the output bit that goes there.
func TestAgainstInterpreter(t *testing.T) {
	k := parse(t, os.DirFS("../../ciphers"), "aes/fixsliced.kir").Kernel("aes128/fixsliced")
	l, err := Trace(k, 32)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	encrypt := func(pt, rk []byte) []byte {
		ct := make([]byte, 32)
		if err := ir.Run(k, 32, map[string][]byte{"pt": pt, "ct": ct, "rk": rk}, nil); err != nil {
			t.Fatal(err)
		}
		return ct
	}
	flip := func(b []byte, i int) []byte {
		c := bytes.Clone(b)
		c[i/8] ^= 1 << (i % 8)
		return c
	}
	place := func(p Place) int { return 8*(16*p.Block+p.Byte) + p.Bit }
	pt, rk := random(32), random(11*32)
	plain := encrypt(pt, rk)
	for w := range 8 {
		for i := 0; i < 32; i += 5 {
			first, last := place(l.First[w].Bits[i]), place(l.Last[w].Bits[i])
			if !bytes.Equal(encrypt(pt, flip(rk, 32*w+i)), encrypt(flip(pt, first), rk)) {
				t.Errorf("first state: word %d bit %d is not message bit %v", w, i, l.First[w].Bits[i])
			}
			if !bytes.Equal(encrypt(pt, flip(rk, 10*256+32*w+i)), flip(plain, last)) {
				t.Errorf("last state: word %d bit %d does not go to output bit %v", w, i, l.Last[w].Bits[i])
			}
		}
	}
}

// What cannot be followed is refused with its place, or named in the text.
func TestNotTraced(t *testing.T) {
	f := parse(t, fstest.MapFS{"p.kir": {Data: []byte(`
kernel small/loop(in pt: w32[1], out ct: w32[1], public n: int) {
  x = pt[0]
  repeat i in 0..n { x = x <<< 1 }
  ct[0] = x
}
kernel small/sum(in pt: w32[2], out ct: w32[1]) {
  ct[0] = pt[0] + pt[1] ^ (pt[0] & pt[1])
}
`)}}, "p.kir")
	_, err := Trace(f.Kernel("small/loop"), 32)
	if e := new(ir.Error); !errors.As(err, &e) || !strings.Contains(err.Error(), "public parameters") {
		t.Errorf("public parameter: %v", err)
	}
	mixed := &Layout{Kernel: "x", Left: []string{"something"}}
	var out bytes.Buffer
	if err := mixed.Text(&out); err != nil || !strings.Contains(out.String(), "not traced: something") {
		t.Errorf("text %q, error %v", out.String(), err)
	}
	l, err := Trace(f.Kernel("small/sum"), 32)
	if err != nil {
		t.Fatal(err)
	}
	if n := distinct(l.First); n != 64 {
		t.Errorf("both words meet an addition: %d of 64 bits found", n)
	}
}

func TestForms(t *testing.T) {
	a, b := bit{vars: []variable{1}}, bit{vars: []variable{2}}
	one := bit{one: true}
	if got := a.xor(b).xor(a); !got.pure() || got.vars[0] != 2 {
		t.Errorf("a+b+a = %v", got)
	}
	if p, ok := a.and(one); !ok || p.vars[0] != 1 {
		t.Errorf("a·1 = %v, %v", p, ok)
	}
	if p, ok := a.and(bit{}); !ok || !p.zero() {
		t.Errorf("a·0 = %v, %v", p, ok)
	}
	if _, ok := a.and(b); ok {
		t.Error("a·b is called linear")
	}
	if p, ok := a.and(a); !ok || !p.pure() {
		t.Errorf("a·a = %v, %v", p, ok)
	}
}
