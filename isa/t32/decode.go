package t32

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"simrun/isa"
)

var errTruncated = errors.New("truncated")

// Decode reads the instruction at the start of code. A pattern that the manual calls unpredictable
// is undefined here. Inst.Cond is 0: IT state is the caller's.
func (a Arch) Decode(code []byte, pc uint64) (isa.Inst, int, error) {
	if len(code) < 2 {
		return isa.Inst{}, len(code), errTruncated
	}
	w, n := uint32(binary.LittleEndian.Uint16(code)), 2
	if isWide(w) {
		if len(code) < 4 {
			return isa.Inst{}, len(code), errTruncated
		}
		w, n = w<<16|uint32(binary.LittleEndian.Uint16(code[2:])), 4
	}
	var in isa.Inst
	for _, e := range candidates(w, n) {
		if w&e.mask == e.fixed && e.decode(&in, w, uint32(pc)) {
			return in, n, nil
		}
	}
	if n == 2 {
		return isa.Inst{}, n, fmt.Errorf("undefined instruction %04x", w)
	}
	if err := refused(w); err != nil {
		return isa.Inst{}, n, err
	}
	return isa.Inst{}, n, fmt.Errorf("undefined instruction %04x %04x", w>>16, w&0xffff)
}

// isWide reports whether a first halfword begins a 32-bit encoding: 0b11101 and above (A5.1).
func isWide(first uint32) bool { return first >= 0xe800 }

// decode fills in if every field holds a value of this row.
func (e *encoding) decode(in *isa.Inst, w, pc uint32) bool {
	*in = isa.Inst{Form: &e.form}
	x := context{pc: pc, args: &in.Args}
	for i := range e.ops {
		x.slot, x.width = i, e.fields[i].width
		raw := e.fields[i].get(w)
		v, ok := e.ops[i].codec.dec(raw, &x)
		if !ok {
			return false
		}
		in.Args[i] = v
		if e.twin.width != 0 && e.ops[i].letter == 'm' && e.twin.get(w) != raw {
			return false
		}
	}
	return e.conflict(in) == ""
}

// index holds the rows that an opcode may belong to: 16-bit ones by bits 15:8, 32-bit ones by
// bits 28:20; within a bucket the most special pattern first.
type index struct {
	narrow [256][]*encoding
	wide   [512][]*encoding
}

var decodeIndex = buildIndex(encodings)

func candidates(w uint32, n int) []*encoding {
	if n == 2 {
		return decodeIndex.narrow[w>>8]
	}
	return decodeIndex.wide[w>>20&0x1ff]
}

func buildIndex(es []*encoding) *index {
	sorted := slices.Clone(es)
	slices.SortStableFunc(sorted, func(x, y *encoding) int {
		return bits.OnesCount32(y.mask) - bits.OnesCount32(x.mask)
	})
	ix := new(index)
	for _, e := range sorted {
		if e.size == 2 {
			file(ix.narrow[:], 8, e)
		} else {
			file(ix.wide[:], 20, e)
		}
	}
	return ix
}

// file puts e into each bucket whose number, at that shift of the opcode, agrees with its pattern.
func file(buckets [][]*encoding, shift uint, e *encoding) {
	top := uint32(len(buckets) - 1)
	for b := range uint32(len(buckets)) {
		if (b^e.fixed>>shift)&(e.mask>>shift)&top == 0 {
			buckets[b] = append(buckets[b], e)
		}
	}
}
