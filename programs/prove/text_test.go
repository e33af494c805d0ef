package prove

import (
	"math/rand/v2"
	"testing"

	"simrun/programs/ir"
)

// operations are shapes of every operation: the widths of the arguments, of the result, and the constants.
var operations = []struct {
	op   ir.Op
	args []int
	w    int
	imm  ir.Imm
}{
	{ir.Xor, []int{32, 32, 32}, 32, ir.Imm{}},
	{ir.And, []int{8, 8}, 8, ir.Imm{}},
	{ir.Or, []int{64, 64}, 64, ir.Imm{}},
	{ir.Not, []int{16}, 16, ir.Imm{}},
	{ir.AndNot, []int{128, 128}, 128, ir.Imm{}},
	{ir.OrNot, []int{32, 32}, 32, ir.Imm{}},
	{ir.Add, []int{32, 32}, 32, ir.Imm{}},
	{ir.Add, []int{128, 128}, 128, ir.Imm{}},
	{ir.Sub, []int{16, 16}, 16, ir.Imm{}},
	{ir.Shl, []int{32}, 32, ir.Imm{N: 5}},
	{ir.Shr, []int{64}, 64, ir.Imm{N: 63}},
	{ir.Rotl, []int{32}, 32, ir.Imm{N: 7}},
	{ir.Rotl, []int{128}, 128, ir.Imm{N: 100}},
	{ir.Mux, []int{32, 32, 32}, 32, ir.Imm{}},
	{ir.Mrot, []int{32}, 32, ir.Imm{Rots: []ir.Rot{{Mask: ir.Word{Lo: 0xff00ff}, N: 4}, {Mask: ir.Word{Lo: 0x0f00_0000}, N: 31}}}},
	{ir.Perm, []int{32}, 32, ir.Imm{Perm: []int{2, 2, 0, 3}}},
	{ir.Rev, []int{64}, 64, ir.Imm{}},
	{ir.Rev16, []int{32}, 32, ir.Imm{}},
	{ir.Zext, []int{8}, 32, ir.Imm{}},
	{ir.Trunc, []int{128}, 16, ir.Imm{}},
	{ir.Pack, []int{32, 32, 32, 32}, 128, ir.Imm{}},
	{ir.Lane, []int{128}, 32, ir.Imm{N: 3}},
	{ir.Splat, []int{32}, 128, ir.Imm{N: 32}},
	{ir.ZipLo, []int{128, 128}, 128, ir.Imm{N: 8}},
	{ir.ZipHi, []int{32, 32}, 32, ir.Imm{N: 16}},
}

// TestOperations holds the symbolic operations against those of the interpreter, which are their meaning.
func TestOperations(t *testing.T) {
	tested := map[ir.Op]bool{ir.Lookup: true} // refused
	for _, o := range operations {
		tested[o.op] = true
		g := newGraph(rand.New(rand.NewPCG(1, uint64(o.op))).Uint64)
		p := &proof{g: g}
		var args []word
		for _, w := range o.args {
			args = append(args, g.inputs(w))
		}
		result := (&text{g: g}).Op(o.op, o.w, args, o.imm)
		for pattern := range 64 {
			var words []ir.Word
			for _, a := range args {
				v := p.value(a, pattern)
				words = append(words, ir.Word{Lo: v[0], Hi: v[1]})
			}
			want := ir.Apply(o.op, o.w, words, o.imm)
			if got := p.value(result, pattern); (ir.Word{Lo: got[0], Hi: got[1]}) != want || len(result) != o.w {
				t.Errorf("operation %d of %v is %x in %d bits, want %v", o.op, words, got, len(result), want)
				break
			}
		}
	}
	for op := range ir.Lookup {
		if !tested[op] {
			t.Errorf("operation %d is not tested", op)
		}
	}
}
