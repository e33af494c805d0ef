//go:build unix

package native

import (
	"encoding/binary"
	"errors"
	"runtime"
	"sync"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// code maps machine code for a test.
func code(t *testing.T, bytes ...byte) *Code {
	t.Helper()
	c, err := Map(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// TestCallDestroysRegisters runs code that overwrites everything but RSP and RBP.
func TestCallDestroysRegisters(t *testing.T) {
	c := code(t,
		0x48, 0xff, 0x07, //       incq (%rdi)
		0x48, 0x31, 0xc0, //       xor rax, rax, and so on
		0x48, 0x31, 0xdb, 0x48, 0x31, 0xc9, 0x48, 0x31, 0xd2, 0x48, 0x31, 0xf6, 0x48, 0x31, 0xff,
		0x4d, 0x31, 0xc0, 0x4d, 0x31, 0xc9, 0x4d, 0x31, 0xd2, 0x4d, 0x31, 0xdb,
		0x4d, 0x31, 0xe4, 0x4d, 0x31, 0xed, 0x4d, 0x31, 0xf6, 0x4d, 0x31, 0xff,
		0x66, 0x45, 0x0f, 0x76, 0xff, // pcmpeqd xmm15, xmm15
		0xc3)
	ctx := NewContext(8)
	for range 1000 {
		if err := c.Call(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if got := binary.NativeEndian.Uint64(ctx.Bytes()); got != 1000 {
		t.Errorf("%d calls arrived", got)
	}
	timed(c.entry, ctx.addr(), 500)
	if got := binary.NativeEndian.Uint64(ctx.Bytes()); got != 1500 {
		t.Errorf("%d calls arrived, the loop made 500", got-1000)
	}
}

// TestStackAligned calls from both positions of the Go stack: RSP is 8 above a multiple of 16 in
// a called function.
func TestStackAligned(t *testing.T) {
	c := code(t, 0x48, 0x89, 0x27, 0xc3) // mov %rsp, (%rdi)
	ctx := NewContext(8)
	var deeper func(n int)
	deeper = func(n int) {
		enter(c.entry, ctx.addr())
		if sp := binary.NativeEndian.Uint64(ctx.Bytes()); sp%16 != 8 {
			t.Errorf("depth %d: RSP = %#x at the entry", n, sp)
		}
		timed(c.entry, ctx.addr(), 1)
		if sp := binary.NativeEndian.Uint64(ctx.Bytes()); sp%16 != 8 {
			t.Errorf("depth %d, timed: RSP = %#x at the entry", n, sp)
		}
		if n > 0 {
			deeper(n - 1)
		}
	}
	deeper(5)
	func(a, b, c int) { deeper(3 + a + b + c) }(0, 0, 0)
}

func TestFaults(t *testing.T) {
	ctx := NewContext(64)
	for _, c := range []struct {
		name  string
		code  []byte
		known bool
		addr  uintptr
	}{
		{"nil", []byte{0x31, 0xc0, 0x48, 0x8b, 0x00, 0xc3}, false, 0},                                   // xor eax,eax; mov (%rax),%rax
		{"bad address", []byte{0xb8, 0, 0x10, 0x34, 0x12, 0x48, 0x8b, 0x00, 0xc3}, true, 0x12341000},    // mov $0x12341000,%eax; mov (%rax),%rax
		{"misaligned movdqa", []byte{0x66, 0x0f, 0x6f, 0x47, 0x01, 0xc3}, true, 0},                      // movdqa 1(%rdi),%xmm0
		{"division by zero", []byte{0x31, 0xc9, 0xf7, 0xf1, 0xc3}, false, 0},                            // xor ecx,ecx; div %ecx
		{"store into code", []byte{0x48, 0x8d, 0x05, 0, 0, 0, 0, 0xc6, 0x00, 0x90, 0xc3}, true, 1 << 1}, // lea 0(%rip),%rax; movb $0x90,(%rax)
	} {
		t.Run(c.name, func(t *testing.T) {
			native := code(t, c.code...)
			for i := range 200 {
				err := native.Call(ctx)
				var f *Fault
				if !errors.As(err, &f) {
					t.Fatalf("error %v", err)
				}
				want := c.addr
				if want == 1<<1 {
					want = native.entry + 7
				}
				if f.Known != c.known || f.Known && f.Addr != want {
					t.Fatalf("fault %+v, want address %#x", f, want)
				}
				if i%50 == 0 {
					runtime.GC()
				}
			}
		})
	}
	if err := code(t, 0xc3).Call(nil); err != nil {
		t.Errorf("call that does not use its null pointer: %v", err)
	}
}

func TestClosed(t *testing.T) {
	c, err := Map([]byte{0xc3})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := c.Call(nil); err == nil {
		t.Error("closed code was called")
	}
}

// TestMapImage maps code and a table that the code finds by its distance.
func TestMapImage(t *testing.T) {
	im := &isa.Image{Segments: []isa.Segment{
		{Addr: 0x10140, Data: []byte{0x90, 0x48, 0x8b, 0x05, 0xb8, 0, 0, 0, 0x48, 0x89, 0x07, 0xc3}, Perm: isa.R | isa.X}, // nop; mov 0xb8(%rip),%rax; mov %rax,(%rdi); ret
		{Addr: 0x10200, Data: []byte("a table!"), Size: 64, Perm: isa.R},
	}}
	c, err := MapImage(im, 0x10141)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx := NewContext(8)
	if err := c.Call(ctx); err != nil || string(ctx.Bytes()) != "a table!" {
		t.Errorf("read %q, %v", ctx.Bytes(), err)
	}
	if c.entry%64 != 0x10141%64 {
		t.Errorf("entry at %#x lost its alignment", c.entry)
	}
}

// TestPointersInContext lets code copy 16 bytes from one buffer of the context to another.
func TestPointersInContext(t *testing.T) {
	c := code(t,
		0x48, 0x8b, 0x07, //       mov (%rdi), %rax
		0x48, 0x8b, 0x57, 0x08, // mov 8(%rdi), %rdx
		0x66, 0x0f, 0x6f, 0x00, // movdqa (%rax), %xmm0
		0x66, 0x0f, 0x7f, 0x02, // movdqa %xmm0, (%rdx)
		0xc3)
	ctx := NewContext(128)
	if err := errors.Join(ctx.PutAddr(0, 64), ctx.PutAddr(8, 96)); err != nil {
		t.Fatal(err)
	}
	copy(ctx.Bytes()[64:], "sixteen bytes ok")
	if err := c.Call(ctx); err != nil || string(ctx.Bytes()[96:112]) != "sixteen bytes ok" {
		t.Errorf("copied %q, %v", ctx.Bytes()[96:112], err)
	}
}

// TestStress calls from several goroutines while the collector runs all the time.
func TestStress(t *testing.T) {
	c := code(t, 0x48, 0xff, 0x07, 0x4d, 0x31, 0xf6, 0x66, 0x45, 0x0f, 0x76, 0xff, 0xc3) // incq (%rdi); xor r14,r14; pcmpeqd xmm15,xmm15
	calls := foreign.Count(20_000, 1_000_000) / 4
	var callers, collector sync.WaitGroup
	stop := make(chan struct{})
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for range 4 {
		callers.Go(func() {
			ctx := NewContext(8)
			for i := range calls {
				if i%100 == 0 { // move to fresh memory, so that there is something to collect
					fresh := NewContext(8)
					copy(fresh.Bytes(), ctx.Bytes())
					ctx = fresh
				}
				if err := c.Call(ctx); err != nil {
					t.Error(err)
					return
				}
			}
			if got := binary.NativeEndian.Uint64(ctx.Bytes()); got != uint64(calls) {
				t.Errorf("%d of %d calls arrived", got, calls)
			}
		})
	}
	callers.Wait()
	close(stop)
	collector.Wait()
}
