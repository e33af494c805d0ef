package ir

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
		case kSpoilt:
			panic(follows)
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
