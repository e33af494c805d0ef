package compile

import (
	"cmp"
	"slices"

	"simrun/isa"
)

// Registers are given anew to finished code, so that more instructions have a short encoding: the result of an operation
// goes where its dying operand lies, and what short encodings can name goes to what they use. Loads, spills, order and so
// cycles stay. Only values that live within one straight stretch of code move; the others, and what a register list
// names, are fixed.

// web is the life of a value in a register: from its write, or the start of the stretch, to its last read.
// Instruction i reads at 2i and writes at 2i+1.
type web struct {
	reg, was   isa.Reg
	start, end int
	fixed      bool
	refs       []ref
	gain       int  // references of instructions that may have a short encoding
	low        bool // it shall have one of the registers that short encodings name
}

type ref struct{ inst, slot int }

// renamer gives registers anew within the stretch from begin on.
type renamer struct {
	t       *Target
	code    []MInst
	allowed []isa.Reg // registers that cost no push that is not there
	webs    []*web
	at      [isa.NoReg + 1]*web // in each register, while webs are found
	ideal   []bool              // by instruction: it is short with the best registers
	short   map[isa.Inst]bool
}

func runRename(s *state) error {
	rn := renamer{t: s.target, code: s.code, allowed: s.freeToUse(), short: map[isa.Inst]bool{}}
	live := liveBehind(itemsOf(s.code), 0)
	for begin := 0; begin < len(s.code); {
		end := begin
		for end < len(s.code) && s.code[end].Kind == KindInst && s.code[end].Form.Flags&isa.Branch == 0 {
			end++
		}
		if end > begin {
			rn.stretch(begin, end, live[end-1])
		}
		begin = end + 1
	}
	s.used = 0
	for i := range s.code {
		if s.code[i].Kind == KindInst {
			s.used |= writtenBy(&s.code[i].Inst)
		}
	}
	return nil
}

// freeToUse are the registers that cost no push that is not there.
func (s *state) freeToUse() []isa.Reg {
	abi := s.target.Arch.ABI()
	var list []isa.Reg
	for _, r := range s.target.Regs[isa.GPR] {
		if s.used.Has(r) || abi.CallerSaved.Has(r) && r != abi.Link {
			list = append(list, r)
		}
	}
	return list
}

// itemsOf is code before it has a frame.
func itemsOf(code []MInst) []isa.Item {
	items := make([]isa.Item, len(code))
	for i := range code {
		if items[i].Inst = code[i].Inst; code[i].Kind == KindLabel {
			items[i] = isa.Item{Label: code[i].Note}
		}
	}
	return items
}

// stretch gives the registers of code[begin:end]; out is live behind it. A value that finds no register keeps its own,
// and all others are given anew: in the end that is the code as it was.
func (rn *renamer) stretch(begin, end int, out isa.RegSet) {
	rn.findWebs(begin, end, out)
	best, most := make([]isa.Reg, len(rn.webs)), -1
	for range rounds {
		rn.chooseLow(begin, end)
		for w := rn.assign(); w != nil; w = rn.assign() {
			w.fixed = true
		}
		if n := rn.countShort(begin, end); n > most {
			most = n
			for i, w := range rn.webs {
				best[i] = w.reg
			}
		}
		rn.weigh(begin, end)
	}
	for i, w := range rn.webs {
		rn.set(w, best[i])
	}
}

func (rn *renamer) countShort(begin, end int) int {
	n := 0
	for i := begin; i < end; i++ {
		if rn.isShort(rn.code[i].Inst) {
			n++
		}
	}
	return n
}

// rounds is how often the registers of a stretch are given, each time by what the last has shown.
const rounds = 4

// weigh counts for each web anew which instructions would be short if it could be named: those whose other registers can be.
func (rn *renamer) weigh(begin, end int) {
	high := make([]int, end-begin) // references of each instruction to registers that cannot be named
	for _, w := range rn.webs {
		for _, f := range w.refs {
			if !rn.t.ShortRegs.Has(w.reg) {
				high[f.inst-begin]++
			}
		}
	}
	for _, w := range rn.webs {
		w.gain = 0
		for _, f := range w.refs {
			others := high[f.inst-begin]
			if !rn.t.ShortRegs.Has(w.reg) {
				others--
			}
			if rn.ideal[f.inst] && others <= 1 {
				w.gain += 2 - others
			}
		}
	}
}

// findWebs divides what the registers hold into webs.
func (rn *renamer) findWebs(begin, end int, out isa.RegSet) {
	rn.webs, rn.at = rn.webs[:0], [isa.NoReg + 1]*web{}
	rn.ideal = make([]bool, end)
	for i := begin; i < end; i++ {
		rn.ideal[i] = rn.canBeShort(rn.code[i].Inst)
		rn.reads(i)
		rn.writes(i)
	}
	eachReg(out, func(r isa.Reg) {
		w := rn.held(r)
		w.end, w.fixed = 2*end, true
	})
	for _, w := range rn.webs {
		for _, f := range w.refs {
			if rn.ideal[f.inst] {
				w.gain++
			}
		}
	}
}

// open begins a web in register r.
func (rn *renamer) open(r isa.Reg, start int, fixed bool) *web {
	w := &web{reg: r, was: r, start: start, end: start, fixed: fixed || !slices.Contains(rn.allowed, r)}
	rn.at[r] = w
	rn.webs = append(rn.webs, w)
	return w
}

// held is the web now in r; what was there before the stretch is fixed.
func (rn *renamer) held(r isa.Reg) *web {
	if rn.at[r] == nil {
		return rn.open(r, -1, true)
	}
	return rn.at[r]
}

func (rn *renamer) reads(i int) {
	in := &rn.code[i].Inst
	for slot, op := range in.Form.Ops {
		if op.Kind != isa.KindReg || op.Role&isa.Read == 0 {
			continue
		}
		w := rn.held(in.Reg(slot))
		w.refs = append(w.refs, ref{i, slot})
		if w.end = 2 * i; op.Role&isa.Write != 0 {
			w.end++
		}
	}
	eachReg(in.Form.Reads|listed(in, 0, isa.Store), func(r isa.Reg) {
		w := rn.held(r)
		w.end, w.fixed = max(w.end, 2*i), true
	})
}

func (rn *renamer) writes(i int) {
	in := &rn.code[i].Inst
	for slot, op := range in.Form.Ops {
		if op.Kind == isa.KindReg && op.Role == isa.Write {
			w := rn.open(in.Reg(slot), 2*i+1, false)
			w.refs = append(w.refs, ref{i, slot})
		}
	}
	eachReg(in.Form.Writes|listed(in, 0, isa.Load), func(r isa.Reg) { rn.open(r, 2*i+1, true) })
}

func eachReg(set isa.RegSet, f func(isa.Reg)) {
	for r := isa.Reg(0); r < isa.NoReg; r++ {
		if set.Has(r) {
			f(r)
		}
	}
}

// chooseLow gives the registers that short encodings name to the webs that need them most for the time that they live.
func (rn *renamer) chooseLow(begin, end int) {
	most := 0
	for _, r := range rn.allowed {
		if rn.t.ShortRegs.Has(r) {
			most++
		}
	}
	taken := make([]int, 2*(end-begin)+2) // registers at each time from 2*begin-1 on
	span := func(w *web) []int { return taken[max(w.start-2*begin, -1)+1 : w.end-2*begin+2] }
	take := func(w *web) {
		for i := range span(w) {
			span(w)[i]++
		}
	}
	var order []*web
	for _, w := range rn.webs {
		w.low = false
		switch {
		case w.fixed && rn.t.ShortRegs.Has(w.was):
			take(w)
		case !w.fixed && w.gain > 0:
			order = append(order, w)
		}
	}
	slices.SortStableFunc(order, func(a, b *web) int {
		return cmp.Compare(b.gain*(a.end-a.start+1), a.gain*(b.end-b.start+1))
	})
	for _, w := range order {
		if w.low = slices.Max(span(w)) < most; w.low {
			take(w)
		}
	}
}

// assign gives registers to the webs in their order and returns one that finds none.
func (rn *renamer) assign() *web {
	var fixed [isa.NoReg + 1][]*web
	for _, w := range rn.webs {
		rn.set(w, w.was)
		if w.fixed {
			fixed[w.was] = append(fixed[w.was], w)
		}
	}
	var busy [isa.NoReg + 1]int // the end of the last web in a register
	for i := range busy {
		busy[i] = -2
	}
	for _, w := range rn.webs {
		if w.fixed {
			busy[w.was] = max(busy[w.was], w.end)
			continue
		}
		best, most := isa.NoReg, 0
		for _, r := range rn.allowed {
			if busy[r] >= w.start || overlaps(fixed[r], w) {
				continue
			}
			if n := rn.worth(w, r); best == isa.NoReg || n > most {
				best, most = r, n
			}
		}
		if best == isa.NoReg {
			return w
		}
		rn.set(w, best)
		busy[best] = w.end
	}
	return nil
}

func overlaps(list []*web, w *web) bool {
	for _, f := range list {
		if f.start <= w.end && w.start <= f.end {
			return true
		}
	}
	return false
}

func (rn *renamer) set(w *web, r isa.Reg) {
	w.reg = r
	for _, f := range w.refs {
		rn.code[f.inst].Args[f.slot] = int64(r)
	}
}

// worth says how good register r is for w.
func (rn *renamer) worth(w *web, r isa.Reg) int {
	n := 0
	def := w.refs[0]
	in := rn.code[def.inst].Inst
	in.Args[def.slot] = int64(r)
	if rn.ideal[def.inst] && rn.isShort(in) {
		n += 4
	}
	if rn.t.ShortRegs.Has(r) == w.low {
		n += 2
	}
	return n
}

func (rn *renamer) isShort(in isa.Inst) bool {
	ok, known := rn.short[in]
	if !known {
		_, ok = rn.t.Shorten(in, ^isa.RegSet(0))
		rn.short[in] = ok
	}
	return ok
}

// canBeShort reports whether the instruction is short with registers that suit: the result where the first operand is.
func (rn *renamer) canBeShort(in isa.Inst) bool {
	if rn.isShort(in) {
		return true
	}
	best := isa.Reg(0)
	for !rn.t.ShortRegs.Has(best) {
		best++
	}
	first := true
	for slot, op := range in.Form.Ops {
		if op.Kind != isa.KindReg || !slices.Contains(rn.allowed, in.Reg(slot)) {
			continue
		}
		in.Args[slot] = int64(best)
		if op.Role&isa.Write == 0 && first && !op.Addr {
			first = false
			best++
		}
	}
	return rn.isShort(in)
}
