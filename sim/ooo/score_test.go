package ooo

import (
	"math/rand/v2"
	"testing"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/x86"
)

// straightRun is the first run of a text without its last instruction, each instruction with its accesses.
func straightRun(tb testing.TB, text string) ([]isa.Static, [][]isa.Access) {
	r := record(tb, text)[0]
	n := len(r.Code.Time) - 1
	data := make([][]isa.Access, n)
	for _, a := range r.Data {
		if int(a.Step) < n {
			data[a.Step] = append(data[a.Step], a)
		}
	}
	return r.Code.Time[:n], data
}

// ordered is the code in an order, as a run of its own that goes back to its start.
func ordered(code []isa.Static, data [][]isa.Access, order []int32) *isa.Retired {
	s := &isa.Straight{PC: code[0].PC}
	r := &isa.Retired{Code: s, N: len(code), Next: s.PC, Taken: true}
	pc := s.PC
	for i, k := range order {
		st := code[k]
		st.PC = pc
		pc += uint64(st.Size)
		s.Time = append(s.Time, st)
		for _, a := range data[k] {
			a.Step = uint16(i)
			r.Data = append(r.Data, a)
		}
	}
	s.Steps = make([]isa.Step, len(s.Time))
	return r
}

// TestStretch: a stretch in any order takes what the pipeline says of that order, in one part or in several.
func TestStretch(t *testing.T) {
	code, data := straightRun(t, sliced(30)+"\txor eax, eax\n\tmov al, dl\n\tadd ecx, eax\n\timul esi, ecx, 0\n\tmov [rdi+rsi], ecx\n\tmov ebx, [rdi+2]\n\tadd [rdi+4], ebx\n\tmov ah, cl\n\tmov [rdi+4100], rax\n")
	n := len(code)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"core2-merom", "core2-penryn", "znver3"} {
		cpu, err := costmodel.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewStretch(cpu, x86.New(), code, data)
		if err != nil {
			t.Fatal(err)
		}
		different := map[float64]bool{}
		for range 20 {
			var order []int32
			for _, k := range rng.Perm(n) {
				order = append(order, int32(k))
			}
			p, r := newPipe(t, cpu), ordered(code, data, order)
			p.core.distrust()
			slots := func() uint64 { return p.Totals().Slots }
			for range 2 {
				p.Retire(r)
			}
			before := slots()
			p.Retire(r)
			turn := slots()
			p.Retire(r)
			want, again := float64(turn-before)/float64(p.Totals().Width), float64(slots()-before)/float64(p.Totals().Width)
			s.Begin(order, 2, 0)
			if got := s.Cycles(order, nil); got != want {
				t.Fatalf("%s: %v cycles, the pipeline says %v", name, got, want)
			}
			if got := s.Cycles(order, append([]int32{NextTurn}, order...)); got != again {
				t.Fatalf("%s: two turns take %v cycles, the pipeline says %v", name, got, again)
			}
			different[want] = true
			s.Begin(order, 2, n/3)
			first := s.Cycles(order[n/3:n/2], order[n/2:])
			if second := s.Cycles(order[n/3:], nil); first != second || first >= want {
				t.Fatalf("%s: from a third on %v cycles, then %v, of %v", name, first, second, want)
			}
		}
		if len(different) < 3 {
			t.Errorf("%s: all orders take the same", name)
		}
		order := make([]int32, n)
		for i := range order {
			order[i] = int32(i)
		}
		if a := testing.AllocsPerRun(10, func() { s.Cycles(order, order[:8]) }); a != 0 {
			t.Errorf("%s: %v allocations", name, a)
		}
	}
}

// TestDemands: figures by hand from the rows of the CPU file.
func TestDemands(t *testing.T) {
	cpu, err := costmodel.Load("core2-merom")
	if err != nil {
		t.Fatal(err)
	}
	arch := x86.New()
	list, err := Demands(cpu, arch)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]Demand{
		"PXOR_xmm_xmm":    {1.0 / 3, 0, 0.25},
		"PXOR_xmm_m128":   {1.0 / 3, 1, 0.25},
		"MOVDQA_xmm_m128": {0, 1, 0.25},
		"MOVDQA_m128_xmm": {0, 0, 0.25},
	} {
		if got := list[arch.Form(id).Num]; got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

// BenchmarkStretch is one evaluation of a window of 96 instructions and 80 behind it.
func BenchmarkStretch(b *testing.B) {
	code, data := straightRun(b, sliced(100))
	cpu, err := costmodel.Load("core2-merom")
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewStretch(cpu, x86.New(), code, data)
	if err != nil {
		b.Fatal(err)
	}
	order := make([]int32, len(code))
	for i := range order {
		order[i] = int32(i)
	}
	s.Begin(order, 2, 300)
	for b.Loop() {
		s.Cycles(order[300:396], order[396:476])
	}
}
