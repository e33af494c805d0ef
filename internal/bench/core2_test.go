package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simrun/internal/result"
	"simrun/reports"
	"simrun/sim/ooo"
)

// coreFigures are the rows of the table of figures in docs/core2.md, with the most that each may take: cycles per byte, and
// the distance to the largest bound of the code. 0 asks for nothing.
var coreFigures = []struct {
	kernel, cpu     string
	perByte, bounds float64
}{
	{"aes128/bitsliced", "core2-merom", 6.4, 1.2},
	{"aes128-ctr/bitsliced", "core2-merom", 7.3, 0},
	{"aes128-ctr/table", "core2-merom", 0, 0},
	{"aes128/table", "core2-merom", 0, 0},
	{"aes128/byteshuffle", "core2-penryn", 7, 1.2},
	{"aes128-ctr/byteshuffle", "core2-penryn", 0, 0},
	{"kasumi/bitsliced", "core2-merom", 8, 0},
	{"kasumi/table", "core2-merom", 0, 0},
	{"kasumi-f8/bitsliced", "core2-merom", 0, 0},
	{"kasumi-f8/table", "core2-merom", 0, 0},
}

// TestCoreFigures compares the figures of docs/core2.md with this tree, which -update writes, and holds what sliced code has
// to reach: its own limits, the table form of AES in counter mode, and four times the table form of KASUMI.
func TestCoreFigures(t *testing.T) {
	var b strings.Builder
	fmt.Fprint(&b, "| kernel | CPU | c/B | largest bound | times the bound | published |\n| --- | --- | ---: | ---: | ---: | ---: |\n")
	perByte := map[string]float64{}
	for _, f := range coreFigures {
		c := Cell{Subject: find(t, f.kernel), CPU: load(t, f.cpu)}
		row, _, err := c.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		p, s, err := c.checked()
		if err != nil {
			t.Fatal(err)
		}
		list, err := bounds(c, p, s)
		if err != nil {
			t.Fatal(err)
		}
		bound := slices.MaxFunc(list, func(x, y ooo.Bound) int { return cmp.Compare(x.Cycles, y.Cycles) })
		most, got := bound.Cycles/float64(row.Bytes), float64(row.CyclesPerByte)
		perByte[f.kernel] = got
		if f.perByte > 0 && got > f.perByte {
			t.Errorf("%s on %s: %.2f c/B, over %.2f", f.kernel, f.cpu, got, f.perByte)
		}
		if f.bounds > 0 && got > f.bounds*most {
			t.Errorf("%s on %s: %.3f times the %s bound, over %.2f", f.kernel, f.cpu, got/most, bound.Name, f.bounds)
		}
		rows := []result.Row{*row}
		if err := reports.Attach(rows); err != nil {
			t.Fatal(err)
		}
		published := "–"
		if r, ok := reports.Record(&rows[0]); ok {
			published = fmt.Sprintf("%.2f", reports.PerByte(r, &rows[0]))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %.2f | %.2f, %s | %.2f | %s |\n", f.kernel, f.cpu, got, most, bound.Name, got/most, published)
	}
	ratio := perByte["kasumi/table"] / perByte["kasumi/bitsliced"]
	fmt.Fprintf(&b, "\nBitsliced KASUMI takes %.2f times fewer cycles a byte than its table form, bitsliced AES in counter mode %.2f times.\n",
		ratio, perByte["aes128-ctr/table"]/perByte["aes128-ctr/bitsliced"])
	if ratio < 4 {
		t.Errorf("bitsliced KASUMI is %.2f times as fast as with tables, not 4", ratio)
	}
	if perByte["aes128-ctr/bitsliced"] >= perByte["aes128-ctr/table"] {
		t.Error("bitsliced AES in counter mode is slower than with tables")
	}
	shown(t, "../../docs/core2.md", "figures", b.String())
}
