package sim

import (
	"encoding/binary"
	"fmt"

	"simrun/isa"
	"simrun/sim/device"
	"simrun/sim/host"
)

// world is how programs of an instruction set reach the outside.
type world struct {
	number string   // register of the number of a Linux system call
	args   []string // registers of its arguments; nil = ABI.Args[0] and the registers after it
	thread string   // register that a system call sets to the address of the thread's data; "" = none
	linux  func(h *host.Host, nr uint64, args [6]uint64) (uint64, error)
	hosted bool // programs are processes of Linux: the map of the CPU file does not count
	board  func(p *Program, sys device.System) (board, []*isa.Device)
}

// worlds are the instruction sets whose whole programs run, by name.
var worlds = map[string]world{
	"t32":  {number: "r7", linux: linux32(host.ARM), board: (*Program).cortexM},
	"rv32": {number: "a7", linux: linux32(host.Generic), board: (*Program).riscv},
	"x86": {number: "rax", args: []string{"rdi", "rsi", "rdx", "r10", "r8", "r9"}, thread: "fs_base", hosted: true, board: (*Program).process,
		linux: func(h *host.Host, nr uint64, args [6]uint64) (uint64, error) { return h.Linux64(host.AMD64, nr, args) }},
}

// linux32 gives calls the low halves of the registers.
func linux32(t host.Table) func(h *host.Host, nr uint64, args [6]uint64) (uint64, error) {
	return func(h *host.Host, nr uint64, args [6]uint64) (uint64, error) {
		var a [6]uint32
		for i, v := range args {
			a[i] = uint32(v)
		}
		v, err := h.Linux(t, uint32(nr), a)
		return uint64(v), err
	}
}

// board is the devices of a machine as far as time moves them.
type board interface {
	// Update raises the interrupts that are due at cycle now, and reports whether one waits.
	Update(now uint64) bool
	// Deadline is the cycle of the next interrupt; ok is false if none will come by itself.
	Deadline(now uint64) (cycle uint64, ok bool)
}

// noBoard is a machine without devices.
type noBoard struct{}

func (noBoard) Update(uint64) bool             { return false }
func (noBoard) Deadline(uint64) (uint64, bool) { return 0, false }

// process is a machine of which the program sees the operating system only.
func (p *Program) process(device.System) (board, []*isa.Device) { return noBoard{}, nil }

// cortexM gives a machine the private peripherals of a Cortex-M.
func (p *Program) cortexM(sys device.System) (board, []*isa.Device) {
	core := p.core.(isa.Vectors)
	core.SetVectors(p.vectors)
	cpuid := uint32(device.CPUIDCortexM3)
	if p.features["dsp"] {
		cpuid = device.CPUIDCortexM4
	}
	var float isa.FloatSwitch
	if p.features["fp"] && p.vectors != isa.NoAddr {
		float = p.core.(isa.FloatSwitch)
	}
	return device.NewCortexM(sys, core, cpuid, p.vectors, float)
}

// Addresses on SiFive's chips and QEMU's virt machine.
const (
	finisherBase = 0x00100000
	clintBase    = 0x02000000
	uartBase     = 0x10013000
)

// riscv gives a machine timer, console and finisher, and HTIF if the program has the symbol tohost.
func (p *Program) riscv(sys device.System) (board, []*isa.Device) {
	clint, timer := device.NewCLINT(sys, p.core.(isa.Interrupts), clintBase)
	devices := []*isa.Device{device.Finisher(sys, finisherBase), timer, device.UART(sys, uartBase)}
	if s, ok := p.image.Lookup("tohost"); ok && p.carve(s.Addr, host.TohostSize) {
		from, _ := p.image.Lookup("fromhost")
		p.htif = host.NewHTIF(p.host, uint32(from.Addr))
		devices = append(devices, p.htif.Device(s.Addr))
	}
	return clint, devices
}

// carve takes n bytes at addr out of the memory, for a device; false if they are not there.
func (m *Machine) carve(addr, n uint64) bool {
	p := m.inside(addr, n)
	if p == nil {
		return false
	}
	data, off := p.Data, addr-p.Base
	p.Data = data[:off:off]
	p.used = min(p.used, off)
	rest := &part{Region: isa.Region{Name: p.Name, Base: addr + n, Data: data[off+n:], Perm: p.Perm}}
	if len(rest.Data) == 0 {
		return true
	}
	m.parts = append(m.parts, rest)
	if m.stack == p {
		m.stack = rest
	}
	return m.mem.Add(&rest.Region) == nil
}

// findVectors returns the address of a Cortex-M vector table at the start of the lowest segment: an initial SP in
// or at the end of memory that can be written, and a reset vector with bit 0 set in code.
func (m *Machine) findVectors() uint64 {
	if !m.abi.Thumb || len(m.image.Segments) == 0 {
		return isa.NoAddr
	}
	low := m.image.Segments[0]
	for _, s := range m.image.Segments {
		if s.Addr < low.Addr {
			low = s
		}
	}
	if len(low.Data) < 8 || low.Addr&0x7f != 0 {
		return isa.NoAddr
	}
	sp, reset := uint64(binary.LittleEndian.Uint32(low.Data)), uint64(binary.LittleEndian.Uint32(low.Data[4:]))
	ram, code := m.inside(sp-1, 1), m.inside(reset, 1)
	switch {
	case sp&3 != 0 || ram == nil || ram.Perm&isa.W == 0,
		reset&1 == 0 || code == nil || code.Perm&isa.X == 0:
		return isa.NoAddr
	}
	return low.Addr
}

// boot sets the registers as they are when the program starts: from the vector table, or at the ELF entry with a
// Linux stack, which other programs ignore.
func (p *Program) boot(args []string) error {
	if p.vectors != isa.NoAddr {
		sp, _ := p.mem.Load32(p.vectors)
		reset, _ := p.mem.Load32(p.vectors + 4)
		p.start(uint64(sp), uint64(reset))
		p.alias(p.vectors)
		return nil
	}
	if code := p.inside(p.image.Entry, 1); code == nil || code.Perm&isa.X == 0 {
		return fmt.Errorf("the program starts at %#x, where it has no code: link it with an entry point, or call a function with --call", p.image.Entry)
	}
	sp, err := p.pushArgs(args)
	if err != nil {
		return err
	}
	p.start(sp, p.image.Entry)
	return nil
}

func (p *Program) start(sp, pc uint64) {
	p.entrySP = sp
	p.core.SetReg(p.abi.SP, sp)
	p.core.SetPC(pc)
}

// alias shows flash at address 0 too, as chips do that start from it, unless something is there.
func (m *Machine) alias(vectors uint64) {
	p := m.inside(vectors, 1)
	if p.Base == 0 || p.Perm&isa.W != 0 {
		return
	}
	// An overlap means that address 0 is taken.
	_ = m.mem.Add(&isa.Region{Name: p.Name + " at 0", Base: 0, Data: p.Data, Perm: p.Perm})
}

// layout is the memory that the program may ask for: from the end of what was loaded into RAM to the
// end of that RAM, or to the room of the stack if it is at the end of the same.
func (m *Machine) layout() host.Layout {
	const stackRoom = 4 // part of a shared RAM that is kept for the stack
	l := host.Layout{StackBase: uint32(m.stackTop()), StackLimit: uint32(m.stack.Base)}
	ram := m.stack
	for _, p := range m.parts {
		if p.Name == "memory" {
			ram = p
		}
	}
	base := (ram.Base + ram.used + 15) &^ 15
	limit := ram.end()
	if ram == m.stack {
		limit -= (limit - min(base, limit)) / stackRoom
		l.StackLimit = uint32(limit)
	}
	l.HeapBase, l.HeapLimit = uint32(base), uint32(limit)
	return l
}
