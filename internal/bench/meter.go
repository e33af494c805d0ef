package bench

import (
	"slices"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/programs/compile"
	"simrun/programs/ir"
	"simrun/programs/targets"
	"simrun/sim/ooo"
)

// meter measures straight runs of one function in other orders. What each instruction is and where its data lie it has
// from a call of the function as it is.
type meter struct {
	cpu  *costmodel.CPU
	arch isa.Arch
	at   []uint64 // by item: its address
	seen map[uint64]*seen
}

// seen is an instruction that has run.
type seen struct {
	static isa.Static
	times  int
	data   []isa.Access // of the last time
}

// newMeter calls the code once. It gives nil where settling is not for the CPU.
func newMeter(cpu *costmodel.CPU, k *ir.Kernel, public map[string]int64) func(*compile.Code) (compile.Meter, error) {
	if cpu.Pipeline != ooo.Name {
		return nil
	}
	return func(code *compile.Code) (compile.Meter, error) {
		p, err := programOf(k, cpu, code)
		if err != nil {
			return nil, err
		}
		s, err := simulate(p, public)
		if err != nil {
			return nil, err
		}
		m := &meter{cpu: cpu, arch: p.Arch, seen: map[uint64]*seen{}}
		if err := m.place(p); err != nil {
			return nil, err
		}
		s.machine.SetListener(m)
		return m, s.call()
	}
}

// Retire notes a run.
func (m *meter) Retire(r *isa.Retired) {
	for i := range r.N {
		st := &r.Code.Time[i]
		x := m.seen[st.PC]
		if x == nil {
			x = &seen{static: *st}
			m.seen[st.PC] = x
		}
		x.times++
		x.data = x.data[:0]
		for _, a := range r.Data {
			if int(a.Step) == i {
				x.data = append(x.data, a)
			}
		}
	}
}

// place finds the addresses of the items by decoding.
func (m *meter) place(p *Program) error {
	seg := p.Image.Segments[0]
	pc := seg.Addr
	for _, it := range p.Block.Items {
		pc = isa.AlignUp(pc, it.Align)
		m.at = append(m.at, pc)
		if it.Inst.Form == nil {
			pc += uint64(len(it.Data))
			continue
		}
		_, n, err := p.Arch.Decode(seg.Data[pc-seg.Addr:], pc)
		if err != nil {
			return err
		}
		pc += uint64(n)
	}
	return nil
}

// Stretch is part of compile.Meter.
func (m *meter) Stretch(begin, end int) (compile.Stretch, int) {
	var code []isa.Static
	var data [][]isa.Access
	times := 0
	for _, pc := range m.at[begin:end] {
		x := m.seen[pc]
		if x == nil {
			return nil, 0
		}
		code, data, times = append(code, x.static), append(data, slices.Clone(x.data)), x.times
	}
	s, err := ooo.NewStretch(m.cpu, m.arch, code, data)
	if err != nil {
		return nil, 0
	}
	return s, times
}

// demandOn says what instructions take of an out-of-order CPU; nil where it is none.
func demandOn(cpu *costmodel.CPU) func(*isa.Form) compile.Demand {
	target, err := targets.For(cpu.ISA)
	if err != nil || cpu.Pipeline != ooo.Name {
		return nil
	}
	demand, err := ooo.Demands(cpu, target.Arch)
	if err != nil {
		return nil
	}
	return func(f *isa.Form) compile.Demand {
		d := demand[f.Num]
		return compile.Demand{Execute: d.Execute, Load: d.Load, Slots: d.Slots}
	}
}
