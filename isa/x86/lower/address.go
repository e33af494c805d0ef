package lower

import (
	"fmt"
	"slices"

	"simrun/isa"
	"simrun/isa/x86"
	"simrun/programs/compile"
	"simrun/programs/ir"
)

// Displacements of -128 to 127 take one byte of code, others four. So elements far from the start of an object are reached
// from anchors: addresses in the middle of each window of 256 bytes.

const window = 256

// near reports whether 16 bytes at off from a register are reached by a displacement of one byte.
func near(off int64) bool { return off >= -window/2 && off < window/2 }

// anchored is an address in the middle of a window: base + off.
type anchored struct {
	base int64 // virtual register
	off  int64
}

// recent is how many windows of an object keep their anchors in registers.
const recent = 2

// at is the operand off bytes behind the address v.
func (s *selector) at(v *compile.Value, off int64) mem {
	if near(off) {
		return mem{s.Reg(v), int(off)}
	}
	middle := (off&^(window-1) + window/2)
	if v.Op == compile.OpBase && v.Mem.Kind == ir.Scratch {
		return mem{s.frameAddress(v.Mem, middle), int(off - middle)}
	}
	base := s.Reg(v)
	list, _ := s.anchors.Get(base)
	for i, a := range list {
		if a.off == middle {
			s.anchors.Set(base, newest(list, i))
			return mem{a.base, int(off - middle)}
		}
	}
	a := anchored{s.emit(isa.GPR, "LEA_r64_m", mem{base, int(middle)}), middle}
	if len(list) == recent {
		list = list[1:]
	}
	s.anchors.Set(base, append(list[:len(list):len(list)], a))
	return mem{a.base, int(off - middle)}
}

// newest moves element i to the end.
func newest(list []anchored, i int) []anchored {
	out := append([]anchored(nil), list[:i]...)
	return append(append(out, list[i+1:]...), list[i])
}

// frameAddress is an address in a scratch array, computed wherever it is needed.
func (s *selector) frameAddress(m *ir.Mem, off int64) int64 {
	at := s.b.Scratch(m) + int(off)
	r := s.b.Remat(isa.GPR, fmt.Sprintf("&%s+%d", m.Name, off), func(r int64) []isa.Inst {
		return []isa.Inst{mk("LEA_r64_m", r, frame(at))}
	})
	s.b.Points(r, m)
	return r
}

// anchors reach spill slots. Registers whose name needs no prefix byte come first; R12 as a base takes a byte of its own.
func anchors() *compile.Anchors {
	return &compile.Anchors{
		Regs: []isa.Reg{x86.RAX, x86.RCX, x86.RDX, x86.RSI, x86.RBX, x86.RBP, x86.R8, x86.R9, x86.R10, x86.R11,
			x86.R13, x86.R14, x86.R15},
		Window: window,
		Saves:  3,
		Point: func(r isa.Reg, begin int) isa.Inst {
			return mk("LEA_r64_m", r, frame(begin+window/2))
		},
		Access: func(in isa.Inst, r isa.Reg, begin, off int) isa.Inst {
			m := frame(off)
			if r != isa.NoReg {
				m = mem{int64(r), off - begin - window/2}
			}
			first := slices.IndexFunc(in.Form.Ops, func(op isa.Operand) bool { return op.Addr })
			copy(in.Args[first:], m.Slots())
			return in
		},
	}
}

// operandForms pairs each form on two xmm registers with the one that takes the last from memory.
var operandForms = formsFor(func(id string) string {
	for _, tail := range []string{"_xmm_xmm", "_xmm_xmm_imm8"} {
		if n := len(id) - len(tail); n > 0 && id[n:] == tail {
			return id[:n] + "_xmm_m128" + tail[len("_xmm_xmm"):]
		}
	}
	return ""
})

// shortNames are packed-single forms, which do the same bit by bit and lack a prefix byte.
var shortNames = map[string]string{"PXOR": "XORPS", "PAND": "ANDPS", "PANDN": "ANDNPS", "POR": "ORPS", "MOVDQA": "MOVAPS", "MOVDQU": "MOVUPS"}

var shortForms = formsFor(func(id string) string {
	for long, short := range shortNames {
		if len(id) > len(long) && id[:len(long)+1] == long+"_" {
			return short + id[len(long):]
		}
	}
	return ""
})

// formsFor maps the number of each form to the form of another name, where there is one.
func formsFor(other func(id string) string) map[int]*isa.Form {
	forms := x86.New().Forms()
	byID := map[string]*isa.Form{}
	for _, f := range forms {
		byID[f.ID] = f
	}
	m := map[int]*isa.Form{}
	for _, f := range forms {
		if g := byID[other(f.ID)]; g != nil {
			m[f.Num] = g
		}
	}
	return m
}

// fold takes the last register operand from the frame.
func fold(in isa.Inst, off int) (isa.Inst, bool) {
	f := operandForms[in.Form.Num]
	if f == nil || in.Form.ID[:3] == "MOV" {
		return in, false
	}
	out := isa.Inst{Form: f}
	out.Args[0] = in.Args[0]
	n := copy(out.Args[1:], frame(off).Slots())
	copy(out.Args[1+n:], in.Args[2:]) // an immediate
	return out, true
}

// twin is the packed-single form.
func twin(in isa.Inst) (isa.Inst, bool) {
	f := shortForms[in.Form.Num]
	if f == nil {
		return in, false
	}
	in.Form = f
	return in, true
}
