package ir

// maxFailed bounds the failed statements of a kernel, turns of loops counted one by one.
const maxFailed = 1000

// attempt runs a statement of a kernel. If it fails, the mistake is reported, and what it would have
// assigned has no known value from here on.
func (e *evaluator[V]) attempt(s stmt) {
	top, fp, slice := len(e.stack), e.fp, e.slice
	err := catch(func() { e.stmt(s) })
	if err == nil {
		return
	}
	e.stack, e.fp, e.slice, e.calls = e.stack[:top], fp, slice, 0
	if e.failed++; e.steps > e.limit || e.failed > maxFailed {
		panic(err)
	}
	e.report(err)
	e.spoil(s)
}

// spoil marks the variables that a failed statement assigns.
func (e *evaluator[V]) spoil(s stmt) {
	switch s := s.(type) {
	case *assignStmt:
		for _, lv := range s.left {
			if lv.ref.kind == refLocal {
				e.spoilSlot(lv.ref.slot)
			}
		}
	case *declStmt:
		e.spoilSlot(s.slot)
	case *forStmt:
		e.spoilCarried(s.carried)
	case *ifStmt:
		e.spoilCarried(s.carried)
	}
}

func (e *evaluator[V]) spoilCarried(list []carry) {
	for _, c := range list {
		e.spoilSlot(c.slot)
	}
}

// spoilSlot leaves memory as it is: the domain does not count on its contents after a mistake.
func (e *evaluator[V]) spoilSlot(i int) {
	if v := e.slot(i); v.kind != kMem {
		*v = value[V]{kind: kSpoilt}
	}
}
