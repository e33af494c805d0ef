package lower

import (
	"fmt"

	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// indexed is a memory operand with an index register.
type indexed struct {
	mem
	index int64
	scale int
}

// Slots gives base, index, scale, displacement.
func (m indexed) Slots() []int64 { return []int64{m.base, m.index, int64(m.scale), int64(m.disp)} }

// tables is a register that points to the first table, whichever table v is the address of: loads add the rest.
func (s *scalar) tables(v *compile.Value) {
	first, _ := s.b.Table(v.Mem)
	s.set(v, s.b.Remat(isa.GPR, "tables", func(r int64) []isa.Inst {
		return []isa.Inst{compile.To(first, mk("LEA_r64_m", r, ripOperand))}
	}))
}

// offset is where a load is from its address: a table lies behind the first.
func (s *scalar) offset(v *compile.Value) int {
	off := int(v.Off)
	if v.Mem.Table != nil {
		_, behind := s.b.Table(v.Mem)
		off += behind
	}
	return off
}

// findLate finds what is selected only where it is used: loads that become the memory operand of their only
// user, and shifts that are the second byte of a word. The user stands in the same region, and what a load
// reads does not change.
func (s *scalar) findLate() {
	s.late = map[*compile.Value]bool{}
	s.b.Graph.Body.Visit(func(r *compile.Region) {
		here := map[*compile.Value]bool{}
		for _, n := range r.Nodes {
			v, ok := n.(*compile.Value)
			if !ok {
				continue
			}
			here[v] = true
			for _, a := range v.Args {
				if here[a] && a.Uses == 1 && s.fits(a, v) {
					s.late[a] = true
				}
			}
		}
	})
}

// fits reports whether a can be a part of the instruction of its user v.
func (s *scalar) fits(a, v *compile.Value) bool {
	switch v.Op {
	case ir.Xor, ir.And, ir.Or, ir.Add:
		return v.Width >= 32 && v.Width <= 64 && unchanging(a) && !otherLate(s, a, v)
	case ir.Trunc:
		return v.Width == 8 && a.Op == ir.Shr && a.Width <= 64 && a.Imm.N == 8
	}
	return false
}

// otherLate reports whether the other argument of v is its memory operand already.
func otherLate(s *scalar, a, v *compile.Value) bool {
	for _, b := range v.Args {
		if b != a && s.late[b] {
			return true
		}
	}
	return false
}

// unchanging reports whether a is a load in order of bytes from memory that the kernel does not write.
func unchanging(a *compile.Value) bool {
	if a.Op != compile.OpLoad && a.Op != ir.Lookup || a.Mem.BigEndian {
		return false
	}
	switch a.Mem.Kind {
	case ir.In, ir.Key, ir.Rom:
		return true
	}
	return false
}

// operand is the memory operand of a load or of a look-up.
func (s *scalar) operand(v *compile.Value) indexed {
	if v.Op == ir.Lookup {
		return indexed{mem{s.Reg(v.Args[1]), s.offset(v)}, s.Reg(v.Args[0]), v.Mem.Width / 8}
	}
	return indexed{mem{s.Reg(v.Args[0]), s.offset(v)}, int64(isa.NoReg), 1}
}

// Loads and stores by width.
var (
	scalarLoads  = map[int]string{8: "MOVZX_r32_m8", 16: "MOVZX_r32_m16", 32: "MOV_r32_m32", 64: "MOV_r64_m64"}
	scalarStores = map[int]string{8: "MOV_m8_r8", 16: "MOV_m16_r16", 32: "MOV_m32_r32", 64: "MOV_m64_r64"}
)

func (s *scalar) load(v *compile.Value) {
	if v.Width < 128 {
		s.set(v, s.loadReg(v))
		return
	}
	if v.Op == ir.Lookup {
		s.b.Refuse(v.Pos, "a table of 128-bit words by a secret index is not lowered yet", "use w64")
	}
	r := s.emit(isa.Vec, "MOVDQU_xmm_m128", s.operand(v))
	if v.Mem.BigEndian {
		r = s.swapBytes(r, v.Width)
	}
	s.set(v, r)
}

func (s *scalar) loadReg(v *compile.Value) int64 {
	r := s.emit(isa.GPR, scalarLoads[v.Width], s.operand(v))
	if v.Mem.BigEndian {
		r = s.reversed(r, v.Width)
	}
	return r
}

func (s *scalar) Store(st *compile.Store) {
	w := st.Val.Width
	if w == 128 {
		s.selector.Store(st)
		return
	}
	id := scalarStores[w]
	if id == "" {
		s.b.Refuse(st.Pos, fmt.Sprintf("a store of %d bits is not lowered yet", w), "")
	}
	r := s.Reg(st.Val)
	if st.Mem.BigEndian {
		r = s.reversed(r, w)
	}
	s.b.Emit(mk(id, mem{s.Reg(st.Addr), int(st.Off)}, r))
}
