package native

import (
	"bufio"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// cpuModel returns the model name that the kernel gives, with family and model where the name
// alone says little.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	fields := map[string]string{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		key, value, ok := strings.Cut(sc.Text(), ":")
		if !ok {
			break // the end of the first CPU
		}
		fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	if name := fields["model name"]; name != "" {
		return name + " (family " + fields["cpu family"] + " model " + fields["model"] + ")"
	}
	if part := fields["CPU part"]; part != "" {
		return runtime.GOARCH + " implementer " + fields["CPU implementer"] + " part " + part
	}
	return runtime.GOARCH
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
