package rv32

import (
	"encoding/binary"
	"errors"
	"fmt"

	"simrun/isa"
)

var errTruncated = errors.New("truncated instruction")

// Decode buckets, so that a word meets few rows: 16-bit rows by bits 15:13 and 1:0,
// 32-bit rows by bits 14:12 and 6:2. Rows with free bits there stand in several.
var (
	buckets16 = bucketRows(2, func(i uint32) (uint32, uint32) { return i>>2<<13 | i&3, 0xe003 }, 32)
	buckets32 = bucketRows(4, func(i uint32) (uint32, uint32) { return i>>5<<12 | i&31<<2 | 3, 0x707f }, 256)
)

// bucketRows lists for each of n buckets the rows of that size that can stand in it.
func bucketRows(size int, bits func(i uint32) (value, mask uint32), n uint32) [][]*entry {
	buckets := make([][]*entry, n)
	for i := range n {
		v, m := bits(i)
		for _, e := range entries {
			if e.pat.size == size && (e.pat.match^v)&e.pat.mask&m == 0 {
				buckets[i] = append(buckets[i], e)
			}
		}
	}
	return buckets
}

// Decode reads the instruction at the start of code, which lies at pc.
func (Arch) Decode(code []byte, pc uint64) (isa.Inst, int, error) {
	if len(code) < 2 {
		return isa.Inst{}, 0, errTruncated
	}
	w := uint32(binary.LittleEndian.Uint16(code))
	bucket, digits := buckets16[w>>13<<2|w&3], 4
	if w&3 == 3 {
		if len(code) < 4 {
			return isa.Inst{}, 0, errTruncated
		}
		w = binary.LittleEndian.Uint32(code)
		bucket, digits = buckets32[w>>12&7<<5|w>>2&31], 8
	}
	for _, e := range bucket {
		if in, ok := e.decode(w, pc); ok {
			return in, e.pat.size, nil
		}
	}
	return isa.Inst{}, 0, fmt.Errorf("undefined instruction 0x%0*x", digits, w)
}

// decode reads w as this row; false if it is another.
func (e *entry) decode(w uint32, pc uint64) (isa.Inst, bool) {
	in := isa.Inst{Form: &e.form}
	if w&e.pat.mask != e.pat.match {
		return in, false
	}
	for i, f := range e.slots {
		v, ok := e.pat.fields[f].decode(w)
		if !ok {
			return in, false
		}
		if e.form.Ops[i].Kind == isa.KindLabel {
			v = int64(uint32(pc) + uint32(v))
		}
		in.Args[i] = v
	}
	return in, true
}
