package lower

import (
	"fmt"
	"math/bits"

	"simrun/isa"
	"simrun/isa/t32"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

var loadForms = map[int]string{8: "LDRB_imm_T2", 16: "LDRH_imm_T2", 32: "LDR_imm_T3"}
var storeForms = map[int]string{8: "STRB_imm_T2", 16: "STRH_imm_T2", 32: "STR_imm_T3"}

// reach is the largest offset of a load or store with a 12-bit immediate.
const reach = 4095

func (s *selector) load(v *compile.Value) {
	base, off := s.address(v.Args[0], v.Off)
	d := s.b.New(isa.GPR, v.Mem.Name)
	s.b.Emit(mk(loadForms[v.Width], d, base, off))
	if v.Mem.BigEndian && v.Width > 8 {
		e := s.b.New(isa.GPR, v.Mem.Name)
		s.b.Emit(mk(swapForms[v.Width], e, d))
		d = e
	}
	s.views.Set(v, view{reg: d})
}

var swapForms = map[int]string{16: "REV16_T2", 32: "REV_T2"}

func (s *selector) Store(st *compile.Store) {
	x := s.Reg(st.Val)
	if st.Mem.BigEndian && st.Val.Width > 8 {
		e := s.b.New(isa.GPR, "")
		s.b.Emit(mk(swapForms[st.Val.Width], e, x))
		x = e
	}
	base, off := s.address(st.Addr, st.Off)
	s.b.Emit(mk(storeForms[st.Val.Width], x, base, off))
}

// lookup reads a table at a secret index; the element size is a shift of the index.
func (s *selector) lookup(v *compile.Value) {
	id, shift := "LDR_reg_T2", 2
	switch v.Width {
	case 8:
		id, shift = "LDRB_reg_T2", 0
	case 16:
		id, shift = "LDRH_reg_T2", 1
	}
	s.result(v, id, s.Reg(v.Args[1]), s.Reg(v.Args[0]), shift)
}

// address gives a base register and an offset within reach.
func (s *selector) address(p *compile.Value, off int64) (int64, int64) {
	base := s.Reg(p)
	if off >= 0 && off <= reach {
		return base, off
	}
	return s.plus(base, off), 0
}

// plus adds a number to a register: as a modified immediate, in 12 bits, or from a register.
func (s *selector) plus(r, off int64) int64 {
	d := s.b.New(isa.GPR, "")
	n := max(off, -off)
	form := map[bool][2]string{false: {"ADD_imm_T3", "ADD_imm_T4"}, true: {"SUB_imm_T3", "SUB_imm_T4"}}[off < 0]
	switch {
	case t32.EncodableImm(uint32(n)):
		s.b.Emit(mk(form[0], d, r, n))
	case n <= reach:
		s.b.Emit(mk(form[1], d, r, n))
	default:
		s.b.Emit(mk("ADD_reg_T3", d, r, s.constReg(uint32(off)), 0))
	}
	return d
}

// further adds a positive number to a register, of which the lowest 12 bits and the 8 above have an encoding.
func further(r int64, n int) []isa.Inst {
	var ins []isa.Inst
	if low := n & reach; low > 0 {
		ins = append(ins, mk("ADD_imm_T4", r, r, low))
	}
	if high := n &^ reach; high > 0 {
		ins = append(ins, mk("ADD_imm_T3", r, r, high))
	}
	return ins
}

// base is the address of a scratch array in the frame, or of a table behind the code.
func (s *selector) base(v *compile.Value) {
	if v.Mem.Kind == ir.Rom {
		first, off := s.b.Table(v.Mem)
		r := s.b.Remat(isa.GPR, fmt.Sprint(first, "+", off), func(r int64) []isa.Inst {
			return append([]isa.Inst{compile.To(first, mk("ADR_T3", r, 0))}, further(r, off)...)
		})
		s.views.Set(v, view{reg: r})
		return
	}
	off := s.b.Scratch(v.Mem)
	r := s.b.Remat(isa.GPR, "&"+v.Mem.Name, func(r int64) []isa.Inst {
		return []isa.Inst{mk("ADD_SP_imm_T4", r, off)}
	})
	s.views.Set(v, view{reg: r})
}

func (s *selector) addr(v *compile.Value) {
	s.views.Set(v, view{reg: s.plus(s.Reg(v.Args[0]), v.Off)})
}

// scale multiplies a public number by a constant.
func (s *selector) scale(v *compile.Value) {
	x := s.Reg(v.Args[0])
	if v.Off > 0 && v.Off&(v.Off-1) == 0 {
		s.views.Set(v, view{reg: x, kind: left, n: bits.TrailingZeros64(uint64(v.Off))})
		return
	}
	s.result(v, "MUL_T2", x, s.constReg(uint32(v.Off)))
}
