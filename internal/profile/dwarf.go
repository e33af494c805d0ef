package profile

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
)

// Bounds on debugging information: whatever a file claims, reading it ends soon.
const (
	maxDebug  = 64 << 20 // bytes of all sections
	maxUnits  = 1 << 16
	maxParsed = 1 << 29 // units times bytes of abbreviations
	maxItems  = 1 << 22 // rows of line tables, files, ranges, functions: together
	maxFields = 1 << 26 // attributes of all entries
)

// ErrNoDebug says that a file has no debugging information.
var ErrNoDebug = errors.New("no line table: compile with -g to see files and lines")

// AddELF reads the debugging information of a linked ELF file. After an error the source is as it
// was: symbols only.
func (s *Source) AddELF(data []byte) error {
	d, err := readDebug(data)
	if err != nil {
		return err
	}
	d.finish(s)
	s.debug = d
	return nil
}

// readDebug reads all units. The package debug/dwarf expects what compilers write and may panic at
// other data, which is an error like any other here.
func readDebug(data []byte) (d *debug, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, fmt.Errorf("debugging information is damaged: %v", p)
		}
	}()
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if f.Section(".debug_line") == nil || f.Section(".debug_info") == nil {
		return nil, ErrNoDebug
	}
	if f.Type != elf.ET_EXEC {
		return nil, errors.New("line table of an object file has no addresses yet: link it to see files and lines")
	}
	r, err := open(f)
	if err != nil {
		return nil, err
	}
	if err := r.units(); err != nil {
		return nil, fmt.Errorf("debugging information is damaged: %w", err)
	}
	return r.debug, nil
}

// sections are those that are read: what dwarf.New takes, then what AddSection takes.
var sections = []string{
	"abbrev", "info", "line", "ranges", "str",
	"addr", "line_str", "str_offsets", "rnglists",
}

// open reads the sections.
func open(f *elf.File) (*reader, error) {
	content := map[string][]byte{}
	var total uint64
	for _, name := range sections {
		s := f.Section(".debug_" + name)
		if s == nil || s.Type == elf.SHT_NOBITS {
			continue
		}
		if total += s.Size; s.Size > maxDebug || total > maxDebug {
			return nil, fmt.Errorf("debugging information has more than %d bytes", maxDebug)
		}
		data, err := s.Data()
		if err != nil {
			return nil, fmt.Errorf("section .debug_%s is damaged: %w", name, err)
		}
		content[name] = data
	}
	n := countUnits(content["info"], f.ByteOrder)
	if n > maxUnits || n*len(content["abbrev"]) > maxParsed {
		return nil, fmt.Errorf("debugging information has %d units with %d bytes of abbreviations: too many to read", n, len(content["abbrev"]))
	}
	d, err := dwarf.New(content["abbrev"], nil, nil, content["info"], content["line"], nil, content["ranges"], content["str"])
	if err != nil {
		return nil, fmt.Errorf("debugging information is damaged: %w", err)
	}
	for _, name := range sections[5:] {
		if content[name] == nil {
			continue
		}
		if err := d.AddSection(".debug_"+name, content[name]); err != nil {
			return nil, fmt.Errorf("debugging information is damaged: %w", err)
		}
	}
	return &reader{data: d, order: f.ByteOrder, bytes: len(content["info"]), lines: content["line"], debug: newDebug()}, nil
}

// countUnits counts the units of .debug_info by their lengths.
func countUnits(info []byte, order binary.ByteOrder) (n int) {
	for len(info) > 0 {
		n++
		size, head := unitLength(info, order)
		if head == 0 || size > uint64(len(info)-head) {
			break
		}
		info = info[uint64(head)+size:]
	}
	return n
}

// unitLength reads the length that a unit begins with; head is the size of that field, 0 if it is cut off.
func unitLength(p []byte, order binary.ByteOrder) (size uint64, head int) {
	const long = 0xffffffff // a 64-bit length follows
	if len(p) < 4 {
		return 0, 0
	}
	size = uint64(order.Uint32(p))
	if size != long {
		return size, 4
	}
	if len(p) < 12 {
		return 0, 0
	}
	return order.Uint64(p[4:]), 12
}
