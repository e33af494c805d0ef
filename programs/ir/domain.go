package ir

// Word is a word of up to 128 bits; bits above its width are zero.
type Word struct{ Lo, Hi uint64 }

// Op is an operation on words.
type Op uint8

const (
	Xor Op = iota // n-ary, at least 2 arguments
	And
	Or
	Not
	AndNot // ~a & b
	OrNot  // ~a | b
	Add
	Sub
	Shl  // by Imm.N
	Shr  // by Imm.N
	Rotl // by Imm.N, 0 < N < width
	Mux  // c, a, b
	Mrot // Imm.Rots, masks disjoint
	Perm // bytes by Imm.Perm
	Rev
	Rev16
	Zext   // to a larger width
	Trunc  // to a smaller width
	Pack   // four w32 to v128
	Lane   // Imm.N-th 32-bit lane of a v128
	Splat  // repeated over the width; Imm.N = bits of the argument
	ZipLo  // fields of Imm.N bits of the low halves of two words, the first word's and the second's by turns
	ZipHi  // of the high halves
	Lookup // Imm.Table[a], index not known before run time; leaky
)

// Rot is one term of a masked rotation: (x & Mask) rotated left by N.
type Rot struct {
	Mask Word
	N    int
}

// Imm holds the constant parameters of an operation.
type Imm struct {
	N     int
	Rots  []Rot
	Perm  []int // result byte k = argument byte Perm[k], least significant first
	Table *Table
}

// Pos is a place in a kernel text. Columns count bytes from 1.
type Pos struct {
	File      string
	Line, Col int
}

// Index is a public integer: Base plus a sum of run-time variables. Without terms it is
// a compile-time number.
type Index struct {
	Base  int64
	Terms []Term // at most one per variable, Coef != 0, ordered by Var
}

// Term is Coef times the public variable Var (numbers are handed out by the Domain).
type Term struct {
	Var  int
	Coef int64
}

// Const reports whether the index is a compile-time number.
func (x Index) Const() bool { return len(x.Terms) == 0 }

// Mem is a memory object: a parameter, or a scratch array of the kernel.
type Mem struct {
	Name      string
	Kind      MemKind
	Width     int // bits of an element; the slice width for S
	Len       int // elements, all dimensions multiplied
	Dims      []int
	BigEndian bool   // order of the bytes of an element
	Sliced    bool   // element 8*p + i is bit i of byte p of every block, the top bit first; block b is bit b of each
	Blocks    int    // first dimension if it counts blocks, the width if sliced, else 1; 0 for key and scratch
	Table     *Table // of Rom
	Pos       Pos
}

// Bytes is the size of the memory object.
func (m *Mem) Bytes() int { return m.Len * m.Width / 8 }

// MemKind is the use of a memory object.
type MemKind uint8

const (
	In MemKind = iota
	Out
	InOut
	Key
	Scratch
	Rom // a constant table read at a public index: Mem.Table
)

// Compare is a relation of a public condition.
type Compare uint8

const (
	Eq Compare = iota
	Ne
	Lt // signed
	Le
	Gt
	Ge
)

// Domain is what words are made of: bytes for the interpreter, nodes of a graph for a compiler.
// Eval calls it in program order. V must be comparable only by the domain itself.
type Domain[V any] interface {
	// At says where the following operations come from.
	At(Pos)
	// Const makes a constant of width w bits.
	Const(w int, c Word) V
	// Op applies op; w is the width of the result in bits. Arguments are as Op says; the
	// domain may keep the slices. Eval computes operations on constants alone itself.
	Op(op Op, w int, args []V, imm Imm) V
	// Load reads element i of m (all dimensions flattened); Store writes it. i is in bounds
	// for every value its variables can take.
	Load(m *Mem, i Index) V
	Store(m *Mem, i Index, v V)
	// Public returns the value of a public parameter: a number or a variable.
	Public(name string) Index
	// Repeat runs body for i = lo, lo+step, .. < hi with the carried values passed from one
	// turn to the next, and returns the last ones. The domain may unroll it, or call body once
	// with a variable. step != 0 is a number; a negative step counts down to > hi.
	Repeat(lo, hi Index, step int64, carried []V, body func(i Index, carried []V) []V) []V
	// If chooses by a public condition that is not a compile-time number.
	If(c Compare, a, b Index, carried []V, then, otherwise func([]V) []V) []V
}

// Table is a constant table.
type Table struct {
	Name    string
	Width   int // bits of an entry
	Entries []Word
	Pos     Pos
}

// Error is a mistake in a kernel text, or something that a domain cannot do. It prints as
// one line: file:line:column: what; hint. A Domain panics with *Error to refuse an operation;
// Eval recovers it and returns it.
type Error struct {
	Pos  Pos
	Msg  string
	Hint string // how to mend it, may be empty
}
