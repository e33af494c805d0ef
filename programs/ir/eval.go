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
	args  []V              // arena for arguments, cut into pieces that are not reused
	named map[any]value[V] // constants and tables met so far
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
		fail(p, "use fewer turns", "more than %d operations with all loops unrolled", maxSteps)
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
		case *returnStmt:
			return e.owned(s.value)
		}
	}
	return value[V]{}
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

func (e *evaluator[V]) assign(s *assignStmt) {
	if s.op != "" {
		e.modify(s)
		return
	}
	v := e.owned(s.right)
	if len(s.left) == 1 {
		e.store(s.left[0], v)
		return
	}
	list := v.tup
	if v.kind == kArray {
		list = e.spread(s.pos, nil, &v)
	}
	if len(list) != len(s.left) {
		fail(s.pos, "", "%d names on the left, %s on the right", len(s.left), v.describe())
	}
	for i, lv := range s.left {
		e.store(lv, list[i])
	}
}

// modify does lvalue OP= expr.
func (e *evaluator[V]) modify(s *assignStmt) {
	lv := s.left[0]
	old := e.current(lv)
	e.store(lv, e.binary(s.pos, binops[s.op].code, s.op, old, e.expr(s.right)))
}

// current reads the value of an assignable place.
func (e *evaluator[V]) current(lv *lvalue) value[V] {
	v := *e.slot(lv.ref.slot)
	if v.kind == kNone {
		fail(lv.pos, "", "%s is used before it has a value", lv.name)
	}
	for _, x := range lv.index {
		v = e.elemAt(x.at(), v, e.expr(x))
	}
	return e.loaded(lv.pos, v)
}

// store assigns v, which no other variable shares, to lv.
func (e *evaluator[V]) store(lv *lvalue, v value[V]) {
	if lv.ref.kind == refDiscard {
		return
	}
	slot := e.slot(lv.ref.slot)
	switch {
	case slot.kind == kMem:
		e.storeMem(lv, v)
	case len(lv.index) > 0:
		e.storeElem(lv, v)
	case slot.kind == kNone:
		e.define(lv, slot, v)
	default:
		width, dims := slot.width, []int(nil)
		if slot.kind == kArray {
			dims = slot.arr.dims
		}
		if slot.kind == kInt {
			e.storeInt(lv, slot, v)
			return
		}
		*slot = e.convert(lv.pos, v, width, dims, lv.name)
	}
}

// define gives a new variable its first value, which fixes its type.
func (e *evaluator[V]) define(lv *lvalue, slot *value[V], v value[V]) {
	switch v.kind {
	case kInt, kWord, kArray:
		*slot = v
	case kBig:
		fail(lv.pos, "write for example "+lv.name+" = w64(..)", "%s needs a word type to hold this number", lv.name)
	case kTuple:
		fail(lv.pos, "name them all, as in a, b = f(x)", "%s cannot hold %s", lv.name, v.describe())
	default:
		fail(lv.pos, "", "%s cannot hold %s", lv.name, v.describe())
	}
}

func (e *evaluator[V]) storeInt(lv *lvalue, slot *value[V], v value[V]) {
	if v.kind != kInt {
		fail(lv.pos, "", "%s is a number, but %s is assigned", lv.name, v.describe())
	}
	*slot = v
}

// storeElem assigns to an element or sub-array of an array variable.
func (e *evaluator[V]) storeElem(lv *lvalue, v value[V]) {
	var at, size int
	dims := []int(nil)
	slot := e.slot(lv.ref.slot)
	if slot.kind != kArray {
		fail(lv.pos, "", "%s is %s, which has no elements", lv.name, slot.describe())
	}
	dims, size = slot.arr.dims, len(slot.arr.cells)
	for _, x := range lv.index {
		if len(dims) == 0 {
			fail(x.at(), "", "too many indices for %s", lv.name)
		}
		i := e.position(x.at(), e.expr(x), dims[0])
		size /= dims[0]
		at += i * size
		dims = dims[1:]
	}
	slot = e.slot(lv.ref.slot) // a call in an index may have moved the stack
	if slot.width == 0 {
		if v.kind != kInt || len(v.terms) > 0 || len(dims) > 0 {
			fail(lv.pos, "", "%s holds compile-time numbers, but %s is assigned", lv.name, v.describe())
		}
		slot.arr.cells[at] = v.cell
		return
	}
	v = e.convert(lv.pos, v, slot.width, dims, lv.name)
	if v.kind == kWord {
		slot.arr.cells[at] = v.cell
		return
	}
	e.step(lv.pos, size)
	copy(slot.arr.cells[at:at+size], v.arr.cells)
}

// unroll runs a for loop.
func (e *evaluator[V]) unroll(s *forStmt) {
	lo, hi := e.number(s.lo, "a bound of 'for'"), e.number(s.hi, "a bound of 'for'")
	step := e.stride(s)
	for i := lo; step > 0 && i < hi || step < 0 && i > hi; {
		e.step(s.pos, 1)
		*e.slot(s.slot) = intValue[V](i)
		e.block(s.body)
		next := i + step
		if (next > i) != (step > 0) {
			return // the counter would pass the end of the integers
		}
		i = next
	}
}

// stride is the step of a loop.
func (e *evaluator[V]) stride(s *forStmt) int64 {
	if s.step == nil {
		return 1
	}
	n := e.number(s.step, "the step of a loop")
	if n == 0 || n > 1<<32 || n < -1<<32 {
		fail(s.step.at(), "", "a step of %d: expected a number other than 0 of at most 32 bits", n)
	}
	return n
}

// repeat hands a loop to the domain with the variables that its body changes.
func (e *evaluator[V]) repeat(s *forStmt) {
	lo, hi := e.integer(s.lo, "a bound of 'repeat'"), e.integer(s.hi, "a bound of 'repeat'")
	step := e.stride(s)
	in := e.gather(s.pos, s.carried, "repeat")
	e.d.At(s.pos)
	out := e.d.Repeat(lo.index(), hi.index(), step, in, func(i Index, carried []V) []V {
		e.step(s.pos, 1)
		e.scatter(s.carried, carried)
		*e.slot(s.slot) = indexValue[V](i)
		e.block(s.body)
		return e.gather(s.pos, s.carried, "repeat")
	})
	e.scatter(s.carried, out)
}

// gather collects the words of the carried variables.
func (e *evaluator[V]) gather(p Pos, list []carry, what string) []V {
	var out []V
	for _, c := range list {
		v := *e.slot(c.slot)
		switch v.kind {
		case kWord:
			out = append(out, e.word(p, &v.cell, v.width, c.name))
		case kArray:
			if v.width == 0 {
				fail(p, "use words, or a 'for' loop", "%s holds compile-time numbers, which a '%s' cannot change", c.name, what)
			}
			for i := range v.arr.cells {
				out = append(out, e.carriedWord(p, &v, i, c.name, what))
			}
		case kInt:
			fail(p, "use a word, or a 'for' loop", "%s is a compile-time number, which a '%s' cannot change", c.name, what)
		default:
			fail(p, "give it a value before", "%s has no value before the '%s' that changes it", c.name, what)
		}
	}
	return out
}

func (e *evaluator[V]) carriedWord(p Pos, v *value[V], i int, name, what string) V {
	if v.arr.cells[i].st == unset {
		fail(p, "give all elements a value before, or declare it inside", "an element of %s has no value before the '%s' that changes it", name, what)
	}
	return e.word(p, &v.arr.cells[i], v.width, name)
}

// scatter gives the carried variables new words.
func (e *evaluator[V]) scatter(list []carry, words []V) {
	for _, c := range list {
		v := e.slot(c.slot)
		if v.kind == kWord {
			v.cell = cell[V]{w: words[0], st: running}
			words = words[1:]
			continue
		}
		cells := make([]cell[V], len(v.arr.cells))
		for i := range cells {
			cells[i] = cell[V]{w: words[i], st: running}
		}
		words = words[len(cells):]
		v.arr = &array[V]{v.arr.dims, cells}
	}
}

// branch runs an if: at once when the condition is known, else through the domain.
func (e *evaluator[V]) branch(s *ifStmt) {
	cmp, a, b := e.condition(s.cond)
	if a.Const() && b.Const() {
		if compare(cmp, a.Base, b.Base) {
			e.block(s.then)
		} else if s.otherwise != nil {
			e.block(s.otherwise)
		}
		return
	}
	in := e.gather(s.pos, s.carried, "if")
	arm := func(body *block) func([]V) []V {
		return func(carried []V) []V {
			e.scatter(s.carried, carried)
			if body != nil {
				e.block(body)
			}
			return e.gather(s.pos, s.carried, "if")
		}
	}
	e.d.At(s.pos)
	e.scatter(s.carried, e.d.If(cmp, a, b, in, arm(s.then), arm(s.otherwise)))
}

// condition splits a condition into a comparison of two integers.
func (e *evaluator[V]) condition(x expr) (Compare, Index, Index) {
	if b, ok := x.(*binaryExpr); ok && b.code <= opGe {
		l, r := e.integer(b.x, "a condition"), e.integer(b.y, "a condition")
		return compares[b.code], l.index(), r.index()
	}
	v := e.integer(x, "a condition")
	return Ne, v.index(), Index{}
}

// compares gives the relation of a comparison operator.
var compares = [...]Compare{opEq: Eq, opNe: Ne, opLt: Lt, opLe: Le, opGt: Gt, opGe: Ge}

func compare(c Compare, a, b int64) bool {
	switch c {
	case Eq:
		return a == b
	case Ne:
		return a != b
	case Lt:
		return a < b
	case Le:
		return a <= b
	case Gt:
		return a > b
	}
	return a >= b
}
