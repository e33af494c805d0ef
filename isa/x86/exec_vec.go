package x86

import "simrun/isa"

// A handler executes a step that the hot loop does not execute itself; i is its index in the
// run. It returns false after a fault, having changed nothing.
type handler func(c *core, s *isa.Step, i int) bool

// handlers by kind; nil for the kinds of the hot loop.
var handlers [kHlt + 1]handler

func init() {
	handlers = [kHlt + 1]handler{
		kNop: nop,

		kPandM: pandM, kPandnM: pandnM, kPorM: porM, kPxorM: pxorM,
		kVecLoadA: vecLoadA, kVecLoadU: vecLoadU, kVecStoreA: vecStoreA, kVecStoreU: vecStoreU,
		kVecRM: vecRM, kVecPick: vecPick, kVecPut: vecPut, kVecPutM: vecPutM,
		kVecFromGPR: vecFromGPR, kVecToGPR: vecToGPR, kVecMovLow: vecMovLow,
		kVecLoadLow: vecLoadLow, kVecStoreLow: vecStoreLow,

		kMovRR: movRR, kMovRI: movRI, kMovZX: movZX, kMovSX: movSX, kMovHigh: movHigh,
		kLoad: loadZX, kLoadSX: loadSX, kLoadPart: loadPart, kStore: storeReg, kStoreImm: storeImm, kLea: lea,
		kAluRR: execAluRR, kAluRI: execAluRI, kAluRM: execAluRM, kAluMR: execAluMR, kAluMI: execAluMI,
		kAluR: execAluR, kAluM: execAluM, kAluRRI: execAluRRI, kAluRMI: execAluRMI, kShiftCL: execShiftCL,
		kCmpRR: execCmpRR, kCmpRI: execCmpRI, kCmpRM: execCmpRM, kCmpMR: execCmpMR, kCmpMI: execCmpMI,
		kMulR: mulR, kMulM: mulM, kSetR: setR, kSetM: setM, kCmovRR: cmovRR, kCmovRM: cmovRM, kCdqe: cdqe, kCdq: cdq, kCqo: cqo,
		kPush: push, kPop: pop,

		kJmp: jmp, kJmpR: jmpR, kJcc: jcond, kCall: call, kCallR: callR, kRet: ret,
		kRdtsc: rdtsc, kInt3: nop, kSyscall: syscall, kHlt: nop,
	}
}

func nop(*core, *isa.Step, int) bool { return true }

func pandM(c *core, s *isa.Step, i int) bool {
	lo, hi, ok := c.load128(s, i, true)
	if ok {
		d := &c.x[s.D&15]
		d[0], d[1] = d[0]&lo, d[1]&hi
	}
	return ok
}

func pandnM(c *core, s *isa.Step, i int) bool {
	lo, hi, ok := c.load128(s, i, true)
	if ok {
		d := &c.x[s.D&15]
		d[0], d[1] = lo&^d[0], hi&^d[1]
	}
	return ok
}

func porM(c *core, s *isa.Step, i int) bool {
	lo, hi, ok := c.load128(s, i, true)
	if ok {
		d := &c.x[s.D&15]
		d[0], d[1] = d[0]|lo, d[1]|hi
	}
	return ok
}

func pxorM(c *core, s *isa.Step, i int) bool {
	lo, hi, ok := c.load128(s, i, true)
	if ok {
		d := &c.x[s.D&15]
		d[0], d[1] = d[0]^lo, d[1]^hi
	}
	return ok
}

func vecLoadA(c *core, s *isa.Step, i int) bool {
	lo, hi, ok := c.load128(s, i, true)
	if ok {
		c.x[s.D&15] = [2]uint64{lo, hi}
	}
	return ok
}

func vecLoadU(c *core, s *isa.Step, i int) bool {
	lo, hi, ok := c.load128(s, i, false)
	if ok {
		c.x[s.D&15] = [2]uint64{lo, hi}
	}
	return ok
}

func vecStoreA(c *core, s *isa.Step, i int) bool { return c.store128(s, i, true) }
func vecStoreU(c *core, s *isa.Step, i int) bool { return c.store128(s, i, false) }

func vecRM(c *core, s *isa.Step, i int) bool {
	lo, hi, ok := c.load128(s, i, true)
	if ok {
		d := &c.x[s.D&15]
		d[0], d[1] = vecs[s.Num](d[0], d[1], lo, hi, uint64(s.Imm2))
	}
	return ok
}

func vecPick(c *core, s *isa.Step, _ int) bool {
	a := &c.x[s.A&15]
	c.r[s.D&15], _ = vecs[s.Num](0, 0, a[0], a[1], uint64(s.Imm2))
	return true
}

func vecPut(c *core, s *isa.Step, _ int) bool {
	d := &c.x[s.D&15]
	d[0], d[1] = vecs[s.Num](d[0], d[1], c.r[s.A&15], 0, uint64(s.Imm2))
	return true
}

func vecPutM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		d := &c.x[s.D&15]
		d[0], d[1] = vecs[s.Num](d[0], d[1], v, 0, uint64(s.Imm2))
	}
	return ok
}

func vecFromGPR(c *core, s *isa.Step, _ int) bool {
	c.x[s.D&15] = [2]uint64{c.r[s.A&15] & mask(s.Flags), 0}
	return true
}

func vecToGPR(c *core, s *isa.Step, _ int) bool {
	c.r[s.D&15] = c.x[s.A&15][0] & mask(s.Flags)
	return true
}

func vecMovLow(c *core, s *isa.Step, _ int) bool {
	c.x[s.D&15] = [2]uint64{c.x[s.A&15][0], 0}
	return true
}

func vecLoadLow(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.x[s.D&15] = [2]uint64{v, 0}
	}
	return ok
}

func vecStoreLow(c *core, s *isa.Step, i int) bool {
	return c.store(i, c.address(s), c.x[s.D&15][0], s.Flags)
}
