package native

import (
	"errors"
	"testing"

	"simrun/isa"
)

func TestMapErrors(t *testing.T) {
	for _, code := range [][]byte{nil, {}, make([]byte, MaxCode+1)} {
		if c, err := Map(code); err == nil {
			t.Errorf("%d bytes of code were mapped", len(code))
			c.Close()
		}
	}
	seg := func(perm isa.Perm, addr uint64, size uint64) *isa.Image {
		return &isa.Image{Segments: []isa.Segment{{Addr: addr, Data: []byte{0xc3}, Size: size, Perm: perm}}}
	}
	for _, c := range []struct {
		what  string
		im    *isa.Image
		entry uint64
	}{
		{"nothing", &isa.Image{}, 0},
		{"a writable segment", seg(isa.R|isa.W|isa.X, 0x1000, 1), 0x1000},
		{"an entry outside", seg(isa.R|isa.X, 0x1000, 1), 0x1001},
		{"a segment that wraps", seg(isa.R|isa.X, ^uint64(0), 2), ^uint64(0)},
		{"a segment without end", seg(isa.R|isa.X, 0, 1<<60), 0},
	} {
		if code, err := MapImage(c.im, c.entry); err == nil {
			t.Errorf("%s was mapped", c.what)
			code.Close()
		}
	}
}

func TestContext(t *testing.T) {
	for _, size := range []int{0, 1, 63, 64, 5000} {
		c := NewContext(size)
		if len(c.Bytes()) != max(size, 1) || c.addr()%64 != 0 {
			t.Errorf("context of %d bytes: %d bytes at %#x", size, len(c.Bytes()), c.addr())
		}
	}
	c := NewContext(64)
	for _, bad := range [][2]int{{-1, 0}, {57, 0}, {0, -1}, {0, 65}} {
		if c.PutAddr(bad[0], bad[1]) == nil {
			t.Errorf("PutAddr(%d, %d) succeeded", bad[0], bad[1])
		}
	}
}

// TestUnsupported demands either that code can be mapped or the one error that says why not.
func TestUnsupported(t *testing.T) {
	c, err := Map([]byte{trap})
	if err != nil && !errors.Is(err, ErrUnsupported) {
		t.Errorf("error %v", err)
	}
	if err == nil {
		c.Close()
	}
}
