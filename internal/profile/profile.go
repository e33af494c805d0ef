package profile

import (
	"cmp"
	"slices"

	"simrun/costmodel"
	"simrun/isa"
)

// Profile sums records by address and call path. Its memory grows with the code and with the number
// of call paths, which is bounded; not with the run.
type Profile struct {
	arch    isa.Arch
	mem     *isa.Memory
	points  map[uint64]*point
	samples map[place]*costmodel.Totals
	calls   calls
	prev    *point // retired last; nil at the start of a call
	total   costmodel.Totals
}

// place is where cycles are booked.
type place struct {
	path int // see calls
	pc   uint64
}

// point is an instruction that was seen.
type point struct {
	pc, next uint64 // next is the address behind it
	call     bool   // leaves a return address
	direct   bool   // its target, if any, stands in the instruction

	path int               // of the last record
	sum  *costmodel.Totals // where that was booked
}

// New returns an empty profile of code of arch in mem.
func New(arch isa.Arch, mem *isa.Memory) *Profile {
	return &Profile{
		arch: arch, mem: mem,
		points:  map[uint64]*point{},
		samples: map[place]*costmodel.Totals{},
		calls:   newCalls(),
	}
}

// Timed adds a record; it is what a pipeline's SetSink takes.
func (p *Profile) Timed(x costmodel.Timed) {
	at := p.point(x.PC)
	if p.prev != nil && x.PC != p.prev.next {
		p.transfer(x.PC)
	}
	p.prev = at
	p.total.Add(&x)
	if at.sum == nil || at.path != p.calls.path {
		at.path, at.sum = p.calls.path, p.sample(place{p.calls.path, x.PC})
	}
	at.sum.Add(&x)
}

func (p *Profile) sample(at place) *costmodel.Totals {
	t := p.samples[at]
	if t == nil {
		t = &costmodel.Totals{}
		p.samples[at] = t
	}
	return t
}

// Restart says that the next record begins a new run: no function has been called yet.
func (p *Profile) Restart() {
	p.prev = nil
	p.calls.clear()
}

// Totals returns the sum of all records.
func (p *Profile) Totals() costmodel.Totals { return p.total }

// transfer follows a jump of the last instruction to pc. Where control has gone is known from the
// next record, so a return is any jump through a register or memory that arrives behind a
// call, however the instruction set writes it.
func (p *Profile) transfer(pc uint64) {
	switch {
	case p.prev.call:
		p.calls.push(p.prev.pc, p.prev.next)
	case !p.prev.direct:
		p.calls.pop(pc)
	}
}

func (p *Profile) point(pc uint64) *point {
	at := p.points[pc]
	if at == nil {
		at = p.look(pc)
		p.points[pc] = at
	}
	return at
}

func (p *Profile) look(pc uint64) *point {
	in, n, err := isa.DecodeAt(p.arch, p.mem, pc)
	if err != nil {
		return &point{pc: pc, next: pc}
	}
	at := &point{pc: pc, next: pc + uint64(n), call: in.Form.Flags&isa.Call != 0}
	for i, op := range in.Form.Ops {
		switch {
		case op.Kind == isa.KindLabel:
			at.direct = true
		case op.Kind == isa.KindReg && op.Role == isa.Write && in.Form.Flags&isa.Branch != 0:
			at.call = at.call || in.Reg(i) == p.arch.ABI().Link
		}
	}
	return at
}

// CodeBytes is the number of distinct bytes of code that were executed.
func (p *Profile) CodeBytes() int {
	var n, end uint64
	for _, pc := range p.addresses() {
		next := p.points[pc].next
		if next > max(pc, end) {
			n += next - max(pc, end)
			end = next
		}
	}
	return int(n)
}

// addresses lists the instructions seen, in order.
func (p *Profile) addresses() []uint64 {
	list := make([]uint64, 0, len(p.points))
	for pc := range p.points {
		list = append(list, pc)
	}
	slices.Sort(list)
	return list
}

// CallersCut reports whether calls were too deep or their paths too many to be told apart. What is
// missing then are callers; functions and lines have all their cycles.
func (p *Profile) CallersCut() bool { return p.calls.cut }

// places lists the samples in the order of call paths and addresses.
func (p *Profile) places() []place {
	list := make([]place, 0, len(p.samples))
	for k := range p.samples {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.pc, b.pc))
	})
	return list
}
