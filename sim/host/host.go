package host

import (
	"io"
	"path/filepath"

	"simrun/isa"
)

// Hertz is the number of cycles in a second of the program's clock.
const Hertz = 100_000_000

// Config describes the world of a program.
type Config struct {
	Stdin          io.Reader // nil = empty
	Stdout, Stderr io.Writer // nil = thrown away
	Dir            string    // folder whose files the program may read, "" = none
	Args           []string  // of the command line, the program's name first
	Now            func() uint64
	SetThread      func(addr uint64) // sets the base of FS (x86-64); nil = there is none
}

// Layout is the memory that a program may ask for, as addresses; limits are exclusive.
type Layout struct {
	HeapBase, HeapLimit   uint32
	StackBase, StackLimit uint32 // the base is the upper end: the stack grows down from it
}

// Exit is the end of a program.
type Exit struct {
	Status int
	By     string // "semihosting", "exit system call", ...
}

// Host answers the requests of one program.
type Host struct {
	config Config
	mem    *isa.Memory
	layout Layout
	files  []*file // by descriptor
	brk    uint32
	maps   uint32 // lowest address given to mmap
	errno  errno  // of the last semihosting call that failed
	random uint32
	exit   *Exit
}

// New returns the host of a program in mem.
func New(c Config, mem *isa.Memory, l Layout) *Host {
	if c.Stdin == nil {
		c.Stdin = eof{}
	}
	if c.Stdout == nil {
		c.Stdout = io.Discard
	}
	if c.Stderr == nil {
		c.Stderr = io.Discard
	}
	h := &Host{config: c, mem: mem, layout: l, brk: l.HeapBase, maps: l.HeapLimit, random: 1}
	h.files = []*file{
		{name: "stdin", r: c.Stdin, terminal: true},
		{name: "stdout", w: c.Stdout, terminal: true},
		{name: "stderr", w: c.Stderr, terminal: true},
	}
	return h
}

// Close closes the files that the program left open.
func (h *Host) Close() {
	for fd := range h.files {
		h.close(uint32(fd))
	}
}

// Exited returns how the program ended, nil while it runs.
func (h *Host) Exited() *Exit { return h.exit }

// End ends the program.
func (h *Host) End(status int, by string) { h.exit = &Exit{status, by} }

// Console writes to the program's standard output.
func (h *Host) Console(p []byte) { h.config.Stdout.Write(p) }

func (h *Host) now() uint64 {
	if h.config.Now == nil {
		return 0
	}
	return h.config.Now()
}

// maxString bounds a string that the program passes.
const maxString = 1 << 20

// text reads the string of zero-terminated bytes at addr.
func (h *Host) text(addr uint32) (string, bool) {
	for n := uint64(0); n < maxString; n++ {
		b, ok := h.mem.Load8(uint64(addr) + n)
		if !ok {
			return "", false
		}
		if b == 0 {
			p, err := h.mem.Read(uint64(addr), int(n))
			return string(p), err == nil || n == 0
		}
	}
	return "", false
}

// words reads n words at addr.
func (h *Host) words(addr uint32, n int) ([]uint32, bool) {
	list := make([]uint32, n)
	for i := range list {
		var ok bool
		if list[i], ok = h.mem.Load32(uint64(addr) + 4*uint64(i)); !ok {
			return nil, false
		}
	}
	return list, true
}

// put writes bytes where the program may write.
func (h *Host) put(addr uint32, p []byte) bool {
	for i, b := range p {
		if !h.mem.Store8(uint64(addr)+uint64(i), b) {
			return false
		}
	}
	return true
}

// local reports whether a name can be one of a file in the folder.
func (h *Host) local(name string) bool {
	return h.config.Dir != "" && filepath.IsLocal(name)
}

// eof is an empty input.
type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }
