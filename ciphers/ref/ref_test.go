package ref

import (
	"bytes"
	"crypto/aes"
	"encoding/hex"
	"math/rand/v2"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAgainstStandardLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{16, 24, 32} {
		for range 8 {
			key, in, want := make([]byte, n), make([]byte, 16), make([]byte, 16)
			for i := range key {
				key[i] = byte(rng.Uint32())
			}
			for i := range in {
				in[i] = byte(rng.Uint32())
			}
			c, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			c.Encrypt(want, in)
			trace := AES(key, in)
			if got := trace[len(trace)-1]; !bytes.Equal(got, want) {
				t.Errorf("AES key %x block %x: got %x, want %x", key, in, got, want)
			}
		}
	}
}

// The start of round 2 in FIPS 197 Appendix B.
func TestAESRoundValue(t *testing.T) {
	trace := AES(unhex(t, "2b7e151628aed2a6abf7158809cf4f3c"), unhex(t, "3243f6a8885a308d313198a2e0370734"))
	if want := unhex(t, "a49c7ff2689f352b6b5bea43026a5049"); !bytes.Equal(trace[1], want) {
		t.Errorf("after round 1: %x, want %x", trace[1], want)
	}
}

// Official vectors of the designers; GIFTb-128 has none, its vector is one on which two
// public implementations agree.
func TestGIFT(t *testing.T) {
	for _, c := range []struct {
		name         string
		f            Trace
		key, in, out string
	}{
		{"GIFT-64", GIFT64, "bd91731eb6bc2713a1f9f6ffc75044e7", "c450c7727a9b8a7d", "e3272885fa94ba8b"},
		{"GIFT-128", GIFT128, "d0f5c59a7700d3e799028fa9f90ad837", "e39c141fa57dba43f08a85b6a91f86c1", "13ede67cbdcc3dbf400a62d6977265ea"},
		{"GIFTb-128", GIFTb128, "01dcb515a9f857ad4bf1fff7518f1eab", "6b297957f743e2be84e6f6a781c32d7d", "d4468feab2334d6d4fa700e6e0ad105f"},
	} {
		trace := c.f(unhex(t, c.key), unhex(t, c.in))
		if got := trace[len(trace)-1]; !bytes.Equal(got, unhex(t, c.out)) {
			t.Errorf("%s: got %x, want %s", c.name, got, c.out)
		}
	}
}

// Test sets 1 and 4 of 3GPP TS 35.203; the latter encrypts fifty times.
func TestKASUMI(t *testing.T) {
	for _, c := range []struct {
		times        int
		key, in, out string
	}{
		{1, "2bd6459f82c5b300952c49104881ff48", "ea024714ad5c4d84", "df1f9b251c0bf45f"},
		{50, "3a3b39b5c3f2376d69f7d546e5f85d43", "ca49c1c75771ab0b", "738bad4c4a690802"},
	} {
		got := unhex(t, c.in)
		for range c.times {
			trace := KASUMI(unhex(t, c.key), got)
			got = trace[len(trace)-1]
		}
		if !bytes.Equal(got, unhex(t, c.out)) {
			t.Errorf("%d times: got %x, want %s", c.times, got, c.out)
		}
	}
}
