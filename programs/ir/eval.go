package ir

// maxSteps bounds the operations and statements of one evaluation, loops unrolled.
const maxSteps = 2_000_000

// maxCalls bounds the depth of calls, which only defs passed to defs can reach.
const maxCalls = 64

// evaluator gives a body its meaning over a domain. Frames of locals lie on one stack.
type evaluator[V any] struct {
	d     Domain[V]
	slice int // width of S, 0 if unbound
	leaky bool
	stack []value[V]
	fp    int // first slot of the running frame
	calls int
	steps int
	limit int
	// shared says that the limit is what is left for the whole file.
	shared bool
	// report, if not nil, is told of mistakes in the statements of a kernel, which then goes on.
	report func(*Error)
	failed int              // statements that were reported
	args   []V              // arena for arguments, cut into pieces that are not reused
	named  map[any]value[V] // constants and tables met so far
}

func newEvaluator[V any](d Domain[V], slice, limit int) *evaluator[V] {
	return &evaluator[V]{d: d, slice: slice, limit: limit, named: map[any]value[V]{}, stack: make([]value[V], 0, 256)}
}

// Eval runs the kernel over a domain. sliceBits is the width of S; it is not used by a
// kernel without S. Mistakes that show only here, and what the domain refuses, come back
// as *Error.
func Eval[V any](k *Kernel, d Domain[V], sliceBits int) error {
	_, err := evalSteps(k, d, sliceBits, maxSteps)
	if err != nil {
		return err
	}
	return nil
}

// evalSteps is Eval with its own limit; it returns the steps used.
func evalSteps[V any](k *Kernel, d Domain[V], sliceBits, limit int) (int, *Error) {
	lay, err := k.layout(sliceBits)
	if err != nil {
		return 0, err
	}
	e := newEvaluator(d, lay.slice, limit)
	e.leaky = k.Leaky
	err = catch(func() { e.kernel(k.decl, lay) })
	return e.steps, err
}

func (e *evaluator[V]) kernel(d *kernelDecl, lay *layout) {
	e.push(d.slots)
	for i, p := range lay.params {
		if p.Public {
			e.stack[i] = indexValue[V](e.d.Public(p.Name))
		} else {
			e.stack[i] = value[V]{kind: kMem, width: p.Mem.Width, mem: p.Mem}
		}
	}
	ret := e.block(d.body)
	if d.keys {
		out := value[V]{kind: kMem, mem: lay.params[1].Mem}
		e.storeAll(d.body.stmts[len(d.body.stmts)-1].at(), out, ret)
	}
}

// step counts n units of work at p.
func (e *evaluator[V]) step(p Pos, n int) {
	e.steps += n
	if e.steps > e.limit {
		if e.shared {
			fail(p, "split the file", "all constants and kernels of the file take more than %d operations, loops unrolled", budget)
		}
		fail(p, "use fewer turns", "more than %d operations with all loops unrolled", e.limit)
	}
}

// push opens a frame of n empty slots above the stack.
func (e *evaluator[V]) push(n int) {
	e.fp = len(e.stack)
	for range n {
		e.stack = append(e.stack, value[V]{})
	}
}

func (e *evaluator[V]) slot(i int) *value[V] { return &e.stack[e.fp+i] }

// block runs the statements of a scope and returns the value of a final return.
func (e *evaluator[V]) block(b *block) value[V] {
	clear(e.stack[e.fp+b.lo : e.fp+b.hi])
	for _, s := range b.stmts {
		if s, ok := s.(*returnStmt); ok {
			e.step(s.pos, 1)
			return e.owned(s.value)
		}
		if e.report != nil && e.calls == 0 {
			e.attempt(s)
		} else {
			e.stmt(s)
		}
	}
	return value[V]{}
}

// stmt runs one statement, which is no return.
func (e *evaluator[V]) stmt(s stmt) {
	e.step(s.at(), 1)
	switch s := s.(type) {
	case *assignStmt:
		e.assign(s)
	case *declStmt:
		e.declare(s)
	case *forStmt:
		if s.repeat {
			e.repeat(s)
		} else {
			e.unroll(s)
		}
	case *ifStmt:
		e.branch(s)
	}
}

func (e *evaluator[V]) declare(s *declStmt) {
	width, dims := e.typ(s.typ)
	if s.scratch {
		*e.slot(s.slot) = value[V]{kind: kMem, width: width, mem: e.memory(s.name, Scratch, width, dims, s.pos)}
		return
	}
	if s.init != nil {
		v := e.owned(s.init)
		*e.slot(s.slot) = e.convert(s.pos, v, width, dims, s.name)
		return
	}
	if len(dims) == 0 {
		*e.slot(s.slot) = value[V]{kind: kWord, width: width}
		return
	}
	n := e.cells(s.pos, dims)
	*e.slot(s.slot) = value[V]{kind: kArray, width: width, arr: &array[V]{dims, make([]cell[V], n)}}
}

// cells checks and counts the elements of an array value.
func (e *evaluator[V]) cells(p Pos, dims []int) int {
	n := checkedProduct(p, dims, maxCells)
	e.step(p, n)
	return n
}

// checkedProduct multiplies dims, each at least 1, up to limit.
func checkedProduct(p Pos, dims []int, limit int) int {
	n := 1
	for _, d := range dims {
		if d < 1 || d > limit/n {
			fail(p, "", "an array with the dimensions %v: each is at least 1, all together make at most %d elements", dims, limit)
		}
		n *= d
	}
	return n
}

func (e *evaluator[V]) memory(name string, k MemKind, width int, dims []int, p Pos) *Mem {
	return &Mem{Name: name, Kind: k, Width: width, Len: checkedProduct(p, dims, maxMemory), Dims: dims, Pos: p}
}

// typ evaluates a type.
func (e *evaluator[V]) typ(t *typeExpr) (width int, dims []int) {
	width = e.base(t)
	for _, d := range t.dims {
		n := e.number(d, "a dimension")
		if n < 1 || n > maxMemory {
			fail(d.at(), "", "a dimension of %d: expected 1 to %d", n, maxMemory)
		}
		dims = append(dims, int(n))
	}
	return width, dims
}

func (e *evaluator[V]) base(t *typeExpr) int {
	if t.base != "S" {
		return typeNames[t.base]
	}
	if e.slice == 0 {
		fail(t.pos, "give an argument of a word type first, or use S in the kernel", "S has no width here")
	}
	return e.slice
}
