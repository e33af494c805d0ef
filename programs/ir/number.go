package ir

import "math/bits"

// ints computes with integers. Public numbers add, subtract, and multiply by known ones.
func (e *evaluator[V]) ints(p Pos, code binop, text string, x, y value[V]) value[V] {
	if len(x.terms) == 0 && len(y.terms) == 0 {
		n, problem := intOp(code, int64(x.c.Lo), int64(y.c.Lo))
		if problem != "" {
			fail(p, "", "%d %s %d: %s", int64(x.c.Lo), text, int64(y.c.Lo), problem)
		}
		return intValue[V](n)
	}
	a, b := x.index(), y.index()
	ok := true
	var r Index
	switch {
	case code == opAdd:
		r, ok = a.plus(b, 1)
	case code == opSub:
		r, ok = a.plus(b, -1)
	case code == opMul && b.Const():
		r, ok = Index{}.plus(a, b.Base)
	case code == opMul && a.Const():
		r, ok = Index{}.plus(b, a.Base)
	case code <= opGe:
		fail(p, "write it as the condition of an 'if'", "a comparison of public numbers has no value of its own")
	default:
		fail(p, "public numbers are added, subtracted and multiplied by known numbers", "'%s' of public numbers", text)
	}
	if !ok {
		fail(p, "", "the number does not fit 64 bits")
	}
	return indexValue[V](r)
}

// plus returns x + k*y and whether it fits.
func (x Index) plus(y Index, k int64) (Index, bool) {
	ok := true
	madd := func(a, b int64) int64 {
		m, good := mul64(b, k)
		s, over := add64(a, m)
		ok = ok && good && !over
		return s
	}
	r := Index{Base: madd(x.Base, y.Base)}
	i, j := 0, 0
	for i < len(x.Terms) || j < len(y.Terms) {
		var t Term
		switch {
		case j == len(y.Terms) || i < len(x.Terms) && x.Terms[i].Var < y.Terms[j].Var:
			t = x.Terms[i]
			i++
		case i == len(x.Terms) || y.Terms[j].Var < x.Terms[i].Var:
			t = Term{y.Terms[j].Var, madd(0, y.Terms[j].Coef)}
			j++
		default:
			t = Term{x.Terms[i].Var, madd(x.Terms[i].Coef, y.Terms[j].Coef)}
			i++
			j++
		}
		if t.Coef != 0 {
			r.Terms = append(r.Terms, t)
		}
	}
	return r, ok
}

// intOp computes with compile-time numbers; problem is empty if the result exists.
// Division rounds down, so that i % n is in 0..n-1 for positive n.
func intOp(code binop, a, b int64) (n int64, problem string) {
	if f := intOps[code]; f != nil {
		return f(a, b), ""
	}
	over := false
	switch code {
	case opAdd:
		n, over = add64(a, b)
	case opSub:
		if n = a - b; (n < a) != (b > 0) && b != 0 {
			over = true
		}
	case opMul:
		var ok bool
		n, ok = mul64(a, b)
		over = !ok
	case opShl, opShr:
		return shiftInt(code, a, b)
	case opDiv, opMod:
		return divideInt(code, a, b)
	default:
		return 0, "rotation needs a word; write for example w32(x)"
	}
	if over {
		return 0, "the number does not fit 64 bits"
	}
	return n, ""
}

// intOps are the operators that have a result for all numbers.
var intOps = [opMod + 1]func(a, b int64) int64{
	opOr:  func(a, b int64) int64 { return a | b },
	opXor: func(a, b int64) int64 { return a ^ b },
	opAnd: func(a, b int64) int64 { return a & b },
	opEq:  func(a, b int64) int64 { return truth(compare(Eq, a, b)) },
	opNe:  func(a, b int64) int64 { return truth(compare(Ne, a, b)) },
	opLt:  func(a, b int64) int64 { return truth(compare(Lt, a, b)) },
	opLe:  func(a, b int64) int64 { return truth(compare(Le, a, b)) },
	opGt:  func(a, b int64) int64 { return truth(compare(Gt, a, b)) },
	opGe:  func(a, b int64) int64 { return truth(compare(Ge, a, b)) },
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func shiftInt(code binop, a, b int64) (int64, string) {
	if b < 0 || b > 63 {
		return 0, "a number is shifted by 0 to 63"
	}
	if code == opShr {
		return a >> b, ""
	}
	if n := a << b; n>>b == a {
		return n, ""
	}
	return 0, "the number does not fit 64 bits"
}

func divideInt(code binop, a, b int64) (int64, string) {
	switch {
	case b == 0:
		return 0, "division by zero"
	case code == opMod:
		return floorMod(a, b), ""
	case b == -1: // the one quotient that may not fit
		return intOp(opSub, 0, a)
	}
	return floorDiv(a, b), ""
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 {
	if b == -1 {
		return 0
	}
	m := a % b
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

func add64(a, b int64) (n int64, over bool) {
	n = a + b
	return n, (n > a) != (b > 0) && b != 0
}

func mul64(a, b int64) (n int64, ok bool) {
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(abs64(a), abs64(b))
	if hi != 0 || lo > 1<<63 || lo == 1<<63 && !neg {
		return 0, false
	}
	if neg {
		return -int64(lo), true
	}
	return int64(lo), true
}

func abs64(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}
