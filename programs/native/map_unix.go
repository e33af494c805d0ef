//go:build unix && (amd64 || arm64)

package native

import "golang.org/x/sys/unix"

// mapCode maps size bytes, has them filled and makes them executable.
func mapCode(size int, fill func([]byte)) ([]byte, error) {
	mem, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	fill(mem)
	if err := unix.Mprotect(mem, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		unix.Munmap(mem)
		return nil, err
	}
	syncCode(address(mem), uintptr(size))
	return mem, nil
}

func unmapCode(mem []byte) error { return unix.Munmap(mem) }
