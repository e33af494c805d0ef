package sim

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
)

// refusePacked refuses compressed tables before debug/elf sees the file: it would inflate a
// section to whatever size the section claims. Debug information may be compressed, since it
// is not read here. Damage is left to debug/elf to report.
func refusePacked(data []byte) error {
	if len(data) < elf.EI_NIDENT || string(data[:4]) != elf.ELFMAG {
		return nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if elf.Data(data[elf.EI_DATA]) == elf.ELFDATA2MSB {
		order = binary.BigEndian
	}
	off, size, num := sectionTable(data, order)
	if off != 0 && num == 0 {
		return fmt.Errorf("ELF file counts its sections in the first of them: at most %d are read", maxSections)
	}
	if num > maxSections {
		return fmt.Errorf("ELF file has %d sections: at most %d are read", num, maxSections)
	}
	for i := range num {
		start := off + uint64(i)*uint64(size)
		if start < off || start >= uint64(len(data)) {
			break
		}
		typ, flags := sectionHead(data[start:], elf.Class(data[elf.EI_CLASS]), order)
		if flags&elf.SHF_COMPRESSED != 0 && typ != elf.SHT_PROGBITS {
			return fmt.Errorf("ELF section %d is compressed: only debug sections may be", i)
		}
	}
	return nil
}

// sectionTable returns file offset, entry size and number of the section headers.
func sectionTable(data []byte, order binary.ByteOrder) (off uint64, size, num uint16) {
	r := bytes.NewReader(data)
	if elf.Class(data[elf.EI_CLASS]) == elf.ELFCLASS64 {
		var h elf.Header64
		if binary.Read(r, order, &h) == nil {
			return h.Shoff, h.Shentsize, h.Shnum
		}
		return 0, 0, 0
	}
	var h elf.Header32
	if binary.Read(r, order, &h) == nil {
		return uint64(h.Shoff), h.Shentsize, h.Shnum
	}
	return 0, 0, 0
}

func sectionHead(data []byte, class elf.Class, order binary.ByteOrder) (elf.SectionType, elf.SectionFlag) {
	r := bytes.NewReader(data)
	if class == elf.ELFCLASS64 {
		var s elf.Section64
		if binary.Read(r, order, &s) != nil {
			return elf.SHT_NULL, 0
		}
		return elf.SectionType(s.Type), elf.SectionFlag(s.Flags)
	}
	var s elf.Section32
	if binary.Read(r, order, &s) != nil {
		return elf.SHT_NULL, 0
	}
	return elf.SectionType(s.Type), elf.SectionFlag(s.Flags)
}

// plainTable refuses a symbol or string table that debug/elf would inflate.
func plainTable(s *elf.Section) error {
	if s.Flags&elf.SHF_COMPRESSED != 0 || strings.HasPrefix(s.Name, ".zdebug") {
		return fmt.Errorf("ELF section %s is compressed: a table may not be", quote(s.Name))
	}
	return nil
}
