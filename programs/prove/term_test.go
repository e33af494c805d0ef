package prove

import (
	"math/rand/v2"
	"strings"
	"testing"

	"simrun/internal/foreign"
	"simrun/isa"
	"simrun/isa/all"
)

// bench of one instruction: where its code, its data and its stack are.
const (
	codeBase = 0x1_0000
	codeSize = 0x600
	dataBase = 0x20_0000
	dataSize = 0x180
)

// registers says what a test may put into the registers of an instruction set.
type registers struct {
	arch     string
	features []string
	general  []isa.Reg
	vectors  []isa.Reg
	flags    isa.Reg // NoReg: none
	free     uint64  // flags that may have any value
	fixed    uint64  // flags that are always set
	least    int     // rows that have terms, or some were lost
}

var registerSets = []registers{
	{arch: "t32", general: span(0, 15), flags: 16, free: 0xf80f_0000, least: 140},
	{arch: "rv32", features: []string{"m", "c", "zba", "zbb", "zbkb"}, general: span(1, 31), flags: isa.NoReg, least: 70},
	{arch: "x86", features: []string{"sse3", "ssse3", "sse4.1"}, general: span(0, 16), vectors: span(16, 16), flags: 32, free: 0x8d5, fixed: 2, least: 250},
}

func span(first isa.Reg, n int) []isa.Reg {
	var list []isa.Reg
	for i := range n {
		list = append(list, first+isa.Reg(i))
	}
	return list
}

// TestTerms holds the terms of every row that has some against the core: on random instances the terms, computed on
// bits that may have any value and on known ones, say what Run does to registers, memory and PC.
func TestTerms(t *testing.T) {
	for _, set := range registerSets {
		t.Run(set.arch, func(t *testing.T) {
			x := &termTest{t: t, set: set, arch: all.Arch(set.arch), rng: rand.New(rand.NewPCG(5, 6))}
			rows := 0
			for _, f := range x.arch.Forms() {
				if x.row(f, foreign.Count(2, 60)) {
					rows++
				}
			}
			t.Logf("%d of %d rows have terms; %d instances compared", rows, len(x.arch.Forms()), x.compared)
			if rows < set.least {
				t.Errorf("only %d rows have terms, want %d", rows, set.least)
			}
		})
	}
}

type termTest struct {
	t        *testing.T
	set      registers
	arch     isa.Arch
	rng      *rand.Rand
	compared int
}

// row tests n instances of a row, if it has terms.
func (x *termTest) row(f *isa.Form, n int) bool {
	const tries, refusals = 2000, 40 // an instance; few addresses are aligned and in memory
	met, refused := false, 0
	for range tries * n {
		if n == 0 {
			return true
		}
		if refused == refusals && !met {
			return false
		}
		in, code, ok := x.draw(f)
		if !ok {
			continue
		}
		if _, err := x.arch.(isa.Semantics).Meaning(in, codeBase, len(code)); err != nil {
			refused++
			continue
		}
		met = true
		if x.instance(in, code) {
			x.compared++
			n--
		}
	}
	if met {
		x.t.Errorf("%s: %d instances too few", f.ID, n)
	}
	return met
}

// draw makes an instance of a row.
func (x *termTest) draw(f *isa.Form) (in isa.Inst, code []byte, ok bool) {
	in.Form = f
	for i, op := range f.Ops {
		in.Args[i] = x.operand(op)
	}
	code, err := x.arch.Encode(in, codeBase)
	if err != nil {
		return in, nil, false
	}
	in, n, err := x.arch.Decode(code, codeBase)
	return in, code, err == nil && n == len(code) && in.Form == f
}

func (x *termTest) operand(op isa.Operand) int64 {
	r := x.rng
	switch {
	case op.Kind == isa.KindLabel:
		return codeBase + int64(r.IntN(512))*2 - 256
	case op.Kind == isa.KindList:
		return int64(r.Uint32() & r.Uint32() & 0xffff)
	case op.Kind == isa.KindReg && op.Class == isa.Vec:
		return int64(x.set.vectors[r.IntN(len(x.set.vectors))])
	case op.Kind == isa.KindReg && op.Addr && r.IntN(3) == 0:
		return int64(isa.NoReg)
	case op.Kind == isa.KindReg:
		return int64(r.IntN(len(x.set.general) + 1))
	}
	switch r.IntN(6) {
	case 0:
		return int64(r.IntN(4))
	case 1:
		return int64(r.IntN(33))
	case 2:
		return int64(r.IntN(256)) - 128
	case 3:
		return int64(r.IntN(256))
	case 4:
		return int64(1) << r.IntN(4)
	}
	return int64(int32(r.Uint32()) >> r.IntN(32))
}

// instance compares terms and core on one instruction; false if it does not run, as after a fault.
func (x *termTest) instance(in isa.Inst, code []byte) bool {
	known := in.Form.Flags&isa.Branch != 0 || strings.HasPrefix(in.Form.Class, "mul") || x.rng.IntN(4) == 0
	m := x.machine(in, code, known)
	ins, err := m.fetch()
	if err != nil {
		x.t.Fatal(err)
	}
	if _, err := m.step(ins); err != nil {
		return false
	}
	const patterns = 2
	for p := range patterns {
		core, mem := x.core(m, p)
		stop := core.Run(nil, 1, isa.NoAddr)
		if stop.Kind == isa.StopUndef && m.thumb {
			return false // a branch to an address with bit 0 clear
		}
		if stop.Kind == isa.StopFault && strings.HasPrefix(in.Form.Class, "mul") {
			return false // a known factor of 0 needs no load of the other
		}
		if stop.Kind != isa.StopLimit {
			x.t.Errorf("%s: the core stops, %+v, and the terms do not", ins.text, stop)
			return false
		}
		x.same(ins.text, m, core, mem, p)
	}
	return true
}

// machine makes the state before an instruction: registers that form addresses and those it does not touch are known, others
// may be anything or, if known is set, have random values.
func (x *termTest) machine(in isa.Inst, code []byte, known bool) *machine {
	g := newGraph(x.rng.Uint64)
	m := &machine{g: g, arch: x.arch, sem: x.arch.(isa.Semantics), pc: codeBase, ret: isa.NoAddr, thumb: x.arch.ABI().Thumb,
		regs: map[isa.Reg]word{}, first: map[isa.Reg]word{}, decoded: map[uint64]*instruction{}}
	anything := func(n int, touched bool) word {
		if known || !touched {
			return constWord(n, x.rng.Uint64(), x.rng.Uint64())
		}
		return g.inputs(n)
	}
	touched := in.Form.Reads | in.Form.Writes
	for slot, op := range in.Form.Ops {
		switch op.Kind {
		case isa.KindReg:
			touched = touched.With(in.Reg(slot))
		case isa.KindList:
			touched |= isa.RegSet(in.Args[slot])
		}
	}
	width := 8 * x.arch.ABI().WordBytes
	for _, r := range x.set.general {
		m.give(r, anything(width, touched.Has(r)))
	}
	for _, r := range x.set.vectors {
		m.give(r, anything(128, touched.Has(r)))
	}
	if x.set.flags != isa.NoReg {
		m.give(x.set.flags, flagsWord(anything(width, true), x.set))
	}
	x.aim(in, m, width)
	text := make([]byte, codeSize)
	for i := range text {
		text[i] = byte(x.rng.Uint32())
	}
	copy(text[codeSize/2:], code)
	m.image = &isa.Image{Segments: []isa.Segment{{Addr: codeBase - codeSize/2, Data: text, Perm: isa.X | isa.R}}}
	data := make([]word, dataSize)
	for i := range data {
		data[i] = anything(8, max(i, dataSize-i) < dataSize/2+48) // near the middle
	}
	for _, a := range []*area{{name: "code", base: codeBase - codeSize/2, bytes: constBytes(text)}, {name: "data", base: dataBase, bytes: data, writable: true}} {
		a.first = append([]word(nil), a.bytes...)
		m.areas = append(m.areas, a)
	}
	return m
}

// flagsWord lets only the flags there are differ.
func flagsWord(w word, set registers) word {
	out := constWord(len(w), set.fixed, 0)
	for i := range out {
		if set.free>>i&1 != 0 {
			out[i] = w[i]
		}
	}
	return out
}

// aim lets the address registers and the stack pointer point into the data: the first of them to its middle.
func (x *termTest) aim(in isa.Inst, m *machine, width int) {
	const middle = dataBase + dataSize/2
	m.give(x.arch.ABI().SP, constWord(width, middle, 0))
	offsets := []uint64{middle, uint64(x.rng.IntN(4)) * 16}
	if x.rng.IntN(4) == 0 {
		offsets[0] += uint64(x.rng.IntN(16))
	}
	base := -1 // of compressed rows the last register, which is not marked
	in.Uses(func(slot int, op *isa.Operand) {
		if in.Form.Flags&(isa.Load|isa.Store) != 0 {
			base = slot
		}
	})
	in.Uses(func(slot int, op *isa.Operand) {
		marked := op.Addr || slot == base && x.arch.Name() == "rv32"
		if r := in.Reg(slot); marked && m.first[r] != nil && len(offsets) > 0 {
			m.give(r, constWord(width, offsets[0], 0))
			offsets = offsets[1:]
		}
	})
}

// core is the executor in the state that m began with, with the values of one pattern.
func (x *termTest) core(m *machine, pattern int) (isa.Core, map[string]*isa.Region) {
	p := &proof{g: m.g}
	var mem isa.Memory
	regions := map[string]*isa.Region{}
	for _, a := range m.areas {
		perm := isa.R | isa.X
		if a.writable {
			perm = isa.R | isa.W
		}
		regions[a.name] = &isa.Region{Name: a.name, Base: a.base, Data: p.known(a.first, pattern), Perm: perm}
		if err := mem.Add(regions[a.name]); err != nil {
			x.t.Fatal(err)
		}
	}
	core := x.arch.NewCore(&mem, x.set.features)
	for r, w := range m.first {
		setRegister(core, r, w, p.value(w, pattern))
	}
	core.SetPC(codeBase)
	return core, regions
}

// same compares the states after the instruction.
func (x *termTest) same(text string, m *machine, core isa.Core, mem map[string]*isa.Region, pattern int) {
	p := &proof{g: m.g}
	for r, w := range m.regs {
		got := [2]uint64{core.Reg(r)}
		if len(w) > 64 {
			got = core.Vec(r)
		}
		if want := p.value(w, pattern); got != want {
			x.t.Errorf("%s: %s is %x by the terms, %x by the core; it was %x", text, x.arch.RegName(r), want, got, p.value(m.first[r], pattern))
		}
	}
	for _, a := range m.areas {
		if want := p.known(a.bytes, pattern); string(want) != string(mem[a.name].Data) {
			x.t.Errorf("%s: memory differs", text)
		}
	}
	if core.PC() != m.pc {
		x.t.Errorf("%s: goes on at %#x by the terms, at %#x by the core", text, m.pc, core.PC())
	}
}
