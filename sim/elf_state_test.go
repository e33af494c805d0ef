package sim_test

import (
	"strings"
	"testing"

	"simrun/isa/all"
	"simrun/sim"
)

// TestARMStateIsRefused builds code that a Thumb-only core cannot run, as an object and linked.
func TestARMStateIsRefused(t *testing.T) {
	tc := toolchain{"t32", "arm-none-eabi-gcc", []string{"-marm", "-march=armv7-a"}}
	for name, flags := range map[string][]string{
		"object": {"-c"}, "linked": {"-Wl,-Ttext=0x8000", "-Wl,-e0x8000", "-lgcc"},
	} {
		_, err := sim.LoadELF(tc.build(t, name, flags...), all.Archs(), sim.DefaultPlace)
		if err == nil || !strings.Contains(err.Error(), "has ARM code") || !strings.Contains(err.Error(), "-mthumb") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDamageIsSaidPlainly makes sure that no words of Go's ELF reader come out.
func TestDamageIsSaidPlainly(t *testing.T) {
	tc := toolchains[0]
	whole := tc.build(t, "whole.o", "-c")
	version := append([]byte(nil), whole...)
	version[6] = 9
	for name, data := range map[string][]byte{
		"version": version, "cut": whole[:60], "text": []byte("some text"), "empty": nil,
	} {
		_, err := sim.LoadELF(data, all.Archs(), sim.DefaultPlace)
		if err == nil || !strings.HasPrefix(err.Error(), "not a whole ELF file: it") || strings.Contains(err.Error(), "record") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
