package native

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ThisHost is this computer's processor, as the kernel describes it.
func ThisHost() Host {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return Host{}
	}
	defer f.Close()
	return readCPUInfo(f)
}

// pin keeps the thread on the CPU it is on, if that is allowed; unpin undoes it.
func pin() (unpin func()) {
	var old, one unix.CPUSet
	if unix.SchedGetaffinity(0, &old) != nil {
		return func() {}
	}
	var cpu uint32
	_, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0)
	if errno != 0 || !old.IsSet(int(cpu)) {
		return func() {}
	}
	one.Set(int(cpu))
	if unix.SchedSetaffinity(0, &one) != nil {
		return func() {}
	}
	return func() { unix.SchedSetaffinity(0, &old) }
}
