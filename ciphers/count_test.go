package ciphers

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"text/tabwriter"

	"simrun/programs/ir"
)

// counts is the number of operations of a kernel text.
type counts struct {
	logic    int // xor, and, or, not, add and sub
	inverted int // and, or with one side inverted
	shift    int
	rotate   int
	mrot     int // masked rotations
	terms    int // their terms
	rev      int // byte reversals
	loads    map[ir.MemKind]int
	stores   int
}

func count(t *testing.T, p *program) counts {
	t.Helper()
	c := counts{loads: map[ir.MemKind]int{}}
	for i := range p.steps {
		switch s := &p.steps[i]; s.what {
		case stepLoad:
			c.loads[s.mem.Kind]++
		case stepStore:
			c.stores++
		case stepOp:
			c.op(t, s)
		}
	}
	return c
}

func (c *counts) op(t *testing.T, s *step) {
	switch s.op {
	case ir.Xor, ir.And, ir.Or, ir.Add, ir.Sub:
		c.logic += len(s.args) - 1
	case ir.Not:
		c.logic++
	case ir.AndNot, ir.OrNot:
		c.inverted++
	case ir.Shl, ir.Shr:
		c.shift++
	case ir.Rotl:
		c.rotate++
	case ir.Mrot:
		c.mrot++
		c.terms += len(s.imm.Rots)
	case ir.Rev:
		c.rev++
	default:
		t.Fatalf("operation %d is not counted", s.op)
	}
}

// thumb2 is the number of data-processing instructions with shifts and rotations folded
// into the instruction that uses them: a masked rotation of n terms is n ANDs and n-1 ORs.
func (c *counts) thumb2() int { return c.logic + c.inverted + c.rev + 2*c.terms - c.mrot }

// rv32 is the number of ALU instructions of RV32I: 3 for a rotation, 8 for a byte reversal,
// 5 for a masked rotation of two terms, none of which turns around the end of the word.
func (c *counts) rv32() int {
	return c.logic + 2*c.inverted + c.shift + 3*c.rotate + 8*c.rev + 3*c.terms - c.mrot
}

// handCounts are the live data-processing instructions of the published Thumb-2 code (github
// aadomn/aes and aadomn/gift), moves, loads and mask building left out.
var handCounts = map[string]int{
	"aes128/fixsliced":  1881,
	"gift128/fixsliced": 1013,
	"gift64/fixsliced":  628,
}

// textCounts are the operations of the texts as they stand, {Thumb-2, RV32}. A change of a
// text that makes one larger needs a reason.
var textCounts = map[string][2]int{
	"aes128/barrel":        {6444, 7484},
	"aes128/fixsliced":     {1851, 2523},
	"aes128/semifixsliced": {1931, 2635},
	"aes256/barrel":        {8796, 10124},
	"aes256/fixsliced":     {2559, 3503},
	"aes256/semifixsliced": {2679, 3671},
	"gift128/bitsliced":    {3200, 4880},
	"gift128/fixsliced":    {904, 1276},
	"gift64/bitsliced":     {1760, 2556},
	"gift64/fixsliced":     {570, 820},
	"giftb128/fixsliced":   {824, 1156},
}

func TestOperationCounts(t *testing.T) {
	all, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\tlogic\tinverted\tshift\trotate\tmrot\tkey loads\tthumb2\trv32\tkeys thumb2\t")
	for _, e := range all {
		if _, listed := textCounts[e.Name]; !listed {
			continue
		}
		c := count(t, record(t, e.Kernel))
		k := count(t, record(t, e.Kernel.Keys))
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", e.Name, c.logic, c.inverted, c.shift, c.rotate,
			c.mrot, c.loads[ir.Key], c.thumb2(), c.rv32(), k.thumb2())
		if hand, ok := handCounts[e.Name]; ok && c.thumb2() > hand {
			t.Errorf("%s: %d operations for Thumb-2, the published code has %d", e.Name, c.thumb2(), hand)
		}
		got := [2]int{c.thumb2(), c.rv32()}
		if want, ok := textCounts[e.Name]; ok && got != want {
			t.Errorf("%s: %d operations for Thumb-2 and RV32, want %d", e.Name, got, want)
		}
	}
	w.Flush()
	t.Logf("operations by kernel, loops unrolled\n%s", text.String())
}

// wrapped returns the only kernel of text, which may use the files of the catalogue.
func wrapped(t *testing.T, name, text string) *ir.Kernel {
	t.Helper()
	files := fstest.MapFS{name: {Data: []byte(text)}}
	for _, f := range []string{"aes/sbox.kir", "gift/sbox.kir", "kasumi/sbox.kir", "kasumi/tables.kir"} {
		data, err := embedded.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		files[f] = &fstest.MapFile{Data: data}
	}
	f, err := ir.ParseFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return f.Kernels()[0]
}

func TestGateCounts(t *testing.T) {
	for _, c := range []struct {
		file, def, word string
		want            int
	}{
		{"aes/try.kir", "sbox", "S[8]", 112}, // the published circuit has 113
		{"gift/try.kir", "sbox", "S[4]", 10}, // 11 with the NOT of slice 0
		{"gift/try.kir", "sbox_inverted", "S[4]", 10},
		{"kasumi/try.kir", "s7", "S[7]", 35 + 57 + 4}, // AND, XOR, and a NOT for each constant 1
		{"kasumi/try.kir", "s9", "S[9]", 36 + 72 + 5},
	} {
		k := wrapped(t, c.file, fmt.Sprintf("use \"sbox.kir\"\nkernel try/it(in u: %s, out v: %s) { v = %s(u) }\n", c.word, c.word, c.def))
		n := count(t, record(t, k))
		if got := n.logic + n.inverted; got != c.want || n.shift+n.rotate+n.mrot != 0 {
			t.Errorf("%s %s: %d gates, want %d", c.file, c.def, got, c.want)
		}
	}
}
