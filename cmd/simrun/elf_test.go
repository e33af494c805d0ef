package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"simrun/isa"
	"simrun/isa/all"
)

// makeELF is `elf ARCH ADDRESS in.s out.elf`: it assembles a text and writes it as a linked ELF file, so that
// scripts have programs without a foreign tool. The entry is the first instruction.
func makeELF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: elf ARCH ADDRESS in.s out.elf")
	}
	org, err := strconv.ParseUint(args[1], 0, 32)
	ts.Check(err)
	arch := all.Arch(args[0])
	blocks, err := arch.Parse(args[2], ts.ReadFile(args[2]))
	ts.Check(err)
	im, err := arch.Assemble(blocks, org)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), writeELF(im, org), 0o600))
}

// Sizes of the parts of an ELF32 file, in bytes.
const (
	elfHeader  = 52
	elfProgram = 32
	elfSection = 40
)

// writeELF makes an ELF32 file of the first segment of an image: header, one program header, code, symbols, their
// names, and four section headers (none, code, symbols, names).
func writeELF(im *isa.Image, entry uint64) []byte {
	machine, bit := elf.EM_RISCV, uint32(0)
	if im.Arch == "t32" {
		machine, bit = elf.EM_ARM, 1
	}
	code, addr := im.Segments[0].Data, uint32(im.Segments[0].Addr)
	names, symbols := []byte{0}, make([]elf.Sym32, 1)
	for _, s := range im.Symbols {
		symbols = append(symbols, elf.Sym32{
			Name: uint32(len(names)), Value: uint32(s.Addr) | bit, Size: uint32(s.Size),
			Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Shndx: 1,
		})
		names = append(append(names, s.Name...), 0)
	}
	codeAt := uint32(elfHeader + elfProgram)
	symbolsAt := codeAt + uint32(len(code))
	namesAt := symbolsAt + uint32(elf.Sym32Size*len(symbols))
	head := elf.Header32{
		Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS32), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT),
		Entry: uint32(entry) | bit, Phoff: elfHeader, Shoff: namesAt + uint32(len(names)),
		Ehsize: elfHeader, Phentsize: elfProgram, Phnum: 1, Shentsize: elfSection, Shnum: 4, Shstrndx: 3,
	}
	load := elf.Prog32{
		Type: uint32(elf.PT_LOAD), Off: codeAt, Vaddr: addr, Paddr: addr,
		Filesz: uint32(len(code)), Memsz: uint32(len(code)), Flags: uint32(elf.PF_R | elf.PF_X),
	}
	sections := []elf.Section32{
		{},
		{Type: uint32(elf.SHT_PROGBITS), Flags: uint32(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addr: addr, Off: codeAt, Size: uint32(len(code))},
		{Type: uint32(elf.SHT_SYMTAB), Off: symbolsAt, Size: namesAt - symbolsAt, Link: 3, Info: 1, Entsize: elf.Sym32Size},
		{Type: uint32(elf.SHT_STRTAB), Off: namesAt, Size: uint32(len(names))},
	}
	var b bytes.Buffer
	for _, part := range []any{head, load, code, symbols, names, sections} {
		binary.Write(&b, binary.LittleEndian, part) // a bytes.Buffer takes everything
	}
	return b.Bytes()
}
