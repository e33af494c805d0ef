package sim_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

// assembleProgram makes an image of assembly text whose first instruction is the entry.
func assembleProgram(t testing.TB, arch, text string, org uint64) *isa.Image {
	t.Helper()
	a := all.Arch(arch)
	blocks, err := a.Parse("test.s", text)
	if err != nil {
		t.Fatal(err)
	}
	im, err := a.Assemble(blocks, org)
	if err != nil {
		t.Fatal(err)
	}
	im.Entry = org
	return im
}

// start is where assembled programs lie: in flash.
var start = map[string]uint64{"t32": 0x08000000, "rv32": 0x20400000, "x86": 0x401000}

// runText runs an assembled program with limit cycles, and returns its output, exit and error.
func runText(t *testing.T, arch, text string, limit uint64) (string, *sim.Exit, error) {
	t.Helper()
	var out bytes.Buffer
	p := newProgram(t, assembleProgram(t, arch, text, start[arch]), func(c *sim.ProgramConfig) {
		c.Stdout, c.Limit = &out, limit
	})
	exit, err := p.RunTo(isa.NoAddr)
	return out.String(), exit, err
}

// vectorTable begins a Cortex-M program: SP, and reset at the code behind 16 vectors. Vectors left 0
// are those of exceptions that must not come.
const vectorTable = `
.global vectors
vectors:
 .word 0x20010000, 0x08000041, 0, hard_fault
 .word 0, 0, 0, 0
 .word 0, 0, 0, svcall
 .word 0, 0, 0, systick
`

func TestExits(t *testing.T) {
	for _, c := range []struct {
		name, arch, text, out, by string
		status                    int
	}{
		{"breakpoint", "t32", ".global f\nf: bkpt #5\n", "", "breakpoint", 5},
		{"ebreak", "rv32", ".global f\nf: ebreak\n", "", "breakpoint", 0},
		{"SYS_EXIT", "t32", ".global f\nf: mov r0, #0x18\n movw r1, #0x26\n movt r1, #2\n bkpt #0xab\n", "", "semihosting", 0},
		{"SYS_EXIT with a fault", "t32", ".global f\nf: mov r0, #0x18\n movw r1, #0x24\n movt r1, #2\n bkpt #0xab\n", "", "semihosting", 1},
		{"SYS_WRITEC", "t32", ".global f\nf: movw r1, #0\n movt r1, #0x2000\n mov r0, #0x41\n strb r0, [r1]\n mov r0, #3\n bkpt #0xab\n bkpt #0\n", "A", "breakpoint", 0},
		{"exit", "t32", ".global f\nf: mov r0, #300\n mov r7, #1\n svc #0\n", "", "exit system call", 300 & 255},
		{"exit", "rv32", ".global f\nf: li a0, 7\n li a7, 93\n ecall\n", "", "exit system call", 7},
		{"exit", "x86", ".globl f\nf: mov edi, 300\n mov eax, 60\n syscall\n", "", "exit system call", 300 & 255},
		{"exit_group", "x86", ".globl f\nf: mov edi, 9\n mov eax, 231\n syscall\n", "", "exit system call", 9},
		{"abort", "x86", ".globl f\nf: mov edi, 1\n mov esi, 1\n mov edx, 6\n mov eax, 234\n syscall\n", "", "signal", 128 + 6},
		{"breakpoint", "x86", ".globl f\nf: int3\n", "", "breakpoint", 3},
		{"write", "x86", ".globl f\nf: push 0x44434241\n mov edi, 1\n mov rsi, rsp\n mov edx, 4\n mov eax, 1\n syscall\n int3\n", "ABCD", "breakpoint", 3},
		{"exit_group", "rv32", ".global f\nf: li a0, 8\n li a7, 94\n ecall\n", "", "exit system call", 8},
		{"finisher passes", "rv32", ".global f\nf: li a0, 0x100000\n li a1, 0x5555\n sw a1, 0(a0)\n", "", "finisher", 0},
		{"finisher fails", "rv32", ".global f\nf: li a0, 0x100000\n li a1, 0x93333\n sw a1, 0(a0)\n", "", "finisher", 9},
		{"semihosting", "rv32", ".global f\n.option norvc\nf: li a0, 0x20\n la a1, b\n slli zero, zero, 31\n ebreak\n srai zero, zero, 7\n.global b\nb: .word 0x20026, 77\n", "", "semihosting", 77},
		{"UART", "rv32", ".global f\nf: li a0, 0x10013000\n li a1, 0x42\n sb a1, 0(a0)\n lw a2, 0(a0)\n ebreak\n", "B", "breakpoint", 0},
		{"ITM", "t32", ".global f\nf: mov r0, #0xe0000000\n ldr r1, [r0]\n mov r1, #0x43\n strb r1, [r0]\n bkpt #0\n", "C", "breakpoint", 0},
		{"reset", "t32", ".global f\nf: movw r0, #0xed0c\n movt r0, #0xe000\n movw r1, #4\n movt r1, #0x5fa\n str r1, [r0]\n", "", "reset request (AIRCR.SYSRESETREQ)", 1},
	} {
		out, exit, err := runText(t, c.arch, c.text, 1000)
		if err != nil {
			t.Errorf("%s %s: %v", c.arch, c.name, err)
			continue
		}
		if out != c.out || exit.Status != c.status || exit.By != c.by {
			t.Errorf("%s %s: output %q, %+v; want %q, %d by %s", c.arch, c.name, out, *exit, c.out, c.status, c.by)
		}
	}
}

func TestProgramErrors(t *testing.T) {
	for _, c := range []struct{ name, arch, text, want string }{
		{"wild jump", "t32", ".global f\nf: movw r0, #0x101\n bx r0\n",
			"at 0x100: fetch of 2 bytes at 0x100: unmapped; before it: f (0x8000000) movw r0, #257; f+0x4 (0x8000004) bx r0"},
		{"wild jump", "rv32", ".global f\nf: li a0, 0x64\n jr a0\n",
			"at 0x64: fetch of 2 bytes at 0x64: unmapped; before it: f (0x20400000) "},
		{"data executed", "t32", ".global f\nf: mov r0, #0x20000000\n adds r0, #1\n bx r0\n",
			"fetch of 2 bytes at 0x20000000: not executable (ram); before it: f (0x8000000) mov.w r0, #0x20000000; "},
		{"flash written", "t32", ".global f\nf: mov r0, #0x08000000\n str r0, [r0]\n",
			"at f+0x4 (0x8000004): str r0, [r0]: write of 4 bytes at 0x8000000: not writable (code)"},
		{"undefined", "t32", ".global f\nf: udf #1\n", "at f (0x8000000): udf #1"},
		{"undefined", "rv32", ".global f\nf: .word 0xffffffff\n", "at f (0x20400000): bytes ff ff ff ff"},
		{"peripheral", "t32", ".global f\nf: mov r0, #0x40000000\n ldr r1, [r0]\n",
			"read of 4 bytes at 0x40000000: unmapped (a peripheral of the chip: those are not simulated)"},
		{"register", "t32", ".global f\nf: movw r0, #0xe100\n movt r0, #0xe000\n strb r0, [r0, #0x80]\n ldr r1, [r0, #0xfc]\n",
			"SCS: no register at offset 0x1fc is modelled"},
		{"system call", "rv32", ".global f\nf: li a7, 999\n ecall\n", "system call 999 is not known here"},
		{"loop", "t32", ".global f\nf: b f\n", "at f (0x8000000): b.w 0x8000000: loops here for ever"},
		{"loop", "rv32", ".global f\nf: j f\n", "loops here for ever"},
		{"long loop", "rv32", ".global f\nf: nop\n j f\n", "no exit after 5000 instructions: raise the limit with --limit"},
		{"waiting", "t32", ".global f\nf: wfi\n b f\n", "wfi: waits for an interrupt, and none is set up"},
		{"stack overflow", "rv32", ".global f\nf: addi sp, sp, -1024\n sw ra, 0(sp)\n call f\n",
			"(stack overflow: the stack ends at 0x80000000)"},
		{"stack overflow", "t32", ".global f\nf: push {r0-r7, lr}\n bl f\n",
			"(stack overflow: the stack ends at 0x20000000)"},
		{"x87", "x86", ".globl f\nf: nop\n .byte 0xd9, 0xe8, 0x90, 0x90\n",
			"at f+0x1 (0x401001): bytes d9 e8 90 90: instruction at 0x401001: not in the instruction table: fld1; before it: f (0x401000) nop"},
		{"feature", "x86", ".globl f\nf: ptest xmm0, xmm1\n",
			"at f (0x401000): ptest xmm0, xmm1: instruction at 0x401000: ptest xmm0, xmm1 needs sse4.1, which this CPU does not have"},
		{"ud2", "x86", ".globl f\nf: ud2\n", "at f (0x401000): ud2: instruction at 0x401000: ud2, which stops"},
		{"division by 0", "x86", ".globl f\nf: xor ecx, ecx\n div ecx\n", "at f+0x2 (0x401002): div ecx: instruction at 0x401002: divide error"},
		{"null", "x86", ".globl f\nf: xor ecx, ecx\n mov eax, [rcx+8]\n", "read of 4 bytes at 0x8: unmapped"},
		{"wild jump", "x86", ".globl f\nf: mov eax, 0x64\n jmp rax\n", "at 0x64: fetch of 1 bytes at 0x64: unmapped; before it: f (0x401000) mov eax, 100"},
		{"system call", "x86", ".globl f\nf: mov eax, 999\n syscall\n", "system call 999 is not known here"},
		{"loop", "x86", ".globl f\nf: jmp f\n", "loops here for ever"},
		{"halt", "x86", ".globl f\nf: hlt\n", "hlt: waits for an interrupt, and none is set up"},
		{"stack overflow", "x86", ".globl f\nf: push rax\n call f\n", "(stack overflow: the stack ends at 0x7f000000)"},
		{"fault in a handler", "t32", vectorTable + ".global reset\nreset: mov r0, #0\n str r0, [r0]\n" +
			".global hard_fault\n.type hard_fault, %function\nhard_fault: b hard_fault\n.global svcall\nsvcall: nop\n.global systick\nsystick: nop\n",
			"at reset+0x4 (0x8000044): str r0, [r0]: write of 4 bytes at 0x0: not writable (code at 0), and the handler of the fault loops at hard_fault"},
	} {
		_, exit, err := runText(t, c.arch, c.text, limitFor(c.name))
		if err == nil {
			t.Errorf("%s %s: exit %+v, want an error", c.arch, c.name, *exit)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: error %v\nwant %q", c.arch, c.name, err, c.want)
		}
		if pe := new(sim.ProgramError); !errors.As(err, &pe) {
			t.Errorf("%s %s: error is no ProgramError", c.arch, c.name)
		}
	}
}

func limitFor(name string) uint64 {
	if name == "long loop" {
		return 5000
	}
	return 10_000_000
}

func TestNewProgramErrors(t *testing.T) {
	object := assembleProgram(t, "rv32", ".global f\nf: ret\n", start["rv32"])
	object.Entry = 0
	long := assembleProgram(t, "rv32", ".global f\nf: ret\n", start["rv32"])
	for _, c := range []struct {
		want  string
		image *isa.Image
		args  []string
	}{
		{"starts at 0x0, where it has no code", object, nil},
		{"arguments do not fit", long, []string{strings.Repeat("x", 9<<20)}},
	} {
		_, err := sim.NewProgram(sim.ProgramConfig{
			Config: sim.Config{Arch: all.Arch(c.image.Arch), Image: c.image, Areas: boards["rv32"]}, Args: c.args,
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// TestSelfModifying overwrites an instruction that has run before.
func TestSelfModifying(t *testing.T) {
	text := `
.global f
f:
	mov r4, #0
again:
	movs r0, #1
	adds r4, r4, #1
	cmp r4, #2
	beq end
	adr r1, again
	movw r2, #0x2007
	strh r2, [r1]
	b again
end:
	bkpt #0
`
	im := assembleProgram(t, "t32", text, 0x20000000)
	p := newProgram(t, im, nil)
	if _, err := p.RunTo(isa.NoAddr); err != nil {
		t.Fatal(err)
	}
	if got := p.Core().Reg(0); got != 7 {
		t.Errorf("r0 = %d, want 7 of the new instruction", got)
	}
}

// TestHTIF ends programs and writes through tohost, as one word and as two halves in both orders.
func TestHTIF(t *testing.T) {
	const data = "\n.balign 8\n.global tohost\ntohost: .word 0, 0\n.global fromhost\nfromhost: .word 0, 0\n"
	const wait = "wait: lw a1, 8(a0)\n beqz a1, wait\n sw zero, 8(a0)\n"
	for _, c := range []struct {
		name, text, out string
		status          int
	}{
		{"pass, low half only", "li a1, 1\n sw a1, 0(a0)\nend: j end\n", "", 0},
		{"fail, both halves", "li a1, 7\n sw a1, 0(a0)\n sw zero, 4(a0)\n", "", 3},
		{"fail, high half first", "li a1, 9\n sw zero, 4(a0)\n sw a1, 0(a0)\n", "", 4},
		{"console", "li a1, 65\n sw a1, 0(a0)\n li a1, 0x01010000\n sw a1, 4(a0)\n" + wait + "li a1, 1\n sw a1, 0(a0)\n sw zero, 4(a0)\n", "A", 0},
		{"write call", "addi a2, a0, 16\n li a1, 64\n sw a1, 0(a2)\n li a1, 1\n sw a1, 8(a2)\n addi a3, a2, 64\n sw a3, 16(a2)\n li a1, 3\n sw a1, 24(a2)\n" +
			"sw a2, 0(a0)\n sw zero, 4(a0)\n" + wait + "lw a1, 0(a2)\n slli a1, a1, 1\n addi a1, a1, 1\n sw a1, 0(a0)\n sw zero, 4(a0)\n", "abc", 3},
	} {
		// RAM lies at 0x80000000: code and the words of the interface together.
		text := ".option norvc\n.global f\nf: la a0, tohost\n" + c.text + data + strings.Repeat(" .word 0\n", 16) + " .word 0x636261\n"
		var out bytes.Buffer
		p := newProgram(t, assembleProgram(t, "rv32", text, 0x80000000), func(c *sim.ProgramConfig) { c.Stdout, c.Limit = &out, 10000 })
		exit, err := p.RunTo(isa.NoAddr)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if out.String() != c.out || exit.Status != c.status || exit.By != "tohost" {
			t.Errorf("%s: output %q, %+v; want %q, %d", c.name, out.String(), *exit, c.out, c.status)
		}
	}
}

// TestFiles reads a file of the folder through Linux calls and is refused everything else.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.txt"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	const program = `
.option norvc
.global f
f:
	li a0, -100
	la a1, name
	li a2, FLAGS
	li a7, 56
	ecall
	bltz a0, end
	li a1, 0x80000100
	li a2, 100
	li a7, 63
	ecall
end:
	li a7, 93
	ecall
.global name
name:
	.asciz "NAME"
`
	for _, c := range []struct {
		name, flags string
		status      int
	}{
		{"in.txt", "0", 5},
		{"in.txt", "1", -30 & 255},
		{"in.txt", "0x41", -30 & 255},
		{"absent", "0", -2 & 255},
		{"../in.txt", "0", -13 & 255},
		{"/etc/hostname", "0", -13 & 255},
		{"link", "0", -13 & 255},
	} {
		text := strings.NewReplacer("NAME", c.name, "FLAGS", c.flags).Replace(program)
		p := newProgram(t, assembleProgram(t, "rv32", text, start["rv32"]), func(x *sim.ProgramConfig) { x.Dir = dir })
		exit, err := p.RunTo(isa.NoAddr)
		if err != nil {
			t.Fatal(err)
		}
		if exit.Status != c.status {
			t.Errorf("%s with flags %s: status %d, want %d", c.name, c.flags, exit.Status, c.status)
		}
	}
}
