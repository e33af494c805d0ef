package t32

import (
	"strings"

	"simrun/isa"
)

// static derives what a pipeline may know of an instruction.
func (e *encoding) static(in *isa.Inst, pc uint32) isa.Static {
	st := isa.Static{
		PC: uint64(pc), Form: &e.form, Flags: e.form.Flags, Size: e.size,
		Class: classIndex(e.form.Class), Words: e.words(in),
		R: [4]isa.Reg{isa.NoReg, isa.NoReg, isa.NoReg, isa.NoReg},
		W: [2]isa.Reg{isa.NoReg, isa.NoReg},
	}
	e.operandSets(&st, in)
	e.implicitSets(&st, in)
	if in.Cond != 0 {
		st.IT = 1
	}
	if st.Dst.Has(PC) {
		if st.Flags |= isa.Branch; st.Flags&isa.Load == 0 {
			st.Class = classJump // MOV and ADD
		}
		if e.slots['L'] >= 0 && e.form.Reads.Has(SP) {
			st.Flags |= isa.Return // POP {.., pc}
		}
	}
	if e == encBX && in.Args[0] == int64(LR) {
		st.Flags |= isa.Return
	}
	if e.slots['s'] >= 0 && strings.HasPrefix(e.form.Class, "alu") {
		st.Imm = e.imm(in, 's') >> 2
		if e.imm(in, 's') == 0 {
			st.Class = classAlu
		}
	} else {
		st.Imm = e.imm(in, 'i')
	}
	return st
}

// operandSets collects the operands.
func (e *encoding) operandSets(st *isa.Static, in *isa.Inst) {
	add := func(r isa.Reg, role isa.Role) {
		if role&isa.Read != 0 && !st.Src.Has(r) {
			st.Src = st.Src.With(r)
			list(st.R[:], r)
		}
		if role&isa.Write != 0 && !st.Dst.Has(r) {
			st.Dst = st.Dst.With(r)
			list(st.W[:], r)
		}
	}
	for i := range e.form.Ops {
		op := &e.form.Ops[i]
		switch op.Kind {
		case isa.KindReg:
			add(in.Reg(i), op.Role)
			if e.ops[i].regs == 2 {
				add(in.Reg(i)+1, op.Role)
			}
			if op.Addr {
				st.Addr = st.Addr.With(in.Reg(i))
			}
		case isa.KindList:
			role := isa.Write
			if e.form.Flags&isa.Store != 0 {
				role = isa.Read
			}
			for r := range isa.NoReg {
				if in.Args[i]>>r&1 != 0 {
					add(r, role)
				}
			}
		}
	}
}

// implicitSets adds registers that are no operand. Inside an IT block a narrow row leaves the flags
// and everything reads them.
func (e *encoding) implicitSets(st *isa.Static, in *isa.Inst) {
	writes := e.form.Writes
	if !e.setsFlags(in) {
		writes &^= isa.Set(Flags)
	}
	reads := e.form.Reads
	if in.Cond != 0 || e.imm(in, 's') == RRX && e.row.sem.alu {
		reads = reads.With(Flags)
	}
	st.Src |= reads
	st.Dst |= writes
	if e.form.Reads.Has(SP) && e.form.Flags&(isa.Load|isa.Store) != 0 {
		st.Addr = st.Addr.With(SP)
	}
	for _, r := range []isa.Reg{SP, LR, Flags, FPSCR} {
		if reads.Has(r) {
			list(st.R[:], r)
		}
		if writes.Has(r) {
			list(st.W[:], r)
		}
	}
}

// list puts r into the first free place, if there is one.
func list(regs []isa.Reg, r isa.Reg) {
	for i := range regs {
		if regs[i] == isa.NoReg {
			regs[i] = r
			return
		}
	}
}

// words is the number of data words that a load or store moves.
func (e *encoding) words(in *isa.Inst) uint8 {
	switch {
	case e.form.Flags&(isa.Load|isa.Store) == 0:
		return 0
	case e.slot('L') >= 0:
		return uint8(countBits(uint64(e.imm(in, 'L'))))
	case e.slot('v') >= 0:
		return 2
	case e.slot('x') >= 0:
		return e.ops[e.slot('x')].regs
	}
	return 1
}
