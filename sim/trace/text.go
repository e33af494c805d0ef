// Package trace turns timed instructions into something to read. It must not know how
// their cycles came about, nor which instruction set they are of.
package trace

import (
	"fmt"
	"io"
	"strings"

	"simrun/costmodel"
	"simrun/isa"
)

// Text writes one line per instruction: its first cycle, address, text, cycles, and the
// causes of every cycle beyond its own slot.
//
//	cycle   address   instruction                       cycles  lost to
//	   12  08000010   ldr r1, [r0, #4]                       2  load-use 1
type Text struct {
	w     io.Writer
	arch  isa.Arch
	mem   *isa.Memory
	texts map[uint64]string // by address
	err   error
}

// longest instruction of any instruction set, in bytes.
const longest = 16

// NewText returns a sink that writes to w and reads code from mem as it is when an
// instruction is first seen. The heading is written at once.
func NewText(w io.Writer, arch isa.Arch, mem *isa.Memory) *Text {
	t := &Text{w: w, arch: arch, mem: mem, texts: map[uint64]string{}}
	t.printf("%9s  %8s  %-40s %6s  %s\n", "cycle", "address", "instruction", "cycles", "lost to")
	return t
}

// Timed writes a line; it is what a pipeline's SetSink takes.
func (t *Text) Timed(x costmodel.Timed) {
	text := t.text(x.PC)
	if x.Skipped {
		text += "  (not executed)"
	}
	line := fmt.Sprintf("%9d  %08x  %-40s %6d  %s", x.Start, x.PC, text, x.Cycles, lost(&x))
	t.printf("%s\n", strings.TrimRight(line, " "))
}

// Err returns the first error of the writer.
func (t *Text) Err() error { return t.err }

func (t *Text) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

func (t *Text) text(pc uint64) string {
	if s, ok := t.texts[pc]; ok {
		return s
	}
	s := "?"
	if in, err := t.decode(pc); err == nil {
		s = strings.ReplaceAll(t.arch.Print(in), "\t", " ")
	}
	t.texts[pc] = s
	return s
}

// decode reads as many bytes as are mapped, since the last instruction of a region may be short.
func (t *Text) decode(pc uint64) (isa.Inst, error) {
	for n := longest; n > 1; n /= 2 {
		if code, err := t.mem.Read(pc, n); err == nil {
			in, _, err := t.arch.Decode(code, pc)
			return in, err
		}
	}
	return isa.Inst{}, t.mem.FaultAt(pc, 2, isa.X)
}

// lost lists the causes other than the slots of issue, one per instruction.
func lost(x *costmodel.Timed) string {
	var parts []string
	for c, n := range x.Causes {
		if n != 0 && costmodel.Cause(c) != costmodel.Issue {
			parts = append(parts, fmt.Sprintf("%s %d", costmodel.Cause(c), n))
		}
	}
	return strings.Join(parts, ", ")
}
