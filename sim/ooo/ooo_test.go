package ooo

import (
	"strings"
	"testing"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/t32"
	"simrun/isa/x86"
)

func TestNewRefuses(t *testing.T) {
	cpu := merom(t, nil)
	if _, err := New(cpu, t32.New()); err == nil || !strings.Contains(err.Error(), "isa x86: the code is t32") {
		t.Errorf("another instruction set: %v", err)
	}
	functional, err := costmodel.Load("x86-64-ssse3")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(functional, x86.New()); err == nil || !strings.Contains(err.Error(), "not the out-of-order pipeline") {
		t.Errorf("no cycles: %v", err)
	}
	delete(cpu.Classes, "vec")
	if _, err := New(cpu, x86.New()); err == nil || !strings.Contains(err.Error(), "no row for timing class") {
		t.Errorf("a class without a row: %v", err)
	}
}

// TestEveryFormFits looks at the lists of registers: a step has room for all that a form reads and writes.
func TestEveryFormFits(t *testing.T) {
	d := newPipe(t, merom(t, nil)).decoder
	for _, f := range x86.New().Forms() {
		st := isa.Static{Form: f, Src: f.Reads, Dst: f.Writes, Flags: f.Flags}
		next := isa.Reg(8) // distinct operands, none that is implicit
		for _, o := range f.Ops {
			if o.Kind != isa.KindReg {
				continue
			}
			if o.Role&isa.Read != 0 {
				st.Src = st.Src.With(next)
			}
			if o.Role&isa.Write != 0 {
				st.Dst = st.Dst.With(next)
			}
			if o.Addr {
				st.Addr = st.Addr.With(next)
			}
			next++
		}
		var s step
		var x more
		d.operands(&s, &x, &st)
		if n := members(s.dst[:]); n < count(st.Dst) && !x.stack {
			t.Errorf("%s: room for %d of %d results", f.ID, n, count(st.Dst))
		}
		wide := strings.HasPrefix(f.Class, "cmpxchg.wide") || strings.HasPrefix(f.Class, "lock.cmpxchg.wide") // one of five is not waited for
		if n := members(s.data[:]) + members(s.addr[:]); n < count(st.Src) && !wide {
			t.Errorf("%s: room for %d of %d sources", f.ID, n, count(st.Src))
		}
	}
}

func members(regs []isa.Reg) (n int) {
	for _, r := range regs {
		if r != isa.NoReg {
			n++
		}
	}
	return n
}

func count(s isa.RegSet) (n int) {
	for ; s != 0; s &= s - 1 {
		n++
	}
	return n
}

// TestReset runs a program twice from reset, and with records: each time the same, and the causes add up.
func TestReset(t *testing.T) {
	p, runs := newPipe(t, merom(t, nil)), record(t, sliced(30))
	var want costmodel.Totals
	for i := range 3 {
		p.Reset()
		var sum costmodel.Totals
		if i == 2 {
			p.SetSink(func(x costmodel.Timed) {
				if x.Start != sum.Slots {
					t.Fatalf("slot %d follows %d", x.Start, sum.Slots)
				}
				sum.Add(&x)
			})
		}
		for k := range runs {
			p.Retire(&runs[k])
		}
		got := p.Totals()
		if err := got.Check(); err != nil {
			t.Error(err)
		}
		if i > 0 && got != want {
			t.Errorf("pass %d: %v, first %v", i, got.Map(), want.Map())
		}
		if want = got; i == 2 && sum != got {
			t.Errorf("records add up to %v, not %v", sum.Map(), got.Map())
		}
	}
}

// TestBounds holds the floors of a loop against a count by hand, and under the pipeline's cycles.
func TestBounds(t *testing.T) {
	cpu := merom(t, nil)
	b, err := NewBounds(cpu, x86.New())
	if err != nil {
		t.Fatal(err)
	}
	runs, p := record(t, strings.Repeat("\tpxor xmm0, [rdi]\n\tpslld xmm1, 1\n\tmovdqa [rdi+16], xmm2\n", 100)), newPipe(t, cpu)
	for range 2 {
		for k := range runs {
			p.Retire(&runs[k])
		}
	}
	for k := range runs {
		b.Retire(&runs[k])
	}
	// RET is a uop on port 5 with a load, and one byte.
	want := []Bound{{"port", 100}, {"front end", 301.0 / 4}, {"fetch", 1401.0 / 16}, {"load", 101}}
	cycles := p.Totals().InCycles() / 2
	for i, got := range b.List(1) {
		if got != want[i] {
			t.Errorf("%+v, want %+v", got, want[i])
		}
		if got.Cycles > cycles {
			t.Errorf("%s %.1f is over the %.1f cycles of the pipeline", got.Name, got.Cycles, cycles)
		}
	}
}

// TestEmpty: general registers are known to be zero until they are written beyond their low part; of vector registers
// nothing is noted, so that later instructions are not looked at in vain.
func TestEmpty(t *testing.T) {
	for text, want := range map[string]int{
		"\tpxor xmm1, xmm1\n":                0,
		"\txor eax, eax\n":                   1,
		"\txor eax, eax\n\tsub rcx, rcx\n":   2,
		"\txor eax, eax\n\tmov al, 1\n":      1,
		"\txor eax, eax\n\tmov ax, 0x1234\n": 1,
		"\txor eax, eax\n\tmov ah, 1\n":      0,
		"\txor eax, eax\n\tadd eax, 1\n":     0,
		"\txor eax, eax\n\txchg cl, ah\n":    0,
	} {
		p := newPipe(t, merom(t, nil))
		r := record(t, text)[0]
		r.N-- // without RET, which is mispredicted, and then nothing is known
		p.Retire(&r)
		if n := count(p.empty); n != want {
			t.Errorf("%q: %d registers are empty, want %d", text, n, want)
		}
	}
}

// TestStoreAddressWaitsForNothing: of an instruction that loads and stores, the load waits for the addresses of older
// stores, the address of its own store does not. With two ports of loads the load behind it shows that.
func TestStoreAddressWaitsForNothing(t *testing.T) {
	cpu, err := costmodel.Parse("two.toml", []byte("name = \"two\"\nbase = \"core2-merom\"\n[sources]\nchoice = { kind = \"choice\", title = \"a test\" }\n"+
		"[class]\nload = { ports = \"p25\", latency = 3, rule = 20, source = \"choice\" }\n"))
	if err != nil {
		t.Fatal(err)
	}
	cycles := func(between string) uint64 {
		runs := record(t, "\tmov ecx, 500\nagain:\n\tmov [rdi+64], ebx\n\tmov [rdi+72], ebx\n\timul eax, eax, 0\n\tmov [rdi+rax], ebx\n"+
			between+"\tmov eax, [rdi+64]\n\tdec ecx\n\tjne again\n")
		all := totals(t, cpu, runs, func(*Pipeline) {})
		return all.Slots / all.Width / 1500
	}
	if load, both := cycles("\tmov edx, [rdi+72]\n"), cycles("\tadd [rdi+72], edx\n"); both != load {
		t.Errorf("behind a load %d cycles, behind a load and store %d", load, both)
	}
}

// TestWarmSoon: a load that never meets a store of its bytes takes in the third call what it takes in the 300th, though a
// store before it has its address late.
func TestWarmSoon(t *testing.T) {
	p := newPipe(t, merom(t, nil))
	runs := record(t, "\timul esi, edx, 0\n\tmov [rdi+rsi], ebx\n\tmov edx, [rdi+64]\n\tadd edx, edx\n")
	var slots []uint64
	for range 300 {
		before := p.Totals().Slots
		for i := range runs {
			p.Retire(&runs[i])
		}
		slots = append(slots, p.Totals().Slots-before)
	}
	if slots[2] != slots[299] {
		t.Errorf("%d slots, then %d", slots[2], slots[299])
	}
}
