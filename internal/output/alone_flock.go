//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package output

import (
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// patience is how long Alone waits for others.
const patience = time.Minute

// Alone does what reads and replaces the file of that name while no other process does that in its folder. It waits for
// them, but not for ever, and leaves nothing behind if it is killed.
func Alone(name string, do func() error) error {
	if file, err := filepath.EvalSymlinks(name); err == nil {
		name = file
	}
	folder, err := os.Open(filepath.Dir(name))
	if err != nil {
		return do() // what is wrong shows when the file is written
	}
	defer folder.Close()
	for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			break // it is locked now, or cannot be
		}
	}
	return do()
}
