package trace

import (
	"io"
	"strings"
	"testing"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/t32"
)

// memory holds eor.w r0, r1, r2 and, at the very end of its region, bx lr.
func memory(t testing.TB) *isa.Memory {
	t.Helper()
	mem := &isa.Memory{}
	data := []byte{0x81, 0xea, 0x02, 0x00, 0x70, 0x47}
	if err := mem.Add(&isa.Region{Name: "code", Base: 0x0800_0000, Data: data, Perm: isa.R | isa.X}); err != nil {
		t.Fatal(err)
	}
	return mem
}

type causes = [costmodel.NumCauses]uint64

// records are instructions of memory: with waits, skipped, with a branch, and one at no address that
// takes no cycle.
var records = []costmodel.Timed{
	{PC: 0x0800_0000, Index: 4, Start: 7, Slots: 3, Causes: causes{costmodel.Issue: 1, costmodel.LoadUse: 1, costmodel.Fetch: 1}},
	{PC: 0x0800_0000, Index: 5, Start: 10, Slots: 1, Causes: causes{costmodel.Issue: 1}, Skipped: true},
	{PC: 0x0800_0004, Index: 6, Start: 11, Slots: 2, Causes: causes{costmodel.Issue: 1, costmodel.Branch: 1}},
	{PC: 0x0900_0000, Index: 7, Start: 13},
}

type newSink = func(io.Writer, isa.Arch, *isa.Memory) Sink

func write(t testing.TB, open newSink, list []costmodel.Timed) string {
	t.Helper()
	var text strings.Builder
	sink := open(&text, t32.New(), memory(t))
	for _, x := range list {
		sink.Timed(x)
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestSinksAllocateNothing writes records of instructions seen before.
func TestSinksAllocateNothing(t *testing.T) {
	for _, f := range Formats {
		sink := f.New(io.Discard, t32.New(), memory(t))
		next := func() {
			for _, x := range records {
				sink.Timed(x)
			}
		}
		for range 2 * full / 16 { // the buffer has its final size
			next()
		}
		if n := testing.AllocsPerRun(1000, next); n != 0 {
			t.Errorf("%s: %v allocations in %d records", f.Name, n, len(records))
		}
	}
}
