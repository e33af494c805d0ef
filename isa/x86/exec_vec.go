package x86

import (
	"fmt"

	"simrun/isa"
)

// A handler executes a step that the hot loop does not execute itself; i is its index in the
// run. It returns false after a fault, having changed nothing.
type handler func(c *core, s *isa.Step, i int) bool

// handlers by kind; nil for the kinds of the hot loop.
var handlers [kLast]handler

func init() {
	handlers = [kLast]handler{
		kNop: nop,

		kPandM: pandM, kPandnM: pandnM, kPorM: porM, kPxorM: pxorM,
		kVecLoadA: vecLoadA, kVecLoadU: vecLoadU, kVecStoreA: vecStoreA, kVecStoreU: vecStoreU,
		kVecRM: vecRM, kVecPick: vecPick, kVecPut: vecPut, kVecPutM: vecPutM,
		kVecFromGPR: vecFromGPR, kVecToGPR: vecToGPR, kVecMovLow: vecMovLow,
		kVecLoadLow: vecLoadLow, kVecStoreLow: vecStoreLow,
		kVecStoreHigh: vecStoreHigh, kVecRMLow: vecRMLow, kVecPickM: vecPickM, kVecPickStore: vecPickStore,
		kVecFlags: vecFlags, kVecFlagsM: vecFlagsM, kVecBlend: vecBlend, kVecBlendM: vecBlendM, kVecMaskMov: vecMaskMov,
		kLdmxcsr: ldmxcsr, kStmxcsr: stmxcsr, kFldcw: fldcw, kFnstcw: fnstcw,

		kMovZX: movZX, kMovSX: movSX, kMovHigh: movHigh,
		kLoad: loadZX, kLoadSX: loadSX, kLoadPart: loadPart, kStore: storeReg, kStoreImm: storeImm,
		kAluRR: execAluRR, kAluRI: execAluRI, kAluRM: execAluRM, kAluMR: execAluMR, kAluMI: execAluMI,
		kAluR: execAluR, kAluM: execAluM, kAluRRI: execAluRRI, kAluRMI: execAluRMI, kShiftCL: execShiftCL,
		kShiftMCL: execShiftMCL, kDoubleR: doubleR, kDoubleM: doubleM, kBitMR: bitMR, kBitSetMR: bitSetMR, kScanR: scanR, kScanM: scanM, kFlag: execFlag,
		kCmpRR: execCmpRR, kCmpRI: execCmpRI, kCmpRM: execCmpRM, kCmpMR: execCmpMR, kCmpMI: execCmpMI,
		kMulR: mulR, kMulM: mulM, kImulR: imulR, kImulM: imulM, kDivR: divR, kDivM: divM, kIdivR: idivR, kIdivM: idivM,
		kXchgRR: xchgRR, kXchgMR: xchgMR, kXaddRR: xaddRR, kXaddMR: xaddMR,
		kCmpxchgRR: cmpxchgRR, kCmpxchgMR: cmpxchgMR, kCmpxchg8B: cmpxchg8B, kCmpxchg16B: cmpxchg16B,
		kSetR: setR, kSetM: setM, kCmovRR: cmovRR, kCmovRM: cmovRM, kCbw: cbw, kCwd: cwd,
		kPush: push, kPushImm: pushImm, kPushM: pushM, kPushF: pushF, kPop: pop, kPopM: popM, kPopF: popF, kLeave: leave,
		kCld: cld, kStd: std, kLahf: lahf, kSahf: sahf, kXlat: xlat, kCpuid: cpuid,

		kHighMov: highMov, kHighMovI: highMovI, kHighMovSX: highMovSX, kHighLoad: highLoad, kHighStore: highStore, kHighXchg: highXchg,
		kHighAluRR: highAluRR, kHighAluRI: highAluRI, kHighAluRM: highAluRM, kHighAluMR: highAluMR, kHighAluR: highAluR, kHighShiftCL: highShiftCL,
		kHighCmpRR: highCmpRR, kHighCmpRI: highCmpRI, kHighCmpRM: highCmpRM, kHighCmpMR: highCmpMR, kHighSet: highSet,

		kMovs: movs, kStos: stos, kLods: lods, kCmps: cmps, kScas: scas,

		kJmp: jmp, kJmpR: jmpR, kJmpM: jmpM, kJcount: jcount, kCall: call, kCallR: callR, kCallM: callM, kRet: ret, kRetImm: retImm16,
		kRdtsc: rdtsc, kRdtscp: rdtscp, kInt3: nop, kSyscall: syscall, kHlt: nop, kUd2: ud2,
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

func vecStoreHigh(c *core, s *isa.Step, i int) bool {
	return c.store(i, c.address(s), c.x[s.D&15][1], s.Flags)
}

func vecRMLow(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		d := &c.x[s.D&15]
		d[0], d[1] = vecs[s.Num](d[0], d[1], v, 0, uint64(s.Imm2))
	}
	return ok
}

func vecPickM(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), s.Flags)
	if ok {
		c.r[s.D&15], _ = vecs[s.Num](0, 0, v, 0, 0)
	}
	return ok
}

func vecPickStore(c *core, s *isa.Step, i int) bool {
	d := &c.x[s.D&15]
	v, _ := vecs[s.Num](0, 0, d[0], d[1], uint64(s.Imm2))
	return c.store(i, c.address(s), v, s.Flags)
}

func vecFlags(c *core, s *isa.Step, _ int) bool {
	d, a := &c.x[s.D&15], &c.x[s.A&15]
	c.flags, _ = vecs[s.Num](d[0], d[1], a[0], a[1], 0)
	return true
}

func vecFlagsM(c *core, s *isa.Step, i int) bool {
	var lo, hi uint64
	var ok bool
	if s.Flags == 16 {
		lo, hi, ok = c.load128(s, i, true)
	} else {
		lo, ok = c.load(i, c.address(s), s.Flags)
	}
	if ok {
		d := &c.x[s.D&15]
		c.flags, _ = vecs[s.Num](d[0], d[1], lo, hi, 0)
	}
	return ok
}

// blend takes the lanes of lo and hi whose mask in xmm0 has its top bit set.
func (c *core) blend(s *isa.Step, lo, hi uint64) {
	d, x := &c.x[s.D&15], &c.x[0]
	m0, m1 := vecs[s.Num](0, 0, x[0], x[1], 0)
	d[0], d[1] = d[0]&^m0|lo&m0, d[1]&^m1|hi&m1
}

func vecBlend(c *core, s *isa.Step, _ int) bool {
	a := &c.x[s.A&15]
	c.blend(s, a[0], a[1])
	return true
}

func vecBlendM(c *core, s *isa.Step, i int) bool {
	lo, hi, ok := c.load128(s, i, true)
	if ok {
		c.blend(s, lo, hi)
	}
	return ok
}

// vecMaskMov stores the bytes whose mask has its top bit set, at RDI. All of them must be writable before one is written.
func vecMaskMov(c *core, s *isa.Step, i int) bool {
	data, mask := bytesOf(c.x[s.D&15][0], c.x[s.D&15][1]), bytesOf(c.x[s.A&15][0], c.x[s.A&15][1])
	for n, m := range mask {
		if m >= 0x80 && !c.writable(c.r[RDI]+uint64(n), 1) {
			return false
		}
	}
	for n, m := range mask {
		if m >= 0x80 && !c.store(i, c.r[RDI]+uint64(n), uint64(data[n]), 1) {
			return false
		}
	}
	return true
}

// mxcsrReset is MXCSR at the start: all exceptions masked, rounding to nearest.
const mxcsrReset = 0x1f80

// ldmxcsr refuses what the arithmetic here does not do: other roundings, flushing to zero, exceptions.
func ldmxcsr(c *core, s *isa.Step, i int) bool {
	const status = 0x3f
	v, ok := c.load(i, c.address(s), 4)
	switch {
	case !ok:
		return false
	case v&^status != mxcsrReset:
		c.trap = fmt.Errorf("MXCSR = %#x: only %#x, rounding to nearest without exceptions, is simulated", v, mxcsrReset)
		return false
	}
	c.mxcsr = uint32(v)
	return true
}

func stmxcsr(c *core, s *isa.Step, i int) bool {
	return c.store(i, c.address(s), uint64(c.mxcsr), 4)
}

// controlReset is the x87 control word at the start: all exceptions masked, 64 bits of precision, rounding to nearest.
const controlReset = 0x037f

func fldcw(c *core, s *isa.Step, i int) bool {
	v, ok := c.load(i, c.address(s), 2)
	if ok && v != controlReset {
		c.trap = fmt.Errorf("x87 control word = %#x: only %#x, rounding to nearest without exceptions, is simulated", v, controlReset)
		return false
	}
	return ok
}

func fnstcw(c *core, s *isa.Step, i int) bool { return c.store(i, c.address(s), controlReset, 2) }
