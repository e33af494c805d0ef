package t32

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
)

// A file with sections, addresses as data, macros, conditions and names of registers assembles to the
// bytes that the GNU tools make of it, the sections one behind the other; so does our listing of it.
func TestSectionsGNU(t *testing.T) {
	text, err := os.ReadFile("testdata/sections.s")
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := Arch{}.Parse("sections.s", string(text))
	if err != nil {
		t.Fatal(err)
	}
	im, err := Arch{}.Assemble(blocks, 0x8000)
	if err != nil {
		t.Fatal(err)
	}
	ours := im.Segments[0].Data
	if theirs := linkSections(t, string(text)); !bytes.Equal(ours, theirs) {
		t.Errorf("ours %x\nGNU  %x", ours, theirs)
	}
	var listing strings.Builder
	if err := isa.WriteGNU(&listing, Arch{}, blocks); err != nil {
		t.Fatal(err)
	}
	if theirs := linkSections(t, listing.String()); !bytes.Equal(ours, theirs) {
		t.Errorf("of our listing the GNU tools make %x\nnot %x", theirs, ours)
	}
}

// linkSections assembles text and links .text, .rodata and .data in that order to 0x8000.
func linkSections(t *testing.T, text string) []byte {
	t.Helper()
	as, ld := foreign.Tool(t, "arm-none-eabi-as"), foreign.Tool(t, "arm-none-eabi-ld")
	objcopy := foreign.Tool(t, "arm-none-eabi-objcopy")
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	const script = "SECTIONS { .text 0x8000 : { *(.text*) *(.rodata*) *(.data*) } /DISCARD/ : { *(*) } }"
	for name, s := range map[string]string{"a.s": text, "a.ld": script} {
		if err := os.WriteFile(path(name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, as, "-mcpu=cortex-m4", "-o", path("a.o"), path("a.s"))
	run(t, ld, "-T", path("a.ld"), "-e", "0", "-o", path("a.elf"), path("a.o"))
	run(t, objcopy, "-O", "binary", "-j", ".text", path("a.elf"), path("a.bin"))
	code, err := os.ReadFile(path("a.bin"))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// Region comments of LLVM-MCA are symbols at their place, nested or not, named or not.
func TestRegions(t *testing.T) {
	blocks, err := Arch{}.Parse("f.s", `
		nop
		# LLVM-MCA-BEGIN loop
		nop
		@ LLVM-MCA-BEGIN
		nop
		// LLVM-MCA-END
		nop
		@ LLVM-MCA-END loop
		nop
		@ LLVM-MCA-END
		nop @ LLVM-MCA-BEGIN is no region behind an instruction`)
	if err != nil {
		t.Fatal(err)
	}
	im, err := Arch{}.Assemble(blocks, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, addr := range map[string]uint64{"loop": 2, "mca1": 4, "mca1.end": 6, "loop.end": 8} {
		if s, ok := im.Lookup(name); !ok || s.Addr != addr {
			t.Errorf("%s is at %#x (%v), want %#x", name, s.Addr, ok, addr)
		}
	}
	if len(im.Symbols) != 5 {
		t.Errorf("symbols %v", im.Symbols)
	}
}

// A program reads its table behind the code, and calls through an address in it.
func TestAddressesRun(t *testing.T) {
	c, _ := load(t, `
		ldr r1, =table
		ldmia r1, {r2, r3}
		mov r4, lr
		blx r2
		bx r4
		.thumb_func
	double: lsl r3, r3, #1
		bx lr
		.section .rodata
	table: .word double, 21`)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopAddr || c.Reg(3) != 42 {
		t.Errorf("%+v, r3 = %d", stop, c.Reg(3))
	}
}

// A label that is not global may have any name, that of a program's start too, and is no symbol.
func TestLocalStart(t *testing.T) {
	blocks, err := Arch{}.Parse("local.s", "_start: nop\n.global f\nf: b _start\n")
	if err != nil {
		t.Fatal(err)
	}
	im, err := Arch{}.Assemble(blocks, testCode)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := im.Lookup("_start"); ok {
		t.Errorf("symbol %+v", s)
	}
}
