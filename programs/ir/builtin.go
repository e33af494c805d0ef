package ir

// builtin is a row of the table of functions. Those with a plan take words first, then
// compile-time numbers or lists of them, and are one operation applied to each element.
// Those without are written out in eval_call.go.
type builtin struct {
	name  string
	words int
	nums  int
	plan  func(*plan)
}

// plan turns the constant arguments of a builtin into an operation.
type plan struct {
	pos   Pos
	width int       // of the word arguments
	slice int       // of S, 0 if unbound
	nums  [][]int64 // constant arguments; a number is a list of one
	rots  []Rot     // mrot

	op   Op
	imm  Imm
	out  int  // width of the result, preset to width
	same bool // the result is the first argument
}

// builtins lists the functions in the order of the manual, docs/language.md.
var builtins = tableOf(
	&builtin{"andn", 2, 0, func(p *plan) { p.op = AndNot }},
	&builtin{"orn", 2, 0, func(p *plan) { p.op = OrNot }},
	&builtin{"mux", 3, 0, func(p *plan) { p.op = Mux }},
	&builtin{"mrot", 1, 0, planMrot},
	&builtin{"rotin", 1, 2, planRotin},
	&builtin{"swapmove", 3, 1, nil},
	&builtin{"swapself", 2, 1, nil},
	&builtin{"rev", 1, 0, planRev},
	&builtin{"rev16", 1, 0, planRev16},
	&builtin{"bperm", 1, 1, planBperm},
	&builtin{"lanes", 1, 1, planLanes},
	&builtin{"zip", 2, 1, nil},
	&builtin{"pack", 4, 0, planPack},
	&builtin{"lane", 1, 1, planLane},
	&builtin{"splat", 1, 0, planSplat},
	&builtin{"rep", 0, 1, nil},
	&builtin{"len", 0, 1, nil},
	&builtin{"bits", 0, 1, nil},
)

func tableOf(rows ...*builtin) map[string]*builtin {
	m := make(map[string]*builtin, len(rows))
	for _, b := range rows {
		m[b.name] = b
	}
	return m
}

// mod reduces a rotation count to 0..n-1.
func mod(k int64, n int) int { return int(floorMod(k, int64(n))) }

func (p *plan) number(i int) int64 {
	if len(p.nums[i]) != 1 {
		fail(p.pos, "", "expected one number, found a list of %d", len(p.nums[i]))
	}
	return p.nums[i][0]
}

// rotate sets up a rotation of the whole word.
func (p *plan) rotate(n int) {
	p.op, p.imm.N, p.same = Rotl, n, n == 0
}

func planMrot(p *plan) {
	if len(p.rots) == 0 {
		fail(p.pos, "write mrot(x; m1:r1, m2:r2)", "mrot without terms")
	}
	var all Word
	for i, r := range p.rots {
		if common := all.and(r.Mask); common != (Word{}) {
			fail(p.pos, "the masks of mrot are disjoint", "mask %d shares the bits %s with the masks before it", i+1, common)
		}
		all = Word{all.Lo | r.Mask.Lo, all.Hi | r.Mask.Hi}
	}
	p.op, p.imm.Rots = Mrot, p.rots
}

func planRotin(p *plan) {
	field := p.number(0)
	if field < 2 || field > int64(p.width) || p.width%int(field) != 0 {
		fail(p.pos, "", "fields of %d bits in a word of %d: expected a divisor of the width from 2 on", field, p.width)
	}
	w := int(field)
	n := mod(p.number(1), w)
	if n == 0 || w == p.width {
		p.rotate(n)
		return
	}
	low := ones(w-n).repeat(w, p.width)
	high := Word{^low.Lo, ^low.Hi}.cut(p.width)
	p.op = Mrot
	p.imm.Rots = []Rot{{low, n}, {high, p.width - (w - n)}}
}

func planRev(p *plan) { p.op, p.same = Rev, p.width == 8 }

func planRev16(p *plan) {
	if p.width < 16 {
		fail(p.pos, "", "rev16 of a word of %d bits: expected at least 16", p.width)
	}
	p.op = Rev16
}

func planBperm(p *plan) { p.permute(p.width/8, 1) }

func planLanes(p *plan) {
	if p.width != 128 {
		fail(p.pos, "", "lanes takes a v128, not %s", typeName(p.width, nil))
	}
	p.permute(4, 4)
}

// permute sets up a permutation of n parts of size bytes each.
func (p *plan) permute(n, size int) {
	list := p.nums[0]
	if len(list) != n {
		fail(p.pos, "", "%d indices for the %d parts of the word", len(list), n)
	}
	p.op = Perm
	for _, from := range list {
		if from < 0 || from >= int64(n) {
			fail(p.pos, "", "index %d is outside 0..%d", from, n-1)
		}
		for b := range size {
			p.imm.Perm = append(p.imm.Perm, int(from)*size+b)
		}
	}
}

func planPack(p *plan) {
	if p.width != 32 {
		fail(p.pos, "", "pack takes four w32, not %s", typeName(p.width, nil))
	}
	p.op, p.out = Pack, 128
}

func planLane(p *plan) {
	if p.width != 128 {
		fail(p.pos, "", "lane takes a v128, not %s", typeName(p.width, nil))
	}
	n := p.number(0)
	if n < 0 || n > 3 {
		fail(p.pos, "", "lane %d: expected 0..3", n)
	}
	p.op, p.imm.N, p.out = Lane, int(n), 32
}

func planSplat(p *plan) {
	if p.slice == 0 {
		fail(p.pos, "", "S has no width here")
	}
	if p.slice < p.width {
		fail(p.pos, "", "%s does not fit into S of %d bits", typeName(p.width, nil), p.slice)
	}
	p.op, p.imm.N, p.out, p.same = Splat, p.width, p.slice, p.slice == p.width
}

// planConvert sets up w8(x) .. v128(x) and S(x).
func planConvert(p *plan, to int) {
	p.out, p.same = to, to == p.width
	p.op = Zext
	if to < p.width {
		p.op = Trunc
	}
}
