//go:build unix

package native

import (
	"encoding/binary"
	"errors"
	"testing"
)

func words(t *testing.T, ws ...uint32) *Code {
	t.Helper()
	var b []byte
	for _, w := range ws {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	c, err := Map(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// TestCall runs code that counts its calls and overwrites registers that it may.
func TestCall(t *testing.T) {
	c := words(t,
		0xf9400001, // ldr x1, [x0]
		0x91000421, // add x1, x1, #1
		0xf9000001, // str x1, [x0]
		0xaa1f03f0, // mov x16, xzr
		0xaa1f03f3, // mov x19, xzr
		0xaa1f03fa, // mov x26, xzr
		0xd65f03c0) // ret
	ctx := NewContext(8)
	for range 100 {
		if err := c.Call(ctx); err != nil {
			t.Fatal(err)
		}
	}
	timed(c.entry, ctx.addr(), 50)
	if got := binary.LittleEndian.Uint64(ctx.Bytes()); got != 150 {
		t.Errorf("%d calls arrived, want 150", got)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		code  []uint32
		known bool
		addr  uintptr
	}{
		{"nil", []uint32{0xf940001f, 0xd65f03c0}, false, 0},                             // ldr xzr, [x0]
		{"bad address", []uint32{0xd2a24681, 0xf9400021, 0xd65f03c0}, true, 0x12340000}, // movz x1, #0x1234, lsl #16; ldr x1, [x1]
	} {
		native := words(t, c.code...)
		for range 20 {
			var f *Fault
			if err := native.Call(nil); !errors.As(err, &f) || f.Known != c.known || f.Addr != c.addr {
				t.Fatalf("%s: error %v", c.name, err)
			}
		}
	}
}

// TestReferenceLoops runs all loops to their end.
func TestReferenceLoops(t *testing.T) {
	for _, body := range [][]byte{chainBody(512), vectorBody(96), mixedBody(96)} {
		c, err := Map(loopCode(40, body))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Call(NewContext(1)); err != nil {
			t.Error(err)
		}
		c.Close()
	}
}
