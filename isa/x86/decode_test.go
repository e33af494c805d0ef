package x86

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"simrun/internal/foreign"
)

// TestDecodeForms has what compilers emit and the assembler of this package does not choose.
func TestDecodeForms(t *testing.T) {
	for _, c := range []struct {
		hex, want string
		n         int
	}{
		{"f30f1efa", "endbr64", 4},
		{"f3480f1ec8", "nop", 5}, // rdsspq rax
		{"f30f1ec9", "nop", 4},
		{"f30f1e", "truncated", 0},
		{"f3c3", "ret", 2},                // repz ret of old compilers
		{"f2c3", "ret", 2},                // bnd ret
		{"89c8", "mov eax, ecx", 2},       // both directions of a move
		{"8bc1", "mov eax, ecx", 2},       //
		{"83c000", "add eax, 0", 3},       // byte and full immediates
		{"81c000000000", "add eax, 0", 6}, //
		{"0500000000", "add eax, 0", 5},
		{"d1e0", "shl eax, 1", 2},
		{"c1e001", "shl eax, 1", 3},
		{"48b80100000000000000", "movabs rax, 1", 10},
		{"48c7c001000000", "mov rax, 1", 7},
		{"660f1f440000", "nop WORD PTR [rax+rax*1]", 6},
		{"662e0f1f840000000000", "nop WORD PTR [rax+rax*1]", 10},
		{"0f7f", "truncated", 0},
		{"", "truncated", 0},
		{"06", "undefined", 0},
		{"0f0b", "ud2", 2},
		{"f00108", "lock add DWORD PTR [rax], ecx", 3},
		{"f08b08", "not in the instruction table: lock mov (%rax),%ecx", 0},
		{"f3a4", "rep movsb", 2},
		{"f3a6", "repe cmpsb", 2},
		{"f2a4", "not in the instruction table: repn movsb %ds:(%rsi),%es:(%rdi)", 0},
		{"64a4", "not in the instruction table: movsb %fs:(%rsi),%es:(%rdi)", 0},
		{"6690", "nop", 2},
		{"90", "nop", 1},
		{"87c0", "xchg eax, eax", 2},
		{"6650", "not in the instruction table: push %ax", 0},
		{"666a01", "not in the instruction table: pushw $0x1", 0},
		{"d1d0", "rcl eax, 1", 2},
		{"c1d001", "rcl eax, 1", 3},
		{"648b00", "mov eax, DWORD PTR fs:[rax]", 3},
		{"658b00", "not in the instruction table: mov %gs:(%rax),%eax", 0},
		{"648d00", "not in the instruction table: lea %fs:(%rax),%eax", 0},
		{"d900", "not in the instruction table: flds (%rax)", 0},
		{"0f77", "not in the instruction table: emms", 0},
		{"660f38dcc1", "not in the instruction table: aesenc %xmm1,%xmm0", 0},
		{"f30fbcc1", "bsf eax, ecx", 4}, // compilers write rep bsf where tzcnt would do as well
		{"f30fbdc1", "not in the instruction table: lzcnt %ecx,%eax", 0},
		{"67e800000000", "call 0x6", 6},
		{"67e2fe", "not in the instruction table: loop .-0x2", 0},
		{"f30fb8c1", "not in the instruction table: popcnt %ecx,%eax", 0},
		{"678b00", "not in the instruction table: mov (%eax),%eax", 0},
		{"f390", "pause", 2},
		{"c5f1efc2", "not in the instruction table: vpxor %xmm2,%xmm1,%xmm0", 0},
		{"0fb6c4", "movzx eax, ah", 3},
		{"88e0", "mov al, ah", 2},
	} {
		code, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		in, n, err := New().Decode(code, 0)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = New().Print(in)
		}
		if got != c.want || n != c.n {
			t.Errorf("%s: %s, %d bytes; want %s, %d", c.hex, got, n, c.want, c.n)
		}
	}
}

// TestDecodeRandom wants no panic, a sane length, and that what decodes is encoded to
// something that decodes to the same.
func TestDecodeRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	code := make([]byte, 20)
	known := 0
	for range foreign.Count(100_000, 3_000_000) {
		for i := range code {
			code[i] = byte(rng.Uint32())
		}
		if rng.IntN(2) == 0 {
			copy(code, []byte{0x66, 0x0f})
		}
		if checkDecode(t, code) {
			known++
		}
	}
	if known < 1000 {
		t.Errorf("only %d of the random codes are in the table", known)
	}
}

func checkDecode(t *testing.T, code []byte) bool {
	in, n, err := New().Decode(code, 0x1000)
	if err != nil {
		if n != 0 || in.Form != nil {
			t.Fatalf("% x: an error with %d bytes", code, n)
		}
		return false
	}
	if n < 1 || n > min(maxLen, len(code)) {
		t.Fatalf("% x: length %d", code, n)
	}
	again, err := New().Encode(in, 0x1000)
	if r := rowOf(&in); err != nil && r.relative() && n > r.branchSize(true) {
		return true // a useless prefix lets it reach one byte further than ours
	}
	if err != nil {
		t.Fatalf("% x: %s: %v", code[:n], New().Print(in), err)
	}
	if back, _, err := New().Decode(again, 0x1000); err != nil || back != in {
		t.Fatalf("% x: %s -> % x -> %s (%v)", code[:n], New().Print(in), again, New().Print(back), err)
	}
	return true
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"660fefc1", "f30f1efa", "48b80100000000000000", "660f3a0fc805", "0f8400000000", "e8fbffffff", "41e8ffffff7f"} {
		code, _ := hex.DecodeString(s)
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code []byte) { checkDecode(t, code) })
}
