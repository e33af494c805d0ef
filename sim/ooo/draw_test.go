package ooo

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/x86"
)

// Random streams of uops and numbers of cores, for tests that hold the core against something else.

// stream is a run of no decoder.
type stream struct {
	steps []step
	uops  [][]uop // by step
}

// plan makes a plan of a decoder.
func (s *stream) plan(d *decoder) *plan {
	p := &plan{steps: s.steps, more: make([]more, len(s.steps))}
	for i := range p.steps {
		p.steps[i].first = uint32(len(p.uops))
		p.steps[i].n = uint8(len(s.uops[i]))
		for _, u := range s.uops[i] {
			p.uops = append(p.uops, d.shared(u))
		}
	}
	return p
}

// drawPlan makes a random stream of uops. With mixed latencies a port delivers after 1 to 5 cycles, else always after
// the same number.
func drawPlan(t *rapid.T, mixed bool) *stream {
	p := &stream{}
	var uops []uop
	d := &decoder{}
	reg := rapid.Map(rapid.IntRange(0, 11), func(i int) isa.Reg { return isa.Reg(i) })
	portSets := [][]uint8{{0, 1, 5}, {0, 5}, {1}, {0}, {5}, {0, 1}}
	add := func(kind uopKind, ports []uint8, starts, ends bool) {
		u := d.uop(kind, ports)
		u.starts, u.ends, u.latency, u.busy = starts, ends, 1, 1
		if kind == uopLoad {
			u.latency = 3
		} else if kind != uopAddress && kind != uopData {
			if !mixed && len(ports) == 1 && ports[0] == 1 {
				u.latency = 3
			}
			if mixed {
				u.latency = uint64(rapid.SampledFrom([]int{1, 1, 1, 1, 3, 5}).Draw(t, "latency"))
			}
		}
		uops = append(uops, u)
	}
	exec := func() []uint8 {
		sets := portSets
		if !mixed { // a port has one latency: port 1 takes what takes 3, and only that
			sets = [][]uint8{{0, 5}, {1}, {0}, {5}}
		}
		return rapid.SampledFrom(sets).Draw(t, "ports")
	}
	for range rapid.IntRange(20, 150).Draw(t, "instructions") {
		none := isa.NoReg
		uops = nil
		s := step{index: none, addr: [2]isa.Reg{none, none}, data: [4]isa.Reg{none, none, none, none},
			dst: [4]isa.Reg{none, none, none, none}, reads: [4]isa.Reg{none, none, none, none}}
		load, store := rapid.IntRange(0, 3).Draw(t, "load") == 0, rapid.IntRange(0, 5).Draw(t, "store") == 0
		s.data[0], s.dst[0] = reg.Draw(t, "source"), reg.Draw(t, "result")
		s.reads[0] = s.data[0]
		if load || store {
			s.addr[0] = reg.Draw(t, "base")
			s.reads[1] = s.addr[0]
			if rapid.Bool().Draw(t, "indexed") {
				s.index = reg.Draw(t, "index")
				s.addr[1] = s.index
			}
		}
		n := rapid.IntRange(0, 2).Draw(t, "uops")
		if !load && !store && n == 0 {
			n = 1
		}
		if load {
			add(uopLoad, []uint8{2}, true, n == 0)
		}
		for k := range n {
			kind := uopExec
			if k > 0 && rapid.Bool().Draw(t, "chained") {
				kind = uopChain
			}
			add(kind, exec(), k > 0 || !load, true)
		}
		if store {
			s.dst[0] = isa.NoReg
			add(uopAddress, []uint8{3}, true, false)
			add(uopData, []uint8{4}, false, true)
		}
		if s.reads[2] != isa.NoReg || s.index != isa.NoReg {
			s.flags |= manyReads
		}
		for k := range uops {
			uops[k].connect(n > 0)
		}
		p.steps, p.uops = append(p.steps, s), append(p.uops, uops)
	}
	return p
}

func merom(t testing.TB, set map[string]string) *costmodel.CPU {
	t.Helper()
	cpu, err := costmodel.Load("core2-merom")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range slices.Sorted(maps.Keys(set)) {
		if err := cpu.Set(k, set[k]); err != nil {
			t.Fatal(err)
		}
	}
	return cpu
}

func newPipe(t testing.TB, cpu *costmodel.CPU) *Pipeline {
	t.Helper()
	p, err := New(cpu, x86.New())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawNumbers varies the sizes, so that every limit is met.
func drawNumbers(t *rapid.T) map[string]string {
	set := map[string]string{}
	choices := map[string][]string{
		"scheduler.rs": {"4", "9", "32"}, "rob": {"8", "24", "96"}, "load_buffer": {"2", "32"}, "store_buffer": {"2", "20"},
		"read_ports": {"0", "1", "2"}, "read_ports_index": {"0", "1"}, "rename": {"2", "4"}, "retire": {"2", "4"},
		"issue_delay": {"1", "3"}, "release_delay": {"1", "3"},
	}
	for _, key := range slices.Sorted(maps.Keys(choices)) {
		set[key] = rapid.SampledFrom(choices[key]).Draw(t, key)
	}
	return set
}
