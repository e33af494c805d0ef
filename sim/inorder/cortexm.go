package inorder

import (
	"simrun/costmodel"
	"simrun/isa"
)

// cortexM is the three-stage pipeline of Cortex-M3 and M4. Rule numbers in comments are
// those of cpus/cortex-m3.toml.
type cortexM struct {
	*ledger
	cortexMParams
	classes []class
	memory  *memory // of a board, else nil
	state   cortexMState
	walkAll bool // no replay
	leaving bool // an exception has just returned
}

// cortexMState is all that one instruction leaves to the next.
type cortexMState struct {
	dst        isa.RegSet // written by the instruction before, if it was of kind data or load
	debt       uint16     // stall of the load before, which this instruction hides or waits
	prev       mKind
	block      uint8 // memory block of the load before, on a board
	redirected bool  // the instruction before was a taken branch
	narrow     bool  // the instruction before has 2 bytes, and ran or fell through
	long       bool  // the instruction before took more than one cycle, a load's stall apart
	run        mRun
}

// mRun is the end of a run of wide instructions at 2 mod 4 that stands right behind an instruction of
// several cycles, which may be of the run itself.
type mRun struct {
	length  uint8 // 0 = there is none
	mixed   bool  // not only stores
	charged bool  // the whole run has cost what it can
}

// mKind is how an instruction behaves towards its neighbours.
type mKind uint8

const (
	mOther    mKind = iota // pairs with nothing, makes no address
	mData                  // makes an address one cycle late
	mLoad                  // a single load
	mLoadMany              // LDM, POP, LDRD, LDREX, and loads of the PC
	mStore                 // a single store, immediate offset
	mStoreReg              // the same, register offset
	mStoreMany
	mNop
	mBranch    // target in the instruction
	mBranchReg // target in a register
)

type cortexMParams struct {
	pairLoads, pairUnaligned          bool
	pairIndexed                       int
	hideStore, hideNop, itFold        bool
	storeLoad, address, literal, word uint64
	unaligned                         uint64
	refill, refillReg, refillLoaded   uint64
	refillLoad, refillTable           uint64
	wideTarget, wideRun               uint64
	wideRunLength, wideRunStores      uint8
	skipped                           uint64
	entry, exit, tailChain            uint64
}

// Values of pair_indexed.
const (
	neverPair      = iota
	pairOtherBases // unless the second uses the base that the first wrote
	alwaysPair
)

func newCortexM(l *ledger, cpu *costmodel.CPU, classes []class) (*cortexM, error) {
	skipped, err := cpu.Class("skipped")
	if err != nil {
		return nil, err
	}
	cycles := func(name string) uint64 { return uint64(cpu.Param(name)) }
	yes := func(name string) bool { return cpu.Param(name) != 0 }
	return &cortexM{ledger: l, classes: classes, memory: newMemory(cpu), cortexMParams: cortexMParams{
		pairLoads: yes("pair_loads"), pairIndexed: cpu.Param("pair_indexed"), pairUnaligned: yes("pair_unaligned"),
		hideStore: yes("hide_store"), hideNop: yes("hide_nop"), itFold: yes("it_fold"),
		storeLoad: cycles("store_load"), address: cycles("address"), literal: cycles("literal"), word: cycles("word"),
		unaligned: cycles("unaligned"),
		refill:    cycles("refill"), refillReg: cycles("refill_reg"), refillLoaded: cycles("refill_loaded"),
		refillLoad: cycles("refill_load"), refillTable: cycles("refill_table"),
		wideTarget: cycles("wide_target"), wideRun: cycles("wide_run"),
		wideRunLength: uint8(cpu.Param("wide_run_length")), wideRunStores: uint8(cpu.Param("wide_run_stores")),
		skipped: uint64(skipped.Cycles),
		entry:   cycles("exception_entry"), exit: cycles("exception_exit"), tailChain: cycles("tail_chain"),
	}}, nil
}

func (m *cortexM) reset() {
	m.state, m.leaving = cortexMState{}, false
	m.memory.reset()
}

func (m *cortexM) memoise(on bool) { m.walkAll = !on }

// retire books a run and the exception behind it (rules 30 and 31).
func (m *cortexM) retire(r *isa.Retired) {
	if r.N > 0 {
		m.retireRun(r)
		m.leaving = r.Return
	}
	if r.Return {
		m.owed = m.exit
	}
	if r.Trap == 0 {
		return
	}
	if m.leaving {
		m.owed = m.tailChain
	} else {
		m.owed += m.entry
	}
	m.state, m.leaving = cortexMState{}, false
}

// retireRun replays the run if it was seen whole from this state, and walks it otherwise. What
// depends on operands is added to a replay, because it leaves no trace in the state.
func (m *cortexM) retireRun(r *isa.Retired) {
	p := m.plan(r.Code)
	if m.sink != nil || m.walkAll || m.owed != 0 || r.Return || p.walkAlways || r.N < len(p.steps) || len(r.Skipped) > 0 {
		m.walk(r, p, false)
		return
	}
	if m.memory != nil {
		m.retireOnBoard(r, p)
		return
	}
	m.retireWhole(r, p)
	for _, h := range r.Hints {
		m.operands(&p.steps[h.Step], h.Value)
	}
	m.unalignedLoads(r.Data)
}

func (m *cortexM) retireWhole(r *isa.Retired, p *mPlan) {
	for i := range p.known {
		if k := &p.known[i]; k.in == m.state && k.taken == r.Taken {
			m.replay(k.parts, k.cycles, uint64(r.N))
			m.state = k.out
			return
		}
	}
	before, in := m.totals(), m.state
	m.walk(r, p, true)
	if len(p.known) < maxEntries {
		p.known = append(p.known, mKnown{
			in: in, out: m.state, taken: r.Taken, cycles: m.now - before.Slots, parts: m.partsSince(&before),
		})
	}
}

// walk books a run instruction by instruction. whole leaves out what depends on operands, which the caller adds.
func (m *cortexM) walk(r *isa.Retired, p *mPlan, whole bool) {
	skipped, data, hints := r.Skipped, r.Data, r.Hints
	if whole {
		hints = nil
	}
	for i := range r.N {
		s, st := &p.steps[i], &r.Code.Time[i]
		m.begin()
		if len(skipped) > 0 && int(skipped[0]) == i {
			skipped = skipped[1:]
			m.skip(p, s)
			m.end(st, true)
			continue
		}
		accesses := accessesOf(i, &data)
		m.step(p, s, accesses)
		if len(hints) > 0 && int(hints[0].Step) == i {
			m.operands(s, hints[0].Value)
			hints = hints[1:]
		}
		if !whole {
			m.unalignedLoads(accesses)
		}
		if i == r.N-1 && r.Taken {
			m.leave(s, r)
		}
		m.end(st, false)
	}
}

// accessesOf takes the accesses of a step off the front of data.
func accessesOf(step int, data *[]isa.Access) []isa.Access {
	all, n := *data, 0
	for n < len(all) && int(all[n].Step) == step {
		n++
	}
	*data = all[n:]
	return all[:n]
}

// skip is an instruction whose condition failed (rule 28).
func (m *cortexM) skip(p *mPlan, s *mStep) {
	m.fetch(s, m.state.debt != 0)
	m.charge(costmodel.LoadUse, uint64(m.state.debt))
	if p.flash != nil {
		m.await(p.flash, s)
	}
	m.charge(costmodel.Issue, m.skipped)
	m.state = cortexMState{narrow: s.narrow, long: m.skipped > 1, run: m.state.run}
}

// step books an instruction with its accesses.
func (m *cortexM) step(p *mPlan, s *mStep, data []isa.Access) {
	if s.folds && m.state.narrow {
		m.fold(p, s)
		return
	}
	was, block := m.state, uint8(0)
	if m.memory != nil && len(data) > 0 {
		block = m.blockOf(data)
	}
	stalls := was.debt != 0 && !(m.hides(s, &was) && (block == was.block || !s.memory))
	m.fetch(s, stalls)
	if stalls {
		m.charge(costmodel.LoadUse, uint64(was.debt))
	}
	if s.memory && was.prev == mData && s.addr&was.dst != 0 {
		m.charge(costmodel.Address, m.address)
	}
	if s.kind == mLoad && (was.prev == mStore || was.prev == mStoreReg) {
		m.charge(costmodel.Store, m.storeLoad)
	}
	if p.flash != nil {
		m.await(p.flash, s)
	}
	m.charge(costmodel.Issue, s.issue)
	m.charge(costmodel.Transfer, s.transfer)
	m.charge(s.cause, s.extra)
	m.charge(costmodel.Fetch, s.literal)
	if s.kind == mBranchReg && was.prev.isLoad() && s.addr&was.dst != 0 {
		m.charge(costmodel.Address, m.refillLoaded)
	}
	if m.memory != nil && len(data) > 0 {
		m.awaitData(data)
	}
	m.state = cortexMState{
		dst: s.dst, debt: s.debt, prev: s.kind, block: block,
		narrow: s.narrow, long: s.long, run: m.state.run,
	}
}

// fold is an IT that runs together with the 16-bit instruction before it (rule 27): the one behind it sees
// that instruction as its neighbour.
func (m *cortexM) fold(p *mPlan, s *mStep) {
	if p.flash != nil {
		m.await(p.flash, s)
	}
	m.state.narrow, m.state.run = false, mRun{}
}

// hides reports whether s runs in the shadow of the load before it (rules 8 to 14).
func (m *cortexM) hides(s *mStep, was *cortexMState) bool {
	if s.memory && s.addr&was.dst != 0 {
		return false
	}
	switch s.kind {
	case mLoad:
		return m.pairLoads && (m.pairIndexed != neverPair || !s.indexed) && (m.pairUnaligned || !s.wide2)
	case mStore, mStoreReg:
		return m.hideStore
	case mNop:
		return m.hideNop
	}
	return false
}

// fetch books what the place of the code costs (rules 25 and 26). stalled says that the instruction before
// was a load whose stall this one waits.
func (m *cortexM) fetch(s *mStep, stalled bool) {
	run := &m.state.run
	switch {
	case !s.wide2:
		*run = mRun{}
		return
	case m.state.redirected:
		m.charge(costmodel.Fetch, m.wideTarget)
		*run = mRun{}
		return
	case run.charged:
		return
	case m.state.long || stalled:
		*run = mRun{length: 1}
	case run.length > 0:
		run.length++
	default:
		return
	}
	run.mixed = run.mixed || !s.kind.isStore()
	need := m.wideRunStores
	if run.mixed {
		need = m.wideRunLength
	}
	if run.length >= need {
		*run = mRun{charged: true}
		m.charge(costmodel.Fetch, m.wideRun)
	}
}

// operands books the operand-dependent part of a multiply or divide (rules 4 to 6).
func (m *cortexM) operands(s *mStep, value uint8) {
	if c := s.class; c.Max > c.Cycles {
		m.charge(s.cause, uint64(interpolate(c.Cycles, c.Max, significantBits(c, value))-c.Cycles))
	}
}

// unalignedLoads books the further transfers of loads that are not aligned (rule 34). Stores have the write buffer.
func (m *cortexM) unalignedLoads(data []isa.Access) {
	for i := range data {
		a := &data[i]
		if odd := a.Addr & uint64(a.Size-1); odd != 0 && !a.Store {
			m.charge(costmodel.Transfer, m.unaligned*(1+odd&1*uint64(a.Size>>2)))
		}
	}
}

// leave books the refill behind a branch. An exception return fetches while it takes its registers off the stack.
func (m *cortexM) leave(s *mStep, r *isa.Retired) {
	if r.Return {
		m.state = cortexMState{}
		return
	}
	m.charge(costmodel.Branch, s.refill)
	m.state = cortexMState{redirected: true, prev: mBranch}
}

func (k mKind) isLoad() bool  { return k == mLoad || k == mLoadMany }
func (k mKind) isStore() bool { return k == mStore || k == mStoreReg || k == mStoreMany }
