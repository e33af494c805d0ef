package ir

// rows is the domain of many calls at once: a value is a row of words, one for each call. The text of the
// kernel is walked once for all of them.
type rows struct {
	public  map[string]int64
	mem     []map[string][]byte // by call
	scratch map[element][]Word
	args    []Word
}

// element is one element of a scratch array.
type element struct {
	mem *Mem
	i   int64
}

// rowLen is the number of calls interpreted at once: their words stay in the first-level cache.
const rowLen = 64

// RunMany is Run for many calls with the same public scalars; mem has the memory of each.
func RunMany(k *Kernel, sliceBits int, mem []map[string][]byte, public map[string]int64) error {
	lay, e := k.layout(sliceBits)
	if e != nil {
		return e
	}
	for _, m := range mem {
		for _, p := range lay.params {
			if err := checkArgument(k, p, m, public); err != nil {
				return err
			}
		}
	}
	for len(mem) > 0 {
		n := min(rowLen, len(mem))
		d := &rows{public: public, mem: mem[:n], scratch: map[element][]Word{}}
		if err := Eval(k, Domain[[]Word](d), sliceBits); err != nil {
			return err
		}
		mem = mem[n:]
	}
	return nil
}

func (d *rows) At(Pos) {}

func (d *rows) Const(_ int, c Word) []Word {
	row := make([]Word, len(d.mem))
	for k := range row {
		row[k] = c
	}
	return row
}

func (d *rows) Op(op Op, w int, args [][]Word, imm Imm) []Word {
	row := make([]Word, len(d.mem))
	for k := range row {
		d.args = d.args[:0]
		for _, a := range args {
			d.args = append(d.args, a[k])
		}
		row[k] = Apply(op, w, d.args, imm)
	}
	return row
}

func (d *rows) Public(name string) Index { return Index{Base: d.public[name]} }

func (d *rows) Load(m *Mem, i Index) []Word {
	switch m.Kind {
	case Rom:
		return d.Const(m.Width, m.Table.Entries[i.Base])
	case Scratch:
		if row := d.scratch[element{m, i.Base}]; row != nil {
			return row
		}
		return d.Const(m.Width, Word{})
	}
	row := make([]Word, len(d.mem))
	size := m.Width / 8
	for k := range row {
		row[k] = readWord(d.mem[k][m.Name][int(i.Base)*size:][:size], m.BigEndian)
	}
	return row
}

func (d *rows) Store(m *Mem, i Index, v []Word) {
	if m.Kind == Scratch {
		d.scratch[element{m, i.Base}] = v
		return
	}
	size := m.Width / 8
	for k := range v {
		writeWord(d.mem[k][m.Name][int(i.Base)*size:][:size], m.BigEndian, v[k])
	}
}

func (d *rows) Repeat(lo, hi Index, step int64, carried [][]Word, body func(Index, [][]Word) [][]Word) [][]Word {
	return turns(lo.Base, hi.Base, step, carried, body)
}

// If is not reached: every public number is known here, so Eval chooses itself.
func (d *rows) If(c Compare, a, b Index, carried [][]Word, then, otherwise func([][]Word) [][]Word) [][]Word {
	if compare(c, a.Base, b.Base) {
		return then(carried)
	}
	return otherwise(carried)
}
