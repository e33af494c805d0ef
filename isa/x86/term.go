package x86

import (
	"fmt"
	"strings"

	"simrun/isa"
)

// Meaning reads the Step of an instruction as terms.
func (*arch) Meaning(in isa.Inst, pc uint64, size int) (isa.Meaning, error) {
	s, r := rowStep(&in, pc, size), rowOf(&in)
	name, _, _ := strings.Cut(r.ID, "_")
	x := &meaning{s: &s, name: name, vec: vecTerms[name], alu: aluTerms[name], behind: pc + uint64(size)}
	if m := r.mem(); m >= 0 && in.Args[m+2]&SegFS != 0 {
		return isa.Meaning{}, fmt.Errorf("no terms for %s with a segment", in.Form.ID)
	}
	f := kindTerms[kind(s.Kind)]
	if f == nil || r.vec != nil && x.vec == nil || r.alu != nil && x.alu == nil {
		return isa.Meaning{}, fmt.Errorf("no terms for %s", in.Form.ID)
	}
	f(x)
	return x.out, x.err
}

// meaning collects the effect of a Step. vec and alu are the operation of the row, by its name.
type meaning struct {
	s      *isa.Step
	name   string
	vec    vecTerm
	alu    func(x *meaning, a, b *isa.Term) *isa.Term
	behind uint64
	out    isa.Meaning
	err    error
}

func quad(v uint64) *isa.Term { return isa.ConstTerm(64, v) }

// gpr is a general register; NoReg is zero.
func gpr(r uint8) *isa.Term {
	if isa.Reg(r) == isa.NoReg {
		return quad(0)
	}
	return isa.RegTerm(isa.Reg(r), 64)
}

func xmm(r uint8) *isa.Term { return isa.RegTerm(X0+isa.Reg(r), 128) }

func (x *meaning) set(r isa.Reg, v *isa.Term) {
	x.out.Sets = append(x.out.Sets, isa.Assign{Reg: r, Value: v})
}

func (x *meaning) setX(v *isa.Term) { x.set(X0+isa.Reg(x.s.D), v) }

// setGPR writes a register: 32 bits clear the upper half, 8 and 16 keep the rest.
func (x *meaning) setGPR(r uint8, v *isa.Term) {
	if v.Width < 32 {
		v = isa.JoinTerm(v, gpr(r).Bits(v.Width, 64-v.Width))
	}
	x.set(isa.Reg(r), v.Zext(64))
}

// width is the operand size in bits.
func (x *meaning) width() int { return 8 * int(x.s.Flags) }

func (x *meaning) d() *isa.Term { return gpr(x.s.D).Bits(0, x.width()) }
func (x *meaning) a() *isa.Term { return gpr(x.s.A).Bits(0, x.width()) }

func (x *meaning) address() *isa.Term {
	return gpr(x.s.A).Add(gpr(x.s.B).Shl(int(x.s.C & 3))).Add(quad(x.s.Imm))
}

// memory is the memory operand of integer kinds, m128 that of vector kinds.
func (x *meaning) memory() *isa.Term { return isa.LoadTerm(x.address(), x.width(), 0) }
func (x *meaning) m128() *isa.Term   { return isa.LoadTerm(x.address(), 128, 16) }

func (x *meaning) store(v *isa.Term, align int) {
	x.out.Stores = []isa.Put{{Addr: x.address(), Value: v, Align: align}}
}

// imm is the immediate of kinds without memory, immM of those with.
func (x *meaning) imm() *isa.Term  { return isa.ConstTerm(x.width(), x.s.Imm) }
func (x *meaning) immM() *isa.Term { return isa.ConstTerm(x.width(), imm2(x.s)) }

// result makes a kind that writes a general register, compared one that sets flags only.
func result(a, b func(x *meaning) *isa.Term) func(*meaning) {
	return func(x *meaning) { x.setGPR(x.s.D, x.alu(x, a(x), b(x))) }
}

func compared(a, b func(x *meaning) *isa.Term) func(*meaning) {
	return func(x *meaning) { x.alu(x, a(x), b(x)) }
}

func modified(b func(x *meaning) *isa.Term) func(*meaning) {
	return func(x *meaning) { x.store(x.alu(x, x.memory(), b(x)), 0) }
}

func nothing(x *meaning) *isa.Term { return isa.ConstTerm(x.width(), 0) }

// vector makes a kind that writes an xmm register from itself and a second operand.
func vector(a func(x *meaning) *isa.Term) func(*meaning) {
	return func(x *meaning) {
		v := x.vec(xmm(x.s.D), a(x), int(x.s.Imm2))
		if v == nil {
			x.err = fmt.Errorf("no terms for this form of %s", x.name)
			return
		}
		x.setX(v)
	}
}

func second(x *meaning) *isa.Term { return xmm(x.s.A) }

// kindTerms is the kinds as terms. Multiplication to two registers, shifts by CL, single elements and system rows have none.
var kindTerms = map[kind]func(*meaning){
	kNop:  func(*meaning) {},
	kPand: vector(second), kPandn: vector(second), kPor: vector(second), kPxor: vector(second), kVecRR: vector(second),
	kPandM: vector((*meaning).m128), kPandnM: vector((*meaning).m128), kPorM: vector((*meaning).m128),
	kPxorM: vector((*meaning).m128), kVecRM: vector((*meaning).m128),
	kVecI:        vector(func(*meaning) *isa.Term { return nil }),
	kVecMov:      func(x *meaning) { x.setX(second(x)) },
	kVecLoadA:    func(x *meaning) { x.setX(x.m128()) },
	kVecLoadU:    func(x *meaning) { x.setX(isa.LoadTerm(x.address(), 128, 0)) },
	kVecStoreA:   func(x *meaning) { x.store(xmm(x.s.D), 16) },
	kVecStoreU:   func(x *meaning) { x.store(xmm(x.s.D), 0) },
	kVecFromGPR:  func(x *meaning) { x.setX(x.a().Zext(128)) },
	kVecToGPR:    func(x *meaning) { x.setGPR(x.s.D, second(x).Bits(0, x.width())) },
	kVecMovLow:   func(x *meaning) { x.setX(second(x).Bits(0, 64).Zext(128)) },
	kVecLoadLow:  func(x *meaning) { x.setX(x.memory().Zext(128)) },
	kVecStoreLow: func(x *meaning) { x.store(xmm(x.s.D).Bits(0, x.width()), 0) },

	kMovRR:    func(x *meaning) { x.setGPR(x.s.D, x.a()) },
	kMovRI:    func(x *meaning) { x.setGPR(x.s.D, x.imm()) },
	kMovZX:    func(x *meaning) { x.setGPR(x.s.D, x.a().Zext(8*int(x.s.Imm2))) },
	kMovSX:    func(x *meaning) { x.setGPR(x.s.D, x.a().Sext(8*int(x.s.Imm2))) },
	kLoad:     func(x *meaning) { x.set(isa.Reg(x.s.D), x.memory().Zext(64)) },
	kLoadSX:   func(x *meaning) { x.setGPR(x.s.D, x.memory().Sext(8*int(x.s.Imm2))) },
	kLoadPart: func(x *meaning) { x.setGPR(x.s.D, x.memory().Zext(8*int(x.s.Imm2))) },
	kStore:    func(x *meaning) { x.store(x.d(), 0) },
	kStoreImm: func(x *meaning) { x.store(x.immM(), 0) },
	kLea:      func(x *meaning) { x.setGPR(x.s.D, x.address().Bits(0, x.width())) },

	kAluRR:  result((*meaning).d, (*meaning).a),
	kAluRI:  result((*meaning).d, (*meaning).imm),
	kAluRM:  result((*meaning).d, (*meaning).memory),
	kAluR:   result((*meaning).d, nothing),
	kAluRRI: result((*meaning).a, (*meaning).imm),
	kAluRMI: result((*meaning).memory, (*meaning).immM),
	kAluMR:  modified((*meaning).d),
	kAluMI:  modified((*meaning).immM),
	kAluM:   modified(nothing),
	kCmpRR:  compared((*meaning).d, (*meaning).a),
	kCmpRI:  compared((*meaning).d, (*meaning).imm),
	kCmpRM:  compared((*meaning).d, (*meaning).memory),
	kCmpMR:  compared((*meaning).memory, (*meaning).d),
	kCmpMI:  compared((*meaning).memory, (*meaning).immM),

	kPush: func(x *meaning) {
		to := gpr(uint8(RSP)).Sub(quad(8))
		x.out.Stores = []isa.Put{{Addr: to, Value: gpr(x.s.D)}}
		x.set(RSP, to)
	},
	kPop: func(x *meaning) {
		v := x.popped()
		x.set(isa.Reg(x.s.D), v)
	},
	kRet:  func(x *meaning) { x.out.Next = x.popped() },
	kJmp:  func(x *meaning) { x.out.Next = quad(x.s.Imm) },
	kJmpR: func(x *meaning) { x.out.Next = gpr(x.s.D) },
	kJcc:  func(x *meaning) { x.out.Next = isa.IfTerm(holding(uint8(x.s.Imm2)), quad(x.s.Imm), quad(x.behind)) },
}

// popped is the word at the stack pointer, which moves.
func (x *meaning) popped() *isa.Term {
	sp := gpr(uint8(RSP))
	x.set(RSP, sp.Add(quad(8)))
	return isa.LoadTerm(sp, 64, 0)
}

// Places of the flags in RFLAGS.
const (
	placeCF = 0
	placePF = 2
	placeAF = 4
	placeZF = 6
	placeSF = 7
	placeOF = 11
)

func flagTerm(place int) *isa.Term { return isa.RegTerm(RFLAGS, 64).Bits(place, 1) }

// setFlags writes all flags: c, a and o, and those that a result decides.
func (x *meaning) setFlags(r, c, a, o *isa.Term) {
	parity := isa.ConstTerm(1, 1)
	for i := range 8 {
		parity = parity.Xor(r.Bits(i, 1))
	}
	bit := func(v uint64, n int) *isa.Term { return isa.ConstTerm(n, v) }
	x.set(RFLAGS, isa.JoinTerm(c, bit(1, 1), parity, bit(0, 1), a, bit(0, 1), r.IsZero(), r.Top(), bit(0, 3), o, bit(0, 52)))
}

// sum is a + b + carry with flags; less says that it is a subtraction, whose borrow is the complement of the carry.
func (x *meaning) sum(a, b, carry *isa.Term, less bool) *isa.Term {
	r, out := a.Plus(b, carry), a.Carry(b, carry)
	half := a.Xor(b).Xor(r).Bits(4, 1)
	if less {
		out, half = out.Not(), half.Not()
	}
	x.setFlags(r, out, half, a.Xor(r).And(b.Xor(r)).Top())
	return r
}

func (x *meaning) logic(r *isa.Term) *isa.Term {
	none := isa.ConstTerm(1, 0)
	x.setFlags(r, none, none, none)
	return r
}

// keepCarry takes the carry flag back from a sum that does not write it.
func (x *meaning) keepCarry(r *isa.Term) *isa.Term {
	last := &x.out.Sets[len(x.out.Sets)-1]
	last.Value = isa.JoinTerm(flagTerm(placeCF), last.Value.Bits(1, 63))
	return r
}

// aluTerms is the integer operations by mnemonic.
var aluTerms = map[string]func(x *meaning, a, b *isa.Term) *isa.Term{
	"ADD": func(x *meaning, a, b *isa.Term) *isa.Term { return x.sum(a, b, isa.ConstTerm(1, 0), false) },
	"SUB": subtracted,
	"CMP": subtracted,
	"ADC": func(x *meaning, a, b *isa.Term) *isa.Term { return x.sum(a, b, flagTerm(placeCF), false) },
	"SBB": func(x *meaning, a, b *isa.Term) *isa.Term { return x.sum(a, b.Not(), flagTerm(placeCF).Not(), true) },
	"NEG": func(x *meaning, a, b *isa.Term) *isa.Term { return subtracted(x, b, a) },
	"INC": func(x *meaning, a, b *isa.Term) *isa.Term {
		return x.keepCarry(x.sum(a, b, isa.ConstTerm(1, 1), false))
	},
	"DEC": func(x *meaning, a, b *isa.Term) *isa.Term {
		return x.keepCarry(x.sum(a, b.Not(), isa.ConstTerm(1, 0), true))
	},
	"AND":  func(x *meaning, a, b *isa.Term) *isa.Term { return x.logic(a.And(b)) },
	"TEST": func(x *meaning, a, b *isa.Term) *isa.Term { return x.logic(a.And(b)) },
	"OR":   func(x *meaning, a, b *isa.Term) *isa.Term { return x.logic(a.Or(b)) },
	"XOR":  func(x *meaning, a, b *isa.Term) *isa.Term { return x.logic(a.Xor(b)) },
	"NOT":  func(_ *meaning, a, _ *isa.Term) *isa.Term { return a.Not() },
	"BSWAP": func(_ *meaning, a, _ *isa.Term) *isa.Term {
		return a.Bytes(func(k int) int { return a.Width/8 - 1 - k })
	},
	"IMUL": product,
	"SHL": shiftTerm(func(a *isa.Term, n int) (r, out, over *isa.Term) {
		wide := a.Zext(a.Width + maxCount)
		r, out = wide.Shl(n).Bits(0, a.Width), wide.Shl(n).Bits(a.Width, 1)
		return r, out, r.Top().Xor(out)
	}),
	"SHR": shiftTerm(func(a *isa.Term, n int) (r, out, over *isa.Term) { return a.Shr(n), a.Shr(n-1).Bits(0, 1), a.Top() }),
	"SAR": shiftTerm(func(a *isa.Term, n int) (r, out, over *isa.Term) {
		return a.Sar(n), a.Sar(n-1).Bits(0, 1), isa.ConstTerm(1, 0)
	}),
	"ROL": rotateTerm(func(a *isa.Term, n int) (r, out, over *isa.Term) {
		r = a.Rotl(n)
		return r, r.Bits(0, 1), r.Top().Xor(r.Bits(0, 1))
	}),
	"ROR": rotateTerm(func(a *isa.Term, n int) (r, out, over *isa.Term) {
		r = a.Rotl(-n)
		return r, r.Top(), r.Top().Xor(r.Bits(r.Width-2, 1))
	}),
}

// maxCount is more than any count of a shift.
const maxCount = 64

// A moved is the result of a shift or rotate by n > 0, its CF and its OF.
type moved func(a *isa.Term, n int) (r, out, over *isa.Term)

// shiftTerm and rotateTerm make operations of immediate counts, see aluShl and aluRol for the flags; a count of 0 changes none.
func shiftTerm(f moved) func(x *meaning, a, b *isa.Term) *isa.Term {
	return func(x *meaning, a, b *isa.Term) *isa.Term {
		n := int(count(b.Const[0], uint8(a.Width/8)))
		if n == 0 {
			return a
		}
		r, out, over := f(a, n)
		x.setFlags(r, out, isa.ConstTerm(1, 0), over)
		return r
	}
}

func rotateTerm(f moved) func(x *meaning, a, b *isa.Term) *isa.Term {
	return func(x *meaning, a, b *isa.Term) *isa.Term {
		n := int(count(b.Const[0], uint8(a.Width/8)))
		if n == 0 {
			return a
		}
		r, out, over := f(a, n)
		old := isa.RegTerm(RFLAGS, 64)
		x.set(RFLAGS, isa.JoinTerm(out, old.Bits(placeCF+1, placeOF-placeCF-1), over, old.Bits(placeOF+1, 63-placeOF)))
		return r
	}
}

func subtracted(x *meaning, a, b *isa.Term) *isa.Term {
	return x.sum(a, b.Not(), isa.ConstTerm(1, 1), true)
}

// product sets CF and OF if the signed product does not fit, and clears the other flags.
func product(x *meaning, a, b *isa.Term) *isa.Term {
	w := a.Width
	p := a.Sext(2 * w).Mul(b.Sext(2 * w))
	r := p.Bits(0, w)
	over := p.Xor(r.Sext(2 * w)).IsZero().Not()
	x.set(RFLAGS, isa.JoinTerm(over, isa.ConstTerm(1, 1), isa.ConstTerm(9, 0), over, isa.ConstTerm(52, 0)))
	return r
}

// holding is a condition as one bit, see holds.
func holding(cc uint8) *isa.Term {
	less := flagTerm(placeSF).Xor(flagTerm(placeOF))
	t := [...]*isa.Term{
		flagTerm(placeOF), flagTerm(placeCF), flagTerm(placeZF), flagTerm(placeCF).Or(flagTerm(placeZF)),
		flagTerm(placeSF), flagTerm(placePF), less, flagTerm(placeZF).Or(less),
	}[cc>>1]
	if cc&1 != 0 {
		return t.Not()
	}
	return t
}
