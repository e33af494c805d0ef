package ciphers

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"simrun/internal/input"
	"simrun/programs/ir"
)

// VectorFile is a file of test vectors: one JSON object with the fields cipher, byte_order
// (how to read the byte strings), checked (what the vectors agree with) and vectors.
type VectorFile struct {
	Path      string
	Cipher    string
	ByteOrder string
	Checked   string
	Vectors   []Vector
}

// Vector is one entry of a file. Byte strings are lower- or upper-case hex in JSON.
type Vector struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind"` // official, published or random
	Source     string   `json:"source"`
	Mode       string   `json:"mode"` // "" and "ECB": blocks by themselves
	Key        HexBytes `json:"key"`
	Plaintext  HexBytes `json:"plaintext"`
	Ciphertext HexBytes `json:"ciphertext"`
	IV         HexBytes `json:"iv"`
	Counter    HexBytes `json:"counter"`
	Iterations int      `json:"iterations"` // mode ECB-iterated: encryptions of one block, each of the result before
	// Mode f8 of 3GPP TS 35.201: the numbers of the message, and its length in bits; bits behind that are 0.
	Count     HexBytes `json:"count"`
	Bearer    HexBytes `json:"bearer"`
	Direction int      `json:"direction"`
	BitLength int      `json:"bit_length"`
}

// HexBytes is a byte string that JSON holds in hex.
type HexBytes []byte

// UnmarshalJSON reads a string of hex digits.
func (h *HexBytes) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return errors.New("expected a string of hex digits")
	}
	out, err := hex.DecodeString(s)
	var bad hex.InvalidByteError
	switch {
	case errors.As(err, &bad):
		return fmt.Errorf("\"%s\" is not hex: it holds %q", input.Clip(s), rune(bad))
	case err != nil:
		return fmt.Errorf("\"%s\" is not hex: it has an odd number of digits", input.Clip(s))
	}
	*h = out
	return nil
}

// Case is one block of a vector.
type Case struct {
	Name    string // "FIPS-197 C.1", or "NAME block 2" of a longer vector
	Key     []byte // argument of the keys function
	In, Out []byte // one block in the order of bytes of the file
	Counter []byte // of this block, in counter mode
	Start   []byte // of this message, in mode f8
	Bits    int    // of Out that are known, 0 = all
}

// maxCases bounds the blocks of a file that one kernel runs.
const maxCases = 1 << 16

// LoadVectors reads a vector file. Errors are one line: file, line or entry, what.
func LoadVectors(fsys fs.FS, name string) (*VectorFile, error) {
	text, err := input.ReadFS(fsys, name, input.MaxVectors)
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	text = input.NoBOM(text)
	var raw struct {
		Cipher    string            `json:"cipher"`
		ByteOrder string            `json:"byte_order"`
		Checked   string            `json:"checked"`
		Vectors   []json.RawMessage `json:"vectors"`
	}
	if err := strict(text, &raw); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, lineOf(text, err), input.JSONError(err))
	}
	if len(raw.Vectors) == 0 {
		return nil, fmt.Errorf("%s: no vectors; expected a list \"vectors\" with at least one entry", name)
	}
	f := &VectorFile{name, raw.Cipher, raw.ByteOrder, raw.Checked, make([]Vector, len(raw.Vectors))}
	at := 0 // where the entry begins in text
	for i, entry := range raw.Vectors {
		v := &f.Vectors[i]
		at += bytes.Index(text[at:], entry)
		if err = strict(entry, v); err == nil {
			err = v.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: entry %d (%s): %w", name, 1+bytes.Count(text[:at], []byte("\n")), i+1, input.Clip(v.Name), input.JSONError(err))
		}
		at += len(entry)
	}
	return f, nil
}

// strict decodes one JSON value that fills text, refusing unknown fields.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more text after the end of the object")
	}
	return nil
}

// lineOf returns the line of a JSON error, counted from 1; the last one if it names none.
func lineOf(text []byte, err error) int {
	at := int64(len(text))
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	return 1 + bytes.Count(text[:min(at, int64(len(text)))], []byte("\n"))
}

func (v *Vector) check() error {
	switch {
	case v.Name == "":
		return errors.New("no \"name\"")
	case len(v.Key) == 0:
		return errors.New("no \"key\"")
	case len(v.Plaintext) == 0:
		return errors.New("no \"plaintext\"")
	case len(v.Plaintext) != len(v.Ciphertext):
		return fmt.Errorf("plaintext of %d bytes, ciphertext of %d", len(v.Plaintext), len(v.Ciphertext))
	}
	return nil
}

// For returns the vectors that kernel k can show: those of its mode, with key and blocks of its size.
// Longer vectors are cut into blocks; in counter mode a last part of a block is left out. skipped counts the others by
// reason; a vector is either cut into cases or counted there.
func (f *VectorFile) For(k *ir.Kernel) (cases []Case, skipped map[string]int, err error) {
	s, err := ShapeOf(k, 0)
	if err != nil {
		return nil, nil, err
	}
	skipped = map[string]int{}
	for _, v := range f.Vectors {
		switch {
		case v.mode() != s.Mode():
			skipped["mode "+v.mode()]++
		case s.Start != "":
			cases = append(cases, v.f8(s.BlockBytes))
		case len(v.Key) != s.KeyBytes:
			skipped[fmt.Sprintf("%d-bit key", 8*len(v.Key))]++
		case s.Counter != "" && len(v.Counter) != s.BlockBytes:
			return nil, nil, fmt.Errorf("%s: %s: a counter of %d bytes, %s has blocks of %d", f.Path, v.Name, len(v.Counter), k.Name, s.BlockBytes)
		case s.Counter != "" && len(v.Plaintext) < s.BlockBytes:
			skipped["less than a block"]++
		case s.Counter == "" && len(v.Plaintext)%s.BlockBytes != 0:
			return nil, nil, fmt.Errorf("%s: %s: %d bytes are not whole blocks of %d, which %s has",
				f.Path, v.Name, len(v.Plaintext), s.BlockBytes, k.Name)
		case len(cases)+len(v.Plaintext)/s.BlockBytes > maxCases:
			return nil, nil, fmt.Errorf("%s: %s: more than %d blocks of %s up to here; give fewer", f.Path, input.Clip(v.Name), maxCases, k.Name)
		default:
			cases = append(cases, v.blocks(s.BlockBytes)...)
		}
	}
	return cases, skipped, nil
}

// f8 is the vector as one message of size bytes: its beginning, or all of it with zeros behind. The first block of a message
// comes from COUNT, BEARER and DIRECTION (TS 35.201 section 3.4).
func (v *Vector) f8(size int) Case {
	start := make([]byte, 8)
	copy(start, v.Count)
	start[4] = byte(v.Direction) << 2
	for _, b := range v.Bearer {
		start[4] |= b << 3
	}
	fill := func(b []byte) []byte {
		out := make([]byte, size)
		copy(out, b)
		return out
	}
	return Case{Name: v.Name, Key: v.Key, In: fill(v.Plaintext), Out: fill(v.Ciphertext), Start: start, Bits: min(v.BitLength, 8*size)}
}

func (v *Vector) mode() string {
	if v.Mode == "" {
		return "ECB"
	}
	return v.Mode
}

func (v *Vector) blocks(size int) []Case {
	n := len(v.Plaintext) / size
	list := make([]Case, n)
	for i := range list {
		c := Case{Name: v.Name, Key: v.Key, In: v.Plaintext[i*size : (i+1)*size], Out: v.Ciphertext[i*size : (i+1)*size]}
		if len(v.Counter) > 0 {
			c.Counter = counterPlus(v.Counter, i)
		}
		if n > 1 {
			c.Name = fmt.Sprintf("%s block %d", v.Name, i+1)
		}
		list[i] = c
	}
	return list
}
