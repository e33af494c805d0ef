package host

import "encoding/binary"

// Linux system calls of 64-bit programs, as far as statically linked C programs start, write and exit. All memory
// of a program lies below 4 GiB; an address above is one that faults. Structures are those of x86-64.

// Table64 is the numbers of system calls of a 64-bit architecture.
type Table64 map[uint64]call64

// call64 is one system call. a holds the six argument registers. An int is in the low half of its register.
type call64 func(h *Host, a *[6]uint64) (uint64, errno)

// AMD64 is the table of x86-64.
var AMD64 = Table64{
	0: read64, 1: write64, 2: open64(0), 3: close64, 4: stat64(0), 5: fstat64, 6: stat64(0) /* lstat */, 8: lseek64, 9: mmap64, 12: brk64,
	20: writev64, 60: exit64, 62: kill64(1), 63: uname64, 72: fcntl64, 79: getcwd64, 96: timeOfDay64, 97: getrlimit64, 158: archPrctl,
	200: kill64(1) /* tkill */, 201: time64, 228: clock64, 231: exit64, 234: kill64(2) /* tgkill */, 257: open64(1), 262: fstatat64,
	302: prlimit64, 318: random64,

	// What a start-up asks for and can do without here.
	10:  zero64,          // mprotect
	11:  zero64,          // munmap
	13:  zero64,          // rt_sigaction
	14:  zero64,          // rt_sigprocmask
	16:  fails64(eNOTTY), // ioctl
	21:  fails64(eNOENT), // access
	24:  zero64,          // sched_yield
	25:  fails64(eNOMEM), // mremap
	28:  zero64,          // madvise
	35:  zero64,          // nanosleep
	39:  one64,           // getpid
	89:  fails64(eNOENT), // readlink
	102: zero64,          // getuid
	104: zero64,          // getgid
	107: zero64,          // geteuid
	108: zero64,          // getegid
	110: one64,           // getppid
	131: zero64,          // sigaltstack
	186: one64,           // gettid
	202: zero64,          // futex
	218: one64,           // set_tid_address
	230: zero64,          // clock_nanosleep
	267: fails64(eNOENT), // readlinkat
	273: zero64,          // set_robust_list
	334: fails64(eNOSYS), // rseq
}

// Linux64 is Linux for 64-bit programs.
func (h *Host) Linux64(t Table64, nr uint64, args [6]uint64) (uint64, error) {
	do, ok := t[nr]
	if !ok {
		return 0, unknownCall(nr)
	}
	v, e := do(h, &args)
	if e != noError {
		return -uint64(e), nil
	}
	return v, nil
}

func zero64(*Host, *[6]uint64) (uint64, errno) { return 0, noError }
func one64(*Host, *[6]uint64) (uint64, errno)  { return 1, noError }

func fails64(e errno) call64 { return func(*Host, *[6]uint64) (uint64, errno) { return 0, e } }

// low checks that addresses and lengths have 32 bits.
func low(list ...uint64) bool {
	for _, v := range list {
		if v>>32 != 0 {
			return false
		}
	}
	return true
}

func read64(h *Host, a *[6]uint64) (uint64, errno) {
	if !low(a[1], a[2]) {
		return 0, eFAULT
	}
	n, e := h.read(uint32(a[0]), uint32(a[1]), uint32(a[2]))
	return uint64(n), e
}

func write64(h *Host, a *[6]uint64) (uint64, errno) {
	if !low(a[1], a[2]) {
		return 0, eFAULT
	}
	n, e := h.write(uint32(a[0]), uint32(a[1]), uint32(a[2]))
	return uint64(n), e
}

// writev64: descriptor, vector of address and length, number of them.
func writev64(h *Host, a *[6]uint64) (uint64, errno) {
	const most = 1024
	if a[2] > most {
		return 0, eINVAL
	}
	total := uint64(0)
	for i := range a[2] {
		v, ok := h.longs(a[1]+16*i, 2)
		if !ok {
			return 0, eFAULT
		}
		n, e := write64(h, &[6]uint64{a[0], v[0], v[1]})
		if total += n; e != noError && total == 0 {
			return 0, e
		} else if e != noError || n < v[1] {
			break
		}
	}
	return total, noError
}

// longs reads n 64-bit words at addr, putLongs writes some.
func (h *Host) longs(addr uint64, n int) ([]uint64, bool) {
	list := make([]uint64, n)
	for i := range list {
		var ok bool
		if list[i], ok = h.mem.Load64(addr + 8*uint64(i)); !ok {
			return nil, false
		}
	}
	return list, true
}

func (h *Host) putLongs(addr uint64, list ...uint64) (uint64, errno) {
	var p []byte
	for _, v := range list {
		p = binary.LittleEndian.AppendUint64(p, v)
	}
	return h.put64(addr, p)
}

func (h *Host) put64(addr uint64, p []byte) (uint64, errno) {
	if !low(addr) || !h.put(uint32(addr), p) {
		return 0, eFAULT
	}
	return 0, noError
}

// open64 is open with the name as argument at, the flags behind it.
func open64(at int) call64 {
	return func(h *Host, a *[6]uint64) (uint64, errno) {
		if !low(a[at]) {
			return 0, eFAULT
		}
		fd, e := linuxOpen(h, uint32(a[at]), uint32(a[at+1]))
		return uint64(fd), e
	}
}

func close64(h *Host, a *[6]uint64) (uint64, errno) { return 0, h.close(uint32(a[0])) }

func lseek64(h *Host, a *[6]uint64) (uint64, errno) {
	if a[2] > 2 {
		return 0, eINVAL
	}
	at, e := h.seekTo(uint32(a[0]), int64(a[1]), int(a[2]))
	return uint64(at), e
}

// putStat fills the parts of struct stat that a C library looks at: st_nlink at byte 16, st_mode at 24, st_size at 48,
// st_blksize at 56, of 144 bytes.
func (h *Host) putStat(f *file, addr uint64) (uint64, errno) {
	const regular, character = 0o100444, 0o020620
	var st [144]byte
	mode := uint32(regular)
	if f.terminal {
		mode = character
	}
	st[16] = 1
	binary.LittleEndian.PutUint32(st[24:], mode)
	binary.LittleEndian.PutUint64(st[48:], uint64(f.size))
	binary.LittleEndian.PutUint32(st[56:], 1024)
	return h.put64(addr, st[:])
}

func fstat64(h *Host, a *[6]uint64) (uint64, errno) {
	f, e := h.file(uint32(a[0]))
	if e != noError {
		return 0, e
	}
	return h.putStat(f, a[1])
}

// stat64 is stat with the name as argument at, the buffer behind it.
func stat64(at int) call64 {
	return func(h *Host, a *[6]uint64) (uint64, errno) {
		fd, e := open64(0)(h, &[6]uint64{a[at]})
		if e != noError {
			return 0, e
		}
		defer h.close(uint32(fd))
		return fstat64(h, &[6]uint64{fd, a[at+1]})
	}
}

// fstatat64: directory, name, buffer, flags. An empty name with AT_EMPTY_PATH means the descriptor.
func fstatat64(h *Host, a *[6]uint64) (uint64, errno) {
	const emptyPath = 0x1000
	if c, ok := h.mem.Load8(a[1]); ok && c == 0 && a[3]&emptyPath != 0 {
		return fstat64(h, &[6]uint64{a[0], a[2]})
	}
	return stat64(1)(h, a)
}

// fcntl64 knows the flags of descriptors and of files, which nothing changes.
func fcntl64(h *Host, a *[6]uint64) (uint64, errno) {
	const getFD, setFD, getFL = 1, 2, 3
	f, e := h.file(uint32(a[0]))
	switch {
	case e != noError:
		return 0, e
	case a[1] == getFD || a[1] == setFD:
		return 0, noError
	case a[1] == getFL && f.w != nil:
		return 1, noError // O_WRONLY
	case a[1] == getFL:
		return 0, noError
	}
	return 0, eINVAL
}

// getcwd64 shows the folder whose files may be read as the root.
func getcwd64(h *Host, a *[6]uint64) (uint64, errno) {
	if _, e := h.put64(a[0], []byte("/\x00")); e != noError {
		return 0, e
	}
	return 2, noError
}

// brk64: what cannot be leaves the end of the heap where it is.
func brk64(h *Host, a *[6]uint64) (uint64, errno) {
	if !low(a[0]) {
		return uint64(h.brk), noError
	}
	v, e := linuxBrk(h, &[6]uint32{uint32(a[0])})
	return uint64(v), e
}

func mmap64(h *Host, a *[6]uint64) (uint64, errno) {
	const fixed = 0x10
	switch {
	case a[3]&fixed != 0:
		return 0, eINVAL
	case !low(a[1]):
		return 0, eNOMEM
	}
	v, e := linuxMmap(h, &[6]uint32{0, uint32(a[1]), uint32(a[2]), uint32(a[3])})
	return uint64(v), e
}

func exit64(h *Host, a *[6]uint64) (uint64, errno) {
	h.End(int(a[0]&0xff), "exit system call")
	return 0, noError
}

// kill64 ends the program as a shell shows a signal, whose number is argument at. There is no other process.
func kill64(at int) call64 {
	return func(h *Host, a *[6]uint64) (uint64, errno) {
		if a[at] != 0 {
			h.End(int(128+a[at]&0x7f), "signal")
		}
		return 0, noError
	}
}

// archPrctl sets and tells the base of FS.
func archPrctl(h *Host, a *[6]uint64) (uint64, errno) {
	const setFS = 0x1002
	if a[0] != setFS || h.config.SetThread == nil {
		return 0, eINVAL
	}
	h.config.SetThread(a[1])
	return 0, noError
}

func uname64(h *Host, a *[6]uint64) (uint64, errno) {
	if !low(a[0]) {
		return 0, eFAULT
	}
	v, e := linuxUname(h, &[6]uint32{uint32(a[0])})
	return uint64(v), e
}

func random64(h *Host, a *[6]uint64) (uint64, errno) {
	if !low(a[0]) {
		return 0, eFAULT
	}
	v, e := linuxRandom(h, &[6]uint32{uint32(a[0]), uint32(min(a[1], pageSize))})
	return uint64(v), e
}

func clock64(h *Host, a *[6]uint64) (uint64, errno) {
	now := h.now()
	return h.putLongs(a[1], now/Hertz, now%Hertz*(1e9/Hertz))
}

func timeOfDay64(h *Host, a *[6]uint64) (uint64, errno) {
	now := h.now()
	return h.putLongs(a[0], now/Hertz, now%Hertz/(Hertz/1e6))
}

func time64(h *Host, a *[6]uint64) (uint64, errno) {
	now := h.now() / Hertz
	if a[0] != 0 {
		if _, e := h.putLongs(a[0], now); e != noError {
			return 0, e
		}
	}
	return now, noError
}

// limit64 is the limit of a resource: the stack's is its size.
func (h *Host) limit64(resource uint64) uint64 {
	const stack, files = 3, 7
	switch resource {
	case stack:
		return uint64(h.layout.StackBase - h.layout.StackLimit)
	case files:
		return maxFiles
	}
	return ^uint64(0)
}

func getrlimit64(h *Host, a *[6]uint64) (uint64, errno) {
	v := h.limit64(a[0])
	return h.putLongs(a[1], v, v)
}

// prlimit64: process, resource, new limits, old limits. New ones are taken and change nothing.
func prlimit64(h *Host, a *[6]uint64) (uint64, errno) {
	if a[3] == 0 {
		return 0, noError
	}
	return getrlimit64(h, &[6]uint64{a[1], a[3]})
}
