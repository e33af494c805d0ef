package sim_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
)

const (
	codeBase = 0x10000
	dataBase = 0x20000000
)

// areas is a memory map that suits every instruction set.
var areas = []sim.Area{
	{Name: "code", Base: codeBase, Size: 0x8000, Perm: isa.R | isa.X},
	{Name: "data", Base: dataBase, Size: 0x4000, Perm: isa.R | isa.W, Use: sim.Data},
	{Name: "stack", Base: 0x20010000, Size: 0x1000, Perm: isa.R | isa.W, Use: sim.Stack},
}

// assemble makes a machine out of assembly text.
func assemble(t *testing.T, arch, text string) *sim.Machine {
	t.Helper()
	a := all.Arch(arch)
	blocks, err := a.Parse("test.s", text)
	if err != nil {
		t.Fatal(err)
	}
	im, err := a.Assemble(blocks, codeBase)
	if err != nil {
		t.Fatal(err)
	}
	m, err := sim.New(sim.Config{Arch: a, Image: im, Areas: areas, Features: []string{"m", "c"}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func symbol(t *testing.T, m *sim.Machine, name string) uint64 {
	t.Helper()
	addr, err := m.Symbol(name)
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

// weigh returns its first argument plus twice the argument that is the second on the stack.
var weigh = map[string]struct {
	text string
	args int
}{
	"t32":  {".global weigh\n.type weigh, %function\nweigh:\n push {r4, lr}\n ldr r4, [sp, #12]\n add r0, r0, r4\n add r0, r0, r4\n pop {r4, pc}\n", 6},
	"rv32": {".global weigh\nweigh:\n addi sp, sp, -16\n sw s0, 12(sp)\n lw s0, 20(sp)\n add a0, a0, s0\n add a0, a0, s0\n lw s0, 12(sp)\n addi sp, sp, 16\n ret\n", 10},
	"x86":  {".globl weigh\nweigh:\n mov rax, [rsp + 16]\n add rax, rax\n add rax, rdi\n ret\n", 8},
}

func TestCall(t *testing.T) {
	for arch, w := range weigh {
		t.Run(arch, func(t *testing.T) {
			m := assemble(t, arch, w.text)
			args := make([]uint64, w.args)
			for i := range args {
				args[i] = uint64(100 + i)
			}
			want := args[0] + 2*args[w.args-1]
			for range 3 {
				got, stop, err := m.Call(symbol(t, m, "weigh"), args, 0)
				if err != nil {
					t.Fatal(err)
				}
				if got != want || stop.Kind != isa.StopAddr {
					t.Errorf("weigh(%v) = %d (stop %v), want %d", args, got, stop.Kind, want)
				}
			}
		})
	}
}

// TestCallIsCounted checks that call and return retire: the call, the body's instructions, no more.
func TestCallIsCounted(t *testing.T) {
	for arch, want := range map[string]uint64{"t32": 1 + 5, "rv32": 1 + 8, "x86": 1 + 4} {
		m := assemble(t, arch, weigh[arch].text)
		if _, _, err := m.Call(symbol(t, m, "weigh"), make([]uint64, weigh[arch].args), 0); err != nil {
			t.Fatal(err)
		}
		if got := m.Core().Retired(); got != want {
			t.Errorf("%s: %d instructions retired, want %d", arch, got, want)
		}
	}
}

func TestStackUsed(t *testing.T) {
	for arch, want := range map[string]int{"t32": 8, "rv32": 4, "x86": 0} {
		m := assemble(t, arch, weigh[arch].text)
		if got := m.StackUsed(); got != 0 {
			t.Errorf("%s: %d bytes of stack used before any call", arch, got)
		}
		if _, _, err := m.Call(symbol(t, m, "weigh"), make([]uint64, weigh[arch].args), 0); err != nil {
			t.Fatal(err)
		}
		if got := m.StackUsed(); got != want {
			t.Errorf("%s: %d bytes of stack used, want %d", arch, got, want)
		}
	}
}

func TestCallErrors(t *testing.T) {
	text := `
.global bad_load
bad_load:
	lui t0, 0x40000
	lw a0, 4(t0)
	ret
.global forever
forever:
	j forever
.global stops
stops:
	ebreak
	ret
.global calls
calls:
	ecall
	ret
.global clobbers
clobbers:
	addi s1, s1, 1
	ret
.global loses
loses:
	addi sp, sp, -16
	ret
.global nonsense
nonsense:
	.word 0xffffffff
`
	for _, c := range []struct{ name, want string }{
		{"bad_load", "bad_load (0x10000): at bad_load+0x4 (0x10004): lw a0,4(t0): read of 4 bytes at 0x40000004: unmapped"},
		{"forever", "no return after 1000 instructions: raise the limit with --limit"},
		{"stops", "breakpoint"},
		{"calls", "system call"},
		{"clobbers", "returned with s1 = 0x1, it was 0x0: a C function keeps it"},
		{"loses", "returned with sp = 0x20010ff0, it was 0x20011000: a C function keeps it"},
		{"nonsense", "nonsense"},
	} {
		m := assemble(t, "rv32", text)
		_, _, err := m.Call(symbol(t, m, c.name), nil, 1000)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
			continue
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error has more than one line: %q", c.name, err)
		}
		var ce *sim.CallError
		if !errors.As(err, &ce) {
			t.Errorf("%s: error is no CallError", c.name)
		}
	}
	m := assemble(t, "rv32", text)
	if _, _, err := m.Call(dataBase, nil, 0); err == nil || !strings.Contains(err.Error(), "not executable (data)") {
		t.Errorf("call into data: error %v", err)
	}
	if _, err := m.Symbol("absent"); err == nil {
		t.Error("absent symbol was found")
	}
}

func TestManyFunctions(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, ".global f%d\nf%d:\n\tli a0, %d\n\tret\n", i, i, i)
	}
	m := assemble(t, "rv32", text.String())
	for i := range 300 {
		got, _, err := m.Call(symbol(t, m, fmt.Sprintf("f%d", i)), nil, 0)
		if err != nil || got != uint64(i) {
			t.Fatalf("f%d() = %d, %v", i, got, err)
		}
	}
}

func TestAlloc(t *testing.T) {
	m := assemble(t, "rv32", ".global f\nf:\n\tret\n")
	a, err := m.Alloc(3, 0)
	if err != nil || a != dataBase {
		t.Errorf("first buffer at %#x, %v", a, err)
	}
	b, err := m.Alloc(16, 64)
	if err != nil || b != dataBase+64 {
		t.Errorf("aligned buffer at %#x, %v", b, err)
	}
	if err := m.Write(b, []byte("sixteen bytes ok")); err != nil {
		t.Error(err)
	}
	if got, err := m.Read(b, 16); err != nil || string(got) != "sixteen bytes ok" {
		t.Errorf("read %q, %v", got, err)
	}
	for _, c := range []struct {
		n     int
		align uint64
	}{{-1, 1}, {1, 3}, {0x4000, 1}, {1 << 62, 1}, {1, 1 << 63}} {
		if got, err := m.Alloc(c.n, c.align); err == nil {
			t.Errorf("Alloc(%d, %d) = %#x, want an error", c.n, c.align, got)
		}
	}
	if _, err := m.Read(b, -1); err == nil {
		t.Error("read of -1 bytes succeeded")
	}
}

func TestNewErrors(t *testing.T) {
	a := all.Arch("rv32")
	code := func(segs ...isa.Segment) *isa.Image { return &isa.Image{Arch: "rv32", Segments: segs} }
	for _, c := range []struct {
		want  string
		image *isa.Image
		areas []sim.Area
	}{
		{"image is for t32, the machine is rv32", &isa.Image{Arch: "t32"}, areas},
		{"has no stack", code(), areas[:2]},
		{"have the same use", code(), append(areas[:3:3], sim.Area{Name: "more", Base: 0, Size: 16, Use: sim.Stack})},
		{"overlaps", code(), append(areas[:3:3], sim.Area{Name: "more", Base: codeBase + 4, Size: 16})},
		{"has 0 bytes", code(), append(areas[:3:3], sim.Area{Name: "more"})},
		{"has 16 bytes", code(), append(areas[:3:3], sim.Area{Name: "more", Base: ^uint64(7), Size: 16})},
		{"more than", code(), append(areas[:3:3], sim.Area{Name: "more", Base: 1 << 40, Size: sim.MaxMemory})},
		{"too large", code(isa.Segment{Addr: 1 << 40, Size: 1 << 50}), areas},
		{"need more than", code(isa.Segment{Addr: 1 << 40, Size: sim.MaxMemory}), areas},
		{"4096 bytes at 0x1ffff000 do not fit memory", code(isa.Segment{Addr: 0x1ffff000, Size: 4096}), append(areas[:3:3], sim.Area{Name: "more", Base: 0x1ffff000, Size: 64})},
		{"overlaps", code(isa.Segment{Addr: codeBase - 4, Size: 16}), areas},
	} {
		_, err := sim.New(sim.Config{Arch: a, Image: c.image, Areas: c.areas})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
