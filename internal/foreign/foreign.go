// Package foreign finds the public tools that tests compare with: GNU tools and
// libraries, and QEMU. They are optional on a user's machine and required in CI.
package foreign

import (
	"os"
	"os/exec"
	"testing"
)

// Tool returns the path of the named tool. If it is not installed the test is skipped with
// the name of what could not be compared; with CI=true it fails instead.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		absent(t, name)
	}
	return path
}

// File is Tool for what brings no command, such as a library.
func File(t testing.TB, path string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		absent(t, path)
	}
}

func absent(t testing.TB, name string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed: required in CI, see .ci/run", name)
	}
	t.Skipf("not compared with %s: it is not installed", name)
}

// Long reports whether the long form of the tests was asked for (make test-long).
func Long() bool { return os.Getenv("SIMRUN_LONG") == "1" }

// Count returns short, or long when the long form was asked for.
func Count(short, long int) int {
	if Long() {
		return long
	}
	return short
}
