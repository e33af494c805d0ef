package trace

import (
	"io"
	"strconv"
	"strings"

	"simrun/costmodel"
	"simrun/isa"
)

// Sink takes the records of a run in their order and writes them as they come: what it holds grows
// with the code, not with the run.
type Sink interface {
	Timed(costmodel.Timed) // what a pipeline's SetSink takes
	Close() error          // writes what is left and returns the first error of the writer
}

// Format is a form of a trace.
type Format struct {
	Name string
	// New returns a sink that writes to w. It reads code from mem as it is when an instruction
	// is first seen.
	New func(w io.Writer, arch isa.Arch, mem *isa.Memory) Sink
}

// Formats are all forms, the default first.
var Formats = []Format{{"text", NewText}, {"konata", NewKonata}, {"json", NewJSON}}

// out is a buffered writer. After an error it drops what it is given.
type out struct {
	w   io.Writer
	buf []byte
	err error
}

// full is the size from which the buffer is written, in bytes.
const full = 32 << 10

// done ends a record.
func (o *out) done(buf []byte) {
	o.buf = buf
	if len(buf) >= full {
		o.flush()
	}
}

func (o *out) flush() {
	if o.err == nil && len(o.buf) > 0 {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf = o.buf[:0]
}

// Close writes what is left and returns the first error of the writer.
func (o *out) Close() error {
	o.flush()
	return o.err
}

// code is the text of the instructions seen so far, in the form that a sink prints.
type code struct {
	arch   isa.Arch
	mem    *isa.Memory
	known  map[uint64]string
	render func(pc uint64, text string) string
}

func newCode(arch isa.Arch, mem *isa.Memory, render func(pc uint64, text string) string) code {
	return code{arch, mem, map[uint64]string{}, render}
}

func (c *code) at(pc uint64) string {
	s, ok := c.known[pc]
	if !ok {
		s = c.render(pc, c.text(pc))
		c.known[pc] = s
	}
	return s
}

// text prints the instruction at pc in one line, without tabs.
func (c *code) text(pc uint64) string {
	in, _, err := isa.DecodeAt(c.arch, c.mem, pc)
	if err != nil {
		return "?"
	}
	return strings.ReplaceAll(c.arch.Print(in), "\t", " ")
}

// appendLost lists the causes other than the slots of issue: "load-use 1, fetch 1".
func appendLost(buf []byte, x *costmodel.Timed) []byte {
	separator := ""
	for c, n := range x.Causes {
		if n == 0 || costmodel.Cause(c) == costmodel.Issue {
			continue
		}
		buf = append(buf, separator...)
		buf = append(buf, costmodel.Causes[c]...)
		buf = append(buf, ' ')
		buf = strconv.AppendUint(buf, n, 10)
		separator = ", "
	}
	return buf
}
