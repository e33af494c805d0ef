package inorder

import (
	"simrun/costmodel"
	"simrun/isa"
)

// mPlan is what a cortexM keeps with a run: its steps prepared, and how it went before.
type mPlan struct {
	owner      *cortexM
	steps      []mStep
	known      []mKnown
	flash      *flash // that the code is fetched from, if it has wait states
	walkAlways bool   // the flash has a cache
}

// mKnown is a whole run, entered in state in and left in state out.
type mKnown struct {
	in, out cortexMState
	taken   bool
	cycles  uint64
	parts   []part

	// On a board:
	block             int // of all accesses
	flashIn, flashOut flashState
}

// mStep is an instruction as the rules see it; counts are cycles.
type mStep struct {
	addr     isa.RegSet // registers that form the address, or the branch target
	dst      isa.RegSet // registers written, if that matters to the next instruction
	issue    uint64
	transfer uint64
	extra    uint64 // of cause
	literal  uint64
	refill   uint64 // if it changes the PC
	class    *class
	debt     uint16
	cause    costmodel.Cause
	kind     mKind
	memory   bool
	indexed  bool
	wide2    bool // 4 bytes at 2 mod 4
	narrow   bool // 2 bytes
	long     bool // more than one cycle, a load's stall apart
	folds    bool // an IT that may fold

	// In flash with wait states:
	firstLine, lastLine uint64
	next                uint64 // address behind it
	newLine             bool   // it reaches into another line than the instruction before
}

func (m *cortexM) plan(code *isa.Straight) *mPlan {
	if p, ok := code.Memo.(*mPlan); ok && p.owner == m {
		return p
	}
	p := &mPlan{owner: m, steps: make([]mStep, len(code.Time))}
	for i := range code.Time {
		p.steps[i] = m.prepare(&code.Time[i])
	}
	if p.flash = m.memory.flashAt(code.PC); p.flash != nil {
		p.walkAlways = len(p.flash.code.lines) > 0
		p.layLines(code)
	}
	code.Memo = p
	return p
}

// layLines notes the lines of the flash that the steps lie in.
func (p *mPlan) layLines(code *isa.Straight) {
	for i := range p.steps {
		s, st := &p.steps[i], &code.Time[i]
		s.next = st.PC + uint64(st.Size)
		s.firstLine, s.lastLine = p.flash.line(st.PC), p.flash.line(s.next-1)
		s.newLine = i == 0 || s.lastLine != p.steps[i-1].lastLine
	}
}

func (m *cortexM) prepare(st *isa.Static) mStep {
	c := &m.classes[st.Class]
	s := mStep{
		class: c, addr: st.Addr, issue: 1, extra: uint64(c.Cycles - 1), kind: mKindOf(c, st),
		memory: st.Flags&(isa.Load|isa.Store) != 0,
		wide2:  st.Size == 4 && st.PC&2 != 0,
		narrow: st.Size == 2, folds: c.is("it") && m.itFold,
	}
	s.cause = mCause(&s)
	switch s.kind {
	case mData, mLoadMany:
		s.dst = st.Dst
	case mLoad:
		s.dst, s.debt, s.extra = st.Dst, uint16(c.Cycles-1), 0
		s.indexed = c.last() == "index"
		if s.indexed && m.pairIndexed == alwaysPair {
			s.dst &^= st.Addr
		}
	case mBranchReg:
		s.addr = st.Src
	}
	m.transfers(&s, c, st)
	if c.is("load") && c.last() == "literal" {
		s.literal = m.literal
	}
	if st.Flags&isa.Branch != 0 {
		s.refill = m.refillOf(&s, c)
	}
	s.long = s.issue+s.extra+s.transfer+s.literal > 1
	return s
}

// mCause says what the cycles of an instruction beyond its slot are booked as.
func mCause(s *mStep) costmodel.Cause {
	switch {
	case s.kind.isLoad():
		return costmodel.LoadUse
	case s.kind.isStore():
		return costmodel.Store
	case s.kind == mBranch || s.kind == mBranchReg:
		return costmodel.Branch
	case s.class.is("mul") || s.class.is("mla"):
		return costmodel.Mul
	case s.class.is("div"):
		return costmodel.Div
	}
	return costmodel.Issue
}

// transfers books the words of a multiple transfer beyond what its row says for one word, and of a
// double transfer out of what its row says for both.
func (m *cortexM) transfers(s *mStep, c *class, st *isa.Static) {
	more := uint64(max(int(st.Words), 1) - 1)
	switch {
	case c.is("load", "multiple"), c.is("store", "multiple"):
		s.transfer = more * m.word
	case c.is("load", "double"), c.is("store", "double"):
		s.transfer = min(more, s.extra)
		s.extra -= s.transfer
	}
}

func (m *cortexM) refillOf(s *mStep, c *class) uint64 {
	switch {
	case s.kind == mLoadMany:
		return m.refillLoad
	case c.is("branch", "table"):
		return m.refillTable
	case s.kind == mBranchReg:
		return m.refillReg
	}
	return m.refill
}

func mKindOf(c *class, st *isa.Static) mKind {
	many := c.is(c.path[0], "multiple", "double", "exclusive")
	switch {
	case c.is("load") && (many || st.Flags&isa.Branch != 0):
		return mLoadMany
	case c.is("load"):
		return mLoad
	case c.is("store") && many:
		return mStoreMany
	case c.is("store") && c.last() == "reg":
		return mStoreReg
	case c.is("store"):
		return mStore
	case c.is("branch", "reg"), c.is("branch", "call") && st.R[0] != isa.NoReg:
		return mBranchReg
	case c.is("branch"):
		return mBranch
	case c.is("nop"):
		return mNop
	case c.is("it"), c.is("system"):
		return mOther
	case st.Flags&isa.Branch != 0: // MOV PC, ADD PC
		return mBranchReg
	}
	return mData
}
