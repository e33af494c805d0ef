//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package output

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAlone: what reads and replaces a file, by its name or through a link, loses nothing that others do with it.
func TestAlone(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "f"), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, nil); err != nil {
		t.Fatal(err)
	}
	const writers = 8
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			by := []string{name, link}[i%2]
			if err := Alone(by, func() error {
				data, err := os.ReadFile(by)
				if err != nil {
					return err
				}
				time.Sleep(5 * time.Millisecond)
				return WriteFile(by, append(data, 'x'))
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if data, err := os.ReadFile(name); err != nil || string(data) != strings.Repeat("x", writers) {
		t.Errorf("%q, %v", data, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := Alone(filepath.Join(dir, "nothing", "f"), func() error { return nil }); err != nil {
		t.Error(err)
	}
}
