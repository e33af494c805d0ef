package inorder

import (
	"testing"

	"simrun/isa"
	"simrun/isa/rv32"
	"simrun/isa/t32"
)

func TestNewRefuses(t *testing.T) {
	noLoads := load(t, "cortex-m3")
	delete(noLoads.Classes, "load")
	noSkipped := load(t, "cortex-m3")
	delete(noSkipped.Classes, "skipped")
	functional := load(t, "cortex-m3")
	functional.Pipeline = "functional"
	if _, err := New(load(t, "cortex-m3"), rv32.New()); err == nil || err.Error() != "cortex-m3.toml: isa t32: the code is rv32" {
		t.Errorf("wrong instruction set: %v", err)
	}
	if _, err := New(noLoads, t32.New()); err == nil || err.Error() != `cortex-m3.toml: no row for timing class "load.byte"; add one to [class]` {
		t.Errorf("no row for loads: %v", err)
	}
	if _, err := New(noSkipped, t32.New()); err == nil {
		t.Error("no row for skipped: no error")
	}
	if _, err := New(functional, t32.New()); err == nil {
		t.Error("a functional CPU has a pipeline")
	}
}

// TestPartialRun retires a run only up to a fault in its middle.
func TestPartialRun(t *testing.T) {
	for name, text := range map[string]string{
		"cortex-m4":  "\t.syntax unified\n\t.thumb\n\t.global f\n\t.type f, %function\nf:\n\tmov r0, #0\n\tldr r1, [r0]\n\tmov r2, #1\n\tbx lr\n",
		"sifive-e31": "\t.option norvc\n\t.global f\n\t.type f, @function\nf:\n\tli a0, 0\n\tlw a1, 0(a0)\n\tli a2, 1\n\tret\n",
	} {
		cpu := load(t, name)
		b := newTestbed(t, cpu, text)
		p, core := b.pipeline(t), b.core(t)
		core.SetPC(cpu.Memory.Code.Base)
		stop := core.Run(p, 100, stopAt)
		if stop.Kind != isa.StopFault {
			t.Fatalf("%s: stop kind %d", name, stop.Kind)
		}
		sum := p.Totals()
		if err := sum.Check(); err != nil || sum.Instructions != core.Retired() || sum.Instructions > 1 {
			t.Errorf("%s: %d instructions timed, %d retired, %v", name, sum.Instructions, core.Retired(), err)
		}
	}
}

func TestReset(t *testing.T) {
	for _, name := range []string{"cortex-m3", "fe310-g000"} {
		cpu := load(t, name)
		b := newTestbed(t, cpu, unrolled(cpu.ISA))
		p, core := b.pipeline(t), b.core(t)
		var sums [2]uint64
		for i := range sums {
			p.Reset()
			if p.Now() != 0 {
				t.Errorf("%s: cycle %d after Reset", name, p.Now())
			}
			if err := b.call(core, p); err != nil {
				t.Fatal(err)
			}
			sums[i] = p.Now()
		}
		if sums[0] != sums[1] {
			t.Errorf("%s: %d cycles, and %d after Reset", name, sums[0], sums[1])
		}
	}
}

func TestInterpolate(t *testing.T) {
	for _, c := range []struct{ low, high, bits, want int }{
		{2, 33, 0, 2}, {2, 33, 32, 33}, {2, 33, 1, 3}, {2, 12, -1, 2}, {2, 12, 99, 12}, {3, 5, 16, 4}, {3, 5, 17, 5},
	} {
		if got := interpolate(c.low, c.high, c.bits); got != c.want {
			t.Errorf("interpolate(%d, %d, %d) = %d, want %d", c.low, c.high, c.bits, got, c.want)
		}
	}
}
