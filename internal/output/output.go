// Package output writes the files that commands make. It knows no format.
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes data to the file of that name. A regular file is replaced in one step, so that a
// kill or a full disk leaves the old one; through a symbolic link it is the file behind that is replaced.
// What is no regular file (a pipe, a device) is written to as it is. Errors are one line: NAME: why.
func WriteFile(name string, data []byte) error {
	err := put(name, data)
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func put(name string, data []byte) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a folder")
	case err == nil && !info.Mode().IsRegular():
		return writeTo(name, data)
	case err == nil:
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
		return replace(name, data, info.Mode().Perm())
	}
	return replace(name, data, 0o644)
}

// Write is WriteFile for what is made by a function.
func Write(name string, write func(io.Writer) error) error {
	var data bytes.Buffer
	if err := write(&data); err != nil {
		return err
	}
	return WriteFile(name, data.Bytes())
}

func writeTo(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}

func replace(name string, data []byte, perm os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".tmp*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once renamed
	_, err = f.Write(data)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Chmod(f.Name(), perm)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}
