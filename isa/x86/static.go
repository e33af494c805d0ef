package x86

import "simrun/isa"

// static gathers what a pipeline may know of a decoded instruction.
func static(in *isa.Inst, pc uint64, size int) isa.Static {
	r := rowOf(in)
	s := isa.Static{
		PC: pc, Form: in.Form, Class: classNo[r.Class], Flags: r.Flags, Size: uint8(size),
		Src: r.Reads, Dst: r.Writes,
		R: [4]isa.Reg{isa.NoReg, isa.NoReg, isa.NoReg, isa.NoReg}, W: [2]isa.Reg{isa.NoReg, isa.NoReg},
	}
	explicit(&s, in)
	if r.Reads.Has(RSP) { // PUSH, POP, CALL, RET
		s.Addr = s.Addr.With(RSP)
	}
	if r.Flags&(isa.Load|isa.Store) != 0 {
		s.Words = 1
		if r.mem() < 0 {
			s.Addr |= r.Reads & implicitAddress
		}
	}
	if m := r.mem(); m >= 0 {
		s.Imm = in.Args[m+3]
		s.Index = s.Index.With(in.Reg(m + 1))
	}
	s.Traits, s.Groups = r.traits(in), r.flagGroups()
	return s
}

// implicitAddress are the registers that string instructions, XLATB, LEAVE and MASKMOVDQU take addresses from.
var implicitAddress = isa.Set(RSI, RDI, RBX, RBP)

// explicit adds the registers that are operands. RIP as a base is no register that anything writes.
func explicit(s *isa.Static, in *isa.Inst) {
	reads, writes := s.R[:0], s.W[:0]
	in.Uses(func(slot int, op *isa.Operand) {
		reg := in.Reg(slot)
		if reg == isa.NoReg || reg == RIP {
			return
		}
		if op.Role&isa.Read != 0 {
			s.Src = s.Src.With(reg)
			if len(reads) < len(s.R) {
				reads = append(reads, reg)
			}
		}
		if op.Role&isa.Write != 0 {
			s.Dst = s.Dst.With(reg)
			if len(writes) < len(s.W) {
				writes = append(writes, reg)
			}
		}
		if op.Addr {
			s.Addr = s.Addr.With(reg)
		}
	})
}
