package bench

import (
	"simrun/programs/ir"
)

// A test file has hundreds of keys. many interprets a keys function on a row of them at once, so that
// its text is walked once per row and not once per key; the meaning of each operation is ir.Apply, as in
// the interpreter itself.
type many struct {
	in, out [][]byte // by key
	scratch map[element][]ir.Word
	args    []ir.Word
}

// element is one element of a memory object.
type element struct {
	mem *ir.Mem
	i   int64
}

// rowOfKeys is the number of keys interpreted at once: their words stay in the first-level cache.
const rowOfKeys = 64

// expandAll returns the memory form of every key, by the interpreter.
func expandAll(keys *ir.Kernel, sliceBits int, list [][]byte) ([][]byte, error) {
	size := keys.Params(sliceBits)[1].Mem.Bytes()
	out := make([][]byte, len(list))
	for i := range out {
		out[i] = make([]byte, size)
	}
	for from := 0; from < len(list); from += rowOfKeys {
		to := min(from+rowOfKeys, len(list))
		d := &many{in: list[from:to], out: out[from:to], scratch: map[element][]ir.Word{}}
		if err := ir.Eval(keys, ir.Domain[[]ir.Word](d), sliceBits); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (d *many) At(ir.Pos) {}

func (d *many) Const(_ int, c ir.Word) []ir.Word {
	row := make([]ir.Word, len(d.in))
	for k := range row {
		row[k] = c
	}
	return row
}

func (d *many) Op(op ir.Op, w int, args [][]ir.Word, imm ir.Imm) []ir.Word {
	row := make([]ir.Word, len(d.in))
	for k := range row {
		d.args = d.args[:0]
		for _, a := range args {
			d.args = append(d.args, a[k])
		}
		row[k] = ir.Apply(op, w, d.args, imm)
	}
	return row
}

func (d *many) Load(m *ir.Mem, i ir.Index) []ir.Word {
	switch m.Kind {
	case ir.Rom:
		return d.Const(m.Width, m.Table.Entries[i.Base])
	case ir.Scratch:
		return d.scratch[element{m, i.Base}]
	}
	row := make([]ir.Word, len(d.in))
	size := m.Width / 8
	for k := range row {
		row[k] = readWord(d.in[k][int(i.Base)*size:][:size], m.BigEndian)
	}
	return row
}

func (d *many) Store(m *ir.Mem, i ir.Index, v []ir.Word) {
	if m.Kind == ir.Scratch {
		d.scratch[element{m, i.Base}] = v
		return
	}
	size := m.Width / 8
	for k := range v {
		writeWord(d.out[k][int(i.Base)*size:][:size], m.BigEndian, v[k])
	}
}

// Public is not reached: a keys function has its key and nothing else.
func (d *many) Public(string) ir.Index { return ir.Index{} }

func (d *many) Repeat(lo, hi ir.Index, step int64, carried [][]ir.Word, body func(ir.Index, [][]ir.Word) [][]ir.Word) [][]ir.Word {
	for i := lo.Base; step > 0 && i < hi.Base || step < 0 && i > hi.Base; i += step {
		carried = body(ir.Index{Base: i}, carried)
	}
	return carried
}

// If is not reached: without public parameters Eval decides every condition itself.
func (d *many) If(_ ir.Compare, _, _ ir.Index, carried [][]ir.Word, _, _ func([][]ir.Word) [][]ir.Word) [][]ir.Word {
	return carried
}

// readWord reads an element of up to 16 bytes.
func readWord(b []byte, big bool) (w ir.Word) {
	for i := range b {
		v := uint64(b[i])
		if at := byteAt(i, len(b), big); at < 8 {
			w.Lo |= v << (8 * at)
		} else {
			w.Hi |= v << (8 * (at - 8))
		}
	}
	return w
}

func writeWord(b []byte, big bool, w ir.Word) {
	for i := range b {
		if at := byteAt(i, len(b), big); at < 8 {
			b[i] = byte(w.Lo >> (8 * at))
		} else {
			b[i] = byte(w.Hi >> (8 * (at - 8)))
		}
	}
}

// byteAt is the significance of byte i of an element of n bytes.
func byteAt(i, n int, big bool) int {
	if big {
		return n - 1 - i
	}
	return i
}
