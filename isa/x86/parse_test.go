package x86

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
)

// TestParseText accepts the ways of writing that compilers and people use.
func TestParseText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"MOV EAX, 0x10", "mov eax, 16"},
		{"mov eax, 4294967295", "mov eax, -1"},
		{"mov rax, 0xffffffff", "movabs rax, 4294967295"},
		{"mov rax, -1", "mov rax, -1"},
		{"movabs rax, 5", "movabs rax, 5"},
		{"mov byte ptr [rdi], -1", "mov BYTE PTR [rdi], 255"},
		{"mov eax, [rbx]", "mov eax, DWORD PTR [rbx]"},
		{"mov eax, dword ptr 8[rsp]", "mov eax, DWORD PTR [rsp+0x8]"},
		{"mov rax, [8 + rcx*4 + rdi - 16]", "mov rax, QWORD PTR [rdi+rcx*4-0x8]"},
		{"mov rax, [4*rcx]", "mov rax, QWORD PTR [rcx*4]"},
		{"mov rax, [rcx+rsp]", "mov rax, QWORD PTR [rsp+rcx*1]"},
		{"mov eax, ds:0x1000", "mov eax, DWORD PTR ds:0x1000"},
		{"movdqa xmm0, XMMWORD PTR .LC0[rip]", "movdqa xmm0, XMMWORD PTR [rip+.LC0]"},
		{"pxor xmm0, [rip + table + 16]", "pxor xmm0, XMMWORD PTR [rip+table+0x10]"},
		{"lea r8, [rip-4]", "lea r8, [rip-0x4]"},
		{"jz loop", "je loop"},
		{"call f@PLT", "call f"},
		{"sal ecx, 3", "shl ecx, 3"},
		{"shr rax, cl", "shr rax, cl"},
		{"movq xmm1, rax", "movq xmm1, rax"},
		{"movsx rdx, edx", "movsxd rdx, edx"},
		{"movzx ebp, bh", "movzx ebp, bh"},
		{"setnz al", "setne al"},
		{"cmovz eax, ecx", "cmove eax, ecx"},
		{"shr edx", "shr edx, 1"},
		{"nop", "nop"},
		{"cmpltsd xmm0, xmm1", "cmpsd xmm0, xmm1, 1"},
		{"cmpnleps xmm2, [rdi]", "cmpps xmm2, XMMWORD PTR [rdi], 6"},
		{"cmpsd", "cmpsd"},
		{"rep movsb", "rep movsb"},
		{"rep cmpsb", "repe cmpsb"},
		{"repnz scasb", "repne scasb"},
		{"lock xadd [rdi], eax", "lock xadd DWORD PTR [rdi], eax"},
		{"xchg eax, ecx", "xchg ecx, eax"},
		{"xchg al, cl", "xchg al, cl"},
		{"mov rax, QWORD PTR fs:40", "mov rax, QWORD PTR fs:0x28"},
		{"mov rax, fs:[rax+8]", "mov rax, QWORD PTR fs:[rax+0x8]"},
		{"rcl eax", "rcl eax, 1"},
		{"rcr rdx, 1", "rcr rdx, 1"},
		{"mov ah, bl", "mov ah, bl"},
		{"pblendvb xmm1, xmm2, xmm0", "pblendvb xmm1, xmm2, xmm0"},
		{"push 5", "push 5"},
		{"jmp [rax]", "jmp QWORD PTR [rax]"},
		{"ret 8", "ret 8"},
	} {
		in, err := parseInst(c.text)
		if err != nil || New().Print(in) != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
			if err == nil {
				t.Errorf("got %s", New().Print(in))
			}
		}
	}
}

func TestParseFile(t *testing.T) {
	const text = `
	.intel_syntax noprefix
	.text
	.p2align 4
	.globl f
	.type f, @function
f:	# a comment; with a separator
	pxor xmm0, xmm0; paddd xmm0, [rip+.LC0] // another
	.p2align 4,,10	/* execution runs through: left out */
.L1:	dec ecx
	jne .L1
	ret
	.size f, .-f
	.section .rodata
	.align 16
.LC0:	.long 1, 2, -3, 0xffffffff
	.quad 0x8000000000000000
	.byte 1, 'a'
	.ascii "x;y#z"
	.string "q"
	.section .note.GNU-stack,"",@progbits
	.string "not loaded"
`
	blocks, err := New().Parse("f.s", strings.Replace(text, ", 'a'", ", 97", 1))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, b := range blocks {
		fmt.Fprintf(&got, "%s align %d\n", b.Name, b.Align)
		for _, it := range b.Items {
			switch {
			case it.Label != "":
				fmt.Fprintf(&got, "%d %d %s:\n", it.Line, it.Align, it.Label)
			case it.Data != nil:
				fmt.Fprintf(&got, "%d %d % x\n", it.Line, it.Align, it.Data)
			default:
				fmt.Fprintf(&got, "%d %d %s\n", it.Line, it.Align, New().Print(it.Inst))
			}
		}
	}
	const want = `f align 16
8 0 pxor xmm0, xmm0
8 0 paddd xmm0, XMMWORD PTR [rip+.LC0]
10 0 .L1:
10 0 dec ecx
11 0 jne .L1
12 0 ret
16 16 .LC0:
16 0 01 00 00 00 02 00 00 00 fd ff ff ff ff ff ff ff
17 0 00 00 00 00 00 00 00 80
18 0 01 61
19 0 78 3b 79 23 7a
20 0 71 00
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"nop", "code before the first label: begin with a line such as main:"},
		{"f: frob eax", "unknown instruction frob"},
		{"f: mov eax, rbx", `no form of mov takes "eax, rbx"`},
		{"f: mov [rdi], 1", "mov: the size of the memory operand is open: say DWORD PTR or the like"},
		{"f: movzx eax, [rdi]", "movzx: the size of the memory operand is open: say DWORD PTR or the like"},
		{"f: add eax, 4294967296", `no form of add takes "eax, 4294967296"`},
		{"f: lea rax, [rbx+rcx+rdx]", "[rbx+rcx+rdx]: more than two registers in an address"},
		{"f: lea rax, [rbx+rcx*3]", "scale 3, want 1, 2, 4 or 8"},
		{"f: lea rax, [rsp*2]", "4 cannot be the index register"},
		{"f: lea rax, [ebx]", "[ebx]: address registers have 64 bits"},
		{"f: lea rax, [table]", "[table]: a label is reached through rip only: write [rip+table]"},
		{"f: lea rax, [rbx*rcx]", "[rbx*rcx]: rbx*rcx: want one 64-bit register times 1, 2, 4 or 8"},
		{"f: lea rax, []", "[]: no address"},
		{"f: add ah, sil", "ADD_h8_r8: no encoding has both sil and ah to bh"},
		{"f: pblendvb xmm1, xmm2, xmm3", `no form of pblendvb takes "xmm1, xmm2, xmm3"`},
		{"f: rep add eax, 1", "unknown instruction rep add"},
		{"f: mov eax, %ebx", `operand "%ebx" is not a register, number, label or [address]`},
		{"1: nop", `unknown instruction 1:`},
		{"f: .long x", `"x" is not a number`},
		{"f: .byte 256", "256 does not fit 1 bytes"},
		{"f: .p2align 20", ".p2align 20: want a power from 0 to 16"},
		{"f: .balign 3", "alignment 3, want a power of two up to 65536"},
		{"f: .zero -1", ".zero -1: want a number of bytes up to 16777216"},
		{"f: .zero 16777216; .byte 1", "more than 16777216 bytes of data"},
		{"f: .string x", ".string x: want quoted text"},
		{".data", "section .data is not supported: only .text and .rodata are"},
		{".att_syntax", "AT&T syntax is not supported: use .intel_syntax noprefix (gcc -masm=intel)"},
		{".frob", "unknown directive .frob"},
	} {
		_, err := New().Parse("t.s", "\n"+c.text)
		if err == nil || err.Error() != "t.s:2: "+c.want {
			t.Errorf("%s: %v\nwant t.s:2: %s", c.text, err, c.want)
		}
	}
}

// TestParseCompiler reads what gcc makes of C and assembles it to the bytes of the GNU assembler.
// Alignment is switched off: it is left out inside of functions here.
func TestParseCompiler(t *testing.T) {
	gcc := foreign.Tool(t, "gcc")
	const source = `
typedef unsigned u; typedef unsigned long ul;
static const u table[4] = {1, 2, 3, 0x80000000};
static u rotate(u x, int n) { return x << n | x >> (32 - n); }
u mix(u *p, const u *k, long n) {
	u a = p[0], b = p[1];
	for (long i = 0; i < n; i++) { a += rotate(b ^ k[i], 7) * 3; b = rotate(b, 11) + (a & 0xff00) - k[i + 1]; }
	p[0] = a; p[1] = b;
	return a ^ table[b & 3];
}
void xor64(unsigned char *d, const unsigned char *s) { for (int i = 0; i < 64; i++) d[i] ^= s[i]; }
int less(int a, int b, unsigned char *p) { *p = a < b; return a < b ? a : b - (*p == 3); }
ul sum(ul *p, int n) { ul s = 0; while (n-- > 0) s += *p++; return s; }
`
	dir := t.TempDir()
	cfile, sfile := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.s")
	if err := os.WriteFile(cfile, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(gcc, "-S", "-O2", "-ftree-vectorize", "-masm=intel", "-fno-asynchronous-unwind-tables", "-fno-align-loops", "-fno-align-jumps", "-fno-align-functions", "-fno-align-labels", "-mno-avx", "-o", sfile, cfile)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(sfile)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := New().Parse("a.s", string(text))
	if err != nil {
		t.Fatal(err)
	}
	im, err := New().Assemble(blocks, 0x10000)
	if err != nil {
		t.Fatal(err)
	}
	// One section, padded with zeros as ours is.
	one := strings.NewReplacer(".section\t.rodata", ".text #", ".align 16", ".balign 16, 0").Replace(string(text))
	want := gnu(t, one, 0x10000)
	if got := im.Segments[0].Data; !bytes.Equal(got, want) {
		t.Error(firstDifference(want, got))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"f: pxor xmm0, [rip+f+8]\n.long 1", ".globl f\nf: jne f /* */ # x", "f: mov rax, [rbx+8*rcx-1]; .ascii \"a\\n\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		blocks, err := New().Parse("fuzz.s", text)
		if err != nil {
			return
		}
		if _, err := New().Assemble(blocks, 0x1000); err != nil && strings.Contains(err.Error(), "the assembler refuses it") {
			t.Errorf("%q: %v", text, err)
		}
	})
}
