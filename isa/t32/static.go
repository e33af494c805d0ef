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
		st.Src = st.Src.With(Flags)
	}
	if st.Dst.Has(PC) {
		st.Flags |= isa.Branch
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
	var nr, nw int
	list := func(r isa.Reg, role isa.Role) {
		if role&isa.Read != 0 && !st.Src.Has(r) {
			if st.Src = st.Src.With(r); nr < len(st.R) {
				st.R[nr] = r
				nr++
			}
		}
		if role&isa.Write != 0 && !st.Dst.Has(r) {
			if st.Dst = st.Dst.With(r); nw < len(st.W) {
				st.W[nw] = r
				nw++
			}
		}
	}
	for i := range e.form.Ops {
		op := &e.form.Ops[i]
		switch op.Kind {
		case isa.KindReg:
			list(in.Reg(i), op.Role)
			if op.Addr {
				st.Addr = st.Addr.With(in.Reg(i))
			}
		case isa.KindList:
			role := isa.Write
			if e.form.Flags&isa.Store != 0 {
				role = isa.Read
			}
			for r := isa.Reg(0); r < 16; r++ {
				if in.Args[i]>>r&1 != 0 {
					list(r, role)
				}
			}
		}
	}
}

// implicitSets adds registers that are no operand. Inside an IT block a narrow row leaves the flags.
func (e *encoding) implicitSets(st *isa.Static, in *isa.Inst) {
	writes := e.form.Writes
	if !e.setsFlags(in) {
		writes &^= isa.Set(Flags)
	}
	st.Src |= e.form.Reads
	st.Dst |= writes
	if e.imm(in, 's') == RRX && e.row.sem.alu {
		st.Src = st.Src.With(Flags)
	}
	if e.form.Reads.Has(SP) && e.form.Flags&(isa.Load|isa.Store) != 0 {
		st.Addr = st.Addr.With(SP)
	}
	if e.form.Writes.Has(LR) && st.W[0] == isa.NoReg {
		st.W[0] = LR
	}
	for _, r := range []isa.Reg{SP, Flags} {
		if e.form.Reads.Has(r) {
			for i := range st.R {
				if st.R[i] == isa.NoReg {
					st.R[i] = r
					break
				}
			}
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
	}
	return 1
}
