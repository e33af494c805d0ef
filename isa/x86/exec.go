package x86

import (
	"sort"

	"simrun/isa"
)

// kind says what the hot loop does with a step. Parameters of isa.Step:
//
//	D       first register operand; of kinds that write memory the source register
//	A       second register operand, or the base register of a memory operand
//	B, C    index register; log2 of the scale, above it the register of the segment's base
//	Flags   operand size of integer kinds and bytes moved of load and store kinds
//	Imm     displacement (RIP-relative: the address), branch target, or immediate of kinds without memory
//	Imm2    immediate of kinds with memory and of vector kinds; result size of sign extensions; condition
//	Num     the row, whose vec or alu is the operation
//
// Register 63 (NoReg) is always zero, so an address needs no test for absent parts.
type kind uint8

const (
	kNop kind = iota

	// vector kinds with inlined operations; the M forms have a memory operand
	kPand
	kPandn
	kPor
	kPxor
	kPandM
	kPandnM
	kPorM
	kPxorM
	kVecMov
	kVecLoadA // aligned
	kVecLoadU
	kVecStoreA
	kVecStoreU

	// vector kinds with the row's vecFunc
	kVecRR
	kVecRM
	kVecI    // immediate for the second operand
	kVecPick // result to a general register
	kVecPut  // second operand a general register
	kVecPutM
	kVecFromGPR
	kVecToGPR
	kVecMovLow
	kVecLoadLow
	kVecStoreLow
	kVecStoreHigh
	kVecRMLow     // second operand less than 16 bytes of memory
	kVecPickM     // second operand memory
	kVecPickStore // result to memory
	kVecFlags     // result to the flags
	kVecFlagsM
	kVecBlend // the vecFunc spreads the mask
	kVecBlendM
	kVecMaskMov
	kLdmxcsr
	kStmxcsr
	kFldcw
	kFnstcw

	// integer kinds; those named Alu and Cmp use the row's aluFunc
	kMovRR
	kMovRI
	kMovZX
	kMovSX
	kMovHigh
	kLoad
	kLoadSX
	kLoadPart // keeps the rest of the register
	kStore
	kStoreImm
	kLea
	kAluRR
	kAluRI
	kAluRM
	kAluMR
	kAluMI
	kAluR
	kAluM
	kAluRRI
	kAluRMI
	kShiftCL
	kShiftMCL
	kDoubleR // shifts of two registers: Imm2 is the count or, with doubleCL, C; with doubleLeft to the left
	kDoubleM
	kBitMR // bit string in memory
	kBitSetMR
	kScanR
	kScanM
	kFlag // of flags alone
	kCmpRR
	kCmpRI
	kCmpRM
	kCmpMR
	kCmpMI
	kMulR
	kMulM
	kImulR
	kImulM
	kDivR
	kDivM
	kIdivR
	kIdivM
	kXchgRR
	kXchgMR
	kXaddRR
	kXaddMR
	kCmpxchgRR
	kCmpxchgMR
	kCmpxchg8B
	kCmpxchg16B
	kSetR
	kSetM
	kCmovRR
	kCmovRM
	kCbw // CBW, CWDE, CDQE: to Flags bytes
	kCwd // CWD, CDQ, CQO: of Flags bytes
	kPush
	kPushImm
	kPushM
	kPushF
	kPop
	kPopM
	kPopF
	kLeave
	kCld
	kStd
	kLahf
	kSahf
	kXlat
	kCpuid

	// byte operations with ah to bh, whose numbers have bit 4 set
	kHighMov
	kHighMovI
	kHighMovSX
	kHighLoad
	kHighStore
	kHighXchg
	kHighAluRR
	kHighAluRI
	kHighAluRM
	kHighAluMR
	kHighAluR
	kHighShiftCL
	kHighCmpRR
	kHighCmpRI
	kHighCmpRM
	kHighCmpMR
	kHighSet

	// string kinds: Flags is the size of an element, Imm2 the repeat prefix
	kMovs
	kStos
	kLods
	kCmps
	kScas

	// kinds of a step, not of a row: common operations of 4 and 8 bytes that the hot loop executes without a call, whose
	// flags wait until something asks. The second operand is A plus Imm, one of which is 0; C is the number of unused bits; Imm2 is pending.tag.
	kQuickAdd
	kQuickSub
	kQuickCmp
	kQuickAnd
	kQuickOr
	kQuickXor
	kQuickTest
	kQuickInc
	kQuickDec
	kQuickShl // by Imm, as are the next; not by 0
	kQuickShr
	kQuickSar
	kQuickRol
	kQuickRor

	// kinds that end a straight run
	kJmp
	kJmpR
	kJmpM
	kJcc
	kJcount // Imm2: the opcode less E0
	kCall
	kCallR
	kCallM
	kRet
	kRetImm
	kRdtsc
	kRdtscp
	kInt3
	kSyscall
	kHlt
	kUd2

	kLast // how many there are
)

// core is the executor.
type core struct {
	mem      *isa.Memory
	features map[string]bool
	r        [isa.NoReg + 1]uint64 // general registers and FSBase; the rest stays zero
	x        [16][2]uint64
	flags    uint64 // if no flags are pending
	pending  pending
	system   uint64 // DF, AC and ID
	mxcsr    uint32
	pc       uint64
	next     uint64 // where the branch that ends a run goes
	retired  uint64
	clock    isa.Clock
	runs     runCache
	record   bool // the listener wants accesses
	ev       isa.Retired
	fault    *isa.Fault // of the step at hand
	trap     error      // why the step at hand cannot be executed, other than a fault
	end      isa.Stop   // why the run stopped, filled in when it does
}

// NewCore returns an executor. Features: "sse3", "ssse3", "sse4.1". The rest of the table belongs to
// x86-64 itself.
func (*arch) NewCore(mem *isa.Memory, features []string) isa.Core {
	c := &core{mem: mem, features: map[string]bool{"": true}, mxcsr: mxcsrReset}
	for _, f := range features {
		c.features[f] = true
	}
	told := mem.Written
	mem.Written = func(addr, n uint64) {
		c.runs.written(addr, n)
		if told != nil {
			told(addr, n)
		}
	}
	return c
}

func (c *core) Reg(r isa.Reg) uint64 {
	switch {
	case r <= R15, r == FSBase:
		return c.r[r]
	case r == RFLAGS:
		c.settle()
		return c.flags | c.system | 2 // bit 1 is always set
	case r == RIP:
		return c.pc
	}
	return 0
}

func (c *core) SetReg(r isa.Reg, v uint64) {
	switch {
	case r <= R15, r == FSBase:
		c.r[r] = v
	case r == RFLAGS:
		c.pending.tag = 0
		c.flags, c.system = v&flagsAll, v&flagsSystem
	case r == RIP:
		c.pc = v
	}
}

func (c *core) Vec(r isa.Reg) [2]uint64       { return c.x[(r-X0)&15] }
func (c *core) SetVec(r isa.Reg, v [2]uint64) { c.x[(r-X0)&15] = v }
func (c *core) PC() uint64                    { return c.pc }
func (c *core) SetPC(pc uint64)               { c.pc = pc }
func (c *core) SetClock(k isa.Clock)          { c.clock = k }
func (c *core) Retired() uint64               { return c.retired }

// Run executes straight run after straight run.
func (c *core) Run(l isa.Listener, limit, stopAt uint64) isa.Stop {
	c.record = l != nil
	for end := c.retired + limit; ; {
		if c.pc == stopAt && stopAt != isa.NoAddr { // a wild jump may go to any address
			return isa.Stop{Kind: isa.StopAddr, PC: c.pc}
		}
		if limit != 0 && c.retired == end {
			return isa.Stop{Kind: isa.StopLimit, PC: c.pc}
		}
		s := c.straight()
		if s == nil {
			return c.end
		}
		n := len(s.Steps)
		if limit != 0 {
			n = int(min(uint64(n), end-c.retired))
		}
		if stopAt-s.PC < length(s) {
			n = min(n, before(s, stopAt))
		}
		if c.runStraight(s, n, l) {
			return c.end
		}
	}
}

// length returns the bytes of code in s.
func length(s *isa.Straight) uint64 {
	last := &s.Time[len(s.Time)-1]
	return last.PC + uint64(last.Size) - s.PC
}

// before counts the steps of s below addr.
func before(s *isa.Straight, addr uint64) int {
	return sort.Search(len(s.Time), func(i int) bool { return s.Time[i].PC >= addr })
}

// runStraight executes n steps of s and reports them. True means a stop, which is in c.end.
func (c *core) runStraight(s *isa.Straight, n int, l isa.Listener) bool {
	c.ev.Data = c.ev.Data[:0]
	last := &s.Time[len(s.Time)-1]
	c.next = last.PC + uint64(last.Size)
	done := c.exec(s.Steps[:n])
	fell := done < len(s.Steps)
	if fell {
		c.next = s.Time[done].PC
	}
	c.pc = c.next
	c.retired += uint64(done)
	stopped := (c.fault != nil || c.trap != nil || last.Flags&isa.System != 0) && c.stop(s, done)
	if l != nil && done > 0 {
		c.ev.Code, c.ev.N, c.ev.Next = s, done, c.next
		c.ev.Taken = !fell && c.next != last.PC+uint64(last.Size)
		l.Retire(&c.ev)
	}
	return stopped
}

// stop puts the fault, or the trap that the last step is, into c.end. It takes back the load of
// an instruction whose store faulted.
func (c *core) stop(s *isa.Straight, done int) bool {
	if c.fault != nil || c.trap != nil {
		for n := len(c.ev.Data); n > 0 && int(c.ev.Data[n-1].Step) >= done; n-- {
			c.ev.Data = c.ev.Data[:n-1]
		}
		c.end = isa.Stop{Kind: isa.StopFault, PC: s.Time[done].PC, Err: c.fault}
		if c.trap != nil {
			c.end.Kind, c.end.Err = isa.StopUndef, undefinedAt(c.end.PC, c.trap)
		}
		c.fault, c.trap = nil, nil
		return true
	}
	if done < len(s.Steps) {
		return false
	}
	c.end = isa.Stop{PC: s.Time[done-1].PC}
	switch kind(s.Steps[done-1].Kind) {
	case kInt3:
		c.end.Kind, c.end.Code = isa.StopBreak, 3
	case kSyscall:
		c.end.Kind, c.end.Code = isa.StopSystem, uint32(c.r[RAX])
	default:
		c.end.Kind = isa.StopHalt
	}
	return true
}
