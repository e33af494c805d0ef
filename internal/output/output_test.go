package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("f", link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(name)
	info, _ := os.Lstat(link)
	file, _ := os.Stat(name)
	if string(got) != "new" || info.Mode()&os.ModeSymlink == 0 || file.Mode().Perm() != 0o600 {
		t.Errorf("%q through %v, now %v", got, info.Mode(), file.Mode())
	}
	if err := WriteFile(dir, nil); err == nil {
		t.Error("a folder was written")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tmp*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestDevice writes to devices, which must stay what they are.
func TestDevice(t *testing.T) {
	full, null := filepath.Join(t.TempDir(), "full"), filepath.Join(t.TempDir(), "null")
	if os.Symlink("/dev/full", full) != nil || os.Symlink("/dev/null", null) != nil {
		t.Skip("no symbolic links")
	}
	if err := WriteFile(full, []byte("x")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("full device: %v", err)
	}
	if err := WriteFile(null, []byte("x")); err != nil {
		t.Errorf("null device: %v", err)
	}
	if info, err := os.Lstat(full); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the device was replaced: %v %v", info, err)
	}
}

func TestWriteFails(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	want := errors.New("no")
	if err := Write(name, func(io.Writer) error { return want }); !errors.Is(err, want) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a file was made")
	}
}
