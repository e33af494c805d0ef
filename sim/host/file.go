package host

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// errno is a Linux error number.
type errno uint32

const (
	noError errno = 0
	eNOENT  errno = 2
	eBADF   errno = 9
	eNOMEM  errno = 12
	eACCES  errno = 13
	eFAULT  errno = 14
	eINVAL  errno = 22
	eMFILE  errno = 24
	eNOTTY  errno = 25
	eNOSPC  errno = 28
	eSPIPE  errno = 29
	eROFS   errno = 30
	ePIPE   errno = 32
	eNOSYS  errno = 38
)

// negated is how a system call answers with an error.
func (e errno) negated() uint32 { return -uint32(e) }

// maxFiles bounds the files that are open at a time.
const maxFiles = 64

// file is an open file of the program.
type file struct {
	name     string
	r        io.Reader
	w        io.Writer
	seek     io.Seeker
	close    io.Closer
	size     int64
	terminal bool
}

// open gives the next free descriptor to f.
func (h *Host) open(f *file) (uint32, errno) {
	for fd, old := range h.files {
		if old == nil {
			h.files[fd] = f
			return uint32(fd), noError
		}
	}
	if len(h.files) >= maxFiles {
		return 0, eMFILE
	}
	h.files = append(h.files, f)
	return uint32(len(h.files) - 1), noError
}

// openFile opens a regular file of the folder for reading. Links out of it are not followed.
func (h *Host) openFile(name string, writes bool) (uint32, errno) {
	switch {
	case writes:
		return 0, eROFS
	case !h.local(name):
		return 0, eACCES
	}
	root, err := os.OpenRoot(h.config.Dir)
	if err != nil {
		return 0, eACCES
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, eNOENT
	case err != nil || !info.Mode().IsRegular(): // opening a pipe would wait
		return 0, eACCES
	}
	f, err := root.Open(name)
	if err != nil {
		return 0, eACCES
	}
	fd, e := h.open(&file{name: name, r: f, seek: f, close: f, size: info.Size()})
	if e != noError {
		f.Close()
	}
	return fd, e
}

// openBytes opens a file whose content is given.
func (h *Host) openBytes(name, content string) (uint32, errno) {
	r := strings.NewReader(content)
	return h.open(&file{name: name, r: r, seek: r, size: r.Size()})
}

func (h *Host) file(fd uint32) (*file, errno) {
	if fd >= uint32(len(h.files)) || h.files[fd] == nil {
		return nil, eBADF
	}
	return h.files[fd], noError
}

func (h *Host) close(fd uint32) errno {
	f, e := h.file(fd)
	if e != noError {
		return e
	}
	if f.close != nil {
		f.close.Close()
	}
	h.files[fd] = nil
	return noError
}

// read reads at most n bytes to addr and returns how many there were.
func (h *Host) read(fd, addr, n uint32) (uint32, errno) {
	f, e := h.file(fd)
	if e != noError {
		return 0, e
	}
	if f.r == nil {
		return 0, eBADF
	}
	if n == 0 {
		return 0, noError
	}
	room, err := h.mem.Read(uint64(addr), int(n))
	if err != nil {
		return 0, eFAULT
	}
	got, err := f.r.Read(room)
	if got == 0 && err != nil {
		return 0, noError
	}
	if !h.put(addr, room[:got]) {
		return 0, eFAULT
	}
	return uint32(got), noError
}

// write writes n bytes at addr.
func (h *Host) write(fd, addr, n uint32) (uint32, errno) {
	f, e := h.file(fd)
	if e != noError {
		return 0, e
	}
	if f.w == nil {
		return 0, eBADF
	}
	if n == 0 {
		return 0, noError
	}
	p, err := h.mem.Read(uint64(addr), int(n))
	if err != nil {
		return 0, eFAULT
	}
	done, err := f.w.Write(p)
	if err != nil && done == 0 {
		return 0, writeError(err)
	}
	return uint32(done), noError
}

// writeError is the number of an error of an output: a closed pipe, or one that takes no more.
func writeError(err error) errno {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return ePIPE
	}
	return eNOSPC
}

// seekTo moves the position of a file; whence is that of io.Seeker.
func (h *Host) seekTo(fd uint32, off int64, whence int) (int64, errno) {
	f, e := h.file(fd)
	if e != noError {
		return 0, e
	}
	if f.seek == nil {
		return 0, eSPIPE
	}
	at, err := f.seek.Seek(off, whence)
	if err != nil {
		return 0, eINVAL
	}
	return at, noError
}
