package bench

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"simrun/isa"
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

// TestPlaceAgain: a program at another place has the same inputs and does the same; one that does
// something else there is found out.
func TestPlaceAgain(t *testing.T) {
	if host, err := HostISA(); err != nil || host != "x86" {
		t.Skip("no kernel is compiled for this computer")
	}
	s := find(t, "gift64/fixsliced")
	p, err := Cell{Subject: s, CPU: load(t, "x86-64-ssse3")}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	open := func() *nativeProgram {
		n, err := mapNative(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { n.code.Close() })
		return n
	}
	n := open()
	if _, err := s.check(p, n); err != nil {
		t.Fatal(err)
	}
	code, ctx, err := n.placeAgain(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer code.Close()
	if code == n.code || ctx == n.ctx {
		t.Error("not at another place")
	}
	buffers := isa.AlignUp(p.Context.Size, bufferAlign)
	if !bytes.Equal(ctx.Bytes()[buffers:], n.ctx.Bytes()[buffers:]) {
		t.Error("the buffers differ")
	}
	bad := open()
	for _, f := range p.Context.Fields { // all pointers lead to the last buffer
		if err := bad.ctx.PutAddr(f.Offset, len(bad.ctx.Bytes())-bad.buffers[f.Name].n); err != nil {
			t.Fatal(err)
		}
	}
	if err := n.callBoth(bad); err == nil || !strings.Contains(err.Error(), "another result") {
		t.Errorf("a program that does something else: error %v", err)
	}
}
