package host_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"simrun/isa"
	"simrun/sim/host"
)

const ram = 0x1000

// world is a host with memory for blocks and strings.
type world struct {
	*host.Host
	t   *testing.T
	mem isa.Memory
	out bytes.Buffer
	err bytes.Buffer
	now uint64
}

func newWorld(t *testing.T, stdin string) *world {
	t.Helper()
	w := &world{t: t}
	if err := w.mem.Add(&isa.Region{Name: "ram", Base: ram, Data: make([]byte, 0x4000), Perm: isa.R | isa.W}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Host = host.New(host.Config{
		Stdin: strings.NewReader(stdin), Stdout: &w.out, Stderr: &w.err, Dir: dir,
		Args: []string{"prog", "a", "b"}, Now: func() uint64 { return w.now },
	}, &w.mem, host.Layout{HeapBase: 0x2000, HeapLimit: 0x4000, StackBase: 0x5000, StackLimit: 0x4800})
	t.Cleanup(w.Close)
	return w
}

// text puts a string at addr and returns the address.
func (w *world) text(addr uint32, s string) uint32 {
	w.t.Helper()
	if err := w.mem.Write(uint64(addr), append([]byte(s), 0)); err != nil {
		w.t.Fatal(err)
	}
	return addr
}

// semihost does an operation with a block of words.
func (w *world) semihost(op uint32, block ...uint32) uint32 {
	w.t.Helper()
	const at = ram + 0x100
	for i, v := range block {
		w.mem.Store32(at+4*uint64(i), v)
	}
	v, ok := w.Semihost(op, at)
	if !ok {
		w.t.Fatalf("operation %#x is not known", op)
	}
	return v
}

const failed = ^uint32(0)

func TestSemihostingFiles(t *testing.T) {
	w := newWorld(t, "typed")
	name, buffer := w.text(ram, "file"), uint32(ram+0x200)
	fd := w.semihost(1, name, 0, 4)
	if fd == failed || w.semihost(0xc, fd) != 10 || w.semihost(9, fd) != 0 {
		t.Fatalf("handle %#x, length %d, terminal %d", fd, w.semihost(0xc, fd), w.semihost(9, fd))
	}
	if w.semihost(0xa, fd, 7) != 0 {
		t.Error("seek failed")
	}
	if left := w.semihost(6, fd, buffer, 5); left != 2 {
		t.Errorf("%d bytes not read, want 2 of 5", left)
	}
	if got, _ := w.mem.Read(uint64(buffer), 3); string(got) != "789" {
		t.Errorf("read %q", got)
	}
	if left := w.semihost(5, fd, buffer, 3); left != 3 {
		t.Errorf("%d bytes of 3 not written to a file for reading", left)
	}
	if w.semihost(2, fd) != 0 || w.semihost(2, fd) != failed {
		t.Error("a file closes once")
	}
	for _, mode := range []uint32{2, 4, 8} {
		if w.semihost(1, name, mode, 4) != failed || w.semihost(0x13) != 30 {
			t.Errorf("mode %d: a file was opened for writing", mode)
		}
	}
	if w.semihost(0xe, name, 4) != failed || w.semihost(0xf, name, 4, name, 4) != failed || w.semihost(0x12, name, 4) != failed {
		t.Error("a file was removed, renamed, or a command run")
	}
	if w.semihost(1, w.text(ram, "missing"), 0, 7) != failed || w.semihost(0x13) != 2 {
		t.Error("a missing file was opened")
	}
}

// TestPipeIsNotOpened has a pipe, whose opening would wait for a writer, in the program's folder.
func TestPipeIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	w := newWorld(t, "")
	w.Host = host.New(host.Config{Dir: dir, Now: func() uint64 { return 0 }}, &w.mem, host.Layout{})
	opened := make(chan uint32, 1)
	go func() { opened <- w.semihost(1, w.text(ram, "pipe"), 0, 4) }()
	select {
	case fd := <-opened:
		if fd != failed {
			t.Error("a pipe was opened")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("still opening")
	}
}

func TestSemihostingConsole(t *testing.T) {
	w := newWorld(t, "typed")
	tt, buffer := w.text(ram, ":tt"), uint32(ram+0x200)
	in, out, errs := w.semihost(1, tt, 0, 3), w.semihost(1, tt, 4, 3), w.semihost(1, tt, 8, 3)
	if c := w.semihost(7); c != 't' {
		t.Errorf("read character %d", c)
	}
	if left := w.semihost(6, in, buffer, 100); left != 96 {
		t.Errorf("%d bytes not read, want 96", left)
	}
	if w.semihost(6, in, buffer+50, 10) != 10 || w.semihost(7) != failed {
		t.Error("the input has no end")
	}
	w.semihost(5, out, buffer, 4)
	w.semihost(5, errs, buffer, 2)
	w.Semihost(4, w.text(ram, "!"))
	w.Semihost(3, w.text(ram, "?"))
	if w.out.String() != "yped!?" || w.err.String() != "yp" || w.semihost(9, out) != 1 {
		t.Errorf("output %q, errors %q", w.out.String(), w.err.String())
	}
	features := w.semihost(1, w.text(ram, ":semihosting-features"), 0, 21)
	if w.semihost(6, features, buffer, 5) != 0 {
		t.Error("no features")
	}
	if got, _ := w.mem.Read(uint64(buffer), 5); string(got) != "SHFB\x03" {
		t.Errorf("features %q", got)
	}
}

func TestSemihostingFacts(t *testing.T) {
	w := newWorld(t, "")
	w.now = 3*host.Hertz + host.Hertz/2
	if w.semihost(0x10) != 350 || w.semihost(0x11) != 3 || w.semihost(0x31) != host.Hertz {
		t.Errorf("clock %d, time %d, frequency %d", w.semihost(0x10), w.semihost(0x11), w.semihost(0x31))
	}
	w.semihost(0x30)
	if v, _ := w.mem.Load64(ram + 0x100); v != w.now {
		t.Errorf("elapsed %d", v)
	}
	if w.semihost(0x15, ram+0x300, 80) != 0 {
		t.Error("no command line")
	}
	if got, _ := w.mem.Read(ram+0x300, 9); string(got) != "prog a b\x00" {
		t.Errorf("command line %q", got)
	}
	if n, _ := w.mem.Load32(ram + 0x104); n != 8 {
		t.Errorf("command line of %d bytes", n)
	}
	if w.semihost(0x15, ram+0x300, 8) != failed {
		t.Error("a command line of 8 bytes and its end fit 8 bytes")
	}
	w.semihost(0x16, ram+0x400)
	got, _ := w.mem.Read(ram+0x400, 16)
	for i, want := range []uint32{0x2000, 0x4000, 0x5000, 0x4800} {
		if v := binary.LittleEndian.Uint32(got[4*i:]); v != want {
			t.Errorf("heap info %d: %#x, want %#x", i, v, want)
		}
	}
	if w.semihost(8, failed) != 1 || w.semihost(8, 5) != 0 {
		t.Error("SYS_ISERROR")
	}
	if _, ok := w.Semihost(0x99, 0); ok {
		t.Error("operation 0x99 exists")
	}
	if v, ok := w.Semihost(5, 0xf0000000); !ok || v != failed {
		t.Error("a block outside memory was read")
	}
}

func TestLinux(t *testing.T) {
	w := newWorld(t, "typed")
	linux := func(table host.Table, nr uint32, args ...uint32) int32 {
		t.Helper()
		var a [6]uint32
		copy(a[:], args)
		v, err := w.Linux(table, nr, a)
		if err != nil {
			t.Fatal(err)
		}
		return int32(v)
	}
	if end := linux(host.Generic, 214, 0); end != 0x2000 {
		t.Errorf("brk(0) = %#x", end)
	}
	if end := linux(host.Generic, 214, 0x2800); end != 0x2800 {
		t.Errorf("brk = %#x", end)
	}
	if end := linux(host.Generic, 214, 0x9000); end != 0x2800 {
		t.Errorf("brk beyond the heap = %#x", end)
	}
	if at := linux(host.ARM, 192, 0, 100, 3, 0x22, failed); at != 0x3000 {
		t.Errorf("mmap = %#x", at)
	}
	if at := linux(host.ARM, 192, 0, 0x1000, 3, 0x22, failed); at != -12 {
		t.Errorf("mmap of more than there is = %d", at)
	}
	w.mem.Store32(ram, w.text(ram+0x40, "one"))
	w.mem.Store32(ram+4, 3)
	w.mem.Store32(ram+8, w.text(ram+0x50, "two"))
	w.mem.Store32(ram+12, 3)
	if n := linux(host.Generic, 66, 1, ram, 2); n != 6 || w.out.String() != "onetwo" {
		t.Errorf("writev = %d, output %q", n, w.out.String())
	}
	for _, c := range []struct {
		nr, a, b, c uint32
		want        int32
	}{
		{64, 7, ram, 1, -9}, {64, 0, ram, 1, -9}, {64, 1, 0xf0000000, 1, -14}, {63, 0, 0xf0000000, 4, -14}, {62, 1, 0, 0, -29}, {64, 1, 0xf0000000, 0, 0},
	} {
		if got := linux(host.Generic, c.nr, c.a, c.b, c.c); got != c.want {
			t.Errorf("call %d(%#x, %#x, %d) = %d, want %d", c.nr, c.a, c.b, c.c, got, c.want)
		}
	}
	w.mem.Store32(ram+8, 0xf0000000)
	if n := linux(host.Generic, 66, 1, ram, 2); n != 3 || w.out.String() != "onetwoone" {
		t.Errorf("writev with a bad second part = %d, output %q", n, w.out.String())
	}
	w.now = host.Hertz + 250
	linux(host.Generic, 113, 1, ram)
	if s, _ := w.mem.Load64(ram); s != 2500<<32|1 {
		t.Errorf("clock_gettime gives %#x", s)
	}
	if _, err := w.Linux(host.Generic, 12345, [6]uint32{}); err == nil {
		t.Error("call 12345 exists")
	}
	if linux(host.ARM, 248, 77); w.Exited() == nil || w.Exited().Status != 77 {
		t.Errorf("exit %+v", w.Exited())
	}
}

// TestHeapIsZero: pages that brk took back are zero when brk or mmap gives them again.
func TestHeapIsZero(t *testing.T) {
	const brk, mmap, anonymous = 45, 192, 0x22
	for _, again := range [][6]uint32{{brk, 0x4000}, {mmap, 0, 0x1000, 3, anonymous, failed}} {
		w := newWorld(t, "")
		for _, end := range []uint32{0x4000, 0x2800} {
			if got, err := w.Linux(host.ARM, brk, [6]uint32{end}); err != nil || got != end {
				t.Fatal(got, err)
			}
			if end == 0x4000 {
				w.mem.Store32(0x2800, 1)
				w.mem.Store32(0x3ffc, 2)
			}
		}
		var args [6]uint32
		copy(args[:], again[1:])
		if _, err := w.Linux(host.ARM, again[0], args); err != nil {
			t.Fatal(err)
		}
		if v, _ := w.mem.Load32(0x3ffc); v != 0 {
			t.Errorf("call %d gives a page with %d in it", again[0], v)
		}
		if v, _ := w.mem.Load32(0x2800); v != 1 {
			t.Errorf("the page that the break is in was cleared: %d", v)
		}
	}
}

// shut is an output that takes so many bytes and then fails.
type shut struct {
	room int
	err  error
}

func (s *shut) Write(p []byte) (int, error) {
	n := min(len(p), s.room)
	if s.room -= n; n < len(p) {
		return n, s.err
	}
	return n, nil
}

// TestWriteErrors: an output that fails after some bytes has written those.
func TestWriteErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int32
	}{{syscall.EPIPE, -32}, {io.ErrClosedPipe, -32}, {syscall.ENOSPC, -28}} {
		w := newWorld(t, "")
		h := host.New(host.Config{Stdout: &shut{2, &os.PathError{Op: "write", Err: c.err}}}, &w.mem, host.Layout{})
		for _, want := range []int32{2, c.want} {
			if got, err := h.Linux(host.ARM, 4, [6]uint32{1, ram, 3}); err != nil || int32(got) != want {
				t.Errorf("%v: write gives %d, %v; want %d", c.err, int32(got), err, want)
			}
		}
	}
}
