package ooo

import (
	"math/bits"

	"simrun/costmodel"
	"simrun/isa"
)

// step is an instruction as the core sees it, what it looks at every time. Lists of registers are padded with
// isa.NoReg.
type step struct {
	addr  [2]isa.Reg
	data  [4]isa.Reg // what executes waits for these
	dst   [4]isa.Reg
	reads [4]isa.Reg // registers that rename reads, other than index
	index isa.Reg
	why   costmodel.Cause // what a reader of its result waits for
	first uint32          // its first uop in the plan
	n     uint8           // uops
	fused uint8           // of which there are so many, fused
	// decoder is the number of decoders that may be taken before it in a cycle, below: 0 for microcode, 1 for several uops,
	// else all. queued are its uops beyond the first that the queue has to hold.
	decoder, queued uint8
	flags           stepFlags
	// blocks of code begun since the instruction before it in the run.
	blocks uint8
	// storeUops are its uops of store data, stores those before it in the run.
	storeUops uint8
	stores    uint32
}

type stepFlags uint8

const (
	newLine   stepFlags = 1 << iota // ends in another line of the instruction cache than the instruction before
	newOps                          // begins a line of the op cache
	longer                          // has a length-changing prefix
	usesStack                       // reads RSP, and is not the stack engine's
	manyReads                       // has more than two in reads, or an index
	leaves                          // leaves something that only some instructions look at
)

// more is the rest of a step.
type more struct {
	last       uint64     // address of its last byte
	ops        uint64     // number of its line in the op cache
	mergeReads isa.RegSet // general registers read whole
	narrow     isa.RegSet // general registers written in part
	empties    isa.RegSet // general registers set to zero by a zero idiom
	fills      isa.RegSet // registers written beyond their low part
	groups     isa.FlagGroups
	stack      bool // counted by the stack engine
}

// plan is what the core keeps with a run.
type plan struct {
	owner *decoder
	steps []step
	more  []more
	uops  []*uop // equal ones are the same
	ends  branch

	stores uint64   // uops of store data
	lines  []uint32 // steps behind the first that begin a line of a cache
	missed int      // runs walked less runs replayed, from 0 on
}

// opLine is the size of a line of the op cache in uops; opSpan, as a shift, the code that one line is of.
const (
	opLine = 8
	opSpan = 6
)

// opNumber is where the number of a line among those of the same code stands, above all bits that choose a set.
const opNumber = 48

func (m *core) plan(code *isa.Straight) *plan {
	if p, ok := code.Memo.(*plan); ok && p.owner == m.decoder {
		return p
	}
	p := m.decoder.decode(code)
	code.Memo = p
	return p
}

func (d *decoder) decode(code *isa.Straight) *plan {
	p := &plan{owner: d, steps: make([]step, len(code.Time)), more: make([]more, len(code.Time))}
	for i := range code.Time {
		st, s := &code.Time[i], &p.steps[i]
		s.first = uint32(len(p.uops))
		for _, u := range d.expand(st) {
			p.uops = append(p.uops, d.shared(u))
			s.n++
			if u.starts {
				s.fused++
			}
			if u.kind == uopData {
				s.storeUops++
			}
		}
		s.stores = uint32(p.stores)
		p.stores += uint64(s.storeUops)
		s.decoder, s.queued = uint8(d.decoders), s.fused-1
		if s.fused > 1 {
			s.decoder = 1
		}
		if int(s.fused) > d.firstDecoder {
			s.decoder, s.queued = 0, 0
		}
		d.operands(s, &p.more[i], st)
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
		s, x, st := &p.steps[i], &p.more[i], &code.Time[i]
		x.last = st.PC + uint64(st.Size) - 1
		if st.PC>>opSpan != span {
			ops, span = 0, st.PC>>opSpan
		}
		x.ops = uint64(min(ops/opLine, opLine-1))<<opNumber | span
		ops += int(s.fused)
		if i == 0 {
			s.flags |= newOps
			continue
		}
		before := &p.more[i-1]
		s.blocks = uint8(x.last>>d.fetchShift - before.last>>d.fetchShift)
		if x.last>>d.lineShift != before.last>>d.lineShift {
			s.flags |= newLine
		}
		if x.ops != before.ops {
			s.flags |= newOps
		}
		if s.flags&(newLine|newOps) != 0 {
			p.lines = append(p.lines, uint32(i))
		}
	}
}

// operands gathers registers and traits of an instruction.
func (d *decoder) operands(s *step, x *more, st *isa.Static) {
	src, dst, addr := st.Src, st.Dst, st.Addr
	x.stack = st.Form.Reads.Has(d.sp) && st.Form.Writes.Has(d.sp) && st.Flags&(isa.Load|isa.Store) != 0
	x.stack = x.stack && d.stackEngine
	if x.stack {
		dst &^= isa.Set(d.sp) // it counts the steps that it takes; the register itself stays
	}
	if src.Has(d.sp) && !x.stack {
		s.flags |= usesStack
	}
	data := src
	if st.Flags&(isa.Load|isa.Store) != 0 {
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
	s.why = d.classes[st.Class].why
	if s.reads[2] != isa.NoReg || s.index != isa.NoReg {
		s.flags |= manyReads
	}
	x.narrowness(st, d)
	written := x.groups & isa.AllFlagsWritten
	if x.stack || x.narrow|x.empties != 0 || written != 0 && written != isa.AllFlagsWritten {
		s.flags |= leaves
	}
	if st.Traits&isa.LengthChange != 0 {
		s.flags |= longer
	}
}

// narrowness sets what partial registers and flags want.
func (x *more) narrowness(st *isa.Static, d *decoder) {
	x.groups = st.Groups
	if d.rotateFlags && st.Groups&isa.AllFlagsWritten == isa.CarryWritten|isa.OverflowWritten {
		x.groups |= isa.AllFlagsWritten // it merges them itself
	}
	if d.narrowReads {
		return
	}
	x.fills = st.Dst
	if st.Traits&isa.ZeroIdiom != 0 && st.Form.Ops[0].Class == isa.GPR {
		x.empties = st.Dst &^ isa.Set(d.flags)
	}
	x.mergeReads = st.Src
	if st.Traits&isa.NarrowRead != 0 || st.Traits&isa.NarrowMove != 0 && st.Addr == 0 {
		x.mergeReads = st.Addr
	}
	if st.Traits&isa.NarrowWrite != 0 {
		x.narrow = st.Dst &^ isa.Set(d.flags)
		if st.Traits&isa.HighWrite == 0 {
			x.fills &^= x.narrow
		}
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
