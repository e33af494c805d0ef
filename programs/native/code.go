package native

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"simrun/isa"
)

// MaxCode bounds the code of one mapping, in bytes.
const MaxCode = 16 << 20

// pageSize is a multiple of the page size of every supported system. Code keeps its address
// modulo pageSize, so that it has the alignment it was assembled for.
const pageSize = 16 << 10

// ErrUnsupported says that this platform cannot execute native code.
var ErrUnsupported = errors.New("native execution needs amd64 or arm64 on a Unix system, this is " + runtime.GOOS + "/" + runtime.GOARCH)

// Code is machine code of this computer, mapped readable and executable, never writable and
// executable at once. Close must not run while the code does.
type Code struct {
	mapping []byte
	entry   uintptr
	size    int // bytes of code
}

// Map maps position-independent code whose entry is its first byte.
func Map(code []byte) (*Code, error) {
	return mapAt(code, 0, 0)
}

// MapImage maps the segments of an image at the same distances from each other and calls it at
// the given address. Writable segments are refused.
func MapImage(im *isa.Image, entry uint64) (*Code, error) {
	low, high := ^uint64(0), uint64(0)
	for _, s := range im.Segments {
		if s.Perm&isa.W != 0 {
			return nil, fmt.Errorf("image has a writable segment at %#x: native code keeps its data in the context", s.Addr)
		}
		size := max(s.Size, uint64(len(s.Data)))
		if s.Addr+size < s.Addr {
			return nil, fmt.Errorf("image has a segment of %d bytes at %#x: it wraps around", size, s.Addr)
		}
		low, high = min(low, s.Addr), max(high, s.Addr+size)
	}
	if entry < low || entry >= high {
		return nil, fmt.Errorf("entry %#x is outside the image", entry)
	}
	if high-low > MaxCode {
		return nil, fmt.Errorf("image spans %d bytes: at most %d can be mapped", high-low, MaxCode)
	}
	code := make([]byte, high-low)
	for _, s := range im.Segments {
		copy(code[s.Addr-low:], s.Data)
	}
	return mapAt(code, int(low%pageSize), int(entry-low))
}

// mapAt maps code at offset pad of a page; the entry is at code[entry].
func mapAt(code []byte, pad, entry int) (*Code, error) {
	if len(code) == 0 {
		return nil, errors.New("no code to map: it has no bytes")
	}
	if len(code) > MaxCode {
		return nil, fmt.Errorf("code has %d bytes: at most %d can be mapped", len(code), MaxCode)
	}
	size := (pad + len(code) + pageSize - 1) / pageSize * pageSize
	mapping, err := mapCode(size, func(page []byte) {
		for i := range page {
			page[i] = trap
		}
		copy(page[pad:], code)
	})
	if err != nil {
		return nil, fmt.Errorf("map %d bytes of code: %w", len(code), err)
	}
	return &Code{mapping: mapping, entry: address(mapping) + uintptr(pad+entry), size: len(code)}, nil
}

// Close unmaps the code.
func (c *Code) Close() error {
	if c.mapping == nil {
		return nil
	}
	m := c.mapping
	c.mapping, c.entry = nil, 0
	return unmapCode(m)
}

// Call runs the code once on ctx; nil passes a null pointer. A memory fault or a division by zero
// of the code is an error.
func (c *Code) Call(ctx *Context) error {
	if c.entry == 0 {
		return errClosed
	}
	return guard(func() {
		enter(c.entry, ctx.addr())
		runtime.KeepAlive(ctx)
	})
}

var errClosed = errors.New("call of closed native code")

// guard runs f and returns the fault of native code in it as an error.
func guard(f func()) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		switch r := recover().(type) {
		case nil:
		case interface {
			runtime.Error
			Addr() uintptr
		}:
			err = &Fault{Addr: r.Addr(), Known: true, Text: r.Error()}
		case runtime.Error:
			err = &Fault{Text: r.Error()}
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// Fault is an exception of native code.
type Fault struct {
	Addr  uintptr // of the access; 0 for a misaligned one
	Known bool    // Addr is known
	Text  string
}

func (f *Fault) Error() string {
	if f.Known {
		return fmt.Sprintf("native code faulted at address %#x: bad or misaligned access", f.Addr)
	}
	return "native code faulted: " + f.Text
}
