package ir

import "sort"

// local is a name inside a def or kernel.
type local struct {
	name  string
	pos   Pos
	slot  int
	depth int    // index of its scope
	fixed string // why it cannot be assigned: "a loop variable", ..; else empty
	mem   bool   // memory: assigning stores
	owed  bool   // must be read somewhere
	reads int
}

// carrier collects the outer locals that the body of a repeat or if assigns.
type carrier struct {
	depth int // scopes below this index are outside
	list  []carry
	slots map[int]bool // of list
}

// resolver binds the names of one def, kernel or closed expression to what they stand for.
type resolver struct {
	f        *File
	errs     *errorList
	scopes   []map[string]*local
	carriers []*carrier
	slots    int
	keys     bool
	memory   bool              // scratch is allowed
	slice    bool              // S, rep or splat is used
	ended    map[string]*local // locals of scopes that are closed
	unused   []*local
	unknown  map[string]bool // unknown names that were reported
	failed   bool
}

func newResolver(f *File, errs *errorList) *resolver {
	r := &resolver{f: f, errs: errs, ended: map[string]*local{}, unknown: map[string]bool{}}
	r.push()
	return r
}

func (r *resolver) errorf(p Pos, hint, msg string) {
	r.failed = true
	r.errs.add(&Error{Pos: p, Msg: msg, Hint: hint})
}

// finish reports locals that were assigned for nothing, unless a mistake that explains it
// was reported.
func (r *resolver) finish() {
	r.pop()
	if r.failed {
		return
	}
	sort.Slice(r.unused, func(i, j int) bool { return r.unused[i].slot < r.unused[j].slot })
	for _, l := range r.unused {
		r.errs.addLoose(&Error{Pos: l.pos, Msg: l.name + " is never used", Hint: "remove it, or assign to _"})
	}
}

// resolveDef binds the body of a def.
func resolveDef(f *File, d *defDecl, errs *errorList) {
	r := newResolver(f, errs)
	for i := range d.formals {
		fm := &d.formals[i]
		if fm.typ != nil {
			r.typ(fm.typ)
		}
		r.declare(&local{name: fm.name, pos: fm.pos, fixed: formalKinds[fm.kind]})
	}
	for _, t := range d.result {
		r.typ(t)
	}
	r.body(d.body)
	r.mustReturn(d.body, d.pos, "def "+d.name)
	r.finish()
	d.slots = r.slots
}

// formalKinds says why a formal cannot be assigned.
var formalKinds = [...]string{formalWord: "", formalInt: "a number", formalFn: "a def"}

// resolveKernel binds the body of a kernel or keys function.
func resolveKernel(f *File, d *kernelDecl, errs *errorList) {
	r := newResolver(f, errs)
	r.memory, r.keys = true, d.keys
	r.paramTypes(d) // before the names are declared: a type cannot depend on them
	for i := range d.params {
		p := &d.params[i]
		l := &local{name: p.name, pos: p.pos, mem: !p.public}
		if p.public {
			l.fixed = "a public parameter"
		}
		if d.keys {
			l.name = p.argOf
		}
		r.declare(l)
	}
	if !d.writes() {
		r.errorf(d.pos, "add for example (.., out ct: w32[4])", "kernel "+d.name+" has no out or inout parameter")
	}
	r.body(d.body)
	if d.keys {
		r.mustReturn(d.body, d.pos, "keys "+d.name)
	}
	r.finish()
	d.slots, d.slice = r.slots, r.slice
}

func (r *resolver) paramTypes(d *kernelDecl) {
	for i := range d.params {
		p := &d.params[i]
		if p.typ != nil {
			r.typ(p.typ)
		}
		if p.lo != nil {
			r.expr(p.lo)
			r.expr(p.hi)
		}
	}
}

// writes reports whether the kernel has an output.
func (d *kernelDecl) writes() bool {
	for i := range d.params {
		if p := &d.params[i]; !p.public && (p.kind == Out || p.kind == InOut) {
			return true
		}
	}
	return false
}

// resolveClosed binds an expression outside any body.
func resolveClosed(f *File, e expr, errs *errorList) {
	r := newResolver(f, errs)
	r.expr(e)
}

func (r *resolver) mustReturn(b *block, p Pos, what string) {
	n := len(b.stmts)
	if n > 0 {
		if _, ok := b.stmts[n-1].(*returnStmt); ok {
			return
		}
	}
	r.errorf(p, "end the body with 'return'", what+" returns nothing")
}

func (r *resolver) push() { r.scopes = append(r.scopes, map[string]*local{}) }

// pop closes a scope.
func (r *resolver) pop() {
	top := r.scopes[len(r.scopes)-1]
	r.scopes = r.scopes[:len(r.scopes)-1]
	for name, l := range top {
		r.ended[name] = l
		if l.owed && l.reads == 0 {
			r.unused = append(r.unused, l)
		}
	}
}

func (r *resolver) find(name string) *local {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if l := r.scopes[i][name]; l != nil {
			return l
		}
	}
	return nil
}

// declare adds a local to the innermost scope; its name must be free everywhere.
func (r *resolver) declare(l *local) {
	l.slot, l.depth = r.slots, len(r.scopes)-1
	r.slots++
	if l.name == "" || l.name == "_" {
		return
	}
	if old := r.find(l.name); old != nil {
		r.errorf(l.pos, "choose another name", l.name+" is already declared at "+old.pos.String())
		return
	}
	if what := r.f.meaning(l.name); what != "" {
		r.errorf(l.pos, "choose another name", l.name+" is already "+what)
		return
	}
	r.scopes[l.depth][l.name] = l
}

// body resolves a block in a scope of its own.
func (r *resolver) body(b *block) {
	r.push()
	b.lo = r.slots
	for i, s := range b.stmts {
		if ret, ok := s.(*returnStmt); ok {
			r.checkReturn(ret, i == len(b.stmts)-1)
		}
		r.stmt(s)
	}
	b.hi = r.slots
	r.pop()
}

// checkReturn refuses a return that is not the last statement of a def or keys.
func (r *resolver) checkReturn(s *returnStmt, last bool) {
	switch {
	case r.memory && !r.keys:
		r.errorf(s.pos, "assign to an out parameter", "a kernel does not return a value")
	case !last || len(r.scopes) != 2:
		r.errorf(s.pos, "choose the value before", "return is the last statement of a body")
	}
}

func (r *resolver) stmt(s stmt) {
	switch s := s.(type) {
	case *declStmt:
		r.declStmt(s)
	case *assignStmt:
		r.expr(s.right)
		for _, lv := range s.left {
			r.lvalue(lv, s.op != "")
		}
	case *forStmt:
		r.loop(s)
	case *ifStmt:
		r.expr(s.cond)
		c := r.carry(func() {
			r.body(s.then)
			if s.otherwise != nil {
				r.body(s.otherwise)
			}
		})
		s.carried = c
	case *returnStmt:
		r.expr(s.value)
	}
}

func (r *resolver) declStmt(s *declStmt) {
	r.typ(s.typ)
	if s.init != nil {
		r.expr(s.init)
	}
	if s.scratch && (!r.memory || len(r.scopes) != 2) {
		r.errorf(s.pos, "move it to the top of a kernel", "scratch memory belongs to the outermost level of a kernel or keys body")
	}
	l := &local{name: s.name, pos: s.pos, mem: s.scratch, owed: true}
	r.declare(l)
	s.slot = l.slot
}

func (r *resolver) loop(s *forStmt) {
	r.expr(s.lo)
	r.expr(s.hi)
	if s.step != nil {
		r.expr(s.step)
	}
	r.push()
	l := &local{name: s.name, pos: s.pos, fixed: "a loop variable"}
	r.declare(l)
	s.slot = l.slot
	s.carried = r.carry(func() { r.body(s.body) })
	r.pop()
}

// carry returns the outer locals assigned by what body resolves, in order of first assignment.
func (r *resolver) carry(body func()) []carry {
	c := &carrier{depth: len(r.scopes), slots: map[int]bool{}}
	r.carriers = append(r.carriers, c)
	body()
	r.carriers = r.carriers[:len(r.carriers)-1]
	return c.list
}

// lvalue binds an assigned name; a new name is a new local of the innermost scope.
func (r *resolver) lvalue(lv *lvalue, modify bool) {
	for _, x := range lv.index {
		r.expr(x)
	}
	if lv.name == "_" {
		lv.ref = ref{kind: refDiscard}
		return
	}
	l := r.find(lv.name)
	if l == nil {
		l = r.newLocal(lv, modify)
	}
	if l.fixed != "" {
		r.errorf(lv.pos, "use a variable of its own", lv.name+" is "+l.fixed+" and cannot be assigned")
	}
	lv.ref = ref{kind: refLocal, slot: l.slot}
	if !l.mem {
		r.assigned(l)
	}
}

// newLocal makes the variable that an assignment to an unknown name declares.
func (r *resolver) newLocal(lv *lvalue, modify bool) *local {
	l := &local{name: lv.name, pos: lv.pos, owed: true}
	if (modify || len(lv.index) > 0) && r.f.meaning(lv.name) == "" && !r.errs.full() {
		r.errorf(lv.pos, r.hint(lv.name, "declare it before, as in "+lv.name+": w32"), lv.name+" is not declared")
		l.owed = false
	}
	r.declare(l)
	return l
}

// assigned notes l in every open carrier that it lies outside of.
func (r *resolver) assigned(l *local) {
	for _, c := range r.carriers {
		if l.depth < c.depth && !c.slots[l.slot] {
			c.slots[l.slot] = true
			c.list = append(c.list, carry{l.slot, l.name})
		}
	}
}

func (r *resolver) typ(t *typeExpr) {
	r.slice = r.slice || t.base == "S"
	for _, d := range t.dims {
		r.expr(d)
	}
}

func (r *resolver) exprs(list []expr) {
	for _, e := range list {
		r.expr(e)
	}
}

func (r *resolver) expr(e expr) {
	switch e := e.(type) {
	case *nameExpr:
		r.name(e)
	case *unaryExpr:
		r.expr(e.x)
	case *binaryExpr:
		r.expr(e.x)
		r.expr(e.y)
	case *condExpr:
		r.exprs([]expr{e.cond, e.x, e.y})
	case *callExpr:
		r.name(e.fn)
		r.exprs(e.args)
		for _, t := range e.rots {
			r.expr(t.mask)
			r.expr(t.n)
		}
	case *indexExpr:
		r.expr(e.x)
		for _, a := range e.index {
			r.expr(a.lo)
			if a.hi != nil {
				r.expr(a.hi)
			}
		}
	case *arrayExpr:
		r.exprs(e.elems)
	case *tupleExpr:
		r.exprs(e.elems)
	case *spreadExpr:
		r.expr(e.x)
	}
}

// name binds a name in an expression: locals first, then the file, then the language.
func (r *resolver) name(n *nameExpr) {
	if l := r.find(n.name); l != nil {
		l.reads++
		n.ref = ref{kind: refLocal, slot: l.slot}
		return
	}
	n.ref = r.f.lookup(n.name)
	if n.ref.kind == refNone && !r.unknown[n.name] && !r.errs.full() {
		r.unknown[n.name], r.failed = true, true
		r.errs.addLoose(&Error{Pos: n.pos, Msg: "unknown name " + n.name, Hint: r.hint(n.name, "")})
	}
	switch n.name {
	case "S", "rep", "splat":
		r.slice = true
	}
}

// hint helps with a name that is not visible: it ended with its block, or is misspelt.
func (r *resolver) hint(name, otherwise string) string {
	if l := r.ended[name]; l != nil {
		return "the one assigned at " + l.pos.String() + " ends with its block; declare it before the block, as in " + name + ": w32"
	}
	if s := didYouMean(name, r.names()); s != "" {
		return s
	}
	return otherwise
}

// names lists every name visible here, inner scopes first.
func (r *resolver) names() []string {
	var list []string
	for i := len(r.scopes) - 1; i >= 0; i-- {
		list = append(list, sortedKeys(r.scopes[i])...)
	}
	return append(list, r.f.names()...)
}
