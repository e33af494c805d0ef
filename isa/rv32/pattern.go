package rv32

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A pattern is a compiled Bits column. The column is the manual's own listing, most
// significant bit first, words separated by blanks:
//
//	0110011             bits with that value
//	rd rs1 rs2 rd/rs1   a register, 5 bits
//	rd' rs1' rs2'       a register of x8-x15, 3 bits
//	imm[4:1|11]         the named bits of a value, in this order
//	rd!=0,2             a field that must not have these values
//
// A name may occur several times; its pieces make one value. Names that begin with nz
// must not be zero. imm and nzimm are signed; offset is signed and relative to the
// instruction; upper and nzupper are the upper 20 bits, so a short one is sign-extended
// to 20 bits; all others are unsigned.
type pattern struct {
	size   int // bytes
	mask   uint32
	match  uint32
	fields []field
}

type field struct {
	name   string
	pieces []piece
	lo, hi int // lowest and highest bit of the value
	ext    extension
	prime  bool // register number less 8
	not    []int64
}

// piece says that bits [pos+width-1:pos] of the word hold bits [lo+width-1:lo] of the value.
type piece struct{ pos, width, lo int }

type extension uint8

const (
	unsigned extension = iota
	signed
	upper // signed, then cut to 20 bits
)

const upperMask = 1<<20 - 1

// parsePattern compiles a Bits column; a malformed one panics when the package is loaded.
func parsePattern(bits string) pattern {
	var p pattern
	pos := 0
	words := strings.Fields(bits)
	for _, w := range slices.Backward(words) {
		if strings.Trim(w, "01") == "" {
			v, _ := strconv.ParseUint(w, 2, 32)
			p.match |= uint32(v) << pos
			p.mask |= (1<<len(w) - 1) << pos
			pos += len(w)
			continue
		}
		pos += p.addField(w, pos)
	}
	if pos != 16 && pos != 32 {
		panic(fmt.Sprintf("rv32: pattern %q has %d bits", bits, pos))
	}
	p.size = pos / 8
	return p
}

// addField adds the pieces of one word of the column at pos and returns their width.
func (p *pattern) addField(word string, pos int) int {
	word, not, _ := strings.Cut(word, "!=")
	name, ranges, isValue := strings.Cut(strings.TrimSuffix(word, "]"), "[")
	prime := strings.HasSuffix(name, "'")
	if !isValue {
		ranges = "4:0"
		if prime {
			ranges = "2:0"
		}
	}
	f := p.field(name)
	if f < 0 {
		f = len(p.fields)
		p.fields = append(p.fields, field{name: name, prime: prime, lo: 31, ext: extensionOf(name)})
	}
	fl := &p.fields[f]
	if strings.HasPrefix(name, "nz") {
		fl.not = []int64{0}
	}
	for v := range strings.SplitSeq(not, ",") {
		if n, err := strconv.Atoi(v); err == nil {
			fl.not = append(fl.not, int64(n))
		}
	}
	width := 0
	for _, r := range slices.Backward(strings.Split(ranges, "|")) {
		pc := parsePiece(r, pos+width)
		fl.pieces = append(fl.pieces, pc)
		fl.lo = min(fl.lo, pc.lo)
		fl.hi = max(fl.hi, pc.lo+pc.width-1)
		width += pc.width
	}
	return width
}

// parsePiece reads "11:5" or "11".
func parsePiece(r string, pos int) piece {
	hi, lo, isRange := strings.Cut(r, ":")
	h, err := strconv.Atoi(hi)
	l := h
	if isRange && err == nil {
		l, err = strconv.Atoi(lo)
	}
	if err != nil || l > h {
		panic("rv32: bad bit range " + r)
	}
	return piece{pos: pos, width: h - l + 1, lo: l}
}

func extensionOf(name string) extension {
	switch strings.TrimPrefix(name, "nz") {
	case "imm", "offset":
		return signed
	case "upper":
		return upper
	}
	return unsigned
}

func (p *pattern) field(name string) int {
	return slices.IndexFunc(p.fields, func(f field) bool { return f.name == name })
}

// limits returns the least and greatest value of a field. An upper field that is shorter than
// 20 bits has a second range, below 1<<20; see encode.
func (f *field) limits() (low, high int64) {
	switch {
	case f.prime:
		return 8, 15
	case f.ext == unsigned, f.ext == upper && f.hi == 19:
		return 0, 1<<(f.hi+1) - 1<<f.lo
	}
	return -1 << f.hi, 1<<f.hi - 1<<f.lo
}

// encode gives the bits of v in the word.
func (f *field) encode(v int64) (uint32, error) {
	n := v
	if f.ext == upper && f.hi < 19 && v>>19 == 1 {
		n = v - 1<<20
	}
	low, high := f.limits()
	switch {
	case n < low || n > high:
		return 0, fmt.Errorf("%s %d is outside %d..%d", f.name, v, low, high)
	case n&(1<<f.lo-1) != 0:
		return 0, fmt.Errorf("%s %d is no multiple of %d", f.name, v, 1<<f.lo)
	case slices.Contains(f.not, n):
		return 0, fmt.Errorf("%s must not be %d", f.name, v)
	}
	if f.prime {
		n -= 8
	}
	var w uint32
	for _, p := range f.pieces {
		w |= uint32(n>>p.lo) & (1<<p.width - 1) << p.pos
	}
	return w, nil
}

// decode gives the value of the field in w; false if it is one the row excludes.
func (f *field) decode(w uint32) (int64, bool) {
	var u uint32
	for _, p := range f.pieces {
		u |= w >> p.pos & (1<<p.width - 1) << p.lo
	}
	v := int64(u)
	switch {
	case f.prime:
		v += 8
	case f.ext != unsigned:
		v = int64(int32(u<<(31-f.hi)) >> (31 - f.hi))
	}
	if slices.Contains(f.not, v) {
		return 0, false
	}
	if f.ext == upper {
		v &= upperMask
	}
	return v, true
}
