package prove

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/isa/t32"
)

// TestRefusals runs code that no kernel may be: in r0 the input, in r1 the output, in r2 the key of examples/mix.kir, and
// no stack.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"ldr r3, [r0]\n ldr r3, [r2, r3]\n bx lr", "ldr r3, [r2, r3]: an address depends on the data"},
		{"ldr r3, [r0]\n cmp r3, #0\n beq.w f\n bx lr", "the address of the next instruction depends on the data"},
		{"cmp r5, #0\n beq.w f\n bx lr", "the address of the next instruction depends on the data"},
		{"ldr r3, [r0]\n bx r3", "the address of the next instruction depends on the data"},
		{"str r3, [r0]\n bx lr", "a store into a"},
		{"str r3, [r2, #4]\n bx lr", "a store into k"},
		{"adr r3, f\n str r3, [r3]\n bx lr", "a store into the code"},
		{"str r3, [r1, #8]\n bx lr", "an access of 4 bytes at 0x50000088, outside its buffers, stack and code"},
		{"push {r4, r5}\n pop {r4, r5}\n bx lr", "outside its buffers, stack and code"},
		{"add r3, r1, #2\n ldrd r3, r4, [r3]\n bx lr", "which is no multiple of 4"},
		{"mov r4, #0\n bx lr", "r4 is not restored"},
		{"mov r4, r5\n bx lr", "r4 is not restored"},
		{"sub sp, #8\n bx lr", "sp is not restored"},
		{"b f", "no return after 1000 instructions"},
		{"udiv r3, r0, r1\n bx lr", "udiv r3, r0, r1: no terms for UDIV_T1"},
		{"it eq\n moveq r3, r0\n bx lr", "no terms for IT_T1"},
		{".hword 0xde00", "no terms for UDF_T1"},
		{"mov r3, r0", "no instruction"},
	} {
		j := assembled(t, c.text)
		r, err := Kernel(j)
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, new(*Refusal)) {
			t.Errorf("%q: %+v, %v, want %s", c.text, r, err, c.want)
		}
	}
}

// TestCounterexamples runs code that is harmless and wrong. Without a store the output is what it was.
func TestCounterexamples(t *testing.T) {
	for _, text := range []string{"bx lr", "mov r3, #0\n strd r3, r3, [r1]\n bx lr", "strd r4, r5, [r1]\n bx lr", "ldrd r3, r12, [r0]\n strd r3, r12, [r1]\n bx lr"} {
		r, err := Kernel(assembled(t, text))
		if err != nil || r.Equal() || r.Counter == nil || string(r.Counter.Text) == string(r.Counter.Code) {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

// TestTooLarge refuses a proof that would begin with too many bits.
func TestTooLarge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "big.kir")
	if err := os.WriteFile(file, []byte("kernel own/big(in x: w32[20000], out y: w32[1]) { y[0] = x[0] }"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err := Kernel(compiled(t, file, "cortex-m4", false)); err == nil || !strings.Contains(err.Error(), "80004 bytes: a proof takes 65536 at most") {
		t.Errorf("%+v, %v", r, err)
	}
}

// BenchmarkKernel proves AES-128 on the Cortex-M4.
func BenchmarkKernel(b *testing.B) {
	j := compiled(b, "aes128/fixsliced", "cortex-m4", false)
	for b.Loop() {
		if r, err := Kernel(j); err != nil || !r.Equal() {
			b.Fatal(r, err)
		}
	}
}

// assembled is the job of examples/mix.kir with other code.
func assembled(t *testing.T, text string) Job {
	t.Helper()
	j := compiled(t, mix, "cortex-m4", false)
	blocks, err := t32.New().Parse("f.s", "\t.syntax unified\n\t.thumb\n\t.globl f\n\t.thumb_func\nf: "+text+"\n")
	if err != nil {
		t.Fatal(err)
	}
	code := *j.Code
	if code.Image, err = t32.New().Assemble(blocks, 0x1000); err != nil {
		t.Fatal(err)
	}
	code.Block, code.StackBytes, j.Code, j.Limit = blocks[0], 0, &code, 1000
	return j
}
