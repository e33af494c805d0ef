package isa

import "slices"

// Block is one function in assembly form, before it has addresses.
type Block struct {
	Name  string // symbol
	Align int    // alignment of the first byte, a power of two; 0 = the ISA's smallest
	Items []Item
}

// Code reports whether the block holds an instruction.
func (b *Block) Code() bool {
	return slices.ContainsFunc(b.Items, func(it Item) bool { return it.Inst.Form != nil })
}

// Item is one line of a Block: a label, an instruction, or raw data.
// Exactly one of Label, Inst.Form and Data is set; Align may stand alone.
type Item struct {
	Label string // defines a label here, local to the program
	Inst  Inst
	Data  []byte // literal bytes
	Sym   string // with Data: an address, "name" or "name+4", added to its first four bytes, little-endian (t32)
	Align int    // pad with zero bytes to this power of two first
	Nops  bool   // pad with no-ops instead, for code that runs through the alignment
	Note  string // comment for listings
	File  string // source text this came from, "" = Image.Source
	Line  int    // line of it, 0 = none
}

// Image is a linked program: what assembling makes and what an ELF file holds.
type Image struct {
	Arch     string
	Entry    uint64
	Segments []Segment
	Symbols  []Symbol // by address
	Lines    []Line   // by address; of assembled code one for each instruction that has a line
	Source   string   // file that Lines speak of
}

// Segment is a run of bytes at a fixed address.
type Segment struct {
	Addr uint64
	Data []byte
	Size uint64 // bytes in memory; the rest after Data is zero
	Perm Perm
}

// Symbol is a named address. Size 0 = unknown.
type Symbol struct {
	Name string
	Addr uint64
	Size uint64
	Func bool
}

// Line maps the code from Addr up to the next entry to a source line.
type Line struct {
	Addr uint64
	Line int
	File string // "" = Image.Source
}

// Lookup returns the symbol of that name.
func (im *Image) Lookup(name string) (Symbol, bool) {
	for _, s := range im.Symbols {
		if s.Name == name {
			return s, true
		}
	}
	return Symbol{}, false
}
