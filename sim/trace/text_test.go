package trace

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/t32"
)

// code holds eor.w r0, r1, r2 and, at the very end of its region, bx lr.
func code(t *testing.T) *isa.Memory {
	t.Helper()
	mem := &isa.Memory{}
	data := []byte{0x81, 0xea, 0x02, 0x00, 0x70, 0x47}
	if err := mem.Add(&isa.Region{Name: "code", Base: 0x0800_0000, Data: data, Perm: isa.R | isa.X}); err != nil {
		t.Fatal(err)
	}
	return mem
}

func TestText(t *testing.T) {
	var out strings.Builder
	trace := NewText(&out, t32.New(), code(t))
	trace.Timed(costmodel.Timed{
		PC: 0x0800_0000, Start: 7, Cycles: 3,
		Causes: [costmodel.NumCauses]uint64{costmodel.Issue: 1, costmodel.LoadUse: 1, costmodel.Fetch: 1},
	})
	trace.Timed(costmodel.Timed{PC: 0x0800_0000, Start: 10, Cycles: 1, Causes: [costmodel.NumCauses]uint64{costmodel.Issue: 1}, Skipped: true})
	trace.Timed(costmodel.Timed{PC: 0x0800_0004, Start: 11, Cycles: 2, Causes: [costmodel.NumCauses]uint64{costmodel.Issue: 1, costmodel.Branch: 1}})
	trace.Timed(costmodel.Timed{PC: 0x0900_0000, Start: 13, Cycles: 1})
	want := `    cycle   address  instruction                              cycles  lost to
        7  08000000  eor.w r0, r1, r2                              3  load-use 1, fetch 1
       10  08000000  eor.w r0, r1, r2  (not executed)              1
       11  08000004  bx lr                                         2  branch 1
       13  09000000  ?                                             1
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if err := trace.Err(); err != nil {
		t.Error(err)
	}
}

// closed fails from the second write on.
type closed struct{ writes int }

func (c *closed) Write(p []byte) (int, error) {
	if c.writes++; c.writes > 1 {
		return 0, errors.New("closed")
	}
	return len(p), nil
}

func TestTextStopsAtAWriteError(t *testing.T) {
	out := &closed{}
	trace := NewText(out, t32.New(), code(t))
	for range 3 {
		trace.Timed(costmodel.Timed{PC: 0x0800_0000})
	}
	if trace.Err() == nil || trace.Err().Error() != "closed" {
		t.Errorf("error %v", trace.Err())
	}
	if out.writes != 2 {
		t.Errorf("%d writes, want 2: none after the failure", out.writes)
	}
}
