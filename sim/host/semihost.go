package host

import (
	"encoding/binary"
	"strings"
)

// Arm semihosting, "Semihosting for AArch32 and AArch64", release 2.0; RISC-V has taken it over. An
// operation has a number and one parameter, most often the address of a block of words.

// failed is the answer to most operations that fail.
const failed = ^uint32(0)

// operation is one semihosting operation. do is given its block and, behind that, the parameter.
type operation struct {
	words int // of the block; 0: the parameter is no block, but b[0] itself
	do    func(h *Host, b []uint32) uint32
}

var operations = map[uint32]operation{
	0x01: {3, sysOpen},
	0x02: {1, sysClose},
	0x03: {0, sysWriteC},
	0x04: {0, sysWrite0},
	0x05: {3, sysWrite},
	0x06: {3, sysRead},
	0x07: {0, sysReadC},
	0x08: {1, func(_ *Host, b []uint32) uint32 { return b[0] >> 31 }}, // SYS_ISERROR
	0x09: {1, sysIsTTY},
	0x0a: {2, sysSeek},
	0x0c: {1, sysFLen},
	0x0d: {3, refused},                                                                     // SYS_TMPNAM
	0x0e: {2, refused},                                                                     // SYS_REMOVE
	0x0f: {4, refused},                                                                     // SYS_RENAME
	0x10: {0, func(h *Host, _ []uint32) uint32 { return uint32(h.now() / (Hertz / 100)) }}, // SYS_CLOCK
	0x11: {0, func(h *Host, _ []uint32) uint32 { return uint32(h.now() / Hertz) }},         // SYS_TIME
	0x12: {2, refused},                                                                     // SYS_SYSTEM
	0x13: {0, func(h *Host, _ []uint32) uint32 { return uint32(h.errno) }},                 // SYS_ERRNO
	0x15: {2, sysCommandLine},
	0x16: {1, sysHeapInfo},
	0x18: {0, sysExit},
	0x20: {2, sysExitExtended},
	0x30: {0, sysElapsed},
	0x31: {0, func(*Host, []uint32) uint32 { return Hertz }}, // SYS_TICKFREQ
}

// Semihost does an operation and returns its answer; ok is false for a number that is none.
func (h *Host) Semihost(op, parameter uint32) (answer uint32, ok bool) {
	o, ok := operations[op]
	if !ok {
		return 0, false
	}
	b := []uint32{parameter}
	if o.words > 0 {
		if b, ok = h.words(parameter, o.words); !ok {
			return h.fail(eFAULT), true
		}
		b = append(b, parameter)
	}
	return o.do(h, b), true
}

func (h *Host) fail(e errno) uint32 {
	h.errno = e
	return failed
}

func refused(h *Host, _ []uint32) uint32 { return h.fail(eROFS) }

// Handles are descriptors plus 1, since 0 is no handle.

// features is the file ":semihosting-features": SYS_EXIT_EXTENDED exists, and ":tt" opened to
// append is the error output.
const features = "SHFB\x03"

// sysOpen: name, mode (an index into "r rb r+ r+b w wb w+ w+b a ab a+ a+b"), length of the name.
func sysOpen(h *Host, b []uint32) uint32 {
	name, ok := h.text(b[0])
	if !ok {
		return h.fail(eFAULT)
	}
	const w, a = 4, 8
	var fd uint32
	var e errno
	switch mode := b[1]; {
	case name == ":semihosting-features":
		fd, e = h.openBytes(name, features)
	case name != ":tt":
		fd, e = h.openFile(name, mode > 1)
	case mode < w:
		fd, e = h.open(&file{name: name, r: h.config.Stdin, terminal: true})
	case mode < a:
		fd, e = h.open(&file{name: name, w: h.config.Stdout, terminal: true})
	default:
		fd, e = h.open(&file{name: name, w: h.config.Stderr, terminal: true})
	}
	if e != noError {
		return h.fail(e)
	}
	return fd + 1
}

func sysClose(h *Host, b []uint32) uint32 {
	if e := h.close(b[0] - 1); e != noError {
		return h.fail(e)
	}
	return 0
}

// sysWriteC: the address of a character. sysWrite0: of a string.
func sysWriteC(h *Host, b []uint32) uint32 {
	c, _ := h.mem.Load8(uint64(b[0]))
	h.Console([]byte{c})
	return 0
}

func sysWrite0(h *Host, b []uint32) uint32 {
	text, _ := h.text(b[0])
	h.Console([]byte(text))
	return 0
}

// sysWrite and sysRead: handle, address, length. They return the number of bytes not done.
func sysWrite(h *Host, b []uint32) uint32 {
	n, e := h.write(b[0]-1, b[1], b[2])
	if e != noError {
		h.errno = e
	}
	return b[2] - n
}

func sysRead(h *Host, b []uint32) uint32 {
	n, e := h.read(b[0]-1, b[1], b[2])
	if e != noError {
		h.errno = e
	}
	return b[2] - n
}

func sysReadC(h *Host, _ []uint32) uint32 {
	var c [1]byte
	if n, _ := h.config.Stdin.Read(c[:]); n == 0 {
		return failed
	}
	return uint32(c[0])
}

func sysIsTTY(h *Host, b []uint32) uint32 {
	f, e := h.file(b[0] - 1)
	if e != noError {
		return h.fail(e)
	}
	if f.terminal {
		return 1
	}
	return 0
}

// sysSeek: handle, absolute position.
func sysSeek(h *Host, b []uint32) uint32 {
	if _, e := h.seekTo(b[0]-1, int64(b[1]), 0); e != noError {
		return h.fail(e)
	}
	return 0
}

func sysFLen(h *Host, b []uint32) uint32 {
	f, e := h.file(b[0] - 1)
	if e != noError {
		return h.fail(e)
	}
	return uint32(f.size)
}

// sysCommandLine: address and size of a buffer; the block gets the length back.
func sysCommandLine(h *Host, b []uint32) uint32 {
	line := strings.Join(h.config.Args, " ")
	if uint64(len(line)) >= uint64(b[1]) || !h.put(b[0], append([]byte(line), 0)) {
		return h.fail(eINVAL)
	}
	if !h.mem.Store32(uint64(b[2])+4, uint32(len(line))) {
		return h.fail(eFAULT)
	}
	return 0
}

// sysHeapInfo: the address of a block for heap base, heap limit, stack base, stack limit.
func sysHeapInfo(h *Host, b []uint32) uint32 {
	var p []byte
	for _, v := range []uint32{h.layout.HeapBase, h.layout.HeapLimit, h.layout.StackBase, h.layout.StackLimit} {
		p = binary.LittleEndian.AppendUint32(p, v)
	}
	if !h.put(b[0], p) {
		return h.fail(eFAULT)
	}
	return 0
}

// applicationExit is the reason code of a program that ends by itself.
const applicationExit = 0x20026

// sysExit: a reason. sysExitExtended: a reason and the exit status.
func sysExit(h *Host, b []uint32) uint32 {
	status := 0
	if b[0] != applicationExit {
		status = 1
	}
	h.End(status, "semihosting")
	return 0
}

func sysExitExtended(h *Host, b []uint32) uint32 {
	if b[0] != applicationExit {
		return sysExit(h, b)
	}
	h.End(int(b[1]&0xff), "semihosting")
	return 0
}

// sysElapsed: the address of two words for the cycles since the start.
func sysElapsed(h *Host, b []uint32) uint32 {
	if !h.put(b[0], binary.LittleEndian.AppendUint64(nil, h.now())) {
		return h.fail(eFAULT)
	}
	return 0
}
