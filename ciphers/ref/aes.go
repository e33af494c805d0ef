package ref

import "math/bits"

// AES is FIPS 197 for keys of 16, 24 or 32 bytes. Element r of the result is the state
// after AddRoundKey of round r, but element 0 is the block before round 0.
func AES(key, block []byte) [][]byte {
	rk := aesRoundKeys(key)
	state := xored(block, rk[0])
	trace := [][]byte{append([]byte(nil), block...)}
	for r := 1; r < len(rk); r++ {
		state = shiftRows(subBytes(state))
		if r < len(rk)-1 {
			state = mixColumns(state)
		}
		state = xored(state, rk[r])
		trace = append(trace, state)
	}
	return trace
}

// aesRoundKeys is the key expansion of section 5.2, in round keys of 16 bytes.
func aesRoundKeys(key []byte) [][]byte {
	nk := len(key) / 4
	rounds := nk + 6
	w := append([]byte(nil), key...)
	rcon := byte(1)
	for i := nk; i < 4*(rounds+1); i++ {
		t := append([]byte(nil), w[4*i-4:4*i]...)
		switch {
		case i%nk == 0:
			t = subBytes([]byte{t[1], t[2], t[3], t[0]})
			t[0] ^= rcon
			rcon = times2(rcon)
		case nk > 6 && i%nk == 4:
			t = subBytes(t)
		}
		w = append(w, xored(w[4*(i-nk):4*(i-nk)+4], t)...)
	}
	var keys [][]byte
	for ; len(w) > 0; w = w[16:] {
		keys = append(keys, w[:16])
	}
	return keys
}

func subBytes(s []byte) []byte {
	out := make([]byte, len(s))
	for i, b := range s {
		out[i] = sBox[b]
	}
	return out
}

// SBox is the S-box of section 5.1.1: the inverse in GF(2^8), then the affine map.
func SBox(b byte) byte { return sBox[b] }

var sBox = func() (table [256]byte) {
	for b := range table {
		inv := byte(1)
		for range 254 { // b^254 = b^-1, and 0 for 0
			inv = times(inv, byte(b))
		}
		r := inv
		for i := 1; i <= 4; i++ {
			r ^= bits.RotateLeft8(inv, i)
		}
		table[b] = r ^ 0x63
	}
	return table
}()

// shiftRows turns row r (bytes r, r+4, ..) left by r columns.
func shiftRows(s []byte) []byte {
	out := make([]byte, 16)
	for i := range out {
		out[i] = s[(i+4*(i%4))%16]
	}
	return out
}

func mixColumns(s []byte) []byte {
	out := make([]byte, 16)
	for i := range out {
		col, r := i&^3, i%4
		at := func(k int) byte { return s[col+(r+k)%4] }
		out[i] = times2(at(0)) ^ times2(at(1)) ^ at(1) ^ at(2) ^ at(3)
	}
	return out
}

// times2 multiplies by x modulo x^8 + x^4 + x^3 + x + 1.
func times2(b byte) byte { return b<<1 ^ b>>7*0x1b }

func times(a, b byte) byte {
	var p byte
	for ; b != 0; a, b = times2(a), b>>1 {
		p ^= b & 1 * a
	}
	return p
}

func xored(a, b []byte) []byte {
	out := make([]byte, len(a))
	for i := range out {
		out[i] = a[i] ^ b[i]
	}
	return out
}
