package ir

import (
	"bytes"
	"encoding/hex"
	"testing"
)

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

kernel toy/plain(in pt: w32[2][2], out ct: w32[2][2], key rk: w32[4] be from toy_keys, public n: int in 0..4) {
    for b in 0..2 {
        x, y = pt[b]
        repeat r in 0..4 {
            x ^= rk[r] ^ RC[r]
            if r == n { y = y + x } else { y = y - x }
        }
        (x, y) = sm(x, y, M[0], 1)
        ct[b] = [x, y]
    }
}
`

func TestRunToy(t *testing.T) {
	f := mustParse(t, toyText)
	k := f.Kernel("toy/plain")
	rk := make([]byte, 16)
	if err := Run(k.Keys, 32, map[string][]byte{"in": {1, 2, 3, 4}, "out": rk}, nil); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(rk); got != "00000100000002000000030000000400" {
		t.Errorf("keys: %s", got)
	}
	pt := bytes.Repeat([]byte{1}, 16)
	ct := make([]byte, 16)
	if err := Run(k, 32, map[string][]byte{"pt": pt, "ct": ct, "rk": rk}, map[string]int64{"n": 2}); err != nil {
		t.Fatal(err)
	}
	t.Log(hex.EncodeToString(ct))
}
