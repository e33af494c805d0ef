package inorder

import (
	"fmt"
	"testing"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/rv32"
	"simrun/isa/t32"
)

const stopAt = 0xffff_f000

// testbed runs assembly text on a CPU.
type testbed struct {
	cpu   *costmodel.CPU
	arch  isa.Arch
	image *isa.Image
	data  uint64 // address of the data region
}

func load(t testing.TB, name string) *costmodel.CPU {
	t.Helper()
	cpu, err := costmodel.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return cpu
}

func newTestbed(t testing.TB, cpu *costmodel.CPU, text string) *testbed {
	t.Helper()
	b := &testbed{cpu: cpu, data: cpu.Memory.Data.Base}
	switch cpu.ISA {
	case "t32":
		b.arch = t32.New()
	case "rv32":
		b.arch = rv32.New()
	}
	blocks, err := b.arch.Parse("test.s", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if b.image, err = b.arch.Assemble(blocks, cpu.Memory.Code.Base); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return b
}

func (b *testbed) pipeline(t testing.TB) *Pipeline {
	t.Helper()
	p, err := New(b.cpu, b.arch)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// core returns a core with the code in place.
func (b *testbed) core(t testing.TB) isa.Core {
	t.Helper()
	mem := &isa.Memory{}
	for _, r := range []*isa.Region{
		{Name: "code", Base: b.cpu.Memory.Code.Base, Data: make([]byte, 1<<17), Perm: isa.R | isa.X},
		{Name: "data", Base: b.data, Data: make([]byte, 1<<12), Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range b.image.Segments {
		if err := mem.Write(s.Addr, s.Data); err != nil {
			t.Fatal(err)
		}
	}
	return b.arch.NewCore(mem, b.cpu.Features)
}

// call runs the code from its start to its return. Registers other than SP and the link register
// hold addresses in the data region.
func (b *testbed) call(core isa.Core, l isa.Listener) error {
	abi := b.arch.ABI()
	for r := isa.Reg(1); r < 32 && int(r) < b.arch.NumRegs(); r++ {
		if b.cpu.ISA == "rv32" || r < 13 {
			core.SetReg(r, b.data+64*uint64(r))
		}
	}
	core.SetReg(0, b.data)
	core.SetReg(abi.SP, b.data+4096)
	core.SetReg(abi.Link, stopAt|b.thumbBit())
	core.SetPC(b.cpu.Memory.Code.Base)
	stop := core.Run(l, 10_000_000, stopAt)
	if stop.Kind != isa.StopAddr {
		return fmt.Errorf("stopped at %#x, kind %d: %v", stop.PC, stop.Kind, stop.Err)
	}
	return nil
}

func (b *testbed) thumbBit() uint64 {
	if b.arch.ABI().Thumb {
		return 1
	}
	return 0
}

// totals runs the code n times on a fresh core and pipeline.
func (b *testbed) totals(t testing.TB, n int, prepare func(*Pipeline)) costmodel.Totals {
	t.Helper()
	p := b.pipeline(t)
	prepare(p)
	core := b.core(t)
	core.SetClock(p)
	for range n {
		if err := b.call(core, p); err != nil {
			t.Fatal(err)
		}
	}
	sum := p.Totals()
	if err := sum.Check(); err != nil {
		t.Fatal(err)
	}
	if sum.Instructions != core.Retired() {
		t.Fatalf("%d instructions timed, %d retired", sum.Instructions, core.Retired())
	}
	return sum
}
