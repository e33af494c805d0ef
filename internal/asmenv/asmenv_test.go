package asmenv

import (
	"os"
	"os/exec"
	"testing"
)

var names = []string{"GOARM", "GOMIPS", "GOMIPS64", "GOPPC64", "GOWASM", "GOOS"}

// TestUnset starts this test again in an environment where all six are set. That this happens in time for
// golang-asm is tested where that is imported, in isa/x86.
func TestUnset(t *testing.T) {
	if os.Getenv("ASMENV_CHILD") != "" {
		for _, name := range names {
			if v, ok := os.LookupEnv(name); ok {
				t.Errorf("%s is still %q", name, v)
			}
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestUnset$", "-test.v")
	cmd.Env = append(os.Environ(), "ASMENV_CHILD=1")
	for _, name := range names {
		cmd.Env = append(cmd.Env, name+"=frob")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
