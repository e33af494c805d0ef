package t32

import (
	"fmt"
	"math/bits"
	"strings"

	"simrun/isa"
)

// Meaning reads the Step of an instruction as terms. Rows outside IT blocks only.
func (Arch) Meaning(in isa.Inst, pc uint64, size int) (isa.Meaning, error) {
	e := encodings[in.Form.Num]
	st := e.step(&in, uint32(pc))
	x := &meaning{s: &st, e: e, behind: uint32(pc) + uint32(size)}
	f := kindTerms[st.Kind]
	if st.Kind == kFn {
		base, _, _ := strings.Cut(e.form.Mnemonic, ".")
		if f = rowTerms[base]; f == nil && e.row.sem.alu {
			f = (*meaning).slow
		}
	}
	if f == nil || in.Cond != 0 || e == encIT {
		return isa.Meaning{}, fmt.Errorf("no terms for %s", in.Form.ID)
	}
	f(x)
	return x.out, x.err
}

// meaning collects the effect of a Step.
type meaning struct {
	s      *isa.Step
	e      *encoding
	behind uint32
	out    isa.Meaning
	err    error
}

func word(v uint32) *isa.Term { return isa.ConstTerm(32, uint64(v)) }

func (x *meaning) reg(i uint8) *isa.Term {
	if i == regZero {
		return word(0)
	}
	return isa.RegTerm(isa.Reg(i), 32)
}

func (x *meaning) set(i uint8, v *isa.Term) {
	if i != regSink {
		x.out.Sets = append(x.out.Sets, isa.Assign{Reg: isa.Reg(i), Value: v})
	}
}

func (x *meaning) a() *isa.Term       { return x.reg(x.s.A) }
func (x *meaning) b() *isa.Term       { return x.reg(x.s.B) }
func (x *meaning) rotated() *isa.Term { return x.b().Rotl(int(x.s.C)) }

// op2 is the second operand of data processing, see the kinds.
func (x *meaning) op2() *isa.Term {
	return x.rotated().And(word(uint32(x.s.Imm))).Xor(word(x.s.Imm2))
}

func (x *meaning) constCarry() *isa.Term { return isa.ConstTerm(1, x.s.Imm>>32) }

// apsrBit is a bit of the APSR.
func apsrBit(bit int) *isa.Term { return isa.RegTerm(Flags, 32).Bits(bit, 1) }

const (
	bitV = 28
	bitC = 29
	bitZ = 30
	bitN = 31
)

// setFlags gives N and Z of a result, and C and V.
func (x *meaning) setFlags(v, c, o *isa.Term) {
	rest := isa.RegTerm(Flags, 32).Bits(0, bitV)
	x.set(uint8(Flags), isa.JoinTerm(rest, o, c, v.IsZero(), v.Top()))
}

// logic is a logical result, with flags if the kind sets them.
func (x *meaning) logic(v *isa.Term, sets bool) {
	if sets {
		c := apsrBit(bitC)
		switch x.s.Flags & 7 {
		case carryBit0:
			c = x.rotated().Bits(0, 1)
		case carryBit31:
			c = x.rotated().Top()
		case carrySet, carryClear:
			c = isa.ConstTerm(1, uint64(carryClear-x.s.Flags&7))
		}
		x.setFlags(v, c, apsrBit(bitV))
	}
	x.set(x.s.D, v)
}

func (x *meaning) add(a, b, carry *isa.Term, sets bool) {
	sum := a.Plus(b, carry)
	if sets {
		x.setFlags(sum, a.Carry(b, carry), a.Xor(sum).And(b.Xor(sum)).Top())
	}
	x.set(x.s.D, sum)
}

func (x *meaning) product(sets bool) {
	v := x.a().Mul(x.b())
	if sets {
		x.setFlags(v, apsrBit(bitC), apsrBit(bitV))
	}
	x.set(x.s.D, v)
}

func logical(f func(x *meaning) *isa.Term, sets bool) func(*meaning) {
	return func(x *meaning) { x.logic(f(x), sets) }
}

func adding(f func(x *meaning) (a, b, carry *isa.Term), sets bool) func(*meaning) {
	return func(x *meaning) {
		a, b, carry := f(x)
		x.add(a, b, carry, sets)
	}
}

var (
	moved     = func(x *meaning) *isa.Term { return x.op2() }
	anded     = func(x *meaning) *isa.Term { return x.a().And(x.op2()) }
	ored      = func(x *meaning) *isa.Term { return x.a().Or(x.op2()) }
	xored     = func(x *meaning) *isa.Term { return x.a().Xor(x.op2()) }
	added     = func(x *meaning) (a, b, c *isa.Term) { return x.a(), x.op2(), x.constCarry() }
	reversed  = func(x *meaning) (a, b, c *isa.Term) { return x.a().Not(), x.op2(), isa.ConstTerm(1, 1) }
	withCarry = func(x *meaning) (a, b, c *isa.Term) { return x.a(), x.op2(), apsrBit(bitC) }
)

// kindTerms is the kinds of the hot loop as terms.
var kindTerms = [kStrh + 1]func(*meaning){
	kNop:  func(*meaning) {},
	kMov:  logical(moved, false),
	kMovS: logical(moved, true),
	kAnd:  logical(anded, false),
	kAndS: logical(anded, true),
	kOrr:  logical(ored, false),
	kOrrS: logical(ored, true),
	kEor:  logical(xored, false),
	kEorS: logical(xored, true),
	kAdd:  adding(added, false),
	kAddS: adding(added, true),
	kRsb:  adding(reversed, false),
	kRsbS: adding(reversed, true),
	kAdc:  adding(withCarry, false),
	kAdcS: adding(withCarry, true),
	kMul:  func(x *meaning) { x.product(false) },
	kMulS: func(x *meaning) { x.product(true) },
	kMla:  func(x *meaning) { x.set(x.s.D, x.reg(x.s.C).Add(x.a().Mul(x.b()))) },
	kMls:  func(x *meaning) { x.set(x.s.D, x.reg(x.s.C).Sub(x.a().Mul(x.b()))) },
	kLdr:  loading((*isa.Term).Zext), kLdrb: loading((*isa.Term).Zext), kLdrh: loading((*isa.Term).Zext),
	kLdrsb: loading((*isa.Term).Sext), kLdrsh: loading((*isa.Term).Sext),
	kStr: storing, kStrb: storing, kStrh: storing,
}

func (x *meaning) address() *isa.Term {
	return x.a().Add(x.b().Shl(int(x.s.C & 31))).Add(word(uint32(x.s.Imm)))
}

func (x *meaning) writeBack() {
	if x.s.Flags&writesBase != 0 {
		x.set(x.s.A, x.a().Add(word(x.s.Imm2)))
	}
}

func loading(extend func(*isa.Term, int) *isa.Term) func(*meaning) {
	return func(x *meaning) {
		x.set(x.s.D, extend(isa.LoadTerm(x.address(), 8*int(accessSize[x.s.Kind]), 0), 32))
		x.writeBack()
	}
}

func storing(x *meaning) {
	x.store(x.address(), x.reg(x.s.D).Bits(0, 8*int(accessSize[x.s.Kind])), 0)
	x.writeBack()
}

func (x *meaning) store(addr, v *isa.Term, align int) {
	x.out.Stores = append(x.out.Stores, isa.Put{Addr: addr, Value: v, Align: align})
}

// rowTerms is rows that run as a function, by mnemonic.
var rowTerms = map[string]func(*meaning){
	"ldr":   loadsPC,
	"ldrd":  (*meaning).pair,
	"strd":  (*meaning).pair,
	"ldmia": (*meaning).multiple, "ldmdb": (*meaning).multiple, "pop": (*meaning).multiple,
	"stmia": (*meaning).multiple, "stmdb": (*meaning).multiple, "push": (*meaning).multiple,
	"b":     (*meaning).jump,
	"bx":    func(x *meaning) { x.out.Next = x.b() },
	"movt":  func(x *meaning) { x.set(x.s.D, isa.JoinTerm(x.reg(x.s.D).Bits(0, 16), isa.ConstTerm(16, x.s.Imm))) },
	"rev":   shuffled(func(k int) int { return 3 - k }),
	"rev16": shuffled(func(k int) int { return k ^ 1 }),
	"revsh": func(x *meaning) { x.set(x.s.D, isa.JoinTerm(x.b().Bits(8, 8), x.b().Bits(0, 8)).Sext(32)) },
	"sbfx":  func(x *meaning) { x.set(x.s.D, x.a().Bits(int(x.s.Imm), int(x.s.Imm2)).Sext(32)) },
	"sxtb":  func(x *meaning) { x.set(x.s.D, x.b().Rotl(int(-x.s.Imm&31)).Bits(0, 8).Sext(32)) },
	"sxth":  func(x *meaning) { x.set(x.s.D, x.b().Rotl(int(-x.s.Imm&31)).Bits(0, 16).Sext(32)) },
	"bfc":   func(x *meaning) { x.field(word(0)) },
	"bfi":   func(x *meaning) { x.field(x.a().Shl(int(x.s.Imm))) },
}

func shuffled(from func(int) int) func(*meaning) {
	return func(x *meaning) { x.set(x.s.D, x.b().Bytes(from)) }
}

// field puts the bits of v into the field that Imm and Imm2 say.
func (x *meaning) field(v *isa.Term) {
	m := word(fieldMask(x.s))
	x.set(x.s.D, x.reg(x.s.D).And(m.Not()).Xor(v.And(m)))
}

func loadsPC(x *meaning) {
	x.out.Next = isa.LoadTerm(x.address(), 32, 0)
	x.writeBack()
}

// pair is LDRD and STRD: D and C are the registers.
func (x *meaning) pair() {
	for i, r := range []uint8{x.s.D, x.s.C} {
		addr := x.a().Add(word(uint32(x.s.Imm) + 4*uint32(i)))
		if x.e.form.Flags&isa.Store != 0 {
			x.store(addr, x.reg(r), 4)
		} else {
			x.set(r, isa.LoadTerm(addr, 32, 4))
		}
	}
	x.writeBack()
}

// multiple is LDM and STM. The base is written first: a loaded base wins.
func (x *meaning) multiple() {
	base, moved := x.a(), x.a().Add(word(x.s.Imm2))
	if x.s.Flags&up == 0 {
		base = x.a().Sub(word(x.s.Imm2))
		moved = base
	}
	if x.s.Flags&writeback != 0 {
		x.set(x.s.A, moved)
	}
	for list, n := x.s.Imm, uint32(0); list != 0; list, n = list&(list-1), n+4 {
		r := uint8(bits.TrailingZeros64(list))
		addr := base.Add(word(n))
		switch {
		case x.e.form.Flags&isa.Store != 0:
			x.store(addr, x.reg(r), 4)
		case r == uint8(PC):
			x.out.Next = isa.LoadTerm(addr, 32, 4)
		default:
			x.set(r, isa.LoadTerm(addr, 32, 4))
		}
	}
}

func (x *meaning) jump() {
	x.out.Next = word(uint32(x.s.Imm))
	if x.e.slot('c') >= 0 {
		x.out.Next = isa.IfTerm(holding(x.s.D), x.out.Next, word(x.behind))
	}
}

// holding is a condition as one bit.
func holding(cond uint8) *isa.Term {
	n, z, c, v := apsrBit(bitN), apsrBit(bitZ), apsrBit(bitC), apsrBit(bitV)
	t := [...]*isa.Term{
		EQ >> 1: z, CS >> 1: c, MI >> 1: n, VS >> 1: v, HI >> 1: c.And(z.Not()),
		GE >> 1: n.Xor(v).Not(), GT >> 1: n.Xor(v).Or(z).Not(), AL >> 1: isa.ConstTerm(1, 1),
	}[cond>>1]
	if cond&1 != 0 {
		return t.Not()
	}
	return t
}

// slow is data processing with an operand by ASR, see aluSlow; RRX, the PC and flags are left out.
func (x *meaning) slow() {
	typ, amount := int(x.s.Imm>>8&3), int(x.s.Imm>>16&63)
	if typ != typeASR || x.s.Imm>>24 != 0 || x.s.D == uint8(PC) || x.s.A == uint8(PC) || x.s.B == uint8(PC) {
		x.err = fmt.Errorf("no terms for this form of %s", x.e.form.Mnemonic)
		return
	}
	k := aluKinds[aluOp(x.s.Imm&0xff)]
	y := x.b().Sar(amount).Xor(word(k.complement))
	switch k.plain {
	case kMov:
		x.set(x.s.D, y)
	case kAnd:
		x.set(x.s.D, x.a().And(y))
	case kOrr:
		x.set(x.s.D, x.a().Or(y))
	case kEor:
		x.set(x.s.D, x.a().Xor(y))
	case kAdd:
		x.add(x.a(), y, isa.ConstTerm(1, k.carryIn), false)
	case kAdc:
		x.add(x.a(), y, apsrBit(bitC), false)
	default:
		x.add(x.a().Not(), y, isa.ConstTerm(1, 1), false)
	}
}
