package t32

import "simrun/isa"

// sem is what a row does: how its operands become a Step, and the function that runs where no kind
// of the hot loop fits. It also says which registers are touched beyond the operands.
type sem struct {
	lower     func(e *encoding, st *isa.Step, in *isa.Inst, pc uint32)
	fn        func(c *Core, s *isa.Step) status
	alu       bool // sets the flags if the mnemonic ends in "s" or there is no destination
	fixedDst  isa.Reg
	fixedBase isa.Reg
	index     indexing
	reads     isa.RegSet
	writes    isa.RegSet
}

// indexing is the addressing mode of a load or store.
type indexing uint8

const (
	offset indexing = iota
	preIndex
	postIndex
)

// dst, base, pre and post are the variants of a meaning that a row names.
func (s sem) dst(r isa.Reg) sem  { s.fixedDst = r; return s }
func (s sem) base(r isa.Reg) sem { s.fixedBase = r; return s }
func (s sem) pre() sem           { s.index = preIndex; return s }
func (s sem) post() sem          { s.index = postIndex; return s }

// reading and writing add registers that are no operand.
func (s sem) reading(rs ...isa.Reg) sem { s.reads |= isa.Set(rs...); return s }
func (s sem) writing(rs ...isa.Reg) sem { s.writes |= isa.Set(rs...); return s }

func newSem(lower func(*encoding, *isa.Step, *isa.Inst, uint32)) sem {
	return sem{lower: lower, fixedDst: isa.NoReg, fixedBase: isa.NoReg}
}

// The operations of data processing.
type aluOp uint8

const (
	opAnd aluOp = iota
	opBic
	opOrr
	opOrn
	opEor
	opMov
	opMvn
	opAdd
	opAdc
	opSub
	opSbc
	opRsb
)

// aluKind says how the hot loop computes an operation: BIC, ORN, MVN, SUB and SBC are AND, ORR,
// MOV, ADD and ADC with the second operand complemented. carryIn is the addition's constant carry.
type aluKind struct {
	plain, setting uint16
	complement     uint32
	carryIn        uint64
}

var aluKinds = [...]aluKind{
	opAnd: {kAnd, kAndS, 0, 0},
	opBic: {kAnd, kAndS, ^uint32(0), 0},
	opOrr: {kOrr, kOrrS, 0, 0},
	opOrn: {kOrr, kOrrS, ^uint32(0), 0},
	opEor: {kEor, kEorS, 0, 0},
	opMov: {kMov, kMovS, 0, 0},
	opMvn: {kMov, kMovS, ^uint32(0), 0},
	opAdd: {kAdd, kAddS, 0, 0},
	opAdc: {kAdc, kAdcS, 0, 0},
	opSub: {kAdd, kAddS, ^uint32(0), 1},
	opSbc: {kAdc, kAdcS, ^uint32(0), 0},
	opRsb: {kRsb, kRsbS, 0, 0},
}

// dp is data processing with the flexible second operand: register with shift, or a constant.
func dp(op aluOp) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, pc uint32) { lowerDP(e, st, in, pc, op) })
	s.alu = true
	s.fn = aluSlow
	if op == opAdc || op == opSbc {
		s.reads = isa.Set(Flags)
	}
	return s
}

func lowerDP(e *encoding, st *isa.Step, in *isa.Inst, pc uint32, op aluOp) {
	st.D = e.dest(in)
	st.A = e.source(in)
	typ, amount := unpackShift(e.imm(in, 's'))
	sets := e.setsFlags(in)
	k := aluKinds[op]
	if typ == typeASR || typ == typeROR && amount == 0 || st.D == uint8(PC) || st.A == uint8(PC) {
		st.B = e.reg(in, 'm', regZero)
		st.Imm = packSlow(op, typ, amount, sets)
		st.Imm2 = pc + 4
		return
	}
	st.Kind = k.plain
	if sets {
		st.Kind = k.setting
	}
	if e.slot('m') < 0 {
		v := uint32(e.imm(in, 'i'))
		st.B, st.Imm2 = regZero, v^k.complement
		st.Flags = constCarry(e, v)
	} else {
		st.B = e.reg(in, 'm', regZero)
		operand2(st, typ, amount)
		st.Imm2 = k.complement
		if st.B == uint8(PC) {
			st.B, st.Imm, st.Imm2 = regZero, 0, (pc+4)^k.complement
		}
	}
	st.Imm |= k.carryIn << 32
}

// dest and source give the destination and the first operand, whether the row names them or they
// are implied.
func (e *encoding) dest(in *isa.Inst) uint8 {
	if e.row.sem.fixedDst != isa.NoReg {
		return uint8(e.row.sem.fixedDst)
	}
	return e.reg(in, 'd', regSink)
}

func (e *encoding) source(in *isa.Inst) uint8 {
	d := e.slot('d')
	switch {
	case e.slot('n') >= 0:
		return e.reg(in, 'n', regZero)
	case d >= 0 && e.form.Ops[d].Role == isa.ReadWrite:
		return uint8(in.Args[d])
	case e.form.Reads.Has(SP):
		return uint8(SP)
	}
	return regZero
}

// operand2 sets rotation (C, to the left), mask (low half of Imm) and the place of the carry-out.
func operand2(st *isa.Step, typ, amount int) {
	const ones = ^uint32(0)
	mask := ones
	switch {
	case amount == 0:
	case typ == typeLSL:
		st.C, mask, st.Flags = uint8(amount), ones<<amount, carryBit0
	case typ == typeLSR:
		st.C, mask, st.Flags = uint8(32-amount), ones>>amount, carryBit31
	default:
		st.C, st.Flags = uint8(32-amount), carryBit31
	}
	st.Imm = uint64(mask)
}

// constCarry is the carry-out of a constant: bit 31 of one that the encoding rotates.
func constCarry(e *encoding, v uint32) uint8 {
	switch {
	case e.size == 2 || !rotatedImm(v):
		return carryKeep
	case v>>31 != 0:
		return carrySet
	}
	return carryClear
}

// packSlow packs what aluSlow needs into Imm.
func packSlow(op aluOp, typ, amount int, sets bool) uint64 {
	v := uint64(op) | uint64(typ)<<8 | uint64(amount)<<16
	if sets {
		v |= 1 << 24
	}
	return v
}

// fixedShift is MOV with a shift in the mnemonic.
func fixedShift(typ int, amount func(e *encoding, in *isa.Inst) int) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, pc uint32) {
		st.D, st.B = e.dest(in), e.reg(in, 'm', regZero)
		n := amount(e, in)
		if typ == typeASR || n == 0 {
			st.A, st.Imm = regZero, packSlow(opMov, typ, n, e.setsFlags(in))
			return
		}
		st.Kind = kMov
		if e.setsFlags(in) {
			st.Kind = kMovS
		}
		operand2(st, typ, n)
	})
	s.alu = true
	s.fn = aluSlow
	return s
}

func shiftImm(typ int) sem {
	return fixedShift(typ, func(e *encoding, in *isa.Inst) int { return int(e.imm(in, 'i')) })
}

// rrx is ROR by "0": one place through the carry.
var rrx = func() sem {
	s := fixedShift(typeROR, func(*encoding, *isa.Inst) int { return 0 })
	s.reads = isa.Set(Flags)
	return s
}()

func shiftReg(typ int) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.D, st.A, st.B, st.C = e.dest(in), e.source(in), e.reg(in, 'm', regZero), uint8(typ)
		if e.setsFlags(in) {
			st.Flags = 1
		}
	})
	s.alu = true
	s.fn = shiftByReg
	return s
}

// address is ADR: a constant once the PC is known.
var address = newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
	st.Kind, st.D, st.B, st.Imm2 = kMov, e.dest(in), regZero, uint32(e.imm(in, 'i'))
})

// extend is the zero-extending of a rotated register.
func extend(mask uint64) sem {
	return newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.Kind, st.D, st.B = kMov, e.dest(in), e.reg(in, 'm', regZero)
		st.C, st.Imm = uint8(-e.imm(in, 'r')&31), mask
	})
}

var ubfx = newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
	st.Kind, st.D, st.B = kMov, e.dest(in), e.reg(in, 'n', regZero)
	st.C, st.Imm = uint8(-e.imm(in, 'i')&31), 1<<e.imm(in, 'w')-1
})

var multiply = func() sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.Kind, st.D, st.A, st.B = kMul, e.dest(in), e.source(in), e.reg(in, 'm', regZero)
		if e.setsFlags(in) {
			st.Kind = kMulS
		}
	})
	s.alu = true
	return s
}()

func mulAdd(kind uint16) sem {
	return newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.Kind, st.D, st.A = kind, e.dest(in), e.reg(in, 'n', regZero)
		st.B, st.C = e.reg(in, 'm', regZero), e.reg(in, 'a', regZero)
	})
}

// fn is a row that runs as a function of its operands: D = d or l, A = n, B = m,
// C = h or a, Imm = the first immediate, Imm2 = the second, in the row's order.
func fn(f func(c *Core, s *isa.Step) status) sem {
	s := newSem(func(e *encoding, st *isa.Step, in *isa.Inst, _ uint32) {
		st.D = e.reg(in, 'd', e.reg(in, 'l', regSink))
		st.A, st.B = e.reg(in, 'n', regZero), e.reg(in, 'm', regZero)
		st.C = e.reg(in, 'h', e.reg(in, 'a', regZero))
		first := true
		for i := range e.form.Ops {
			switch {
			case e.form.Ops[i].Kind != isa.KindImm:
			case first:
				st.Imm, first = uint64(in.Args[i]), false
			default:
				st.Imm2 = uint32(in.Args[i])
			}
		}
	})
	s.fn = f
	return s
}

var nop = newSem(func(_ *encoding, st *isa.Step, _ *isa.Inst, _ uint32) { st.Kind = kNop })
