package bench

import (
	"errors"
	"strings"
	"testing"

	"simrun/programs/native"
	"simrun/programs/targets"
)

// TestHostISA: a computer without a compiler target says so, and callers see that nothing is measured.
func TestHostISA(t *testing.T) {
	if name, err := hostISA("amd64"); name != "x86" || err != nil {
		t.Errorf("amd64: %q, %v", name, err)
	}
	if name, err := hostISA("mips"); name != "" || !errors.Is(err, native.ErrUnsupported) {
		t.Errorf("mips: %q, %v", name, err)
	}
	for goarch, name := range hostISAs {
		_, missing := targets.For(name)
		_, err := hostISA(goarch)
		if (missing != nil) != errors.Is(err, native.ErrUnsupported) {
			t.Errorf("%s: %v, but the target: %v", goarch, err, missing)
		}
		if missing != nil && !strings.Contains(err.Error(), missing.Error()) {
			t.Errorf("%s: %v does not say what is missing", goarch, err)
		}
	}
}
