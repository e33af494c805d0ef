package ir

import "fmt"

// elementName prints an element of a memory object with all its indices.
func elementName(m *Mem, i int) string {
	name := ""
	for d := len(m.Dims) - 1; d >= 0; d-- {
		name = fmt.Sprintf("[%d]", i%m.Dims[d]) + name
		i /= m.Dims[d]
	}
	return m.Name + name
}

// refuseRecursion reports defs that call themselves, directly or through others.
func (f *File) refuseRecursion(errs *errorList) {
	done := map[*defDecl]bool{}
	open := map[*defDecl]bool{}
	var visit func(d *defDecl)
	visit = func(d *defDecl) {
		if done[d] {
			return
		}
		open[d] = true
		eachName(d.body, func(n *nameExpr) {
			if next := n.ref.def; next != nil && open[next] {
				errs.add(&Error{Pos: n.pos, Msg: "def " + next.name + " calls itself", Hint: "defs are unrolled; use a loop"})
			} else if next != nil {
				visit(next)
			}
		})
		delete(open, d)
		done[d] = true
	}
	for _, d := range f.decls {
		if def, ok := d.(*defDecl); ok {
			visit(def)
		}
	}
}

// eachName calls f for every name used in a block.
func eachName(b *block, f func(*nameExpr)) {
	walkBlock(b, func(x expr) {
		switch x := x.(type) {
		case *nameExpr:
			f(x)
		case *callExpr:
			f(x.fn)
		}
	})
}

func walkBlock(b *block, f func(expr)) {
	if b == nil {
		return
	}
	for _, s := range b.stmts {
		switch s := s.(type) {
		case *declStmt:
			walkAll(s.typ.dims, f)
			walk(s.init, f)
		case *assignStmt:
			for _, lv := range s.left {
				walkAll(lv.index, f)
			}
			walk(s.right, f)
		case *forStmt:
			walkAll([]expr{s.lo, s.hi, s.step}, f)
			walkBlock(s.body, f)
		case *ifStmt:
			walk(s.cond, f)
			walkBlock(s.then, f)
			walkBlock(s.otherwise, f)
		case *returnStmt:
			walk(s.value, f)
		}
	}
}

func walkAll(list []expr, f func(expr)) {
	for _, x := range list {
		walk(x, f)
	}
}

// walk calls f for x and every expression in it; x may be nil.
func walk(x expr, f func(expr)) {
	if x == nil {
		return
	}
	f(x)
	switch x := x.(type) {
	case *unaryExpr:
		walk(x.x, f)
	case *binaryExpr:
		walkAll([]expr{x.x, x.y}, f)
	case *condExpr:
		walkAll([]expr{x.cond, x.x, x.y}, f)
	case *callExpr:
		walkAll(x.args, f)
		for _, r := range x.rots {
			walkAll([]expr{r.mask, r.n}, f)
		}
	case *indexExpr:
		walk(x.x, f)
		for _, a := range x.index {
			walkAll([]expr{a.lo, a.hi}, f)
		}
	case *arrayExpr:
		walkAll(x.elems, f)
	case *tupleExpr:
		walkAll(x.elems, f)
	case *spreadExpr:
		walk(x.x, f)
	}
}
