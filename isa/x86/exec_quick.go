package x86

import (
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// pending is the operation whose flags nothing has asked for yet: r is the result of a and b, all without bits above w.
type pending struct {
	a, b, r uint64
	tag     uint32 // op, w above it; above that, if not 0, CF and OF of a rotate since: bits 17 and 18 beside bit 16
}

func (p *pending) op() pendingOp   { return pendingOp(p.tag) }
func (p *pending) w() uint8        { return uint8(p.tag >> 8) }
func (p *pending) rotated() uint32 { return p.tag >> 16 }

type pendingOp uint8

const (
	_ pendingOp = iota // a tag of 0: core.flags holds the flags
	pendingAdd
	pendingSub
	pendingLogic
	pendingInc // CF is that of core.flags, as for pendingDec
	pendingDec
	pendingShl // a by b
	pendingShr
	pendingSar
)

// settle computes the flags that are pending.
func (c *core) settle() {
	if c.pending.tag != 0 {
		c.settlePending()
	}
}

func (c *core) settlePending() {
	p := &c.pending
	switch p.op() {
	case pendingAdd:
		c.flags = addFlags(p.a, p.b, p.r, bit(p.r < p.a), p.w())
	case pendingSub:
		c.flags = subFlags(p.a, p.b, p.r, bit(p.a < p.b), p.w())
	case pendingLogic:
		c.flags = resultFlags(p.r, p.w())
	case pendingInc:
		c.flags = addFlags(p.a, 1, p.r, c.flags&flagCF, p.w())
	case pendingDec:
		c.flags = subFlags(p.a, 1, p.r, c.flags&flagCF, p.w())
	case pendingShl:
		aluShl(&c.flags, p.a, p.b, p.w())
	case pendingShr:
		aluShr(&c.flags, p.a, p.b, p.w())
	case pendingSar:
		aluSar(&c.flags, p.a, p.b, p.w())
	}
	if p.rotated() != 0 {
		c.flags = c.flags&^(flagCF|flagOF) | uint64(p.rotated()>>1&1) | uint64(p.rotated()>>2&1)<<11
	}
	p.tag = 0
}

// rotate notes CF and OF after a rotate, which keeps the other flags, pending or not.
func (c *core) rotate(cf, of uint64) {
	if c.pending.tag != 0 {
		c.pending.tag = c.pending.tag&0xffff | uint32(1|cf<<1|of<<2)<<16
		return
	}
	c.flags = c.flags&^(flagCF|flagOF) | cf | of<<11
}

// keepCarry puts CF into core.flags, for an operation that changes all the other flags.
func (c *core) keepCarry() {
	switch p := &c.pending; {
	case p.rotated() != 0:
		c.flags = uint64(p.rotated() >> 1 & 1)
	case p.op() == pendingAdd:
		c.flags = bit(p.r < p.a)
	case p.op() == pendingSub:
		c.flags = bit(p.a < p.b)
	case p.op() == pendingLogic:
		c.flags = 0
	case p.op() >= pendingShl:
		c.settlePending()
	}
}

// condition is holds of the flags, which it settles only if they are not at hand.
func (c *core) condition(cc uint8) bool {
	p := &c.pending
	var holdsNow bool
	switch {
	case p.tag == 0:
		return holds(c.flags, cc)
	case cc>>1 == 2: // ZF
		holdsNow = p.r == 0
	case cc>>1 == 4: // SF
		holdsNow = top(p.r, p.w()) != 0
	case p.rotated() != 0:
		c.settlePending()
		return holds(c.flags, cc)
	case p.op() == pendingSub && cc>>1 == 1: // CF
		holdsNow = p.a < p.b
	case p.op() == pendingSub && cc>>1 == 3: // CF or ZF
		holdsNow = p.a <= p.b
	case p.op() == pendingSub && cc>>1 == 6: // SF not OF
		holdsNow = int64(signExtend(p.a, p.w(), 8)) < int64(signExtend(p.b, p.w(), 8))
	case p.op() == pendingSub && cc>>1 == 7: // ZF or SF not OF
		holdsNow = int64(signExtend(p.a, p.w(), 8)) <= int64(signExtend(p.b, p.w(), 8))
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
	x86asm.SHL: kQuickShl, x86asm.SHR: kQuickShr, x86asm.SAR: kQuickSar, x86asm.ROL: kQuickRol, x86asm.ROR: kQuickRor,
}

// pendingOf are the operations of the quick kinds; rotates have none.
var pendingOf = map[kind]pendingOp{
	kQuickAdd: pendingAdd, kQuickSub: pendingSub, kQuickCmp: pendingSub, kQuickAnd: pendingLogic, kQuickOr: pendingLogic,
	kQuickXor: pendingLogic, kQuickTest: pendingLogic, kQuickInc: pendingInc, kQuickDec: pendingDec,
	kQuickShl: pendingShl, kQuickShr: pendingShr, kQuickSar: pendingSar,
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
		if k >= kQuickShl {
			if s.Imm = count(s.Imm, uint8(w)); s.Imm == 0 {
				return
			}
		}
	default:
		return
	}
	s.Kind, s.C, s.Imm2 = uint16(k), uint8(64-8*w), uint32(pendingOf[k])|uint32(w)<<8
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
