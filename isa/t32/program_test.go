package t32

import (
	"bytes"
	"debug/elf"
	"io"
	"path/filepath"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// A compiled program of some ten thousand instructions, loops, calls and tables included, writes the
// same bytes on our core, in pieces of any length, and under QEMU.
func TestProgramQEMU(t *testing.T) {
	gcc, qemu := foreign.Tool(t, "arm-none-eabi-gcc"), foreign.Tool(t, "qemu-arm")
	for _, level := range []string{"-O0", "-O2", "-Os"} {
		exe := filepath.Join(t.TempDir(), "prog")
		run(t, gcc, "-mcpu=cortex-m3", "-mthumb", "-mfloat-abi=soft", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-fomit-frame-pointer", "-nostdlib", "-w", "-DRUN", level,
			"-Wl,-Ttext=0x20000,-Tdata=0x80000,-e,_start", "-o", exe, "testdata/sample.c")
		want := run(t, qemu, "-cpu", "max", exe)
		for _, limit := range []uint64{0, 1, 7, 1000} {
			if got := runELF(t, exe, limit); !bytes.Equal(got, want) || len(got) == 0 {
				t.Fatalf("%s in pieces of %d: output\n%x\nQEMU\n%x", level, limit, got, want)
			}
		}
	}
}

// runELF runs a static program until it exits and returns what it wrote.
func runELF(t *testing.T, path string, limit uint64) []byte {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mem := new(isa.Memory)
	add := func(name string, base uint64, data []byte, perm isa.Perm) {
		if err := mem.Add(&isa.Region{Name: name, Base: base, Data: data, Perm: perm}); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		data := make([]byte, p.Memsz)
		if _, err := io.ReadFull(p.Open(), data[:p.Filesz]); err != nil {
			t.Fatal(err)
		}
		perm := isa.R
		if p.Flags&elf.PF_W != 0 {
			perm |= isa.W
		}
		if p.Flags&elf.PF_X != 0 {
			perm |= isa.X
		}
		add("load", p.Vaddr, data, perm)
	}
	const stack = 0x4000_0000
	add("stack", stack, make([]byte, 1<<16), isa.R|isa.W)
	c := Arch{}.NewCore(mem, nil)
	c.SetPC(f.Entry)
	c.SetReg(SP, stack+1<<16)
	var out []byte
	for {
		switch stop := c.Run(nil, limit, isa.NoAddr); {
		case stop.Kind == isa.StopLimit && c.Retired() < 10_000_000:
		case stop.Kind != isa.StopSystem:
			t.Fatalf("stopped: %+v", stop)
		case c.Reg(7) == 1:
			return out
		default:
			b, err := mem.Read(c.Reg(1), int(c.Reg(2)))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, b...)
		}
	}
}
