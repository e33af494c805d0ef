package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	data, err := ReadFile(name, 5)
	if err != nil || string(data) != "12345" {
		t.Errorf("read %q, %v", data, err)
	}
	if _, err := ReadFile(name, 4); err == nil || !strings.Contains(err.Error(), "larger than 4 bytes") {
		t.Errorf("over the limit: %v", err)
	}
	_, err = ReadFile(filepath.Join(dir, "absent"), 5)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), "absent: no such file or directory") {
		t.Errorf("absent: %v", err)
	}
	if _, err := ReadFile("", 5); err == nil || strings.Contains(err.Error(), "stat") {
		t.Errorf("no name: %v", err)
	}
}

// TestEndlessFiles reads what has no end or never begins.
func TestEndlessFiles(t *testing.T) {
	dir := t.TempDir()
	link, pipe := filepath.Join(dir, "zero"), filepath.Join(dir, "pipe")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Skip(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{link: "a device", pipe: "a pipe", dir: "a folder"} {
		done := make(chan error, 2)
		go func() {
			_, err := ReadFile(name, 100)
			done <- err
			_, err = ReadFS(os.DirFS(filepath.Dir(name)), filepath.Base(name), 100)
			done <- err
		}()
		for range 2 {
			select {
			case err := <-done:
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %s", name, err, want)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("%s: still reading", name)
			}
		}
	}
}

func TestReadFS(t *testing.T) {
	fsys := fstest.MapFS{"a": {Data: []byte("123")}}
	if data, err := ReadFS(fsys, "a", 3); err != nil || string(data) != "123" {
		t.Errorf("read %q, %v", data, err)
	}
	if _, err := ReadFS(fsys, "../a", 3); err == nil || strings.Contains(err.Error(), "invalid argument") {
		t.Errorf("escape: %v", err)
	}
}

func TestClip(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "Grüße": "Grüße", "a\x1b[2Jb": `a\x1b[2Jb`, "x\xffy": `x\xffy`, "a\nb": `a\nb`, "\u202eabc": `\u202eabc`,
	} {
		if got := Clip(in); got != want {
			t.Errorf("Clip(%q) = %q, want %q", in, got, want)
		}
	}
	long := Clip(strings.Repeat("é", 1<<19))
	if len(long) > longest || !strings.Contains(long, "...") {
		t.Errorf("%d bytes: %s", len(long), long)
	}
}

func TestFew(t *testing.T) {
	if got := Few([]string{"a", "b"}); got != "a, b" {
		t.Error(got)
	}
	got := Few(make([]string, 15_000))
	if !strings.HasSuffix(got, " and 14988 more") {
		t.Error(got)
	}
}
