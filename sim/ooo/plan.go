package ooo

import (
	"math/bits"

	"simrun/costmodel"
	"simrun/isa"
)

// step is an instruction as the core sees it. Lists of registers are padded with isa.NoReg.
type step struct {
	first, n   int32 // its uops in the plan
	fused      uint8 // of which there are so many, fused
	blocks     uint8 // blocks of code begun since the instruction before it in the run
	newLine    bool  // ends in another line of the instruction cache than that instruction
	newOps     bool  // begins a line of the op cache
	longer     bool  // has a length-changing prefix
	stack      bool  // counted by the stack engine
	usesStack  bool  // reads RSP otherwise
	rare       bool  // leaves something that only some instructions look at
	loads      bool
	stores     bool
	index      isa.Reg
	why        costmodel.Cause // what a reader of its result waits for
	addr       [2]isa.Reg
	data       [4]isa.Reg // what executes waits for these
	dst        [4]isa.Reg
	reads      [4]isa.Reg // registers that rename reads, other than index
	mergeReads isa.RegSet // general registers read whole
	narrow     isa.RegSet // general registers written in part
	groups     isa.FlagGroups
	last       uint64 // address of its last byte
	ops        uint64 // number of its line in the op cache
}

// plan is what the core keeps with a run.
type plan struct {
	owner *decoder
	steps []step
	uops  []uop
	ends  branch
}

// opLine is the size of a line of the op cache in uops; opSpan, as a shift, the code that one line is of.
const (
	opLine = 8
	opSpan = 6
)

func (m *core) plan(code *isa.Straight) *plan {
	if p, ok := code.Memo.(*plan); ok && p.owner == m.decoder {
		return p
	}
	p := m.decoder.decode(code)
	code.Memo = p
	return p
}

func (d *decoder) decode(code *isa.Straight) *plan {
	p := &plan{owner: d, steps: make([]step, len(code.Time))}
	for i := range code.Time {
		st := &code.Time[i]
		s := &p.steps[i]
		s.first = int32(len(p.uops))
		p.uops = d.appendUops(p.uops, st)
		s.n = int32(len(p.uops)) - s.first
		for _, u := range p.uops[s.first:] {
			if u.starts {
				s.fused++
			}
		}
		d.operands(s, st)
	}
	d.layOut(p, code)
	if n := len(code.Time); n > 0 {
		p.ends = newBranch(&code.Time[n-1])
	}
	return p
}

// layOut finds where blocks of code, lines of the instruction cache and lines of the op cache begin.
func (d *decoder) layOut(p *plan, code *isa.Straight) {
	ops, span := 0, ^uint64(0)
	for i := range p.steps {
		s, st := &p.steps[i], &code.Time[i]
		s.last = st.PC + uint64(st.Size) - 1
		if i > 0 {
			before := p.steps[i-1].last
			s.blocks = uint8(s.last>>d.fetchShift - before>>d.fetchShift)
			s.newLine = s.last>>d.lineShift != before>>d.lineShift
		}
		if st.PC>>opSpan != span {
			ops, span = 0, st.PC>>opSpan
		}
		s.ops = span*opLine + uint64(min(ops/opLine, opLine-1))
		s.newOps = i == 0 || s.ops != p.steps[i-1].ops
		ops += int(s.fused)
	}
}

// operands gathers registers and traits of an instruction.
func (d *decoder) operands(s *step, st *isa.Static) {
	src, dst, addr := st.Src, st.Dst, st.Addr
	s.stack = st.Form.Reads.Has(d.sp) && st.Form.Writes.Has(d.sp) && st.Flags&(isa.Load|isa.Store) != 0
	if s.stack && d.stackEngine {
		src, dst, addr = src&^isa.Set(d.sp), dst&^isa.Set(d.sp), addr&^isa.Set(d.sp)
	}
	s.usesStack = src.Has(d.sp)
	s.loads, s.stores = st.Flags&isa.Load != 0, st.Flags&isa.Store != 0
	data := src
	if s.loads || s.stores {
		data &^= addr
	}
	if st.Traits&isa.ZeroIdiom != 0 {
		data = 0
	}
	if st.Traits&isa.NarrowMove != 0 && !d.narrowReads {
		data &^= dst
	}
	if d.rotateFlags && st.Groups&isa.AllFlagsWritten == isa.CarryWritten|isa.OverflowWritten {
		data = data.With(d.flags)
	}
	list(s.addr[:], addr)
	list(s.data[:], data)
	list(s.dst[:], dst)
	list(s.reads[:], (data|addr)&^st.Index&^isa.Set(d.flags))
	s.index = first(st.Index & addr)
	s.narrowness(st, d)
	written := s.groups & isa.AllFlagsWritten
	s.rare = s.stack || s.narrow != 0 || written != 0 && written != isa.AllFlagsWritten
	s.why = d.classes[st.Class].why
	s.longer = st.Traits&isa.LengthChange != 0
}

// narrowness sets what partial registers and flags want.
func (s *step) narrowness(st *isa.Static, d *decoder) {
	s.groups = st.Groups
	if d.rotateFlags && st.Groups&isa.AllFlagsWritten == isa.CarryWritten|isa.OverflowWritten {
		s.groups |= isa.AllFlagsWritten // it merges them itself
	}
	if d.narrowReads {
		return
	}
	s.mergeReads = st.Src
	if st.Traits&isa.NarrowRead != 0 || st.Traits&isa.NarrowMove != 0 && st.Addr == 0 {
		s.mergeReads = st.Addr
	}
	if st.Traits&isa.NarrowWrite != 0 {
		s.narrow = st.Dst &^ isa.Set(d.flags)
	}
}

// list fills regs with the members of a set.
func list(regs []isa.Reg, set isa.RegSet) {
	for i := range regs {
		regs[i] = first(set)
		set &= set - 1
	}
}

// first returns the lowest member, or NoReg.
func first(set isa.RegSet) isa.Reg {
	if set == 0 {
		return isa.NoReg
	}
	return isa.Reg(bits.TrailingZeros64(uint64(set)))
}
