package ir

// traced is a known word that remembers whether it depends on the inputs of a def.
type traced struct {
	w     Word
	input bool
}

func (t traced) word() Word { return t.w }

// tracing is the interpreter of defs that also notes what kind of function it computes.
type tracing struct {
	mixed  bool // some operation moves bits, carries, or meets a constant that is not uniform
	curved bool // some operation is not affine over GF(2) in the inputs
}

// opKind says what an operation does to its inputs.
type opKind uint8

const (
	opCurved  opKind = iota
	opProduct        // bitwise; affine if only one argument depends on the inputs
	opLinear         // bitwise and affine
	opMoves          // affine
)

// opKinds leaves out the curved operations.
var opKinds = [Lookup + 1]opKind{
	Xor: opLinear, Not: opLinear,
	And: opProduct, Or: opProduct, AndNot: opProduct, OrNot: opProduct,
	Shl: opMoves, Shr: opMoves, Rotl: opMoves, Mrot: opMoves, Perm: opMoves, Rev: opMoves, Rev16: opMoves,
	Zext: opMoves, Trunc: opMoves, Pack: opMoves, Lane: opMoves, Splat: opMoves, ZipLo: opMoves, ZipHi: opMoves,
}

func (d *tracing) At(Pos) {}

func (d *tracing) Const(w int, c Word) traced {
	d.mixed = d.mixed || c != Word{} && c != ones(w)
	return traced{w: c}
}

func (d *tracing) Op(op Op, w int, args []traced, imm Imm) traced {
	words := make([]Word, len(args))
	inputs := 0
	for i, a := range args {
		words[i] = a.w
		if a.input {
			inputs++
		}
	}
	switch opKinds[op] {
	case opCurved:
		d.curved = d.curved || inputs > 0
		d.mixed = d.mixed || op != Mux
	case opProduct:
		d.curved = d.curved || inputs > 1
	case opMoves:
		d.mixed = true
	}
	return traced{Apply(op, w, words, imm), inputs > 0}
}

// A def has no memory, no public parameters and no loops that are not unrolled.

func (d *tracing) Load(m *Mem, i Index) traced { panic(refused(m.Pos)) }

func (d *tracing) Store(m *Mem, _ Index, _ traced) { panic(refused(m.Pos)) }

func (d *tracing) Public(string) Index { panic(refused(Pos{})) }

// Repeat is reached by a 'repeat' in a def, whose bounds are numbers here.
func (d *tracing) Repeat(lo, hi Index, step int64, carried []traced, body func(Index, []traced) []traced) []traced {
	return turns(lo.Base, hi.Base, step, carried, body)
}

func (d *tracing) If(Compare, Index, Index, []traced, func([]traced) []traced, func([]traced) []traced) []traced {
	panic(refused(Pos{}))
}

func refused(p Pos) *Error { return &Error{Pos: p, Msg: "a def reads no memory"} }
