package native

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// contextAlign is the alignment of a context block, in bytes: a page, so that how the block meets
// other memory in the caches and in store forwarding is the same in every process.
const contextAlign = 4096

// Context is the memory that native code works on: the block that its argument points to and,
// if made large enough, the buffers that the block points to. It is ordinary Go memory; the
// collector neither moves it nor looks into it, so pointers in it must lead into it.
type Context struct {
	mem []byte
}

// NewContext returns size zero bytes (at least one), aligned to a page.
func NewContext(size int) *Context {
	size = max(size, 1)
	raw := make([]byte, size+contextAlign-1)
	off := int(-address(raw) & (contextAlign - 1))
	return &Context{raw[off : off+size : off+size]}
}

// Bytes returns the memory itself.
func (c *Context) Bytes() []byte { return c.mem }

// PutAddr stores the address of byte target of the memory into the 8-byte field at offset field.
func (c *Context) PutAddr(field, target int) error {
	if field < 0 || field+8 > len(c.mem) || target < 0 || target > len(c.mem) {
		return fmt.Errorf("context of %d bytes: field at %d cannot point to byte %d", len(c.mem), field, target)
	}
	binary.NativeEndian.PutUint64(c.mem[field:], uint64(c.addr())+uint64(target))
	return nil
}

func (c *Context) addr() uintptr {
	if c == nil {
		return 0
	}
	return address(c.mem)
}

// address returns the address of the first byte.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
