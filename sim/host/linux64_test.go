package host_test

import (
	"testing"

	"simrun/sim/host"
)

// TestLinux64 makes the calls of an x86-64 program in order; want is the answer, errors negated.
func TestLinux64(t *testing.T) {
	const (
		high  = 1 << 40
		write = 1
	)
	w := newWorld(t, "typed")
	name, empty, buffer := uint64(w.text(ram+0x40, "file")), uint64(w.text(ram+0x50, "")), uint64(ram+0x200)
	w.text(ram+0x60, "one")
	w.text(ram+0x70, "two")
	for i, v := range []uint64{ram + 0x60, 3, ram + 0x70, 3, high, 3} {
		w.mem.Store64(ram+8*uint64(i), v)
	}
	for _, c := range []struct {
		what string
		nr   uint64
		args [6]uint64
		want int64
	}{
		{"write", write, [6]uint64{1, ram + 0x60, 3}, 3},
		{"write of what is not there", write, [6]uint64{1, 0xf0000000, 1}, -14},
		{"write above 4 GiB", write, [6]uint64{1, high | ram, 1}, -14},
		{"write of too much", write, [6]uint64{1, ram, high}, -14},
		{"writev", 20, [6]uint64{1, ram, 2}, 6},
		{"writev with a bad last part", 20, [6]uint64{1, ram, 3}, 6},
		{"writev of too many", 20, [6]uint64{1, ram, 5000}, -22},
		{"read", 0, [6]uint64{0, buffer, 100}, 5},
		{"read above 4 GiB", 0, [6]uint64{0, high, 100}, -14},
		{"lseek of the terminal", 8, [6]uint64{1, 0, 0}, -29},
		{"openat", 257, [6]uint64{^uint64(99), name, 0}, 3},
		{"lseek from the end", 8, [6]uint64{3, ^uint64(2), 2}, 7},
		{"fstat", 5, [6]uint64{3, buffer}, 0},
		{"newfstatat of the descriptor", 262, [6]uint64{3, empty, buffer, 0x1000}, 0},
		{"newfstatat by name", 262, [6]uint64{0, name, buffer, 0}, 0},
		{"stat of what is not there", 4, [6]uint64{uint64(w.text(ram+0x80, "none")), buffer}, -2},
		{"fstat above 4 GiB", 5, [6]uint64{3, high}, -14},
		{"F_GETFL of the output", 72, [6]uint64{1, 3}, 1},
		{"F_SETFL", 72, [6]uint64{1, 4}, -22},
		{"close", 3, [6]uint64{3}, 0},
		{"close again", 3, [6]uint64{3}, -9},
		{"brk", 12, [6]uint64{}, 0x2000},
		{"brk up", 12, [6]uint64{0x2800}, 0x2800},
		{"brk above 4 GiB", 12, [6]uint64{high}, 0x2800},
		{"mmap", 9, [6]uint64{0, 100, 3, 0x22, ^uint64(0)}, 0x3000},
		{"mmap of too much", 9, [6]uint64{0, high, 3, 0x22, ^uint64(0)}, -12},
		{"mmap at an address", 9, [6]uint64{0x2000, 100, 3, 0x32, ^uint64(0)}, -22},
		{"mremap", 25, [6]uint64{0x3000, 100, 200}, -12},
		{"prlimit64", 302, [6]uint64{0, 3, 0, buffer}, 0},
		{"arch_prctl without a thread register", 158, [6]uint64{0x1002, ram}, -22},
		{"rseq", 334, [6]uint64{}, -38},
		{"getrandom", 318, [6]uint64{buffer + 0x100, 16}, 16},
		{"kill with signal 0", 62, [6]uint64{1, 0}, 0},
		{"tgkill with signal 0", 234, [6]uint64{1, 1, 0}, 0},
	} {
		v, err := w.Linux64(host.AMD64, c.nr, c.args)
		if err != nil || int64(v) != c.want {
			t.Errorf("%s: %d, %v, want %d", c.what, int64(v), err, c.want)
		}
	}
	if w.out.String() != "oneonetwoonetwo" {
		t.Errorf("output %q", w.out.String())
	}
	if v, _ := w.mem.Load64(buffer); v != 0x800 {
		t.Errorf("the limit of the stack is %#x", v)
	}
	if w.Exited() != nil {
		t.Errorf("ended early: %+v", w.Exited())
	}
	if _, err := w.Linux64(host.AMD64, 12345, [6]uint64{}); err == nil {
		t.Error("call 12345 exists")
	}
	if _, err := w.Linux64(host.AMD64, 200, [6]uint64{1, 6}); err != nil || w.Exited() == nil || w.Exited().Status != 134 {
		t.Errorf("tkill: %v, %+v", err, w.Exited())
	}
}

// TestStat64 wants the kind and the size of a file where x86-64 has them.
func TestStat64(t *testing.T) {
	w := newWorld(t, "")
	name := uint64(w.text(ram+0x40, "file"))
	if v, err := w.Linux64(host.AMD64, 4, [6]uint64{name, ram + 0x100}); v != 0 || err != nil {
		t.Fatal(v, err)
	}
	mode, _ := w.mem.Load32(ram + 0x100 + 24)
	size, _ := w.mem.Load64(ram + 0x100 + 48)
	if mode != 0o100444 || size != 10 {
		t.Errorf("mode %o, size %d", mode, size)
	}
}
