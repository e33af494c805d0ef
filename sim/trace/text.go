package trace

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"simrun/costmodel"
	"simrun/isa"
)

// Text writes one line per instruction: its first cycle, address, text, cycles, and the
// causes of every cycle beyond its own slot; out of order the causes are in slots.
//
//	cycle   address   instruction                       cycles  lost to
//	   12  08000010   ldr r1, [r0, #4]                       2  load-use 1
type Text struct {
	out
	code    code
	skipped code // the lines of instructions whose condition failed
}

// NewText returns a sink that writes lines of text under a heading.
func NewText(w io.Writer, arch isa.Arch, mem *isa.Memory) Sink {
	render := func(note string) func(uint64, string) string {
		return func(pc uint64, text string) string { return fmt.Sprintf("  %08x  %-40s ", pc, text+note) }
	}
	t := &Text{
		out:     out{w: w},
		code:    newCode(arch, mem, render("")),
		skipped: newCode(arch, mem, render("  (not executed)")),
	}
	t.buf = fmt.Appendf(nil, "%9s  %8s  %-40s %6s  %s\n", "cycle", "address", "instruction", "cycles", "lost to")
	return t
}

// Timed writes a line.
func (t *Text) Timed(x costmodel.Timed) {
	c := &t.code
	if x.Skipped {
		c = &t.skipped
	}
	width := max(x.Width, 1)
	buf := appendRight(t.buf, x.Start/width, 9)
	buf = append(buf, c.at(x.PC)...)
	if width == 1 {
		buf = appendRight(buf, x.Slots, 6)
	} else {
		buf = fmt.Appendf(buf, "%6.2f", float64(x.Slots)/float64(width))
	}
	buf = append(buf, "  "...)
	buf = appendLost(buf, &x)
	t.done(append(bytes.TrimRight(buf, " "), '\n'))
}

// appendRight prints n at the right of width columns.
func appendRight(buf []byte, n uint64, width int) []byte {
	var digits [20]byte
	text := strconv.AppendUint(digits[:0], n, 10)
	for range width - len(text) {
		buf = append(buf, ' ')
	}
	return append(buf, text...)
}
