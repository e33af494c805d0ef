package x86

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestBadEnvironment runs TestImage in a process of its own under each value that golang-asm would
// abort over: this package must have imported the cure.
func TestBadEnvironment(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"GOARM=7,softfloat", "GOMIPS=frob", "GOMIPS64=frob", "GOPPC64=power10", "GOWASM=foo", "GOOS=wasip1"} {
		cmd := exec.Command(exe, "-test.run=^TestImage$", "-test.v")
		cmd.Env = append(os.Environ(), v)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestImage") {
			t.Errorf("with %s: %v: %s", v, err, out)
		}
	}
}
