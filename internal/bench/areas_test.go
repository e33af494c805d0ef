package bench

import (
	"testing"

	"simrun/costmodel"
	"simrun/internal/result"
	"simrun/isa"
	"simrun/sim"
)

// TestMaxMemory: a memory map that a CPU file may have is one that a machine takes, and no larger one is refused late.
func TestMaxMemory(t *testing.T) {
	if costmodel.MaxMemory != sim.MaxMemory {
		t.Errorf("%#x bytes in a CPU file, %#x in a machine", costmodel.MaxMemory, sim.MaxMemory)
	}
}

// TestAreas looks up the memories of boards that lie beside the memory map.
func TestAreas(t *testing.T) {
	for _, c := range []struct {
		board, name string
		base        uint64
		perm        isa.Perm // 0 = not mapped
	}{
		{"stm32f407-168mhz", "ccm", 0x10000000, isa.R | isa.W},
		{"stm32f407-168mhz", "sram2", 0x2001c000, isa.R | isa.W | isa.X},
		{"stm32f407-168mhz", "sram1", 0x20000000, 0}, // data and stack lie in it
		{"hifive1", "itim", 0x08000000, isa.R | isa.W | isa.X},
		{"hifive1", "qspi", 0x20000000, 0},
		{"cortex-m4", "ccm", 0x10000000, 0},
	} {
		got := isa.Perm(0)
		for _, a := range areas(load(t, c.board)) {
			if a.Name == c.name && a.Base == c.base {
				got = a.Perm
			}
		}
		if got != c.perm {
			t.Errorf("%s: %s at %#x may %v, want %v", c.board, c.name, c.base, got, c.perm)
		}
	}
}

// TestRegionPerms demands that every kind of memory has its use.
func TestRegionPerms(t *testing.T) {
	for kind := range costmodel.RegionKinds {
		if regionPerms[kind]&isa.R == 0 {
			t.Errorf("memory of the kind %s cannot be read", kind)
		}
	}
}

// TestAreasBounded gives a board more memory than a machine may have.
func TestAreasBounded(t *testing.T) {
	cpu := load(t, "stm32f407-168mhz")
	cpu.Regions = append([]costmodel.Region{}, cpu.Regions...)
	for i := range uint64(3) {
		cpu.Regions = append(cpu.Regions, costmodel.Region{Name: "more", Kind: "sram", Base: 0x60000000 + i<<26, Size: sim.MaxMemory / 2})
	}
	total := uint64(0)
	for _, a := range areas(cpu) {
		total += a.Size
	}
	if total > sim.MaxMemory || total < sim.MaxMemory/2 {
		t.Errorf("%d bytes of memory", total)
	}
}

// TestBoards runs a kernel on every board: from its memories it takes at least the cycles of the CPU.
func TestBoards(t *testing.T) {
	s := find(t, "gift64/fixsliced")
	for _, name := range costmodel.Boards() {
		board := load(t, name)
		row, _, err := Cell{Subject: s, CPU: board}.Simulate()
		if err != nil {
			t.Error(err)
			continue
		}
		base, _, err := Cell{Subject: s, CPU: load(t, board.Base)}.Simulate()
		if err != nil {
			t.Fatal(err)
		}
		if row.Verified != result.Vectors || row.CPU != name || row.Cycles < base.Cycles {
			t.Errorf("%s: %v cycles, verified by %q; %v cycles on %s", row.CPU, row.Cycles, row.Verified, base.Cycles, base.CPU)
		}
	}
}

// beside are functions that use a memory beside the memory map: data in CCM and SRAM2, code in ITIM.
var beside = []struct{ board, name, text string }{
	{"stm32f407-168mhz", "data.s", `
	.syntax unified
	.global f
f:	mov.w r1, #0x10000000
	movw r2, #0xc000
	movt r2, #0x2001
	str r0, [r1]
	ldr r3, [r1]
	str r3, [r2, #0x100]
	ldr r0, [r2, #0x100]
	bx lr
`},
	{"hifive1", "code.s", `
	.global f
f:	li t0, 0x08000000
	li t1, 0x00008067
	sw t1, 0(t0)
	fence.i
	mv t2, ra
	jalr ra, t0, 0
	mv ra, t2
	ret
`},
}

// TestBesideMemory uses those memories; the CPU of the board does not have them.
func TestBesideMemory(t *testing.T) {
	for _, c := range beside {
		board := load(t, c.board)
		for _, name := range []string{c.board, board.Base} {
			cpu := load(t, name)
			im, err := LoadImage(c.name, []byte(c.text), cpu)
			if err != nil {
				t.Fatal(err)
			}
			called, err := RunCall(c.name, im, cpu, Call{Symbol: "f", Args: []Arg{{Value: 77}}})
			switch {
			case name == c.board && (err != nil || called.Return != 77):
				t.Errorf("%s on %s: %+v, error %v", c.name, name, called, err)
			case name != c.board && err == nil:
				t.Errorf("%s on %s: %+v, want an error", c.name, name, called)
			}
		}
	}
}
