package bench

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"testing"
	"testing/fstest"

	"simrun/programs/compile"
)

// TestSize: a larger factor gives shorter code that keeps to it, and AES-128 on the Cortex-M4 fits where flash is scarce.
func TestSize(t *testing.T) {
	for _, cpu := range []string{"cortex-m4", "sifive-e31"} {
		c := Cell{Subject: find(t, "gift64/fixsliced"), CPU: load(t, cpu)}
		fast, _, err := c.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		bytes := fast.CodeBytes
		for _, factor := range []float64{1, 1.05, 1.2, 2} {
			c.Build.Size = factor
			row, _, err := c.Simulate()
			if err != nil {
				t.Fatal(err)
			}
			if row.CodeBytes > bytes || float64(row.Cycles) > factor*float64(fast.Cycles) {
				t.Errorf("%s, factor %v: %d bytes and %v cycles; %d bytes are enough for less, %v cycles are the fastest", cpu, factor, row.CodeBytes, row.Cycles, bytes, fast.Cycles)
			}
			bytes = row.CodeBytes
		}
		if bytes > fast.CodeBytes/2 {
			t.Errorf("%s: still %d bytes within twice the cycles, the fastest has %d", cpu, bytes, fast.CodeBytes)
		}
	}
}

// TestSizeOfAES looks at the candidates of --size with -O2 that keep all loops.
func TestSizeOfAES(t *testing.T) {
	c := Cell{Subject: find(t, "aes128/fixsliced"), CPU: load(t, "cortex-m4")}
	fast, err := c.Compile()
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.versions(fast.Depth, longTries, codeBytes(fast.Image))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		n, err := c.proven(p)
		if err != nil {
			t.Fatal(err)
		}
		if codeBytes(p.Image) <= 2400 && n.cycles <= 90*32 {
			return
		}
	}
	t.Errorf("none of %d versions has at most 2400 bytes and 90 c/B", len(list))
}

// changedFS is a file system in which one file reads as something else.
type changedFS struct {
	fs.FS
	name string
	data []byte
}

func (f changedFS) Open(name string) (fs.File, error) {
	if name != f.name {
		return f.FS.Open(name)
	}
	return fstest.MapFS{name: {Data: f.data}}.Open(name)
}

// TestSizeOfOtherSettledCode: a schedule whose order fits, but which is settled for other code, is left alone for short code too.
func TestSizeOfOtherSettledCode(t *testing.T) {
	s := find(t, "gift64/fixsliced")
	name := path.Join(path.Dir(s.entry.File), compile.ScheduleFile(s.Name, "core2-merom"))
	data, err := fs.ReadFile(s.entry.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	changed := regexp.MustCompile(`(?m)^allocated = .*$`).ReplaceAll(data, []byte(`allocated = "0000000000000000"`))
	if bytes.Equal(changed, data) {
		t.Fatal("the schedule does not say which code it is settled for")
	}
	s.entry.FS = changedFS{s.entry.FS, name, changed}
	c := Cell{Subject: s, CPU: load(t, "core2-merom")}
	row, p, err := c.Simulate()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.small(row, p); err != nil {
		t.Error(err)
	}
}
