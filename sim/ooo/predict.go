package ooo

import (
	"simrun/costmodel"
	"simrun/isa"
)

type branchKind uint8

const (
	noBranch branchKind = iota
	conditional
	direct
	indirect
	returns
)

// branch is the transfer at the end of a run.
type branch struct {
	kind     branchKind
	call     bool
	pc, next uint64 // of it and behind it
}

func newBranch(st *isa.Static) branch {
	b := branch{pc: st.PC, next: st.PC + uint64(st.Size), call: st.Flags&isa.Call != 0}
	switch {
	case st.Flags&isa.Branch == 0:
	case st.Flags&isa.Return != 0:
		b.kind = returns
	case st.Flags&isa.Cond != 0:
		b.kind = conditional
	case len(st.Form.Ops) > 0 && st.Form.Ops[0].Kind == isa.KindLabel:
		b.kind = direct
	default:
		b.kind = indirect
	}
	return b
}

// predictor has two-bit counters with global history, a loop counter for each branch, targets of indirect branches,
// and a return stack.
type predictor struct {
	counters   []uint8
	loops      []loop
	targets    []uint64
	stack      []uint64
	depth      int
	history    uint64
	historyMax uint64
	period     uint32
}

// loop counts how often in a row a branch has gone the same way.
type loop struct {
	pc          uint64
	usual       bool // the way it goes most
	sure        bool // it went so the last time as the time before
	count, trip uint32
}

func newPredictor(cpu *costmodel.CPU) predictor {
	n := cpu.Param("branch_entries")
	return predictor{
		counters: make([]uint8, n), loops: make([]loop, n), targets: make([]uint64, n), stack: make([]uint64, cpu.Param("return_stack")),
		historyMax: 1<<cpu.Param("history_bits") - 1, period: uint32(cpu.Param("loop_period")),
	}
}

func (p *predictor) reset() {
	clear(p.counters)
	clear(p.loops)
	clear(p.targets)
	p.depth, p.history = 0, 0
}

// predicts reports whether the transfer was predicted.
func (p *predictor) predicts(b *branch, r *isa.Retired) bool {
	if b.call && len(p.stack) > 0 {
		p.stack[p.depth%len(p.stack)] = b.next
		p.depth++
	}
	switch b.kind {
	case conditional:
		return p.condition(b, r.Taken, r.Next <= b.pc)
	case indirect:
		t := &p.targets[b.pc%uint64(len(p.targets))]
		right := *t == r.Next
		*t = r.Next
		return right
	case returns:
		if len(p.stack) == 0 || p.depth == 0 {
			return false
		}
		p.depth--
		return p.stack[p.depth%len(p.stack)] == r.Next
	}
	return true
}

// condition predicts a conditional branch: a loop that ended alike twice by its count, else by its counter; one that
// is new is taken backward and not forward.
func (p *predictor) condition(b *branch, taken, backward bool) bool {
	l := &p.loops[b.pc%uint64(len(p.loops))]
	c := &p.counters[(b.pc^p.history&p.historyMax)%uint64(len(p.counters))]
	guess := *c >= 2
	switch {
	case l.pc != b.pc:
		*l = loop{pc: b.pc, usual: taken}
		guess = taken && backward
	case l.sure && l.trip <= p.period:
		guess = l.usual == (l.count < l.trip)
	}
	if taken && *c < 3 {
		*c++
	} else if !taken && *c > 0 {
		*c--
	}
	p.history <<= 1
	if taken {
		p.history |= 1
	}
	l.learn(taken)
	return guess == taken
}

func (l *loop) learn(taken bool) {
	switch {
	case taken == l.usual:
		l.count++
		if l.count > l.trip {
			l.sure = false
		}
	case l.count == 0: // twice the other way: that is the usual one
		*l = loop{pc: l.pc, usual: taken, count: 2}
	default:
		l.sure = l.count == l.trip
		l.trip, l.count = l.count, 0
	}
}

// loopBuffer notes a short loop that turns for the second time. instructions is the number so far.
func (m *core) loopBuffer(b *branch, r *isa.Retired, instructions uint64) {
	if !r.Taken {
		if b.pc == m.loopPC {
			m.looping, m.loopPC = false, 0
		}
		return
	}
	turns := b.kind == conditional || b.kind == direct
	if !turns || b.call || r.Next > b.pc || m.loopInstructions == 0 {
		m.looping, m.loopPC = false, 0
		return
	}
	blocks := (b.next-1)>>m.fetchShift - r.Next>>m.fetchShift + 1
	m.looping = m.loopPC == b.pc && instructions-m.loopAt <= m.loopInstructions && blocks <= m.loopBlocks
	m.loopPC, m.loopAt = b.pc, instructions
}
