package profile

import (
	"cmp"
	"debug/dwarf"
	"slices"
)

// debug is the debugging information of a file, ready for look-up.
type debug struct {
	rows      []row // by address, disjoint
	sequence  []row // being read
	functions []*scope
	code      []piece // of functions, by address, disjoint
	decls     map[dwarf.Offset]decl
}

// row is the code of one line.
type row struct {
	span
	file string
	line int
}

// scope is a function, or a copy of one that was inlined at a line of the scope around it.
type scope struct {
	entry    dwarf.Offset
	spans    []span
	inlined  []*scope
	callFile string
	callLine int
}

// piece is some code of a function.
type piece struct {
	span
	scope *scope
}

// decl is what an entry says of a function's name.
type decl struct {
	name   string
	line   int
	origin dwarf.Offset // entry that says the rest, 0 = none
}

// maxOrigins bounds the entries behind a name.
const maxOrigins = 8

func newDebug() *debug { return &debug{decls: map[dwarf.Offset]decl{}} }

// row adds a row of a line table: it holds up to the address of the next.
func (d *debug) row(e *dwarf.LineEntry) {
	if n := len(d.sequence); n > 0 {
		d.sequence[n-1].hi = e.Address
	}
	if e.EndSequence {
		d.endSequence()
		return
	}
	r := row{span: span{e.Address, e.Address}, line: e.Line}
	if e.File != nil {
		r.file = e.File.Name
	}
	d.sequence = append(d.sequence, r)
}

// endSequence takes over the rows of one run of code.
func (d *debug) endSequence() {
	d.rows = append(d.rows, d.sequence...)
	d.sequence = d.sequence[:0]
}

// finish sorts what was read. Functions that the linker dropped keep debugging information at
// address 0 (or at the address that they would have had), where other code may be: what lies
// outside the functions of s is left out, and of several at one place the first stays.
func (d *debug) finish(s *Source) {
	real := func(x span) bool {
		inside := len(s.funcs) == 0 || find(s.funcs, x.lo, (*function).at) != nil
		return inside && x.lo < x.hi && x.hi <= s.segmentEnd(x.lo)
	}
	d.rows = slices.DeleteFunc(d.rows, func(r row) bool { return !real(r.span) })
	slices.SortStableFunc(d.rows, func(a, b row) int { return cmp.Compare(a.lo, b.lo) })
	d.rows = disjoint(d.rows, (*row).at)
	for _, f := range d.functions {
		for _, x := range f.spans {
			if real(x) {
				d.code = append(d.code, piece{x, f})
			}
		}
	}
	d.functions = nil
	slices.SortStableFunc(d.code, func(a, b piece) int { return cmp.Compare(a.lo, b.lo) })
	d.code = disjoint(d.code, (*piece).at)
}

// frames returns the place of pc, then the places that it was inlined into; nil if nothing is known.
func (d *debug) frames(pc uint64) []Frame {
	chain := d.chain(pc)
	var place Frame
	if r := find(d.rows, pc, (*row).at); r != nil {
		place.File, place.Line = r.file, r.line
	}
	if len(chain) == 0 {
		if place.Line == 0 {
			return nil
		}
		return []Frame{place}
	}
	var frames []Frame
	for i := len(chain) - 1; i >= 0; i-- {
		place.Func, place.Start = d.name(chain[i].entry)
		frames = append(frames, place)
		place = Frame{File: chain[i].callFile, Line: chain[i].callLine}
	}
	return frames
}

// chain returns the function that holds pc, then the inlined ones, inwards.
func (d *debug) chain(pc uint64) (chain []*scope) {
	p := find(d.code, pc, (*piece).at)
	if p == nil {
		return nil
	}
	for s := p.scope; s != nil; s = s.inside(pc) {
		chain = append(chain, s)
	}
	return chain
}

// inside returns the inlined function directly in s that holds pc, or nil.
func (s *scope) inside(pc uint64) *scope {
	for _, in := range s.inlined {
		if slices.ContainsFunc(in.spans, func(x span) bool { return x.lo <= pc && pc < x.hi }) {
			return in
		}
	}
	return nil
}

// name returns the name of a function and the line of its declaration.
func (d *debug) name(entry dwarf.Offset) (name string, line int) {
	for range maxOrigins {
		x := d.decls[entry]
		name, line = cmp.Or(name, x.name), cmp.Or(line, x.line)
		if x.origin == 0 {
			break
		}
		entry = x.origin
	}
	return cmp.Or(name, Unknown), line
}
