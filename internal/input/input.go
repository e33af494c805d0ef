// Package input reads files that users name, whole and within a limit, and makes their words
// fit for a message. It knows no file format, only how the readers of JSON and TOML speak of mistakes.
package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Limits of the kinds of files, in bytes.
const (
	MaxText    = 1 << 20  // kernel, CPU and schedule files, assembly text
	MaxVectors = 64 << 20 // test vectors
	MaxProgram = 64 << 20 // ELF files
)

// ReadFile reads a regular file of at most limit bytes. Pipes, devices and folders are refused by
// name before they are opened: reading them could wait forever or never end. Errors are one line
// that begins with the name.
func ReadFile(name string, limit int64) ([]byte, error) {
	return read(name, limit, func() (fs.FileInfo, error) { return os.Stat(name) }, func() (fs.File, error) { return os.Open(name) })
}

// ReadFS is ReadFile in a file system.
func ReadFS(fsys fs.FS, name string, limit int64) ([]byte, error) {
	return read(name, limit, func() (fs.FileInfo, error) { return fs.Stat(fsys, name) }, func() (fs.File, error) { return fsys.Open(name) })
}

func read(name string, limit int64, stat func() (fs.FileInfo, error), open func() (fs.File, error)) ([]byte, error) {
	if name == "" {
		return nil, errors.New("a file name is missing: it is empty")
	}
	info, err := stat()
	if err != nil {
		return nil, plain(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, &FileError{name, fmt.Errorf("%s cannot be read here: give a regular file", kind(info.Mode()))}
	}
	tooLarge := &FileError{name, fmt.Errorf("larger than %s, the most that is read of such a file", size(limit))}
	if info.Size() > limit {
		return nil, tooLarge
	}
	f, err := open()
	if err != nil {
		return nil, plain(name, err)
	}
	defer f.Close()
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	n, err := data.ReadFrom(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, plain(name, err)
	}
	if n > limit {
		return nil, tooLarge
	}
	return data.Bytes(), nil
}

// kind names a file that is not regular.
func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

func size(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// FileError is a file that cannot be read: "NAME: why". It unwraps to the cause, so that
// errors.Is finds fs.ErrNotExist.
type FileError struct {
	Name string
	Err  error
}

func (e *FileError) Error() string { return Clip(e.Name) + ": " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// plain drops the name of the system call.
func plain(name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if errors.Is(err, fs.ErrInvalid) {
		err = errors.New("the path leaves the folder, or is none")
	}
	return &FileError{name, err}
}

// SameFile reports whether two names are those of one file; files that do not exist yet are
// compared by path.
func SameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y)
	}
	return filepath.Clean(a) == filepath.Clean(b)
}

// NoBOM drops the byte order mark that some editors put before UTF-8 text.
func NoBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }
