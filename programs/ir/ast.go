package ir

// The syntax tree. The resolver fills the fields below "resolved"; nothing changes after
// ParseFile has returned, so kernels may be evaluated concurrently.

type useDecl struct {
	pos  Pos
	path string
	file *File // resolved
}

type constDecl struct {
	pos  Pos
	name string
	typ  *typeExpr // nil: a number or an array of numbers
	val  expr

	work  *work
	state declState
	value value[Word] // resolved
}

type tableDecl struct {
	pos     Pos
	name    string
	elem    *typeExpr // one dimension
	entries []expr

	work  *work
	state declState
	table *Table // resolved
	mem   *Mem   // the same as read-only memory, for public indices
}

// formal is a parameter of a def.
type formal struct {
	pos  Pos
	name string
	kind formalKind
	typ  *typeExpr // of formalWord
}

type formalKind uint8

const (
	formalWord formalKind = iota // word or array
	formalInt
	formalFn
)

type defDecl struct {
	pos     Pos
	name    string
	formals []formal
	result  []*typeExpr // nil: not declared
	body    *block
	anf     *anfBody // not nil: what the body is made of

	slots int // resolved: size of a frame
}

// kernelDecl is a kernel or a keys function. A keys function has two parameters, in and
// out; its body ends in a return, which is stored to out.
type kernelDecl struct {
	pos    Pos
	name   string
	leaky  bool
	keys   bool
	params []param
	body   *block

	slots  int      // resolved
	slice  bool     // the text itself names S, rep or splat
	widths widthSet // of the words it works on, found by check
}

type param struct {
	pos    Pos
	name   string
	public bool
	lo, hi expr // range of a public parameter, nil if not declared
	kind   MemKind
	typ    *typeExpr
	big    bool
	order  bool // an order was written
	sliced bool
	from   string // key: the keys function
	argOf  string // keys: the name that the body uses for the argument
}

type testDecl struct {
	pos     Pos
	kernel  string // vectors clause
	vectors string
	a, b    expr // closed clause
}

type equivDecl struct {
	pos  Pos
	f, g *nameExpr
}

// typeExpr is a base (w8 .. v128, S) with dimensions.
type typeExpr struct {
	pos  Pos
	base string
	dims []expr
}

// block is a scope: its locals have slots lo..hi-1 and are empty on entry.
type block struct {
	stmts  []stmt
	lo, hi int // resolved
}

type stmt interface{ at() Pos }

type (
	declStmt struct {
		pos     Pos
		name    string
		typ     *typeExpr
		scratch bool
		init    expr // nil: elements are given later
		slot    int  // resolved
	}
	assignStmt struct {
		pos   Pos
		left  []*lvalue
		op    string // "" or the operator of OP=
		right expr
	}
	forStmt struct {
		pos     Pos
		repeat  bool
		name    string
		lo, hi  expr
		step    expr // nil = 1
		body    *block
		slot    int     // resolved
		carried []carry // resolved, repeat only
	}
	ifStmt struct {
		pos       Pos
		cond      expr
		then      *block
		otherwise *block  // nil if absent
		carried   []carry // resolved
	}
	returnStmt struct {
		pos   Pos
		value expr
	}
)

// carry is a local of an outer scope that a body assigns.
type carry struct {
	slot int
	name string
}

type lvalue struct {
	pos   Pos
	name  string
	index []expr
	ref   ref // resolved
}

type expr interface{ at() Pos }

type (
	intExpr struct {
		pos  Pos
		text string
		val  Word
	}
	nameExpr struct {
		pos  Pos
		name string
		ref  ref // resolved
	}
	unaryExpr struct {
		pos Pos
		op  string
		x   expr
	}
	binaryExpr struct {
		pos  Pos
		op   string
		code binop
		x, y expr
	}
	condExpr struct {
		pos        Pos
		cond, x, y expr
	}
	callExpr struct {
		pos  Pos
		fn   *nameExpr
		args []expr
		rots []rotArg // mrot only
	}
	indexExpr struct {
		pos   Pos
		x     expr
		index []indexArg
	}
	arrayExpr struct {
		pos   Pos
		elems []expr
	}
	tupleExpr struct {
		pos   Pos
		elems []expr
	}
	spreadExpr struct { // x...
		pos Pos
		x   expr
	}
)

// rotArg is one mask:count of mrot.
type rotArg struct{ mask, n expr }

// indexArg is one index, or a range if hi is not nil.
type indexArg struct{ lo, hi expr }

// ref is what a name stands for.
type ref struct {
	kind  refKind
	slot  int
	con   *constDecl
	table *tableDecl
	def   *defDecl
	fn    *builtin
	width int // refType; 0 = S
}

type refKind uint8

const (
	refNone refKind = iota
	refLocal
	refConst
	refTable
	refDef
	refBuiltin
	refType
	refDiscard // the name _
)

func (s *declStmt) at() Pos   { return s.pos }
func (s *assignStmt) at() Pos { return s.pos }
func (s *forStmt) at() Pos    { return s.pos }
func (s *ifStmt) at() Pos     { return s.pos }
func (s *returnStmt) at() Pos { return s.pos }

func (e *intExpr) at() Pos    { return e.pos }
func (e *nameExpr) at() Pos   { return e.pos }
func (e *unaryExpr) at() Pos  { return e.pos }
func (e *binaryExpr) at() Pos { return e.pos }
func (e *condExpr) at() Pos   { return e.pos }
func (e *callExpr) at() Pos   { return e.pos }
func (e *indexExpr) at() Pos  { return e.pos }
func (e *arrayExpr) at() Pos  { return e.pos }
func (e *tupleExpr) at() Pos  { return e.pos }
func (e *spreadExpr) at() Pos { return e.pos }
