package ciphers

import (
	"bytes"
	"encoding/binary"
	"testing"

	"simrun/ciphers/ref"
	"simrun/programs/ir"
)

// AES S-box on all 256 inputs: slice words of 128 bits hold 128 inputs each.
func TestAESSBox(t *testing.T) {
	k := wrapped(t, "aes/try.kir", "use \"sbox.kir\"\nkernel try/sbox(in u: S[8], out v: S[8]) { v = sbox(u) }\n")
	for first := 0; first < 256; first += 128 {
		in, out := make([]byte, 128), make([]byte, 128)
		for x := range 128 {
			setByte(in, x, byte(first+x))
		}
		if err := ir.Run(k, 128, map[string][]byte{"u": in, "v": out}, nil); err != nil {
			t.Fatal(err)
		}
		for x := range 128 {
			if got, want := getByte(out, x)^0x63, ref.SBox(byte(first+x)); got != want {
				t.Errorf("sbox(%#02x) ^ 0x63 = %#02x, want %#02x", first+x, got, want)
			}
		}
	}
}

// setByte puts b at place x of eight slices of 16 bytes, the most significant bit in slice 0.
func setByte(slices []byte, x int, b byte) {
	for j := range 8 {
		slices[16*j+x/8] |= b >> (7 - j) & 1 << (x % 8)
	}
}

func getByte(slices []byte, x int) byte {
	var b byte
	for j := range 8 {
		b |= slices[16*j+x/8] >> (x % 8) & 1 << (7 - j)
	}
	return b
}

// view reads one block of the true state from the words that pass into turn r of a repeat
// loop. rk is the memory form of the key.
type view func(words []uint32, rk []byte, r, block int) []byte

// The kernels whose state is looked at between groups of rounds: how, in which of the loops, and in which scratch array if
// it is not carried.
var views = map[string]struct {
	view
	loop    int
	scratch string
	ahead   int // turn r begins with the state after round r - ahead
}{
	"aes128/fixsliced":     {view: aesView(func(r int) int { return r })},
	"aes256/fixsliced":     {view: aesView(func(r int) int { return r })},
	"aes128/semifixsliced": {view: aesView(func(r int) int { return r % 2 })},
	"gift128/fixsliced":    {view: giftView(32, func(n, _ int) int { return n ^ 6 })},
	"gift128/bitsliced":    {view: giftView(32, func(n, _ int) int { return n })},
	"gift64/fixsliced":     {view: giftView(16, func(n, b int) int { return 8*(n/4^1) + 4*b + n%4 ^ 2 })},
	"gift64/bitsliced":     {view: giftView(16, func(n, b int) int { return 8*(n/4) + 4*b + n%4 })},
	"aes128/bitsliced":     {view: bitsliced, loop: 1, scratch: "a"},
	"aes128/byteshuffle":   {view: byteshuffled},
	"aes128/table":         {view: columns, ahead: 1},
	"kasumi/table":         {view: kasumiView(func(words []uint32, half, block int) uint16 { return uint16(words[2*half+block]) }, 0)},
	"kasumi/bitsliced":     {view: kasumiView(kasumiHalf, 2)},
}

// aesView undoes the layout of aes/words.kir. The words come before the key addition of
// round r, and the state is ShiftRows^shifts of them.
func aesView(shifts func(r int) int) view {
	return func(words []uint32, rk []byte, r, block int) []byte {
		state := make([]byte, 16)
		for i := range state {
			row, col := i%4, (i/4+shifts(r)*(i%4))%4
			for j, w := range words {
				w ^= binary.LittleEndian.Uint32(rk[4*(8*r+j):])
				state[i] |= byte(w>>(8*row+2*(3-col)+1-block)&1) << (7 - j)
			}
		}
		return state
	}
}

// bitsliced reads one bit of each slice.
func bitsliced(words []uint32, rk []byte, r, block int) []byte {
	state := make([]byte, 16)
	for i, w := range words {
		w ^= binary.LittleEndian.Uint32(rk[4*(128*r+i):])
		state[i/8] |= byte(w>>block&1) << (7 - i%8)
	}
	return state
}

// byteshuffled takes words of 128 bits in four parts: byte 4*row + column of each.
func byteshuffled(words []uint32, rk []byte, r, block int) []byte {
	state := make([]byte, 16)
	for p := range state {
		row, col := p%4, p/4
		for j := range 8 {
			w := words[4*j+row] ^ binary.LittleEndian.Uint32(rk[4*(32*r+4*j+row):])
			state[p] |= byte(w>>(8*col+block)&1) << (7 - j)
		}
	}
	return state
}

// columns are the state itself, behind the key addition of the round before.
func columns(words []uint32, _ []byte, _, _ int) []byte {
	var state []byte
	for _, w := range words {
		state = binary.LittleEndian.AppendUint32(state, w)
	}
	return state
}

// kasumiView takes the half words of L and R, the first of L being number left.
func kasumiView(half func(words []uint32, half, block int) uint16, left int) view {
	return func(words []uint32, _ []byte, _, block int) []byte {
		var state []byte
		for h := range 4 {
			state = binary.BigEndian.AppendUint16(state, half(words, h^left, block))
		}
		return state
	}
}

// kasumiHalf collects the bits of a half word, the lowest first.
func kasumiHalf(words []uint32, half, block int) (x uint16) {
	for j := range 16 {
		x |= uint16(words[16*half+j]>>block&1) << j
	}
	return x
}

// giftView reads bit j of nibble n from the given place in slice j.
func giftView(nibbles int, place func(n, block int) int) view {
	return func(words []uint32, _ []byte, _, block int) []byte {
		state := make([]byte, nibbles/2)
		for n := range nibbles {
			for j, w := range words {
				state[len(state)-1-n/2] |= byte(w>>place(n, block)&1) << (n%2*4 + j)
			}
		}
		return state
	}
}

// State after each group of rounds against the references: a failure names the first round
// that is wrong.
func TestRoundStates(t *testing.T) {
	for name, see := range views {
		e, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		cases, _, err := e.Cases()
		if err != nil {
			t.Fatal(err)
		}
		s := newStraight(t, e)
		looked := 0
		trace := ref.Ciphers()[name[:bytes.IndexByte([]byte(name), '/')]]
		for _, b := range FillBatches(cases[:4], s.shape.Blocks, nil)[:4] {
			rk, err := e.ExpandKey(32, b.Key)
			if err != nil {
				t.Fatal(err)
			}
			mem := s.shape.Memory(&b)
			mem[s.shape.Key] = rk
			v := s.kernel.wide(mem)
			for _, r := range s.kernel.rounds {
				if r.loop != see.loop || r.i <= see.ahead {
					continue
				}
				looked++
				state := r.carried
				if see.scratch != "" {
					state = r.scratch[see.scratch]
				}
				words := parts(s.kernel, v, state)
				checkRound(t, name, s.shape, words, rk, &b, r.i-see.ahead, see.view, trace)
			}
		}
		if looked == 0 {
			t.Errorf("%s: no round was looked at", name)
		}
	}
}

// parts are the values in words of 32 bits, the lowest first.
func parts(p *program, v []ir.Word, list []int) []uint32 {
	var words []uint32
	for _, x := range list {
		w := v[x]
		for i := 0; i < p.widthOf(x); i += 32 {
			words = append(words, uint32(w.Lo>>(i%64)))
			if i == 32 {
				w.Lo = w.Hi
			}
		}
	}
	return words
}

func checkRound(t *testing.T, name string, s Shape, words []uint32, rk []byte, b *Batch, r int, see view, trace ref.Trace) {
	t.Helper()
	size := s.BlockBytes
	for block := range s.Blocks {
		want := trace(b.Key, b.In[block*size:(block+1)*size])
		if got := see(words, rk, r, block); !bytes.Equal(got, want[r]) {
			t.Fatalf("%s: block %d after round %d: %x, want %x", name, block, r, got, want[r])
		}
	}
}
