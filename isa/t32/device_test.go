package t32_test

import (
	"testing"

	"simrun/isa"
	"simrun/isa/t32"
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
	movs r1, #1
	lsls r1, r1, #30
	movs r2, #7
	ldr r3, [r1]
	ldrsb.w r4, [r1, #1]
	ldrsh.w r5, [r1, #2]
	ldrd r6, r7, [r1]
	ldm r1, {r8, r9}
	movs r0, #1
	strb r0, [r1, #3]
	movs r0, #2
	ldr r0, [r1, #64]
`
	arch := t32.New()
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
	core := arch.NewCore(&mem, nil)
	core.SetPC(0x1000)
	stop := core.Run(&reported, 0, isa.NoAddr)
	if stop.Kind != isa.StopDevice || stored != 1<<16|3<<8|1 || core.Reg(0) != 1 || reported != 10 {
		t.Errorf("stop %+v, stored %#x, r0 = %d, %d reported", stop, stored, core.Reg(0), reported)
	}
	for r, want := range map[isa.Reg]uint64{3: 0x81828384, 4: 0xffffff83, 5: 0xffff8182, 6: 0x81828384, 8: 0x81828384} {
		if got := core.Reg(r); got != want {
			t.Errorf("r%d = %#x, want %#x", r, got, want)
		}
	}
	for i, want := range []counter{3, 4, 5, 6, 6, 7, 7} {
		if i >= len(loads) || loads[i] != want {
			t.Errorf("instructions reported at each load: %v, want 3 4 5 6 6 7 7", loads)
			break
		}
	}
	stop = core.Run(&reported, 0, isa.NoAddr)
	if f, ok := stop.Err.(*isa.Fault); stop.Kind != isa.StopFault || !ok || f.Addr != 1<<30+64 || core.Reg(0) != 2 {
		t.Errorf("stop %+v, r0 = %d behind the device", stop, core.Reg(0))
	}
}
