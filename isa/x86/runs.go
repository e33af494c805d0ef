package x86

import (
	"fmt"
	"math/bits"

	"simrun/isa"
)

// maxRun bounds a straight run, so that isa.Access.Step has room and a limit loses little.
const maxRun = 8192

// runCache holds decoded straight runs by address: a small direct table before a map.
type runCache struct {
	near   [1024]*isa.Straight
	all    map[uint64]*isa.Straight
	lo, hi uint64 // decoded code lies in [lo, hi)
	stale  bool   // some of it was written: everything is to be decoded again
}

func (k *runCache) written(addr, n uint64) {
	if addr < k.hi && addr+n > k.lo {
		k.stale = true
	}
}

// straight returns the run at the PC. Nil means that its first instruction is a stop, which is in
// c.end.
func (c *core) straight() *isa.Straight {
	k := &c.runs
	if k.stale || k.all == nil {
		*k = runCache{all: map[uint64]*isa.Straight{}, lo: ^uint64(0)}
	}
	slot := &k.near[(c.pc^c.pc>>10)%uint64(len(k.near))]
	if s := *slot; s != nil && s.PC == c.pc {
		return s
	}
	s := k.all[c.pc]
	if s == nil {
		if s, c.end = c.decodeRun(c.pc); s == nil {
			return nil
		}
		k.all[c.pc] = s
		k.lo, k.hi = min(k.lo, c.pc), max(k.hi, c.pc+length(s))
	}
	*slot = s
	return s
}

// decodeRun decodes from pc to the first instruction that ends a run. Code that cannot be
// executed ends it before; at pc itself it is a stop.
func (c *core) decodeRun(pc uint64) (*isa.Straight, isa.Stop) {
	s := &isa.Straight{PC: pc}
	for len(s.Steps) < maxRun {
		in, n, stop, ok := c.fetch(pc)
		if !ok && len(s.Steps) == 0 {
			return nil, stop
		}
		if !ok || in.Form.Flags&isa.ReadsClock != 0 && len(s.Steps) > 0 {
			break
		}
		s.Steps = append(s.Steps, step(&in, pc, n))
		s.Time = append(s.Time, static(&in, pc, n))
		pc += uint64(n)
		if in.Form.Flags&(isa.Branch|isa.System|isa.ReadsClock) != 0 || repeats(&in) {
			break
		}
	}
	return s, isa.Stop{}
}

// repeats reports whether in is a string instruction with a repeat prefix: one of many elements is executed in pieces.
func repeats(in *isa.Inst) bool {
	p := rowOf(in).prefix
	return p == prefixRep || p == prefixRepNE
}

// fetch decodes the instruction at pc.
func (c *core) fetch(pc uint64) (isa.Inst, int, isa.Stop, bool) {
	r := c.mem.Find(pc, 1)
	if r == nil || r.Perm&isa.X == 0 {
		return isa.Inst{}, 0, isa.Stop{Kind: isa.StopFault, PC: pc, Err: c.mem.FaultAt(pc, 1, isa.X)}, false
	}
	code := r.Data[pc-r.Base:]
	in, n, err := theArch.Decode(code, pc)
	if err == nil && !c.features[in.Form.Feature] {
		err = fmt.Errorf("%s needs %s, which this CPU does not have", theArch.Print(in), in.Form.Feature)
	}
	if err != nil {
		return in, 0, isa.Stop{Kind: isa.StopUndef, PC: pc, Err: undefinedAt(pc, err)}, false
	}
	return in, n, isa.Stop{}, true
}

// step packs an instruction for the hot loop; see kind.
func step(in *isa.Inst, pc uint64, size int) isa.Step {
	s := rowStep(in, pc, size)
	quicken(&s, rowOf(in))
	return s
}

// rowStep packs an instruction with the kind of its row.
func rowStep(in *isa.Inst, pc uint64, size int) isa.Step {
	r := rowOf(in)
	s := isa.Step{Kind: uint16(r.kind), D: uint8(isa.NoReg), A: uint8(isa.NoReg), B: uint8(isa.NoReg),
		Size: uint8(size), Num: uint16(r.Num), Flags: uint8(r.width())}
	regs := []*uint8{&s.D, &s.A}
	for _, o := range r.operands {
		switch o.what {
		case opReg, opXmm, opHigh:
			*regs[0], regs = stepReg(o, in), regs[1:]
		case opOne:
			stepImm(&s, r, 1)
		case opMem:
			stepMem(&s, in.Args[o.slot:], pc+uint64(size))
		case opRel:
			s.Imm = uint64(in.Args[o.slot])
		case opImm:
			stepImm(&s, r, in.Args[o.slot])
		}
	}
	stepKind(&s, r)
	return s
}

// stepImm puts an immediate into Imm2, and into Imm where neither a displacement nor a vector kind wants it otherwise.
func stepImm(s *isa.Step, r *row, v int64) {
	s.Imm2 = uint32(v)
	if r.mem() < 0 && r.vec == nil {
		s.Imm = uint64(v)
	}
}

// stepReg numbers general and xmm registers from 0.
func stepReg(o operand, in *isa.Inst) uint8 {
	switch o.what {
	case opXmm:
		return uint8(in.Reg(o.slot) - X0)
	case opHigh:
		return uint8(in.Reg(o.slot)) | highByte
	}
	return uint8(in.Reg(o.slot))
}

// stepKind sets what single kinds want.
func stepKind(s *isa.Step, r *row) {
	switch r.kind {
	case kJcc, kSetR, kSetM, kCmovRR, kCmovRM, kHighSet, kJcount:
		s.Imm2 = uint32(r.cc)
	case kMovSX, kLoadSX, kMovZX, kLoadPart:
		s.Imm2 = uint32(r.width())
	case kDoubleR, kDoubleM:
		if r.operands[2].what == opCL {
			s.Imm2 = doubleCL
		}
		s.Imm2 |= uint32(r.cc) * doubleLeft
	case kMovs, kStos, kLods, kCmps, kScas:
		s.Imm2 = uint32(r.prefix)
	}
	if n := r.movedBytes(); n > 0 {
		s.Flags = uint8(n)
	}
}

// movedBytes is the size that a move kind is interested in: that of its source or of memory.
func (r *row) movedBytes() int {
	switch r.kind {
	case kLoad, kLoadSX, kLoadPart, kStore, kStoreImm, kVecLoadLow, kVecStoreLow, kVecStoreHigh, kVecPutM,
		kVecRMLow, kVecPickM, kVecPickStore, kVecFlagsM:
		return r.memSize()
	case kMovZX, kMovSX, kVecFromGPR:
		return r.operands[1].size
	}
	return 0
}

func stepMem(s *isa.Step, m []int64, next uint64) {
	segment := isa.NoReg
	if m[2]&SegFS != 0 {
		segment = FSBase
	}
	s.A, s.B, s.C = uint8(m[0]), uint8(m[1]), uint8(bits.TrailingZeros64(uint64(m[2]&^SegFS)))|uint8(segment)<<2
	s.Imm = uint64(m[3])
	if isa.Reg(m[0]) == RIP {
		s.A, s.Imm = uint8(isa.NoReg), s.Imm+next
	}
}
