package lower

import (
	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// In memory the lanes of an in, out or inout parameter lie one call behind the other: lane l at
// l times the size of the parameter. Scratch arrays hold whole registers. A key is the same for all
// lanes. Four neighbouring words of four lanes are loaded as four rows and transposed.

// quad is the place of four neighbouring words: off is a multiple of 16.
type quad struct {
	addr *compile.Value
	mem  *ir.Mem
	off  int64
}

func quadOf(addr *compile.Value, m *ir.Mem, off int64) quad { return quad{addr, m, off &^ 15} }

// word is which of the four the element at off is.
func (q quad) word(off int64) int64 { return (off - q.off) / 4 }

// findQuads collects the loads from in parameters that fill a quad within a region; the rest is
// loaded word by word.
func (s *selector) findQuads() {
	s.loads = map[*compile.Value][]*compile.Value{}
	if s.lanes == 1 {
		return
	}
	s.b.Graph.Body.Visit(func(r *compile.Region) {
		found := map[quad][]*compile.Value{}
		for _, n := range r.Nodes {
			v, ok := n.(*compile.Value)
			if !ok || v.Op != compile.OpLoad || v.Mem.Kind != ir.In {
				continue
			}
			q := quadOf(v.Args[0], v.Mem, v.Off)
			if found[q] = append(found[q], v); len(found[q]) == 4 {
				for _, w := range found[q] {
					s.loads[w] = found[q]
				}
			}
		}
	})
}

// base is the address of a parameter, a scratch array or a table.
func (s *selector) base(v *compile.Value) {
	switch v.Mem.Kind {
	case ir.Scratch:
		s.views.Set(v, view{reg: s.frameAddress(v.Mem, 0)})
	case ir.Rom:
		label := s.b.TableLabel(v.Mem)
		s.views.Set(v, view{reg: s.b.Remat(isa.GPR, label, func(r int64) []isa.Inst {
			return []isa.Inst{compile.To(label, mk("LEA_r64_m", r, ripOperand))}
		})})
	default:
		s.views.Set(v, view{reg: s.field(v.Mem.Name)})
	}
	s.b.Points(s.view(v).reg, v.Mem)
}

// field is a parameter in the context block, loaded wherever it is needed.
func (s *selector) field(name string) int64 {
	off := s.b.Field(name)
	return s.b.Remat(isa.GPR, name, func(r int64) []isa.Inst { return []isa.Inst{mk("MOV_r64_m64", r, frame(off))} })
}

func (s *selector) addr(v *compile.Value) {
	s.views.Set(v, view{reg: s.emit(isa.GPR, "LEA_r64_m", mem{s.Reg(v.Args[0]), int(v.Off)})})
}

func (s *selector) scale(v *compile.Value) {
	s.views.Set(v, view{reg: s.emit(isa.GPR, "IMUL_r64_r64_imm32", s.Reg(v.Args[0]), int(v.Off))})
}

func (s *selector) sum(v *compile.Value) {
	s.views.Set(v, view{reg: s.update(isa.GPR, "ADD_r64_r64", s.Reg(v.Args[0]), s.Reg(v.Args[1]))})
}

func (s *selector) load(v *compile.Value) {
	if _, done := s.views.Get(v); done {
		return // came with its quad
	}
	if s.whole(v.Mem) && !v.Mem.BigEndian {
		s.views.Set(v, view{mem: true, home: v})
		if v.Mem.Kind == ir.Scratch || v.Mem.Kind == ir.InOut {
			s.waiting = append(s.waiting, v)
		}
		return
	}
	m := s.at(v.Args[0], v.Off)
	var r int64
	switch {
	case s.whole(v.Mem):
		r = s.emit(isa.Vec, "MOVDQA_xmm_m128", m)
	case s.lanes == 1:
		r = s.emit(isa.Vec, "MOVD_xmm_m32", m)
	case v.Mem.Kind == ir.Key || v.Mem.Kind == ir.Rom:
		r = s.emit(isa.Vec, "PSHUFD_xmm_xmm_imm8", s.emit(isa.Vec, "MOVD_xmm_m32", m), 0)
	default:
		base := s.Reg(v.Args[0])
		if s.loadQuad(v, base) {
			return
		}
		r = s.gather(base, int(v.Off), v.Mem.Bytes())
	}
	s.setLoaded(v, r)
}

// whole reports whether an element fills a register. It is then aligned to 16 bytes, as C would align it.
func (s *selector) whole(m *ir.Mem) bool {
	return m.Width == 128 || m.Kind == ir.Scratch && s.lanes > 1
}

// wait loads what is still in memory that st may change, and forgets that it is there. With st nil that is all memory that can change.
func (s *selector) wait(st *compile.Store) {
	kept := s.waiting[:0]
	for _, v := range s.waiting {
		if st != nil && (v.Mem != st.Mem || v.Args[0] == st.Addr && v.Off != st.Off) {
			kept = append(kept, v)
			continue
		}
		w := s.view(v)
		if w.mem {
			w = s.fetch(w)
		}
		w.home = nil
		s.views.Set(v, w)
	}
	s.waiting = kept
}

// inRegister returns the register of v, into which it is loaded if it is not there, or has been for long.
func (s *selector) inRegister(v *compile.Value) int64 {
	w := s.view(v)
	if w.mem || s.stale(w) {
		w = s.fetch(w)
	}
	if w.home != nil {
		w.used = len(s.b.Proc.Code)
		s.views.Set(v, w)
	}
	return w.reg
}

func (s *selector) fetch(w view) view {
	w.reg, w.mem = s.emit(isa.Vec, "MOVDQA_xmm_m128", s.at(w.home.Args[0], w.home.Off)), false
	return w
}

// setLoaded makes r the value of a load, bytes in order.
func (s *selector) setLoaded(v *compile.Value, r int64) {
	if v.Mem.BigEndian {
		r = s.swapBytes(r, v.Width)
	}
	s.views.Set(v, view{reg: r})
}

func (s *selector) swapBytes(r int64, width int) int64 {
	if width == 32 {
		return s.shuffle(r, reversed)
	}
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(15 - i)
	}
	return s.updateBytes("PSHUFB", r, b)
}

// gather loads one word of each lane.
func (s *selector) gather(base int64, off, stride int) int64 {
	var w [4]int64
	for l := range w {
		w[l] = s.emit(isa.Vec, "MOVD_xmm_m32", mem{base, off + l*stride})
	}
	lo := s.update(isa.Vec, "PUNPCKLDQ_xmm_xmm", w[0], w[1])
	hi := s.update(isa.Vec, "PUNPCKLDQ_xmm_xmm", w[2], w[3])
	return s.update(isa.Vec, "PUNPCKLQDQ_xmm_xmm", lo, hi)
}

// loadQuad loads v with its three neighbours, if all are wanted in this region.
func (s *selector) loadQuad(v *compile.Value, base int64) bool {
	vs := s.loads[v]
	if vs == nil {
		return false
	}
	q := quadOf(v.Args[0], v.Mem, v.Off)
	var rows [4]int64
	for l := range rows {
		rows[l] = s.emit(isa.Vec, "MOVDQU_xmm_m128", mem{base, int(q.off) + l*v.Mem.Bytes()})
	}
	cols := s.transpose(rows)
	for _, w := range vs {
		s.setLoaded(w, cols[q.word(w.Off)])
	}
	return true
}

// transpose turns four rows of four words into columns.
func (s *selector) transpose(r [4]int64) [4]int64 {
	up := func(id string, a, b int64) int64 { return s.update(isa.Vec, id, a, b) }
	a, b := up("PUNPCKLDQ_xmm_xmm", r[0], r[1]), up("PUNPCKLDQ_xmm_xmm", r[2], r[3])
	c, d := up("PUNPCKHDQ_xmm_xmm", r[0], r[1]), up("PUNPCKHDQ_xmm_xmm", r[2], r[3])
	return [4]int64{
		up("PUNPCKLQDQ_xmm_xmm", a, b), up("PUNPCKHQDQ_xmm_xmm", a, b),
		up("PUNPCKLQDQ_xmm_xmm", c, d), up("PUNPCKHQDQ_xmm_xmm", c, d),
	}
}

// Store keeps stores to out parameters back until a quad is full.
func (s *selector) Store(st *compile.Store) {
	s.wait(st)
	if s.lanes == 1 || st.Mem.Kind != ir.Out || st.Val.Width != 32 {
		s.storeNow(st)
		return
	}
	q := quadOf(st.Addr, st.Mem, st.Off)
	if len(s.stores[q]) == 0 {
		s.order = append(s.order, q)
	}
	s.Reg(st.Val)
	s.stores[q] = append(s.stores[q], st)
	if len(s.stores[q]) == 4 {
		s.storeQuad(q)
	}
}

// Flush writes the stores that were kept back.
func (s *selector) Flush() {
	s.wait(nil)
	for _, q := range s.order {
		for _, st := range s.stores[q] {
			s.storeNow(st)
		}
		delete(s.stores, q)
	}
	s.order = nil
}

// stored is the register to be stored for st, bytes in order.
func (s *selector) stored(st *compile.Store) int64 {
	r := s.Reg(st.Val)
	if st.Mem.BigEndian {
		return s.swapBytes(r, st.Val.Width)
	}
	return r
}

func (s *selector) storeQuad(q quad) {
	var cols [4]int64
	for _, st := range s.stores[q] {
		cols[q.word(st.Off)] = s.stored(st)
	}
	base := s.Reg(q.addr)
	for l, r := range s.transpose(cols) {
		s.b.Emit(mk("MOVDQU_m128_xmm", mem{base, int(q.off) + l*q.mem.Bytes()}, r))
	}
	delete(s.stores, q)
}

func (s *selector) storeNow(st *compile.Store) {
	r, m := s.stored(st), s.at(st.Addr, st.Off)
	switch {
	case s.whole(st.Mem):
		s.b.Emit(mk("MOVDQA_m128_xmm", m, r))
	case s.lanes == 1:
		s.b.Emit(mk("MOVD_m32_xmm", m, r))
	default:
		base := s.Reg(st.Addr)
		for l := range s.lanes {
			x := r
			if l > 0 {
				x = s.emit(isa.Vec, "PSHUFD_xmm_xmm_imm8", r, l)
			}
			s.b.Emit(mk("MOVD_m32_xmm", mem{base, int(st.Off) + l*st.Mem.Bytes()}, x))
		}
	}
}
