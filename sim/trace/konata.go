package trace

import (
	"io"
	"strconv"

	"simrun/costmodel"
	"simrun/isa"
)

// Konata writes the log of the Konata pipeline viewer, format version 0004. An instruction is a row
// that lies in the cycles of its record, cut into stages: X is its own issue slot, every other
// stage is named by the cause of its cycles. A record knows how many cycles each cause took and
// not their order; here waits stand before X and what follows from the instruction behind it.
// The stages of the hardware that do not decide a cycle (fetch, decode, write-back) are not in
// the model and not in the log.
type Konata struct {
	out
	code code
	id   uint64 // of the next row
	row  []byte // a tab and the id, as most lines have it
	now  uint64 // cycle that the log has reached
}

// konataHead is the first line of a log. Fields are separated by tabs everywhere.
const konataHead = "Kanata\t0004\n"

// behind are the causes whose cycles follow from an instruction, after its own slot.
var behind = [costmodel.NumCauses]bool{
	costmodel.Transfer: true, costmodel.Branch: true, costmodel.Mispredict: true, costmodel.Exception: true,
}

// konataOrder is the order of the stages in a row.
var konataOrder = func() (order []costmodel.Cause) {
	var after []costmodel.Cause
	for c := costmodel.Issue + 1; c < costmodel.NumCauses; c++ {
		if behind[c] {
			after = append(after, c)
		} else {
			order = append(order, c)
		}
	}
	return append(append(order, costmodel.Issue), after...)
}()

// NewKonata returns a sink that writes a Konata log.
func NewKonata(w io.Writer, arch isa.Arch, mem *isa.Memory) Sink {
	k := &Konata{out: out{w: w}, code: newCode(arch, mem, func(pc uint64, text string) string {
		return "\t0\t" + string(appendHex(nil, pc)) + ": " + text
	})}
	k.buf = append(k.buf, konataHead...)
	return k
}

// Timed writes a row.
func (k *Konata) Timed(x costmodel.Timed) {
	buf := k.buf
	if k.id == 0 {
		buf = line(buf, "C=", x.Start)
		k.now = x.Start
	}
	buf = k.advance(buf, x.Start-k.now)
	k.row = field(k.row[:0], k.id)
	buf = line(k.begin(buf, 'I'), "", x.Index, 0)
	buf = append(k.begin(buf, 'L'), k.code.at(x.PC)...)
	if x.Skipped {
		buf = append(buf, "  (not executed)"...)
	}
	buf = append(buf, '\n')
	if x.Slots == x.Causes[costmodel.Issue] {
		buf = k.stage(buf, costmodel.Issue, x.Slots)
	} else {
		buf = append(k.begin(buf, 'L'), "\t1\t"...)
		buf = append(appendLost(buf, &x), '\n')
		buf = k.stages(buf, &x)
	}
	k.done(line(k.begin(buf, 'R'), "", k.id, 0))
	k.id++
}

// begin writes the head of a line about the row.
func (k *Konata) begin(buf []byte, command byte) []byte {
	return append(append(buf, command), k.row...)
}

// stages writes the stages that take cycles.
func (k *Konata) stages(buf []byte, x *costmodel.Timed) []byte {
	for _, c := range konataOrder {
		if n := x.Causes[c]; n != 0 {
			buf = k.stage(buf, c, n)
		}
	}
	return buf
}

// stage writes a stage of the row, in lane 0, and passes its cycles.
func (k *Konata) stage(buf []byte, c costmodel.Cause, cycles uint64) []byte {
	name := "X"
	if c != costmodel.Issue {
		name = costmodel.Causes[c]
	}
	buf = append(append(append(k.begin(buf, 'S'), "\t0\t"...), name...), '\n')
	buf = k.advance(buf, cycles)
	return append(append(append(k.begin(buf, 'E'), "\t0\t"...), name...), '\n')
}

func (k *Konata) advance(buf []byte, cycles uint64) []byte {
	if cycles == 0 {
		return buf
	}
	k.now += cycles
	return line(buf, "C", cycles)
}

func line(buf []byte, command string, fields ...uint64) []byte {
	buf = append(buf, command...)
	for _, f := range fields {
		buf = field(buf, f)
	}
	return append(buf, '\n')
}

func field(buf []byte, n uint64) []byte {
	return strconv.AppendUint(append(buf, '\t'), n, 10)
}

// appendHex prints an address in at least 8 digits.
func appendHex(buf []byte, n uint64) []byte {
	var digits [16]byte
	text := strconv.AppendUint(digits[:0], n, 16)
	for range 8 - len(text) {
		buf = append(buf, '0')
	}
	return append(buf, text...)
}
