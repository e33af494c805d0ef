package ref

import (
	"math/bits"
	"slices"
)

// giftSBox is GS of the GIFT paper (CHES 2017), table 2.
var giftSBox = [16]byte{0x1, 0xa, 0x4, 0xc, 0x6, 0xf, 0x3, 0x9, 0x2, 0xd, 0xb, 0x7, 0x5, 0x0, 0x8, 0xe}

// GIFT64 is GIFT-64 on 8 bytes, most significant first, with a key of 16.
func GIFT64(key, block []byte) [][]byte { return gift(key, block, 28) }

// GIFT128 is GIFT-128 on 16 bytes, most significant first, with a key of 16.
func GIFT128(key, block []byte) [][]byte { return gift(key, block, 40) }

// GIFTb128 is GIFT-128 on four big-endian words: bit i of word j is bit 4*i+j of the state.
func GIFTb128(key, block []byte) [][]byte {
	trace := GIFT128(key, exchanged(block, func(i, j int) (int, int) { return 32*(3-j) + i, 4*i + j }))
	for r := range trace {
		trace[r] = exchanged(trace[r], func(i, j int) (int, int) { return 4*i + j, 32*(3-j) + i })
	}
	return trace
}

// exchanged moves the bits of a 128-bit big-endian number for all i < 32, j < 4.
func exchanged(b []byte, move func(i, j int) (from, to int)) []byte {
	in, out := bitsOf(b), make([]byte, 128)
	for i := range 32 {
		for j := range 4 {
			from, to := move(i, j)
			out[to] = in[from]
		}
	}
	return bytesOf(out)
}

// gift works on single bits, bit 0 the least significant one.
func gift(key, block []byte, rounds int) [][]byte {
	state := bitsOf(block)
	n := len(state)
	k := keyWords(key)
	trace := [][]byte{slices.Clone(block)}
	constant := byte(0)
	for range rounds {
		state = permBits(subCells(state))
		addKey(state, k)
		constant = (constant<<1 | (constant>>5^constant>>4^1)&1) & 0x3f
		for i := range 6 {
			state[4*i+3] ^= constant >> i & 1
		}
		state[n-1] ^= 1
		k = append(k[2:8:8], bits.RotateLeft16(k[0], -12), bits.RotateLeft16(k[1], -2))
		trace = append(trace, bytesOf(state))
	}
	return trace
}

// keyWords splits the key into k0 .. k7, k0 being its last two bytes.
func keyWords(key []byte) []uint16 {
	var k []uint16
	for i := 14; i >= 0; i -= 2 {
		k = append(k, uint16(key[i])<<8|uint16(key[i+1]))
	}
	return k
}

func subCells(s []byte) []byte {
	out := make([]byte, len(s))
	for i := 0; i < len(s); i += 4 {
		v := giftSBox[s[i]|s[i+1]<<1|s[i+2]<<2|s[i+3]<<3]
		for j := range 4 {
			out[i+j] = v >> j & 1
		}
	}
	return out
}

// permBits moves bit i to P(i), by the formula of section 2.2 of the paper.
func permBits(s []byte) []byte {
	out := make([]byte, len(s))
	rows := len(s) / 4
	for i := range s {
		out[4*(i/16)+rows*((3*(i%16/4)+i%4)%4)+i%4] = s[i]
	}
	return out
}

// addKey adds the round key: bits 4i and 4i+1 for 64 bits, 4i+1 and 4i+2 for 128.
func addKey(s []byte, k []uint16) {
	for i := range len(s) / 4 {
		if len(s) == 64 {
			s[4*i] ^= byte(k[0] >> i & 1)
			s[4*i+1] ^= byte(k[1] >> i & 1)
			continue
		}
		s[4*i+1] ^= byte(k[i/16] >> (i % 16) & 1)
		s[4*i+2] ^= byte(k[4+i/16] >> (i % 16) & 1)
	}
}

// bitsOf lists the bits of a big-endian number, least significant first.
func bitsOf(b []byte) []byte {
	out := make([]byte, 8*len(b))
	for i := range out {
		out[i] = b[len(b)-1-i/8] >> (i % 8) & 1
	}
	return out
}

func bytesOf(s []byte) []byte {
	out := make([]byte, len(s)/8)
	for i, bit := range s {
		out[len(out)-1-i/8] |= bit << (i % 8)
	}
	return out
}
