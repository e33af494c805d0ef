package trace

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simrun/costmodel"
)

var update = flag.Bool("update", false, "rewrite testdata")

func TestKonata(t *testing.T) {
	const golden = "testdata/konata.log"
	got := write(t, NewKonata, records)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestKonataHoldsTheRecords reads logs back: every record must stand in it with its cycles.
func TestKonataHoldsTheRecords(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var want []costmodel.Timed
		now := rapid.Uint64Range(0, 1<<40).Draw(r, "start")
		for i := range rapid.IntRange(1, 20).Draw(r, "records") {
			x := costmodel.Timed{PC: 0x0800_0000, Index: uint64(i) + 100, Start: now}
			for range rapid.IntRange(0, 4).Draw(r, "causes") {
				c := rapid.IntRange(0, costmodel.NumCauses-1).Draw(r, "cause")
				n := rapid.Uint64Range(1, 1000).Draw(r, "cycles")
				x.Causes[c] += n
				x.Slots += n
			}
			now += x.Slots
			want = append(want, x)
		}
		got, err := readKonata(write(t, NewKonata, want))
		if err != nil {
			r.Fatal(err)
		}
		for i := range got {
			got[i].PC = 0x0800_0000
		}
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatalf("-written +read\n%s", diff)
		}
	})
}

// konataReader reads a log by the format's description, as far as an in-order pipeline needs it:
// one row at a time.
type konataReader struct {
	now   uint64
	rows  []costmodel.Timed
	open  bool
	stage string // open stage
	since uint64 // its first cycle
}

func readKonata(log string) ([]costmodel.Timed, error) {
	var k konataReader
	lines := strings.Split(strings.TrimSuffix(log, "\n"), "\n")
	if lines[0] != "Kanata\t0004" {
		return nil, fmt.Errorf("head %q", lines[0])
	}
	for _, line := range lines[1:] {
		if err := k.line(strings.Split(line, "\t")); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	if k.open {
		return nil, fmt.Errorf("the last row is not retired")
	}
	return k.rows, nil
}

func (k *konataReader) line(f []string) error {
	n, err := strconv.ParseUint(f[1], 10, 64)
	if err != nil {
		return err
	}
	switch f[0] {
	case "C=":
		k.now = n
		return nil
	case "C":
		k.now += n
		return nil
	case "I":
		if k.open || n != uint64(len(k.rows)) {
			return fmt.Errorf("row out of order")
		}
		index, err := strconv.ParseUint(f[2], 10, 64)
		k.rows, k.open = append(k.rows, costmodel.Timed{Start: k.now, Index: index}), true
		return err
	}
	if !k.open || n != uint64(len(k.rows)-1) {
		return fmt.Errorf("row is not open")
	}
	return k.inRow(f, &k.rows[n])
}

func (k *konataReader) inRow(f []string, x *costmodel.Timed) error {
	switch f[0] {
	case "S":
		if k.stage != "" {
			return fmt.Errorf("stage %s is open", k.stage)
		}
		k.stage, k.since = f[3], k.now
	case "E":
		if k.stage != f[3] {
			return fmt.Errorf("stage %q is open", k.stage)
		}
		k.stage = ""
		return k.book(f[3], x)
	case "R":
		k.open = false
		x.Slots = k.now - x.Start
	case "L":
	default:
		return fmt.Errorf("unknown command")
	}
	return nil
}

// book adds the cycles of a stage that ends.
func (k *konataReader) book(stage string, x *costmodel.Timed) error {
	for c, name := range costmodel.Causes {
		if stage == name || stage == "X" && costmodel.Cause(c) == costmodel.Issue {
			x.Causes[c] += k.now - k.since
			return nil
		}
	}
	return fmt.Errorf("stage %s is no cause", stage)
}
