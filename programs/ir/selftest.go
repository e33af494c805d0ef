package ir

import (
	"errors"
	"fmt"
	"strings"
)

// Outcome is what came of one test or equiv clause.
type Outcome struct {
	Pos    Pos
	Clause string   // its text, on one line
	How    Evidence // of a clause that holds
	Err    error    // nil if it holds; else where and what differs
}

// Evidence is what a clause that holds rests on.
type Evidence string

const (
	Computed Evidence = "computed" // both sides of a test are known numbers
	Proven   Evidence = "proven"   // an equiv on inputs that decide all others
	Sampled  Evidence = "sampled"  // an equiv on random inputs
)

// Check decides the closed tests and the equivalences of the file, in text order. Vectors clauses are
// for the caller, see Vectors.
func (f *File) Check() []Outcome {
	var list []Outcome
	for _, d := range f.decls {
		switch d := d.(type) {
		case *testDecl:
			if d.kernel == "" {
				list = append(list, decide(d.pos, d, func() Evidence { d.run(); return Computed }))
			}
		case *equivDecl:
			list = append(list, decide(d.pos, d, d.run))
		}
	}
	return list
}

func decide(pos Pos, clause any, run func() Evidence) Outcome {
	var text printer
	text.decl(clause)
	o := Outcome{Pos: pos, Clause: strings.TrimSpace(text.String())}
	if err := catch(func() { o.How = run() }); err != nil {
		o.Err = err
	}
	return o
}

// RunTests is Check for callers that only want the failures, joined.
func (f *File) RunTests() error {
	var errs []error
	for _, o := range f.Check() {
		if o.Err != nil && len(errs) < maxErrors {
			errs = append(errs, o.Err)
		}
	}
	return errors.Join(errs...)
}

// closedSlice is the width of S in a closed test where no argument binds it.
const closedSlice = 32

// run evaluates both sides of a closed test.
func (d *testDecl) run() {
	e := newEvaluator[Word](&memory{}, closedSlice, maxSteps)
	e.leaky = true
	a, b := e.owned(d.a), e.owned(d.b)
	a, b = e.sameType(d.pos, a, b)
	if got, want := printValue(settled(a, plain)), printValue(settled(b, plain)); got != want {
		fail(d.pos, "", "test failed: the left side is %s, the right side is %s", got, want)
	}
}

// sameType gives the numbers of one side the type of the other.
func (e *evaluator[V]) sameType(p Pos, a, b value[V]) (value[V], value[V]) {
	if a.kind == kTuple && b.kind == kTuple && len(a.tup) == len(b.tup) {
		for i := range a.tup {
			a.tup[i], b.tup[i] = e.sameType(p, a.tup[i], b.tup[i])
		}
		return a, b
	}
	if b.width == 0 && a.width != 0 {
		b, a = e.sameType(p, b, a)
		return a, b
	}
	dims := []int(nil)
	if b.kind == kArray {
		dims = b.arr.dims
	}
	if b.width != 0 || b.kind == kArray && b.width == 0 && a.kind != kArray {
		a = e.convert(p, a, b.width, dims, "the right side")
	}
	return a, b
}

// printValue prints a settled value.
func printValue(v value[Word]) string {
	switch v.kind {
	case kInt:
		return fmt.Sprint(int64(v.c.Lo))
	case kArray:
		list := make([]string, len(v.arr.cells))
		for i := range list {
			list[i] = printValue(v.elem(i))
		}
		return "[" + strings.Join(list, " ") + "]"
	case kTuple:
		list := make([]string, len(v.tup))
		for i := range list {
			list[i] = printValue(v.tup[i])
		}
		return "(" + strings.Join(list, ", ") + ")"
	case kWord, kBig:
		return v.c.String()
	}
	return v.describe()
}
