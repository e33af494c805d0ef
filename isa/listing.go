package isa

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// WriteGNU writes blocks as one assembler file. The GNU assembler of a.Triple makes of it the bytes
// that a.Assemble(blocks, org) makes, if org is a multiple of every alignment used; it may pad the
// end of the section.
func WriteGNU(w io.Writer, a Arch, blocks []*Block) error {
	l := listing{w: bufio.NewWriter(w), a: a}
	l.line("%s", a.Prologue())
	l.line("\t.text")
	for _, b := range blocks {
		l.block(b)
	}
	return l.w.Flush()
}

// Modal is what an Arch adds if the assembler has modes that decide how an instruction is encoded.
type Modal interface {
	// Mode returns the directive, a line without its newline, that must be in force
	// where in stands; "" if any will do.
	Mode(in Inst) string
}

// listing carries the state of WriteGNU. Write errors stay in w until Flush.
type listing struct {
	w    *bufio.Writer
	a    Arch
	mode string // the directive of Modal now in force
}

func (l *listing) line(format string, args ...any) {
	fmt.Fprintf(l.w, format+"\n", args...)
}

func (l *listing) block(b *Block) {
	l.line("")
	if b.Align > 1 {
		l.align(b.Align, false)
	}
	l.line("\t.global %s", b.Name)
	kind := "object"
	if b.Code() {
		kind = "function"
	}
	l.line("\t.type %s, %%%s", b.Name, kind)
	l.line("%s:", b.Name)
	for i := range b.Items {
		l.item(&b.Items[i])
	}
	l.line("\t.size %s, . - %s", b.Name, b.Name)
}

// item writes one Item. A note stands behind the instruction, or on a line of its own where there
// is none.
func (l *listing) item(it *Item) {
	note := ""
	if it.Note != "" {
		note = l.a.Comment() + " " + it.Note
	}
	if it.Align > 1 {
		l.align(it.Align, it.Nops)
	}
	switch {
	case it.Label != "":
		l.line("%s:%s", it.Label, pad(note))
	case it.Inst.Form != nil:
		l.setMode(it.Inst)
		l.line("\t%s%s", l.a.Print(it.Inst), pad(note))
	case it.Sym != "":
		l.line("\t.4byte %s+%d%s", it.Sym, binary.LittleEndian.Uint32(it.Data), pad(note))
	case it.Data != nil:
		l.data(it.Data, pad(note))
	case note != "":
		l.line("\t%s", note)
	}
}

func (l *listing) setMode(in Inst) {
	m, ok := l.a.(Modal)
	if !ok {
		return
	}
	if mode := m.Mode(in); mode != "" && mode != l.mode {
		l.line("%s", mode)
		l.mode = mode
	}
}

func pad(note string) string {
	if note == "" {
		return ""
	}
	return "\t" + note
}

// align pads with zero bytes; left to itself the assembler pads code with no-ops.
func (l *listing) align(n int, nops bool) {
	if nops {
		l.line("\t.balign %d", n)
		return
	}
	l.line("\t.balign %d, 0", n)
}

// data writes words while there are four bytes, then single bytes. Neither directive aligns.
func (l *listing) data(p []byte, note string) {
	for ; len(p) >= 4; p = p[4:] {
		l.line("\t.4byte 0x%08x%s", binary.LittleEndian.Uint32(p), note)
		note = ""
	}
	for ; len(p) > 0; p = p[1:] {
		l.line("\t.byte 0x%02x%s", p[0], note)
		note = ""
	}
}
