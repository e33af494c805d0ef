package rv32

import (
	"fmt"

	"simrun/isa"
)

// Meaning reads the Step of an instruction as terms. Accesses are taken to fault where they are misaligned.
func (Arch) Meaning(in isa.Inst, pc uint64, size int) (isa.Meaning, error) {
	s := newStep(base(in), uint32(pc), size, true)
	x := &meaning{s: &s, a: registerTerm(s.A), b: registerTerm(s.B), imm: word(uint32(s.Imm))}
	dropped := s.D == sink && in.Form.Flags&isa.Load != 0 // an access whose value no term has
	if dropped || int(s.Kind) >= len(kindTerms) || kindTerms[s.Kind] == nil {
		return isa.Meaning{}, fmt.Errorf("no terms for %s", in.Form.ID)
	}
	kindTerms[s.Kind](x)
	return x.out, nil
}

// meaning collects the effect of a Step.
type meaning struct {
	s         *isa.Step
	a, b, imm *isa.Term
	out       isa.Meaning
}

func word(v uint32) *isa.Term { return isa.ConstTerm(32, uint64(v)) }

func registerTerm(r uint8) *isa.Term {
	if isa.Reg(r) == Zero {
		return word(0)
	}
	return isa.RegTerm(isa.Reg(r), 32)
}

func (x *meaning) set(v *isa.Term) {
	if x.s.D != sink {
		x.out.Sets = append(x.out.Sets, isa.Assign{Reg: isa.Reg(x.s.D), Value: v})
	}
}

func (x *meaning) shift() int { return int(x.s.Imm & 31) }

// align is what an access asks of its address.
func (x *meaning) align() int { return int(x.s.C) + 1 }

// result is a kind that gives a register a value.
func result(f func(x *meaning) *isa.Term) func(*meaning) {
	return func(x *meaning) { x.set(f(x)) }
}

func loading(bits int, extend func(*isa.Term, int) *isa.Term) func(*meaning) {
	return func(x *meaning) { x.set(extend(isa.LoadTerm(x.a.Add(x.imm), bits, x.align()), 32)) }
}

func storing(bits int) func(*meaning) {
	return func(x *meaning) {
		x.out.Stores = []isa.Put{{Addr: x.a.Add(x.imm), Value: x.b.Bits(0, bits), Align: x.align()}}
	}
}

// branching goes to the immediate if the condition holds.
func branching(cond func(x *meaning) *isa.Term) func(*meaning) {
	return func(x *meaning) { x.out.Next = isa.IfTerm(cond(x), x.imm, word(x.s.Imm2)) }
}

func equal(x *meaning) *isa.Term        { return x.a.Xor(x.b).IsZero() }
func less(x *meaning) *isa.Term         { return x.a.LessSigned(x.b) }
func lessUnsigned(x *meaning) *isa.Term { return x.a.Less(x.b) }

func not(cond func(x *meaning) *isa.Term) func(x *meaning) *isa.Term {
	return func(x *meaning) *isa.Term { return cond(x).Not() }
}

// kindTerms is the kinds as terms. Shifts by a register, division, atomics and system rows have none.
var kindTerms = [kJalr + 1]func(*meaning){
	kLui:    result(func(x *meaning) *isa.Term { return x.imm }),
	kAddi:   result(func(x *meaning) *isa.Term { return x.a.Add(x.imm) }),
	kSlti:   result(func(x *meaning) *isa.Term { return x.a.LessSigned(x.imm).Zext(32) }),
	kSltiu:  result(func(x *meaning) *isa.Term { return x.a.Less(x.imm).Zext(32) }),
	kXori:   result(func(x *meaning) *isa.Term { return x.a.Xor(x.imm) }),
	kOri:    result(func(x *meaning) *isa.Term { return x.a.Or(x.imm) }),
	kAndi:   result(func(x *meaning) *isa.Term { return x.a.And(x.imm) }),
	kSlli:   result(func(x *meaning) *isa.Term { return x.a.Shl(x.shift()) }),
	kSrli:   result(func(x *meaning) *isa.Term { return x.a.Shr(x.shift()) }),
	kSrai:   result(func(x *meaning) *isa.Term { return x.a.Sar(x.shift()) }),
	kAdd:    result(func(x *meaning) *isa.Term { return x.a.Add(x.b) }),
	kSub:    result(func(x *meaning) *isa.Term { return x.a.Sub(x.b) }),
	kSlt:    result(func(x *meaning) *isa.Term { return less(x).Zext(32) }),
	kSltu:   result(func(x *meaning) *isa.Term { return lessUnsigned(x).Zext(32) }),
	kXor:    result(func(x *meaning) *isa.Term { return x.a.Xor(x.b) }),
	kOr:     result(func(x *meaning) *isa.Term { return x.a.Or(x.b) }),
	kAnd:    result(func(x *meaning) *isa.Term { return x.a.And(x.b) }),
	kMul:    result(func(x *meaning) *isa.Term { return x.a.Mul(x.b) }),
	kRori:   result(func(x *meaning) *isa.Term { return x.a.Rotl(-x.shift()) }),
	kSh1add: result(func(x *meaning) *isa.Term { return x.a.Shl(1).Add(x.b) }),
	kSh2add: result(func(x *meaning) *isa.Term { return x.a.Shl(2).Add(x.b) }),
	kSh3add: result(func(x *meaning) *isa.Term { return x.a.Shl(3).Add(x.b) }),
	kSextb:  result(func(x *meaning) *isa.Term { return x.a.Bits(0, 8).Sext(32) }),
	kSexth:  result(func(x *meaning) *isa.Term { return x.a.Bits(0, 16).Sext(32) }),
	kAndn:   result(func(x *meaning) *isa.Term { return x.a.And(x.b.Not()) }),
	kOrn:    result(func(x *meaning) *isa.Term { return x.a.Or(x.b.Not()) }),
	kXnor:   result(func(x *meaning) *isa.Term { return x.a.Xor(x.b).Not() }),
	kRev8:   result(func(x *meaning) *isa.Term { return x.a.Bytes(func(k int) int { return 3 - k }) }),
	kZexth:  result(func(x *meaning) *isa.Term { return x.a.Bits(0, 16).Zext(32) }),
	kPack:   result(func(x *meaning) *isa.Term { return isa.JoinTerm(x.a.Bits(0, 16), x.b.Bits(0, 16)) }),
	kPackh:  result(func(x *meaning) *isa.Term { return isa.JoinTerm(x.a.Bits(0, 8), x.b.Bits(0, 8)).Zext(32) }),

	kLw: loading(32, (*isa.Term).Zext), kLb: loading(8, (*isa.Term).Sext), kLh: loading(16, (*isa.Term).Sext),
	kLbu: loading(8, (*isa.Term).Zext), kLhu: loading(16, (*isa.Term).Zext),
	kSw: storing(32), kSb: storing(8), kSh: storing(16),

	kBeq: branching(equal), kBne: branching(not(equal)), kBlt: branching(less), kBge: branching(not(less)),
	kBltu: branching(lessUnsigned), kBgeu: branching(not(lessUnsigned)),
	kJal:  (*meaning).jump,
	kJalr: (*meaning).jump,
}

func (x *meaning) jump() {
	x.out.Next = x.imm
	if kind(x.s.Kind) == kJalr {
		x.out.Next = x.a.Add(x.imm).And(word(1).Not())
	}
	x.set(word(x.s.Imm2))
}
