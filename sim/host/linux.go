package host

import (
	"encoding/binary"
	"fmt"
)

// Linux system calls of user-mode programs, as far as statically linked C programs start, write
// and exit. Structures are those of 32-bit machines.

// Table is the numbers of system calls of an architecture.
type Table map[uint32]call

// call is one system call. a holds the six argument registers.
type call struct {
	name string
	do   func(h *Host, a *[6]uint32) (uint32, errno)
}

var (
	callExit = call{"exit", func(h *Host, a *[6]uint32) (uint32, errno) {
		h.End(int(a[0]&0xff), "exit system call")
		return 0, noError
	}}
	callExitGroup = call{"exit_group", callExit.do}
	callRead      = call{"read", func(h *Host, a *[6]uint32) (uint32, errno) { return h.read(a[0], a[1], a[2]) }}
	callWrite     = call{"write", func(h *Host, a *[6]uint32) (uint32, errno) { return h.write(a[0], a[1], a[2]) }}
	callWritev    = call{"writev", linuxWritev}
	callOpen      = call{"open", func(h *Host, a *[6]uint32) (uint32, errno) { return linuxOpen(h, a[0], a[1]) }}
	callOpenat    = call{"openat", func(h *Host, a *[6]uint32) (uint32, errno) { return linuxOpen(h, a[1], a[2]) }}
	callClose     = call{"close", func(h *Host, a *[6]uint32) (uint32, errno) { return 0, h.close(a[0]) }}
	callLseek     = call{"lseek", linuxLseek}
	callFstat     = call{"fstat", linuxFstat}
	callIoctl     = call{"ioctl", func(*Host, *[6]uint32) (uint32, errno) { return 0, eNOTTY }}
	callBrk       = call{"brk", linuxBrk}
	callMmap      = call{"mmap", linuxMmap}
	callClock     = call{"clock_gettime", linuxClock}
	callClock64   = call{"clock_gettime64", linuxClock64}
	callTimeOfDay = call{"gettimeofday", linuxTimeOfDay}
	callUname     = call{"uname", linuxUname}
	callRandom    = call{"getrandom", linuxRandom}
	callGetpid    = call{"getpid", one}
	callSetTID    = call{"set_tid_address", one}

	// What a start-up asks for and can do without here.
	callMunmap   = call{"munmap", zero}
	callMprotect = call{"mprotect", zero}
	callSigact   = call{"rt_sigaction", zero}
	callSigmask  = call{"rt_sigprocmask", zero}
	callFutex    = call{"futex", zero}
	callRobust   = call{"set_robust_list", zero}
	callReadlink = call{"readlink", func(*Host, *[6]uint32) (uint32, errno) { return 0, eNOENT }}
)

func zero(*Host, *[6]uint32) (uint32, errno) { return 0, noError }
func one(*Host, *[6]uint32) (uint32, errno)  { return 1, noError }

// ARM is the table of the ARM EABI.
var ARM = Table{
	1: callExit, 3: callRead, 4: callWrite, 5: callOpen, 6: callClose, 19: callLseek, 20: callGetpid,
	45: callBrk, 54: callIoctl, 78: callTimeOfDay, 85: callReadlink, 91: callMunmap, 122: callUname,
	125: callMprotect, 146: callWritev, 174: callSigact, 175: callSigmask, 192: callMmap,
	240: callFutex, 248: callExitGroup, 256: callSetTID, 263: callClock, 322: callOpenat,
	338: callRobust, 384: callRandom, 403: callClock64,
}

// Generic is the table of architectures without one of their own, such as RISC-V; newlib's
// libgloss adds open.
var Generic = Table{
	29: callIoctl, 56: callOpenat, 57: callClose, 62: callLseek, 63: callRead, 64: callWrite,
	66: callWritev, 78: callReadlink, 80: callFstat, 93: callExit, 94: callExitGroup, 96: callSetTID,
	98: callFutex, 99: callRobust, 113: callClock, 134: callSigact, 135: callSigmask, 160: callUname,
	169: callTimeOfDay, 172: callGetpid, 214: callBrk, 215: callMunmap, 222: callMmap,
	226: callMprotect, 278: callRandom, 403: callClock64, 1024: callOpen,
}

// Linux does system call nr and returns its answer: a value, or an error number negated.
func (h *Host) Linux(t Table, nr uint32, args [6]uint32) (uint32, error) {
	c, ok := t[nr]
	if !ok {
		return 0, unknownCall(uint64(nr))
	}
	v, e := c.do(h, &args)
	if e != noError {
		return e.negated(), nil
	}
	return v, nil
}

func unknownCall(nr uint64) error { return fmt.Errorf("system call %d is not known here", nr) }

// linuxWritev: descriptor, vector of address and length, number of them. What was written before an error counts.
func linuxWritev(h *Host, a *[6]uint32) (uint32, errno) {
	const most = 1024
	if a[2] > most {
		return 0, eINVAL
	}
	v, ok := h.words(a[1], int(2*a[2]))
	if !ok {
		return 0, eFAULT
	}
	total := uint32(0)
	for i := 0; i < len(v); i += 2 {
		n, e := h.write(a[0], v[i], v[i+1])
		if total += n; e != noError && total == 0 {
			return 0, e
		} else if e != noError || n < v[i+1] {
			break
		}
	}
	return total, noError
}

// linuxOpen opens for reading; the low two bits of flags are O_RDONLY = 0, and O_CREAT is 0o100.
func linuxOpen(h *Host, name, flags uint32) (uint32, errno) {
	text, ok := h.text(name)
	if !ok {
		return 0, eFAULT
	}
	return h.openFile(text, flags&3 != 0 || flags&0o100 != 0)
}

func linuxLseek(h *Host, a *[6]uint32) (uint32, errno) {
	if a[2] > 2 {
		return 0, eINVAL
	}
	at, e := h.seekTo(a[0], int64(int32(a[1])), int(a[2]))
	return uint32(at), e
}

// linuxFstat fills the parts of struct stat that a C library looks at: st_mode at byte 16, st_size
// at 48, st_blksize at 56, of 128 bytes.
func linuxFstat(h *Host, a *[6]uint32) (uint32, errno) {
	f, e := h.file(a[0])
	if e != noError {
		return 0, e
	}
	const regular, character = 0o100444, 0o020620
	var st [128]byte
	mode := uint32(regular)
	if f.terminal {
		mode = character
	}
	binary.LittleEndian.PutUint32(st[16:], mode)
	binary.LittleEndian.PutUint64(st[48:], uint64(f.size))
	binary.LittleEndian.PutUint32(st[56:], 1024)
	if !h.put(a[1], st[:]) {
		return 0, eFAULT
	}
	return 0, noError
}

// linuxBrk moves the end of the heap; what cannot be leaves it where it is.
func linuxBrk(h *Host, a *[6]uint32) (uint32, errno) {
	if a[0] >= h.layout.HeapBase && a[0] <= h.maps {
		h.clear(a[0], h.brk)
		h.brk = a[0]
	}
	return h.brk, noError
}

// clear makes the whole pages of [from, to) zero, so that what is given back is fresh when it is given again.
func (h *Host) clear(from, to uint32) {
	from = (from + pageSize - 1) &^ (pageSize - 1)
	if from < to {
		h.put(from, make([]byte, to-from))
	}
}

const pageSize = 4096

// linuxMmap gives fresh memory from the upper end of the heap. It is zero: none is given twice, and brk clears what
// it takes back.
func linuxMmap(h *Host, a *[6]uint32) (uint32, errno) {
	const anonymous = 0x20
	size := (uint64(a[1]) + pageSize - 1) &^ (pageSize - 1)
	if a[3]&anonymous == 0 || size == 0 {
		return 0, eNOSYS
	}
	top := h.maps &^ (pageSize - 1)
	if size > uint64(top-min(top, h.brk)) {
		return 0, eNOMEM
	}
	h.maps = top - uint32(size)
	return h.maps, noError
}

func linuxClock(h *Host, a *[6]uint32) (uint32, errno) {
	now := h.now()
	return h.putWords(a[1], uint32(now/Hertz), uint32(now%Hertz*(1e9/Hertz)))
}

func linuxClock64(h *Host, a *[6]uint32) (uint32, errno) {
	now := h.now()
	return h.putWords(a[1], uint32(now/Hertz), 0, uint32(now%Hertz*(1e9/Hertz)), 0)
}

func linuxTimeOfDay(h *Host, a *[6]uint32) (uint32, errno) {
	now := h.now()
	return h.putWords(a[0], uint32(now/Hertz), uint32(now%Hertz/(Hertz/1e6)))
}

func (h *Host) putWords(addr uint32, list ...uint32) (uint32, errno) {
	var p []byte
	for _, v := range list {
		p = binary.LittleEndian.AppendUint32(p, v)
	}
	if !h.put(addr, p) {
		return 0, eFAULT
	}
	return 0, noError
}

// linuxUname fills the six fields of 65 bytes of struct utsname.
func linuxUname(h *Host, a *[6]uint32) (uint32, errno) {
	const field = 65
	var p [6 * field]byte
	for i, s := range []string{"Linux", "simrun", "5.0.0", "#1", "simulated", ""} {
		copy(p[i*field:], s)
	}
	if !h.put(a[0], p[:]) {
		return 0, eFAULT
	}
	return 0, noError
}

// linuxRandom fills a buffer, always with the same bytes.
func linuxRandom(h *Host, a *[6]uint32) (uint32, errno) {
	n := min(a[1], pageSize)
	for i := range n {
		h.random = h.random*1664525 + 1013904223
		if !h.put(a[0]+i, []byte{byte(h.random >> 24)}) {
			return 0, eFAULT
		}
	}
	return n, noError
}
