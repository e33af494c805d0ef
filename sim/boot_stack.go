package sim

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"

	"simrun/isa"
)

// Types of the auxiliary vector.
const (
	auxProgramHeaders = 3
	auxHeaderSize     = 4
	auxHeaderCount    = 5
	auxPageSize       = 6
	auxEntry          = 9
	auxRandom         = 25
	auxFile           = 31
)

// pushArgs puts what Linux puts on a new stack: argument count, arguments, environment, auxiliary vector; above
// them the strings and 16 bytes that are said to be random. It returns the SP.
func (p *Program) pushArgs(args []string) (uint64, error) {
	at := p.stackTop() - 16
	random := at
	words := []uint64{uint64(len(args))}
	for _, a := range args {
		at -= uint64(len(a)) + 1
		if at < p.stack.Base || at > p.stackTop() {
			return 0, fmt.Errorf("the program's arguments do not fit the %d bytes of its stack", len(p.stack.Data))
		}
		if err := p.mem.Write(at, append([]byte(a), 0)); err != nil {
			return 0, err
		}
		words = append(words, at)
	}
	words = append(words, 0, 0, auxPageSize, planPage, auxRandom, random, auxEntry, p.image.Entry)
	if len(args) > 0 {
		words = append(words, auxFile, words[1])
	}
	words = append(words, p.programHeaders()...)
	words = append(words, 0, 0)
	size := p.abi.WordBytes
	sp := (at - uint64(size*len(words))) &^ 15
	var block []byte
	for _, w := range words {
		block = append(block, binary.LittleEndian.AppendUint64(nil, w)[:size]...)
	}
	if err := p.mem.Write(sp, block); err != nil {
		return 0, fmt.Errorf("the program's arguments do not fit its stack: %w", err)
	}
	return sp, nil
}

// programHeaders returns the entries of the auxiliary vector for those of a 64-bit file that is loaded with its header. From
// them a C library finds its thread-local data.
func (p *Program) programHeaders() []uint64 {
	for _, s := range p.image.Segments {
		var h elf.Header64
		if !bytes.HasPrefix(s.Data, []byte(elf.ELFMAG)) || p.abi.WordBytes != 8 {
			continue
		}
		if _, err := binary.Decode(s.Data, binary.LittleEndian, &h); err == nil && h.Phoff < uint64(len(s.Data)) {
			return []uint64{auxProgramHeaders, s.Addr + h.Phoff, auxHeaderSize, uint64(h.Phentsize), auxHeaderCount, uint64(h.Phnum)}
		}
	}
	return nil
}

// named returns the register of that name.
func (m *Machine) named(name string) (isa.Reg, bool) {
	for r := range m.arch.NumRegs() {
		if m.arch.RegName(isa.Reg(r)) == name {
			return isa.Reg(r), true
		}
	}
	return isa.NoReg, false
}
