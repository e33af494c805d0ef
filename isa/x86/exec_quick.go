package x86

import (
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// pending is the operation whose flags nothing has asked for yet: r is the result of a and b, all without bits above w.
type pending struct {
	a, b, r uint64
	op      pendingOp
	w       uint8
}

type pendingOp uint8

const (
	settled pendingOp = iota // core.flags holds the flags
	pendingAdd
	pendingSub
	pendingLogic
	pendingInc // CF is that of core.flags, as for pendingDec
	pendingDec
)

// settle computes the flags that are pending.
func (c *core) settle() {
	if c.pending.op != settled {
		c.settlePending()
	}
}

func (c *core) settlePending() {
	p := &c.pending
	switch p.op {
	case pendingAdd:
		c.flags = addFlags(p.a, p.b, p.r, bit(p.r < p.a), p.w)
	case pendingSub:
		c.flags = subFlags(p.a, p.b, p.r, bit(p.a < p.b), p.w)
	case pendingLogic:
		c.flags = resultFlags(p.r, p.w)
	case pendingInc:
		c.flags = addFlags(p.a, 1, p.r, c.flags&flagCF, p.w)
	case pendingDec:
		c.flags = subFlags(p.a, 1, p.r, c.flags&flagCF, p.w)
	}
	p.op = settled
}

// keepCarry puts CF into core.flags, for an operation that changes all the other flags.
func (c *core) keepCarry() {
	switch p := &c.pending; p.op {
	case pendingAdd:
		c.flags = bit(p.r < p.a)
	case pendingSub:
		c.flags = bit(p.a < p.b)
	case pendingLogic:
		c.flags = 0
	}
}

// condition is holds of the flags, which it settles only if they are not at hand.
func (c *core) condition(cc uint8) bool {
	p := &c.pending
	var holdsNow bool
	switch {
	case p.op == settled:
		return holds(c.flags, cc)
	case cc>>1 == 2: // ZF
		holdsNow = p.r == 0
	case cc>>1 == 4: // SF
		holdsNow = top(p.r, p.w) != 0
	case p.op == pendingSub && cc>>1 == 1: // CF
		holdsNow = p.a < p.b
	case p.op == pendingSub && cc>>1 == 3: // CF or ZF
		holdsNow = p.a <= p.b
	case p.op == pendingSub && cc>>1 == 6: // SF not OF
		holdsNow = int64(signExtend(p.a, p.w, 8)) < int64(signExtend(p.b, p.w, 8))
	case p.op == pendingSub && cc>>1 == 7: // ZF or SF not OF
		holdsNow = int64(signExtend(p.a, p.w, 8)) <= int64(signExtend(p.b, p.w, 8))
	default:
		c.settlePending()
		return holds(c.flags, cc)
	}
	return holdsNow != (cc&1 != 0)
}

// quickKinds are the kinds of steps with an operation that the hot loop knows.
var quickKinds = map[x86asm.Op]kind{
	x86asm.ADD: kQuickAdd, x86asm.SUB: kQuickSub, x86asm.CMP: kQuickCmp, x86asm.AND: kQuickAnd, x86asm.OR: kQuickOr,
	x86asm.XOR: kQuickXor, x86asm.TEST: kQuickTest, x86asm.INC: kQuickInc, x86asm.DEC: kQuickDec,
}

// quicken gives a step of such an operation on registers its quick kind.
func quicken(s *isa.Step, r *row) {
	k, ok := quickKinds[r.op]
	w := r.width()
	if !ok || w < 4 {
		return
	}
	switch r.kind {
	case kAluRR, kCmpRR:
		s.Imm = 0
	case kAluRI, kCmpRI, kAluR:
		s.A = uint8(isa.NoReg)
	default:
		return
	}
	s.Kind, s.C = uint16(k), uint8(64-8*w)
}

// keepsFlagsPending are the kinds that neither read nor write flags, or settle them by themselves.
var keepsFlagsPending = [kLast]bool{
	kNop: true, kPandM: true, kPandnM: true, kPorM: true, kPxorM: true, kVecLoadA: true, kVecLoadU: true, kVecStoreA: true,
	kVecStoreU: true, kVecRM: true, kVecPick: true, kVecPut: true, kVecPutM: true, kVecFromGPR: true, kVecToGPR: true,
	kVecMovLow: true, kVecLoadLow: true, kVecStoreLow: true, kVecStoreHigh: true, kVecRMLow: true,
	kMovRR: true, kMovRI: true, kMovZX: true, kMovSX: true, kMovHigh: true, kLoad: true, kLoadSX: true, kLoadPart: true,
	kStore: true, kStoreImm: true, kLea: true, kCbw: true, kCwd: true, kXchgRR: true, kXchgMR: true,
	kPush: true, kPushImm: true, kPushM: true, kPop: true, kPopM: true, kLeave: true,
	kJmp: true, kJmpR: true, kJmpM: true, kCall: true, kCallR: true, kCallM: true, kRet: true, kRetImm: true,
	kSetR: true, kSetM: true, kCmovRR: true, kCmovRM: true,
}
