package ir

import (
	"encoding/binary"
	"fmt"
)

// memory is the domain of known words: the interpreter.
type memory struct {
	mem     map[string][]byte
	public  map[string]int64
	scratch map[*Mem][]byte
	last    *Mem // the memory object used last, and its bytes
	bytes   []byte
}

// Run interprets a kernel. mem holds every memory parameter by name, in memory form: Len
// elements of Width/8 bytes in the declared order of bytes; outputs are written in place.
// public holds the public scalars. sliceBits is the width of S.
func Run(k *Kernel, sliceBits int, mem map[string][]byte, public map[string]int64) error {
	lay, e := k.layout(sliceBits)
	if e != nil {
		return e
	}
	for _, p := range lay.params {
		if err := checkArgument(k, p, mem, public); err != nil {
			return err
		}
	}
	return Eval(k, Domain[Word](&memory{mem: mem, public: public}), sliceBits)
}

func checkArgument(k *Kernel, p Param, mem map[string][]byte, public map[string]int64) error {
	if p.Public {
		n, ok := public[p.Name]
		switch {
		case !ok:
			return fmt.Errorf("run %s: the public parameter %s is not given", k.Name, p.Name)
		case p.Lo != p.Hi && (n < p.Lo || n >= p.Hi):
			return fmt.Errorf("run %s: %s = %d is outside its range %d..%d", k.Name, p.Name, n, p.Lo, p.Hi)
		}
		return nil
	}
	b, ok := mem[p.Name]
	switch {
	case !ok:
		return fmt.Errorf("run %s: the parameter %s is not given", k.Name, p.Name)
	case len(b) != p.Mem.Bytes():
		return fmt.Errorf("run %s: %s has %d bytes, expected %d", k.Name, p.Name, len(b), p.Mem.Bytes())
	}
	return nil
}

func (d *memory) At(Pos) {}

func (d *memory) Const(_ int, c Word) Word { return c }

func (d *memory) Op(op Op, w int, args []Word, imm Imm) Word { return Apply(op, w, args, imm) }

func (d *memory) Public(name string) Index { return Index{Base: d.public[name]} }

// object returns the bytes of a parameter or scratch array.
func (d *memory) object(m *Mem) []byte {
	if m == d.last {
		return d.bytes
	}
	b := d.mem[m.Name]
	if m.Kind == Scratch {
		if b = d.scratch[m]; b == nil {
			b = make([]byte, m.Bytes())
			if d.scratch == nil {
				d.scratch = map[*Mem][]byte{}
			}
			d.scratch[m] = b
		}
	}
	d.last, d.bytes = m, b
	return b
}

func (d *memory) Load(m *Mem, i Index) Word {
	if m.Kind == Rom {
		return m.Table.Entries[i.Base]
	}
	size := m.Width / 8
	return readWord(d.object(m)[int(i.Base)*size:][:size], m.BigEndian)
}

func (d *memory) Store(m *Mem, i Index, v Word) {
	size := m.Width / 8
	writeWord(d.object(m)[int(i.Base)*size:][:size], m.BigEndian, v)
}

func (d *memory) Repeat(lo, hi Index, step int64, carried []Word, body func(Index, []Word) []Word) []Word {
	return turns(lo.Base, hi.Base, step, carried, body)
}

// turns runs the body of a loop whose bounds are known.
func turns[V any](lo, hi, step int64, carried []V, body func(Index, []V) []V) []V {
	for i := lo; step > 0 && i < hi || step < 0 && i > hi; {
		carried = body(Index{Base: i}, carried)
		next, over := add64(i, step)
		if over {
			break
		}
		i = next
	}
	return carried
}

// If is not reached: every public number is known here, so Eval chooses itself.
func (d *memory) If(c Compare, a, b Index, carried []Word, then, otherwise func([]Word) []Word) []Word {
	if compare(c, a.Base, b.Base) {
		return then(carried)
	}
	return otherwise(carried)
}

// readWord reads an element of 1, 2, 4, 8 or 16 bytes.
func readWord(b []byte, big bool) Word {
	order := binary.ByteOrder(binary.LittleEndian)
	if big {
		order = binary.BigEndian
	}
	switch len(b) {
	case 1:
		return Word{Lo: uint64(b[0])}
	case 2:
		return Word{Lo: uint64(order.Uint16(b))}
	case 4:
		return Word{Lo: uint64(order.Uint32(b))}
	case 8:
		return Word{Lo: order.Uint64(b)}
	}
	w := Word{order.Uint64(b), order.Uint64(b[8:])}
	if big {
		w.Lo, w.Hi = w.Hi, w.Lo
	}
	return w
}

// writeWord writes an element of 1, 2, 4, 8 or 16 bytes.
func writeWord(b []byte, big bool, w Word) {
	order := binary.ByteOrder(binary.LittleEndian)
	if big {
		order = binary.BigEndian
	}
	switch len(b) {
	case 1:
		b[0] = byte(w.Lo)
	case 2:
		order.PutUint16(b, uint16(w.Lo))
	case 4:
		order.PutUint32(b, uint32(w.Lo))
	case 8:
		order.PutUint64(b, w.Lo)
	default:
		if big {
			w.Lo, w.Hi = w.Hi, w.Lo
		}
		order.PutUint64(b, w.Lo)
		order.PutUint64(b[8:], w.Hi)
	}
}
