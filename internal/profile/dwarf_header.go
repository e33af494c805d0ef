package profile

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errHeader is a line table that debug/dwarf must not see: it would reserve whatever number of files
// the header claims.
var errHeader = errors.New("header of a line table is cut off or unknown")

// lineForms is the size of each form that names of folders and files come in (DWARF 5, section
// 6.2.4.1), in bytes.
var lineForms = map[uint64]int{
	0x05: 2, 0x06: 4, 0x07: 8, 0x08: formString, 0x09: formBlock, 0x0b: 1, 0x0e: formOffset, 0x0f: formULEB,
	0x1a: formULEB, 0x1d: formOffset, 0x1e: 16, 0x1f: formOffset, 0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4,
}

// Sizes that depend on the data.
const (
	formString = -1 - iota // up to a zero byte
	formBlock              // length as ULEB128, then bytes
	formULEB
	formOffset // 4 bytes, 8 in the 64-bit format
)

// checkLineHeader walks the header of the line table at the start of p, which holds the rest of
// .debug_line: the folders and files that it counts must be there. Before version 5 nothing is
// counted.
func checkLineHeader(p []byte, order binary.ByteOrder) error {
	_, head := unitLength(p, order)
	if head == 0 || len(p) < head+2 {
		return errHeader
	}
	c := cursor{p: p[head:]}
	offset := 4
	if head == 12 {
		offset = 8
	}
	if order.Uint16(c.skip(2)) != 5 {
		return nil
	}
	// address and selector size, header length, then five numbers of the line program
	c.skip(1 + 1 + offset + 5)
	c.skip(int(c.byte()) - 1)
	for range 2 { // folders, files
		var forms []int
		for range c.byte() {
			c.uleb()
			size, ok := lineForms[c.uleb()]
			c.bad = c.bad || !ok
			forms = append(forms, size)
		}
		n := c.uleb()
		c.bad = c.bad || n > 0 && len(forms) == 0
		for ; n > 0 && !c.bad; n-- { // each takes at least a byte
			for _, size := range forms {
				c.form(size, offset)
			}
		}
	}
	if c.bad {
		return errHeader
	}
	return nil
}

// cursor reads bytes; bad is set where they end.
type cursor struct {
	p   []byte
	bad bool
}

// skip returns the next n bytes.
func (c *cursor) skip(n int) []byte {
	if c.bad || n < 0 || n > len(c.p) {
		c.bad = true
		return nil
	}
	skipped := c.p[:n]
	c.p = c.p[n:]
	return skipped
}

func (c *cursor) byte() byte {
	if b := c.skip(1); b != nil {
		return b[0]
	}
	return 0
}

// uleb reads a number in ULEB128.
func (c *cursor) uleb() (n uint64) {
	for shift := 0; !c.bad; shift += 7 {
		b := c.byte()
		n |= uint64(b&0x7f) << shift
		if b&0x80 == 0 {
			return n
		}
	}
	return 0
}

func (c *cursor) form(size, offset int) {
	switch size {
	case formString:
		end := bytes.IndexByte(c.p, 0)
		c.bad = c.bad || end < 0
		c.skip(end + 1)
	case formBlock:
		n := c.uleb()
		c.skip(int(min(n, uint64(len(c.p)+1))))
	case formULEB:
		c.uleb()
	case formOffset:
		c.skip(offset)
	default:
		c.skip(size)
	}
}
