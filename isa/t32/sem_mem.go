package t32

import "simrun/isa"

// mem is a single load or store: address = A + (B << C) + Imm, write-back A += Imm2.
func mem(kind uint16) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.Kind, st.D = kind, e.reg(in, 't', regSink)
		e.lowerAddress(st, in)
		if st.D == uint8(PC) {
			st.Kind = kFn // loads of the PC leave the hot loop
		}
	})
	s.fn = loadPC
	return s
}

// lowerAddress fills A, B, C, Imm, Imm2 and the write-back flag. A literal is a constant address.
func (e *encoding) lowerAddress(st *isa.Step, in *isa.Inst) {
	s := e.row.sem
	st.A, st.B = e.reg(in, 'n', regZero), regZero
	if s.fixedBase != isa.NoReg {
		st.A = uint8(s.fixedBase)
	}
	disp := e.imm(in, 'i')
	switch i := e.slot('i'); {
	case i >= 0 && e.form.Ops[i].Kind == isa.KindLabel:
		disp &^= negZeroLabel
	case disp == NegZero:
		disp = 0
	}
	if e.slot('m') >= 0 {
		st.B, st.C, disp = e.reg(in, 'm', regZero), uint8(disp), 0
	}
	if s.index != postIndex {
		st.Imm = uint64(uint32(disp))
	}
	if s.index != offset {
		st.Imm2, st.Flags = uint32(disp), writesBase
	}
}

// pairs is LDRD and STRD: C is the second register.
func pairs(f func(c *Core, s *isa.Step) status) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.D = e.reg(in, 't', regSink)
		e.lowerAddress(st, in)
		st.C = e.reg(in, 'v', regSink)
	})
	s.fn = f
	return s
}

// exclusive is LDREX and STREX of size bytes: D is Rt, C is Rd, the status of STREX.
func exclusive(f func(c *Core, s *isa.Step) status, size uint32) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.D = e.reg(in, 't', regSink)
		e.lowerAddress(st, in)
		st.C, st.Imm2 = e.reg(in, 'd', regSink), size
	})
	s.fn = f
	return s
}

// Modes of LDM and STM, in Step.Flags.
const (
	writeback = writesBase
	up        = 2
)

// multiple is LDM and STM: Imm is the list, Imm2 the number of bytes.
func multiple(f func(c *Core, s *isa.Step) status, mode uint8) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		e.lowerAddress(st, in)
		list := uint64(e.imm(in, 'L'))
		st.Flags, st.Imm, st.Imm2 = mode, list, 4*countBits(list)
	})
	s.fn = f
	if mode&writeback != 0 {
		s.index = preIndex
	}
	return s
}

// Branches: Imm is the target, Imm2 the address that follows, with bit 0 set as LR holds it.

func lowerBranch(e *encoding, st *isa.Step, in *isa.Inst, pc uint32) {
	st.A, st.B = e.reg(in, 'n', regZero), e.reg(in, 'm', regZero)
	st.D = uint8(e.imm(in, 'c'))
	st.Imm = uint64(uint32(e.imm(in, 'b')))
	st.Imm2 = pc + uint32(e.size) | 1
}

func branching(f func(c *Core, s *isa.Step) status, reads, writes isa.RegSet) sem {
	s := newSem(lowerBranch)
	s.fn, s.reads, s.writes = f, reads, writes
	return s
}

var (
	jump    = branching(branchTo, 0, 0)
	jumpIf  = branching(branchIf, isa.Set(Flags), 0)
	call    = branching(branchLink, 0, isa.Set(LR))
	callReg = branching(branchLinkReg, 0, isa.Set(LR))
	jumpReg = branching(branchReg, 0, 0)
)

func jumpZero(zero bool) sem {
	if zero {
		return branching(branchZero, 0, 0)
	}
	return branching(branchNonzero, 0, 0)
}

// table is TBB and TBH: C is the size of an entry.
func table(size uint8) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, pc uint32) {
		lowerBranch(e, st, in, pc)
		st.C = size
	})
	s.fn = branchTable
	return s
}

// stop is a row that ends the run: Imm is its number.
func stop(k isa.StopKind) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.D, st.Imm = uint8(k), uint64(e.imm(in, 'i'))
	})
	s.fn = stopRun
	return s
}
