package rv32_test

import (
	"testing"

	"simrun/isa"
	"simrun/isa/rv32"
)

// counter is a listener that counts what has been reported.
type counter int

func (n *counter) Retire(r *isa.Retired) { *n += counter(r.N) }

// TestDevice checks that an access to a device runs when all before it has been reported, that a store to
// one ends Run behind it, and that loads of all sizes extend as loads from memory do.
func TestDevice(t *testing.T) {
	const text = `
.global f
f:
	li s1, 0x40000000
	li s2, 7
	lw s3, 0(s1)
	lb s4, 1(s1)
	lh s5, 2(s1)
	lbu s6, 1(s1)
	lhu s7, 2(s1)
	li a0, 1
	sb a0, 3(s1)
	li a0, 2
	amoadd.w a1, a0, (s1)
`
	arch := rv32.New()
	blocks, err := arch.Parse("test.s", text)
	if err != nil {
		t.Fatal(err)
	}
	im, err := arch.Assemble(blocks, 0x1000)
	if err != nil {
		t.Fatal(err)
	}
	var mem isa.Memory
	if err := mem.Add(&isa.Region{Name: "code", Base: 0x1000, Data: im.Segments[0].Data, Perm: isa.R | isa.X}); err != nil {
		t.Fatal(err)
	}
	var reported counter
	var loads []counter
	var stored uint32
	d := &isa.Device{Name: "dev", Base: 1 << 30, Size: 16,
		Load: func(off uint64, size int) (uint32, error) {
			loads = append(loads, reported)
			return 0x8182_8384 >> (8 * off), nil
		},
		Store: func(off uint64, size int, v uint32) error {
			stored = v<<16 | uint32(off)<<8 | uint32(size)
			return nil
		},
	}
	if err := mem.AddDevice(d); err != nil {
		t.Fatal(err)
	}
	core := arch.NewCore(&mem, []string{"a", "c"})
	core.SetPC(0x1000)
	stop := core.Run(&reported, 0, isa.NoAddr)
	if stop.Kind != isa.StopDevice || stored != 1<<16|3<<8|1 || core.Reg(rv32.A0) != 1 || reported != 9 {
		t.Errorf("stop %+v, stored %#x, a0 = %d, %d reported", stop, stored, core.Reg(rv32.A0), reported)
	}
	for r, want := range map[isa.Reg]uint64{rv32.S3: 0x81828384, rv32.S4: 0xffffff83, rv32.S5: 0xffff8182, rv32.S6: 0x83, rv32.S7: 0x8182} {
		if got := core.Reg(r); got != want {
			t.Errorf("%s = %#x, want %#x", arch.RegName(r), got, want)
		}
	}
	for i, want := range []counter{2, 3, 4, 5, 6} {
		if i >= len(loads) || loads[i] != want {
			t.Errorf("instructions reported at each load: %v, want 2 3 4 5 6", loads)
			break
		}
	}
	stop = core.Run(&reported, 0, isa.NoAddr)
	if f, ok := stop.Err.(*isa.Fault); stop.Kind != isa.StopFault || !ok || f.Addr != 1<<30 || core.Reg(rv32.A0) != 2 {
		t.Errorf("stop %+v, a0 = %d after an atomic access", stop, core.Reg(rv32.A0))
	}
}
