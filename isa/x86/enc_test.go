package x86

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// regsFor returns the registers a test uses for a slot: enough to reach every encoding case.
var testGPRs = []isa.Reg{RAX, RCX, RSP, RBP, RSI, R8, R12, R13, R15}

// randomInst fills the slots of a row.
func randomInst(rng *rand.Rand, r *row) isa.Inst {
	in := isa.Inst{Form: &r.Form}
	for _, o := range r.operands {
		if o.slot < 0 {
			continue
		}
		switch o.what {
		case opReg:
			in.Args[o.slot] = int64(testGPRs[rng.IntN(len(testGPRs))])
		case opXmm:
			in.Args[o.slot] = int64(XMM(rng.IntN(16)))
		case opImm:
			in.Args[o.slot] = randomImm(rng, o.size)
		case opMem:
			randomMem(rng, in.Args[o.slot:])
		case opRel:
			in.Args[o.slot] = 0x1000 + int64(rng.IntN(1024)) - 512
		}
	}
	return in
}

func randomImm(rng *rand.Rand, size int) int64 {
	v := int64(rng.Uint64()) >> rng.IntN(64)
	switch size {
	case 1:
		return v & 0xff
	case 2:
		return int64(int16(v))
	case 4:
		return int64(int32(v))
	}
	return v
}

func randomMem(rng *rand.Rand, m []int64) {
	m[0], m[1], m[2], m[3] = int64(testGPRs[rng.IntN(len(testGPRs))]), int64(isa.NoReg), 1, randomImm(rng, 4)
	if rng.IntN(2) == 0 {
		m[3] = int64(int8(m[3]))
	}
	switch rng.IntN(8) {
	case 0:
		m[0] = int64(RIP)
		return
	case 1:
		m[0] = int64(isa.NoReg)
	case 2:
		m[3] = 0
	}
	if rng.IntN(2) == 0 {
		m[1], m[2] = int64(testGPRs[rng.IntN(len(testGPRs))]), 1<<rng.IntN(4)
		if m[1] == int64(RSP) {
			m[1] = int64(RDI)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	a := New()
	for _, r := range rows {
		for range foreign.Count(60, 2000) {
			in := randomInst(rng, r)
			code, err := a.Encode(in, 0x1000)
			if err != nil {
				t.Errorf("%s: %v: %v", r.ID, in.Args, err)
				break
			}
			got, n, err := a.Decode(code, 0x1000)
			if err != nil || n != len(code) || got != in {
				t.Errorf("%s %v -> % x -> %+v (%d bytes), %v", r.ID, in.Args, code, got.Args, n, err)
				break
			}
		}
	}
}

// gnu assembles text with the public assembler and returns its .text.
func gnu(t *testing.T, text string) []byte {
	t.Helper()
	as, objcopy := foreign.Tool(t, "as"), foreign.Tool(t, "objcopy")
	dir := t.TempDir()
	src, obj, bin := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o"), filepath.Join(dir, "a.bin")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range [][]string{{as, "--64", "-o", obj, src}, {objcopy, "-O", "binary", "-j", ".text", obj, bin}} {
		if out, err := exec.Command(cmd[0], cmd[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
	}
	code, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestGNU(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	a := New()
	var text strings.Builder
	var want []byte
	text.WriteString(a.Prologue() + "\n")
	type at struct {
		off  int
		in   isa.Inst
		code []byte
	}
	var list []at
	for _, r := range rows {
		if r.relative() {
			continue
		}
		for range foreign.Count(60, 2000) {
			in := randomInst(rng, r)
			code, err := a.Encode(in, 0)
			if err != nil {
				t.Errorf("%s: %v: %v", r.ID, in.Args, err)
				break
			}
			list = append(list, at{len(want), in, code})
			want = append(want, code...)
			text.WriteString(a.Print(in) + "\n")
		}
	}
	got := gnu(t, text.String())
	bad := map[string]bool{}
	off := 0
	for _, x := range list {
		end := off + len(x.code)
		if end > len(got) || string(got[off:end]) != string(x.code) {
			if bad[x.in.Form.ID] {
				continue
			}
			bad[x.in.Form.ID] = true
			t.Errorf("%s: ours % x, as % x", a.Print(x.in), x.code, got[off:min(len(got), off+12)])
			if len(bad) > 0 {
				// resynchronise is not possible in general
				break
			}
		}
		off = end
	}
}
