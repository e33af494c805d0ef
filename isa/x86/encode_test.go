package x86

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const goldenFile = "testdata/enc.txt"

// goldenOrg is the address of every line of the golden file.
const goldenOrg = 0x1000

// golden is a line of the golden file: "form | text | bytes".
type golden struct {
	id, text string
	code     []byte
}

func readGolden(t *testing.T) []golden {
	t.Helper()
	data, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []golden
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, " | ")
		if len(f) != 3 {
			t.Fatalf("%s:%d: want form | text | bytes", goldenFile, i+1)
		}
		code, err := hex.DecodeString(f[2])
		if err != nil {
			t.Fatalf("%s:%d: %v", goldenFile, i+1, err)
		}
		list = append(list, golden{f[0], f[1], code})
	}
	return list
}

func writeGolden(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for _, r := range rows {
		n := 4
		if len(r.operands) == 0 {
			n = 1
		}
		for range n {
			in := randomInst(rng, r)
			code, err := New().Encode(in, goldenOrg)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s | %s | %x\n", r.ID, New().Print(in), code)
		}
	}
	if err := os.WriteFile(goldenFile, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestGolden parses, encodes, decodes and prints every line, and wants every row.
func TestGolden(t *testing.T) {
	if *update {
		writeGolden(t)
	}
	seen := map[string]bool{}
	for _, g := range readGolden(t) {
		seen[g.id] = true
		in, err := parseInst(g.text)
		if err != nil {
			t.Errorf("%s: %v", g.text, err)
			continue
		}
		code, err := New().Encode(in, goldenOrg)
		if in.Form.ID != g.id || err != nil || !bytes.Equal(code, g.code) {
			t.Errorf("%s: got %s % x, want %s % x (%v)", g.text, in.Form.ID, code, g.id, g.code, err)
		}
		back, n, err := New().Decode(g.code, goldenOrg)
		if err != nil || n != len(g.code) || New().Print(back) != g.text {
			t.Errorf("% x: got %d bytes, %v, want %s", g.code, n, err, g.text)
		}
	}
	for _, r := range rows {
		if !seen[r.ID] {
			t.Errorf("%s has no line in %s", r.ID, goldenFile)
		}
	}
}

// TestGoldenGNU gives the golden file to the GNU assembler. Branches to plain addresses are left
// out: there it makes relocations; TestWriteGNU compares branches.
func TestGoldenGNU(t *testing.T) {
	text := New().Prologue() + "\n"
	var want []byte
	for _, g := range readGolden(t) {
		if !byID[g.id].relative() {
			text += g.text + "\n"
			want = append(want, g.code...)
		}
	}
	if got := gnu(t, text, goldenOrg); !bytes.Equal(got, want) {
		t.Error(firstDifference(got, want))
	}
}

// TestRandomGNU compares random arguments of every row.
func TestRandomGNU(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	var text strings.Builder
	var want []byte
	text.WriteString(New().Prologue() + "\n")
	for _, r := range rows {
		if r.relative() {
			continue
		}
		for range foreign.Count(50, 2000) {
			in := randomInst(rng, r)
			code, err := New().Encode(in, 0)
			if err != nil {
				t.Fatalf("%s %v: %v", r.ID, in.Args, err)
			}
			want = append(want, code...)
			text.WriteString(New().Print(in) + "\n")
		}
	}
	if got := gnu(t, text.String(), 0x1000); !bytes.Equal(got, want) {
		t.Error(firstDifference(got, want))
	}
}

// gnu assembles and links text at org with the public tools and returns the code.
func gnu(t *testing.T, text string, org uint64) []byte {
	t.Helper()
	as, ld, objcopy := foreign.Tool(t, "as"), foreign.Tool(t, "ld"), foreign.Tool(t, "objcopy")
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("a.s"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range [][]string{
		{as, "--64", "-o", file("a.o"), file("a.s")},
		{ld, "-m", "elf_x86_64", "-e", "0", fmt.Sprintf("-Ttext=%#x", org), "-o", file("a.elf"), file("a.o")},
		{objcopy, "-O", "binary", "-j", ".text", file("a.elf"), file("a.bin")},
	} {
		if out, err := exec.Command(cmd[0], cmd[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
	}
	code, err := os.ReadFile(file("a.bin"))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// firstDifference shows the instruction in which two codes begin to differ.
func firstDifference(got, want []byte) string {
	for at := 0; at < len(want); {
		in, n, err := New().Decode(want[at:], uint64(at))
		if err != nil {
			n = 1
		}
		end := at + n
		if end > len(got) || !bytes.Equal(got[at:end], want[at:end]) {
			return fmt.Sprintf("at %#x: GNU % x, ours % x (%s)", at, got[min(at, len(got)):min(at+12, len(got))], want[at:end], printOrData(in))
		}
		at = end
	}
	return fmt.Sprintf("GNU has %d bytes, ours %d", len(got), len(want))
}

func printOrData(in isa.Inst) string {
	if in.Form == nil {
		return "data"
	}
	return New().Print(in)
}

// TestRoundTrip is decode(encode(i)) == i over every row.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, r := range rows {
		for range foreign.Count(60, 3000) {
			in := randomInst(rng, r)
			code, err := New().Encode(in, 0x1000)
			if err != nil {
				t.Fatalf("%s %v: %v", r.ID, in.Args, err)
			}
			got, n, err := New().Decode(code, 0x1000)
			if err != nil || n != len(code) || got != in {
				t.Fatalf("%s %v -> % x -> %+v (%d bytes), %v", r.ID, in.Args, code, got.Args, n, err)
			}
			back, err := parseInst(New().Print(in))
			if err != nil || back != in {
				t.Fatalf("%s: parsed as %s %v, %v", New().Print(in), back.Form.ID, back.Args, err)
			}
		}
	}
}

// TestEncodeRefuses wants an error, and no bytes, for arguments outside the form.
func TestEncodeRefuses(t *testing.T) {
	none := int64(isa.NoReg)
	for _, c := range []struct {
		in   isa.Inst
		want string
	}{
		{Make("PXOR_xmm_xmm", int64(RAX), int64(X0)), "0 is no xmm register"},
		{Make("ADD_r32_r32", int64(X0), 0), "16 is no general register"},
		{Make("ADD_r32_imm32", 0, 1<<31), "immediate 2147483648 is not within -2147483648 to 2147483647"},
		{Make("SHL_r32_imm8", 0, 256), "immediate 256 is not within 0 to 255"},
		{Make("LEA_r64_m", 0, 0, int64(RSP), 1, 0), "4 cannot be the index register"},
		{Make("LEA_r64_m", 0, 0, none, 2, 0), "scale 2 without an index register, want 1"},
		{Make("LEA_r64_m", 0, 0, 1, 3, 0), "scale 3, want 1, 2, 4 or 8"},
		{Make("LEA_r64_m", 0, 0, none, 1, 1<<31), "displacement 2147483648 does not fit 32 bits"},
		{Make("LEA_r64_m", 0, int64(RIP), 1, 1, 0), "1 cannot be the index register"},
		{Make("LEA_r64_m", 0, isa.VirtBase, none, 1, 0), "65536 is no base register"},
		{Make("MOVZX_r32_h8", int64(R9), 0), "no encoding has both r9d and ah to bh"},
		{Make("MOVZX_r32_h8", 0, int64(RSP)), "register 4 has no name for its second byte"},
		{Make("JMP_rel", 1<<40), "target is 1099511627771 bytes away, more than 32 bits reach"},
	} {
		code, err := New().Encode(c.in, 0)
		if err == nil || err.Error() != c.in.Form.ID+": "+c.want || code != nil {
			t.Errorf("got % x, %v; want %s: %s", code, err, c.in.Form.ID, c.want)
		}
	}
}

func TestEncodeForeignForm(t *testing.T) {
	for _, f := range []*isa.Form{nil, {ID: "EOR_reg_T2", Num: 3}, {ID: "XOR", Num: 1 << 20}} {
		in := isa.Inst{Form: f}
		if code, err := New().Encode(in, 0); err == nil || code != nil {
			t.Errorf("%v: % x", f, code)
		}
		if _, err := New().Assemble([]*isa.Block{{Name: "f", Items: []isa.Item{{Inst: in, Data: nil}}}}, 0); (err == nil) != (f == nil) {
			t.Errorf("%v: %v", f, err) // an item without anything is empty
		}
	}
}
