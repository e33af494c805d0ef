package rv32

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simrun/internal/foreign"
	"simrun/isa"
)

// TestRoundTrip sees over every row that decode(encode(i)) == i, and that the text of i parses to i.
func TestRoundTrip(t *testing.T) {
	for _, e := range entries {
		t.Run(e.form.ID, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				pc := uint64(rapid.Uint32Range(0, 1<<30).Draw(t, "pc")) * 2
				in := randomInst(e, pc, func(lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, "n") })
				code, err := Arch{}.Encode(in, pc)
				if err != nil {
					t.Fatal(err)
				}
				back, n, err := Arch{}.Decode(code, pc)
				if err != nil || n != len(code) || !cmp.Equal(in, back, cmp.Comparer(sameForm)) {
					t.Fatalf("%x decodes to %d bytes, %v: %s", code, n, err, cmp.Diff(in, back, cmp.Comparer(sameForm)))
				}
				text := Arch{}.Mode(in) + "\n" + Arch{}.Print(in)
				if parsed := parseOne(t, text); !cmp.Equal(in, parsed, cmp.Comparer(sameForm)) {
					t.Fatalf("%s: %s", text, cmp.Diff(in, parsed, cmp.Comparer(sameForm)))
				}
			})
		})
	}
}

func sameForm(a, b *isa.Form) bool { return a == b }

// parseOne reads text that holds a single instruction.
func parseOne(t interface{ Fatalf(string, ...any) }, text string) isa.Inst {
	blocks, err := Arch{}.Parse("a.s", text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(blocks) != 1 || len(blocks[0].Items) != 1 {
		t.Fatalf("%s: not one instruction", text)
	}
	return blocks[0].Items[0].Inst
}

// TestOneRowPerWord sees that no word belongs to two rows and that what decodes encodes to the
// same word: all 16-bit words and random 32-bit ones, half of them near a row.
func TestOneRowPerWord(t *testing.T) {
	check := func(w uint32) {
		var hits []string
		code := binary.LittleEndian.AppendUint32(nil, w)
		size := 4
		if w&3 != 3 {
			size = 2
			w &= 0xffff
		}
		for _, e := range entries {
			if _, ok := e.decode(w, 0); ok && e.pat.size == size {
				hits = append(hits, e.form.ID)
			}
		}
		in, n, err := Arch{}.Decode(code, 0)
		switch {
		case len(hits) > 1:
			t.Fatalf("%#x is %s", w, strings.Join(hits, " and "))
		case (err == nil) != (len(hits) == 1):
			t.Fatalf("%#x: %d rows hold it, Decode says %v", w, len(hits), err)
		case err != nil:
			return
		}
		if back, err := (Arch{}).Encode(in, 0); err != nil || !slices.Equal(back, code[:n]) {
			t.Fatalf("%#x decodes to %s, which encodes to %x, %v", w, Arch{}.Print(in), back, err)
		}
	}
	for w := range uint32(1 << 16) {
		if w&3 != 3 {
			check(w)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range foreign.Count(200_000, 20_000_000) {
		w := rnd.Uint32() | 3
		if e := entries[rnd.IntN(len(entries))]; e.pat.size == 4 && w&0x80 != 0 {
			w = w&^e.pat.mask | e.pat.match
		}
		check(w)
	}
}

func TestTruncated(t *testing.T) {
	for _, code := range [][]byte{nil, {0x13}, {0x13, 0x05}, {0x13, 0x05, 0x00}} {
		if _, _, err := (Arch{}).Decode(code, 0); err != errTruncated {
			t.Errorf("% x: %v", code, err)
		}
	}
}

// TestExpansions sees that a compressed row and its expansion agree where both are said: size,
// class, registers read and written.
func TestExpansions(t *testing.T) {
	for _, e := range entries {
		if e.pat.size == 4 {
			if len(e.expands) != 0 || e.form.Class == "" {
				t.Errorf("row %s: a base row has a class and no expansion", e.form.ID)
			}
			continue
		}
		var reads, writes isa.RegSet
		in := randomInst(e, 0, func(lo, hi int64) int64 { return lo + rand.Int64N(hi-lo+1) })
		in.Uses(func(i int, op *isa.Operand) {
			if op.Role&isa.Read != 0 {
				reads = reads.With(in.Reg(i))
			}
			if op.Role&isa.Write != 0 {
				writes = writes.With(in.Reg(i))
			}
		})
		st := newStatic(in, base(in), 0, 2)
		zero := isa.Set(Zero)
		if got := (reads | e.form.Reads) &^ zero; got != st.Src {
			t.Errorf("row %s reads %x, its expansion %x", e.form.ID, got, st.Src)
		}
		if got := (writes | e.form.Writes) &^ zero; got != st.Dst {
			t.Errorf("row %s writes %x, its expansion %x", e.form.ID, got, st.Dst)
		}
		if c := classes[st.Class]; c != e.form.Class && c != classReturn {
			t.Errorf("row %s has class %s, its expansion %s", e.form.ID, e.form.Class, c)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x13, 0x05, 0x10, 0x00})
	f.Add([]byte{0x01, 0x00})
	f.Fuzz(func(t *testing.T, code []byte) {
		in, n, err := Arch{}.Decode(code, 0)
		if err != nil {
			return
		}
		if back, err := (Arch{}).Encode(in, 0); err != nil || !slices.Equal(back, code[:n]) {
			t.Fatalf("% x decodes to %s, which encodes to % x, %v", code[:n], Arch{}.Print(in), back, err)
		}
	})
}
