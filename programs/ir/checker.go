package ir

import "math"

// unit is the word of the checking domain: only types, bounds and outputs matter.
type unit struct{}

// checker is the checking domain.
type checker struct {
	open    bool // leave the variable of every 'repeat' open
	pos     Pos
	names   map[string]Param
	vars    []span
	written map[*Mem][]bool // elements of out and scratch
	unsure  int             // depth of public ifs and of loops with an unknown number of turns
	fuzzy   map[*Mem]bool   // scratch written where unsure
	spoilt  bool            // a statement failed: what is written is not known
	widths  widthSet        // of the words met
}

// span is the range of a variable, ends included.
type span struct {
	lo, hi  int64
	bounded bool
	name    string
}

func newChecker(lay *layout, open bool) *checker {
	c := &checker{open: open, names: map[string]Param{}, written: map[*Mem][]bool{}, fuzzy: map[*Mem]bool{}}
	for _, p := range lay.params {
		c.names[p.Name] = p
	}
	return c
}

func (c *checker) At(p Pos) { c.pos = p }

func (c *checker) Const(int, Word) unit { return unit{} }

func (c *checker) Op(_ Op, w int, _ []unit, _ Imm) unit {
	c.widths = c.widths.with(w)
	return unit{}
}

func (c *checker) Public(name string) Index {
	p := c.names[name]
	return c.variable(span{p.Lo, p.Hi - 1, p.Lo != p.Hi, name})
}

func (c *checker) variable(s span) Index {
	c.vars = append(c.vars, s)
	return Index{Terms: []Term{{Var: len(c.vars) - 1, Coef: 1}}}
}

// rangeOf returns the least and the largest value of an index; what names a variable
// without bounds, if there is one.
func (c *checker) rangeOf(x Index) (lo, hi int64, what string) {
	lo, hi = x.Base, x.Base
	for _, t := range x.Terms {
		v := c.vars[t.Var]
		if !v.bounded {
			return 0, 0, v.name
		}
		a, okA := mul64(v.lo, t.Coef)
		b, okB := mul64(v.hi, t.Coef)
		var over1, over2 bool
		lo, over1 = add64(lo, min(a, b))
		hi, over2 = add64(hi, max(a, b))
		if !okA || !okB || over1 || over2 {
			return math.MinInt64, math.MaxInt64, ""
		}
	}
	return lo, hi, ""
}

// inBounds checks an index into m. In the open pass the ranges of loop variables stand for
// all their turns, which is coarse; the second pass is exact for them.
func (c *checker) inBounds(m *Mem, i Index) {
	if c.open {
		return
	}
	lo, hi, what := c.rangeOf(i)
	switch {
	case what != "":
		fail(c.pos, "declare its range, as in public "+what+": int in 0..16", "the index of %s depends on %s, which has no bounds", m.Name, what)
	case lo < 0 || hi >= int64(m.Len):
		if lo == hi {
			fail(c.pos, "", "index %d of %s is outside 0..%d", lo, m.Name, m.Len-1)
		}
		fail(c.pos, "", "the index of %s ranges over %d..%d, outside 0..%d", m.Name, lo, hi, m.Len-1)
	}
}

func (c *checker) Load(m *Mem, i Index) unit {
	c.widths = c.widths.with(m.Width)
	c.inBounds(m, i)
	if m.Kind == Scratch && !c.open && !c.spoilt && i.Const() && !c.fuzzy[m] && !c.elements(m)[i.Base] {
		fail(c.pos, "", "element %d of the scratch array %s is read before it is written", i.Base, m.Name)
	}
	return unit{}
}

func (c *checker) elements(m *Mem) []bool {
	if c.written[m] == nil {
		c.written[m] = make([]bool, m.Len)
	}
	return c.written[m]
}

func (c *checker) Store(m *Mem, i Index, _ unit) {
	c.widths = c.widths.with(m.Width)
	c.inBounds(m, i)
	switch {
	case c.open:
	case m.Kind == Scratch && (c.unsure > 0 || !i.Const()):
		c.fuzzy[m] = true
	case m.Kind == Scratch:
		c.elements(m)[i.Base] = true
	case m.Kind == Out:
		c.output(m, i)
	}
}

// output notes that an element of an out parameter is written, for the first time.
func (c *checker) output(m *Mem, i Index) {
	if c.unsure > 0 || !i.Const() {
		fail(c.pos, "declare it inout", "the output %s is written under a public condition or in a loop with an unknown number of turns", m.Name)
	}
	if c.elements(m)[i.Base] {
		fail(c.pos, "", "%s is written twice", elementName(m, int(i.Base)))
	}
	c.elements(m)[i.Base] = true
}

// complete checks that every element of every output was written.
func (c *checker) complete(lay *layout) *Error {
	for _, p := range lay.params {
		if p.Public || p.Mem.Kind != Out {
			continue
		}
		for i, done := range c.elements(p.Mem) {
			if !done {
				return &Error{Pos: p.Mem.Pos, Msg: "the output " + elementName(p.Mem, i) + " is never written"}
			}
		}
	}
	return nil
}

// Repeat runs the body once with an open variable if asked to or if the number of turns is
// unknown, else once for each turn.
func (c *checker) Repeat(lo, hi Index, step int64, carried []unit, body func(Index, []unit) []unit) []unit {
	if lo.Const() && hi.Const() && !c.open {
		return turns(lo.Base, hi.Base, step, carried, body)
	}
	s := span{name: "the bounds of the loop at " + c.pos.String(), bounded: true}
	for _, end := range []Index{lo, hi} {
		if _, _, what := c.rangeOf(end); what != "" {
			s.name, s.bounded = what, false
		}
	}
	s.lo, s.hi = c.turns(lo, hi, step)
	if s.bounded && s.lo > s.hi {
		return carried // no turn at all
	}
	c.unsure++
	defer func() { c.unsure-- }()
	body(c.variable(s), carried)
	return carried
}

// turns returns the least and the largest value of a loop variable, exact if lo is known.
func (c *checker) turns(lo, hi Index, step int64) (least, largest int64) {
	loMin, loMax, _ := c.rangeOf(lo)
	hiMin, hiMax, _ := c.rangeOf(hi)
	least, largest = loMin, hiMax-1
	if step < 0 {
		least, largest = hiMin+1, loMax
	}
	if !lo.Const() || largest-least < 0 {
		return least, largest
	}
	if step < 0 {
		return largest + (largest-least)/-step*step, largest
	}
	return least, least + (largest-least)/step*step
}

func (c *checker) If(_ Compare, _, _ Index, carried []unit, then, otherwise func([]unit) []unit) []unit {
	c.unsure++
	defer func() { c.unsure-- }()
	then(carried)
	return otherwise(carried)
}
