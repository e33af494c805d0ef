package trace

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/costmodel"
	"simrun/isa/t32"
)

func TestText(t *testing.T) {
	want := `    cycle   address  instruction                              cycles  lost to
        7  08000000  eor.w r0, r1, r2                              3  load-use 1, fetch 1
       10  08000000  eor.w r0, r1, r2  (not executed)              1
       11  08000004  bx lr                                         2  branch 1
       13  09000000  ?                                             0
`
	if diff := cmp.Diff(want, write(t, NewText, records)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
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

func TestSinksStopAtAWriteError(t *testing.T) {
	for _, f := range Formats {
		w := &closed{}
		sink := f.New(w, t32.New(), memory(t))
		for range 10 * full / 16 { // several buffers full, whatever the format
			sink.Timed(costmodel.Timed{PC: 0x0800_0000})
		}
		if err := sink.Close(); err == nil || err.Error() != "closed" {
			t.Errorf("%s: error %v", f.Name, err)
		}
		if w.writes != 2 {
			t.Errorf("%s: %d writes, want 2: none after the failure", f.Name, w.writes)
		}
	}
}
