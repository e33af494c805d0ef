package compile

import (
	"fmt"

	"simrun/programs/ir"
)

// Op adds a word operation in its simplest form: constants folded, complements moved
// outwards (so that a target can absorb them), composed operations written with xor, and, or and not.
func (e *elaborator) Op(op ir.Op, w int, args []*Value, imm ir.Imm) *Value {
	if op == ir.Lookup {
		return e.lookup(w, args[0], imm.Table)
	}
	switch op {
	case ir.AndNot:
		return e.and(w, e.not(args[0]), args[1])
	case ir.OrNot:
		return e.or(w, e.not(args[0]), args[1])
	case ir.Mux: // (c & (a ^ b)) ^ b
		return e.xor(w, e.and(w, args[0], e.xor(w, args[1], args[2])), args[2])
	case ir.Xor:
		v := args[0]
		for _, a := range args[1:] {
			v = e.xor(w, v, a)
		}
		return v
	case ir.And:
		return e.and(w, args[0], args[1])
	case ir.Or:
		return e.or(w, args[0], args[1])
	case ir.Not:
		return e.not(args[0])
	case ir.Rotl:
		return e.rotl(args[0], imm.N)
	case ir.Shl, ir.Shr:
		return e.shift(op, args[0], imm.N)
	case ir.Mrot:
		return e.mrot(args[0], imm.Rots)
	case ir.Perm:
		if !e.t.Vector && w <= 64 {
			return e.mrot(args[0], permRots(imm.Perm))
		}
	case ir.ZipLo, ir.ZipHi:
		if w < 128 {
			a, b := zipRots(op, w, imm.N)
			return e.or(w, e.mrot(args[0], a), e.mrot(args[1], b))
		}
	case ir.Add, ir.Sub:
		if isConst(args[1], 0) {
			return args[0]
		}
	}
	return e.plain(op, w, args, imm)
}

// plain adds an operation as it is, or its result if all arguments are known.
func (e *elaborator) plain(op Op, w int, args []*Value, imm ir.Imm) *Value {
	if c, ok := foldConst(op, w, args, imm); ok {
		return e.Const(w, c)
	}
	extra := ""
	if imm.N != 0 || len(imm.Rots) > 0 || len(imm.Perm) > 0 {
		extra = fmt.Sprint(imm.N, imm.Rots, imm.Perm)
	}
	return e.add(Value{Op: op, Width: w, Args: args, Imm: imm}, extra)
}

func isConst(v *Value, c uint64) bool {
	return v.Op == OpConst && v.Const == ir.Word{Lo: c}
}

func isOnes(v *Value) bool {
	return v.Op == OpConst && v.Const == ones(v.Width)
}

// ones is the word of w bits that are all one.
func ones(w int) ir.Word {
	switch {
	case w < 64:
		return ir.Word{Lo: 1<<w - 1}
	case w == 64:
		return ir.Word{Lo: ^uint64(0)}
	}
	return ir.Word{Lo: ^uint64(0), Hi: ^uint64(0)}
}

// foldConst computes an operation on constants.
func foldConst(op ir.Op, w int, args []*Value, imm ir.Imm) (ir.Word, bool) {
	ws := make([]ir.Word, len(args))
	for i, a := range args {
		if a.Op != OpConst {
			return ir.Word{}, false
		}
		ws[i] = a.Const
	}
	return ir.Apply(op, w, ws, imm), true
}

// order puts a constant last and otherwise the older value first, so that equal operations meet.
func order(a, b *Value) (*Value, *Value) {
	if a.Op == OpConst || (b.Op != OpConst && a.ID > b.ID) {
		return b, a
	}
	return a, b
}

func (e *elaborator) not(a *Value) *Value {
	switch {
	case a.Op == ir.Not:
		return a.Args[0]
	case a.Op == OpConst:
		o := ones(a.Width)
		return e.Const(a.Width, ir.Word{Lo: a.Const.Lo ^ o.Lo, Hi: a.Const.Hi ^ o.Hi})
	}
	return e.plain(ir.Not, a.Width, []*Value{a}, ir.Imm{})
}

// strip takes a complement off.
func strip(a *Value) (*Value, bool) {
	if a.Op == ir.Not {
		return a.Args[0], true
	}
	return a, false
}

func (e *elaborator) xor(w int, a, b *Value) *Value {
	a, na := strip(a)
	b, nb := strip(b)
	a, b = order(a, b)
	flip := na != nb
	if b.Op == OpConst && a.Op == ir.Xor && a.Args[1].Op == OpConst {
		c := a.Args[1].Const
		a, b = a.Args[0], e.Const(w, ir.Word{Lo: b.Const.Lo ^ c.Lo, Hi: b.Const.Hi ^ c.Hi})
	}
	var v *Value
	switch {
	case a == b:
		v = e.Const(w, ir.Word{})
	case isConst(b, 0):
		v = a
	case isOnes(b):
		v, flip = a, !flip
	default:
		v = e.plain(ir.Xor, w, []*Value{a, b}, ir.Imm{})
	}
	if flip {
		return e.not(v)
	}
	return v
}

func (e *elaborator) and(w int, a, b *Value) *Value {
	a, b = order(a, b)
	pa, na := strip(a)
	pb, nb := strip(b)
	switch {
	case a == b || isOnes(b):
		return a
	case isConst(b, 0) || (pa == pb && na != nb):
		return e.Const(w, ir.Word{})
	case na && nb:
		return e.not(e.or(w, pa, pb))
	}
	return e.plain(ir.And, w, []*Value{a, b}, ir.Imm{})
}

func (e *elaborator) or(w int, a, b *Value) *Value {
	a, b = order(a, b)
	pa, na := strip(a)
	pb, nb := strip(b)
	switch {
	case a == b || isConst(b, 0):
		return a
	case isOnes(b) || (pa == pb && na != nb):
		return e.Const(w, ones(w))
	case na && nb:
		return e.not(e.and(w, pa, pb))
	}
	return e.plain(ir.Or, w, []*Value{a, b}, ir.Imm{})
}

func (e *elaborator) rotl(a *Value, n int) *Value {
	a, flip := strip(a)
	n = ((n % a.Width) + a.Width) % a.Width
	if a.Op == ir.Rotl {
		n = (n + a.Imm.N) % a.Width
		a = a.Args[0]
	}
	v := a
	if n != 0 {
		v = e.plain(ir.Rotl, a.Width, []*Value{a}, ir.Imm{N: n})
	}
	if flip {
		return e.not(v)
	}
	return v
}

func (e *elaborator) shift(op ir.Op, a *Value, n int) *Value {
	switch {
	case n == 0:
		return a
	case n >= a.Width:
		return e.Const(a.Width, ir.Word{})
	case a.Op == op && a.Imm.N+n < a.Width:
		return e.plain(op, a.Width, []*Value{a.Args[0]}, ir.Imm{N: a.Imm.N + n})
	}
	return e.plain(op, a.Width, []*Value{a}, ir.Imm{N: n})
}

// mrot writes a masked rotation with and, rotate and or, masks first; on a target without free
// rotation the bit passes turn the rotations into shifts.
func (e *elaborator) mrot(a *Value, rots []ir.Rot) *Value {
	w := a.Width
	var sum *Value
	for _, r := range rots {
		if r.Mask == (ir.Word{}) {
			continue
		}
		t := e.rotl(e.and(w, a, e.Const(w, r.Mask)), r.N)
		if sum == nil {
			sum = t
		} else {
			sum = e.or(w, sum, t)
		}
	}
	if sum == nil {
		return e.Const(w, ir.Word{})
	}
	return sum
}

// permRots writes a permutation of the bytes of a word as masked rotations: bytes that move equally
// far go together.
func permRots(perm []int) []ir.Rot {
	n := len(perm)
	rots := make([]ir.Rot, n)
	for k, from := range perm {
		d := ((k-from)%n + n) % n
		rots[d].N = 8 * d
		rots[d].Mask.Lo |= 0xff << (8 * from)
	}
	return rots
}

// zipRots writes the two halves of a zip as masked rotations: fields that move equally far are alone.
func zipRots(op ir.Op, w, n int) (a, b []ir.Rot) {
	first := 0
	if op == ir.ZipHi {
		first = w / 2
	}
	for i := 0; i < w/2; i += n {
		mask := ir.Word{Lo: (1<<n - 1) << (first + i)}
		a = append(a, ir.Rot{Mask: mask, N: (w + 2*i - first - i) % w})
		b = append(b, ir.Rot{Mask: mask, N: (w + 2*i + n - first - i) % w})
	}
	return a, b
}

// lookup makes a table entry: a load from the table, which the image carries behind the code.
func (e *elaborator) lookup(w int, index *Value, t *ir.Table) *Value {
	if index.Op == OpConst && index.Const.Lo < uint64(len(t.Entries)) {
		return e.Const(w, t.Entries[index.Const.Lo])
	}
	m := e.tables[t]
	if m == nil {
		m = &ir.Mem{Name: t.Name, Kind: ir.Rom, Width: t.Width, Len: len(t.Entries), Table: t, Pos: t.Pos}
		e.tables[t] = m
	}
	return e.add(Value{Op: ir.Lookup, Width: w, Args: []*Value{index, e.base(m)}, Mem: m, Imm: ir.Imm{Table: t}}, t.Name)
}
