package device_test

import (
	"bytes"
	"strings"
	"testing"

	"simrun/isa"
	"simrun/sim/device"
)

// core is a core that only keeps what the devices tell it.
type core struct {
	pending, active, vectors uint64
	priority                 map[int]uint8
}

func (c *core) SetPending(lines uint64)      { c.pending = lines }
func (c *core) Pending() uint64              { return c.pending }
func (c *core) Active() uint64               { return c.active }
func (c *core) SetVectors(addr uint64)       { c.vectors = addr }
func (c *core) SetPriority(n int, p uint8)   { c.priority[n] = p }
func (c *core) Fault() (s isa.Stop, ok bool) { return s, false }

// bench is devices with a clock that the test turns.
type bench struct {
	t    *testing.T
	mem  isa.Memory
	now  uint64
	out  bytes.Buffer
	ends []string
	core core
}

func newBench(t *testing.T) *bench { return &bench{t: t, core: core{priority: map[int]uint8{}}} }

func (b *bench) system() device.System {
	return device.System{
		Now: func() uint64 { return b.now }, Console: &b.out,
		End: func(_ int, by string) { b.ends = append(b.ends, by) },
	}
}

func (b *bench) add(devices ...*isa.Device) {
	for _, d := range devices {
		if err := b.mem.AddDevice(d); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) load(addr uint64) uint32 {
	b.t.Helper()
	v, fault := b.mem.DeviceAt(addr, 4).Read(addr, 4)
	if fault != nil {
		b.t.Fatal(fault)
	}
	return v
}

func (b *bench) store(addr uint64, v uint32) {
	b.t.Helper()
	if fault := b.mem.DeviceAt(addr, 4).Write(addr, 4, v); fault != nil {
		b.t.Fatal(fault)
	}
}

func (b *bench) cortexM() *device.CortexM {
	m, devices := device.NewCortexM(b.system(), &b.core, device.CPUIDCortexM4, 0x08000000, nil)
	b.add(devices...)
	return m
}

const (
	systCSR = 0xe000e010
	systRVR = 0xe000e014
	systCVR = 0xe000e018
	icsr    = 0xe000ed04
)

// TestSysTick follows B3.3.1: a round of LOAD+1 cycles, a flag that reading clears, no flag for a cleared value.
func TestSysTick(t *testing.T) {
	b := newBench(t)
	m := b.cortexM()
	b.now = 1000
	b.store(systRVR, 9)
	b.store(systCVR, 5)
	b.store(systCSR, 7)
	for _, want := range []uint32{0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 9, 8} {
		if got := b.load(systCVR); got != want {
			t.Errorf("cycle %d: value %d, want %d", b.now, got, want)
		}
		if deadline, ok := m.Deadline(b.now); !ok || deadline <= b.now || deadline > b.now+10 {
			t.Errorf("cycle %d: deadline %d, %v", b.now, deadline, ok)
		}
		b.now++
	}
	m.Update(b.now)
	if b.core.pending != 1<<15 {
		t.Errorf("lines %#x, want SysTick", b.core.pending)
	}
	if v := b.load(icsr); v>>26&1 != 1 || v>>12&0x1ff != 15 {
		t.Errorf("ICSR %#x shows no pending SysTick", v)
	}
	b.store(icsr, 1<<25)
	m.Update(b.now + 1)
	if b.core.pending != 0 {
		t.Errorf("lines %#x after clearing", b.core.pending)
	}
	if first, second := b.load(systCSR), b.load(systCSR); first != 7|1<<16 || second != 7 {
		t.Errorf("SYST_CSR %#x, then %#x", first, second)
	}
	b.store(systCSR, 5)
	b.now += 100
	m.Update(b.now)
	if _, ok := m.Deadline(b.now); ok || b.core.pending != 0 {
		t.Error("a timer without TICKINT interrupts")
	}
	b.store(systCSR, 0)
	held := b.load(systCVR)
	b.now += 3
	if got := b.load(systCVR); got != held {
		t.Errorf("value %d of a stopped timer, it was %d", got, held)
	}
}

// A write to SYST_RVR or SYST_CSR keeps the flag and the interrupt of a zero before it; one to SYST_CVR clears the flag.
func TestSysTickKeepsZeros(t *testing.T) {
	for _, c := range []struct {
		reg      uint64
		value    uint32
		flag     uint32
		tickInts uint32 // TICKINT while it counts
		pending  uint64
	}{
		{systRVR, 99, 1, 1, 1 << 15},
		{systCSR, 0, 1, 1, 1 << 15},
		{systCSR, 5, 1, 1, 1 << 15},
		{systCSR, 7, 1, 0, 0}, // what came before TICKINT raises nothing
		{systCVR, 0, 0, 1, 1 << 15},
	} {
		b := newBench(t)
		m := b.cortexM()
		b.store(systRVR, 9)
		b.store(systCVR, 0)
		b.store(systCSR, 5|c.tickInts<<1)
		b.now += 12
		b.store(c.reg, c.value)
		m.Update(b.now)
		if flag := b.load(systCSR) >> 16; flag != c.flag || b.core.pending != c.pending {
			t.Errorf("%#x to %#x: COUNTFLAG %d, lines %#x; want %d, %#x", c.value, c.reg, flag, b.core.pending, c.flag, c.pending)
		}
	}
}

// TestInstructionSets reads ID_ISAR0 to 4, of table 4-1 of ARM DDI 0439D.
func TestInstructionSets(t *testing.T) {
	b := newBench(t)
	b.cortexM()
	for i, want := range []uint32{0x01141110, 0x02112000, 0x21232231, 0x01111131, 0x01310132} {
		if got := b.load(0xe000ed60 + 4*uint64(i)); got != want {
			t.Errorf("ID_ISAR%d = %#x, want %#x", i, got, want)
		}
	}
}

func TestCycleCounter(t *testing.T) {
	b := newBench(t)
	b.cortexM()
	const ctrl, cyccnt, demcr = 0xe0001000, 0xe0001004, 0xe000edfc
	b.now = 50
	b.store(ctrl, b.load(ctrl)|1)
	b.now = 60
	if got := b.load(cyccnt); got != 0 {
		t.Errorf("%d cycles without TRCENA", got)
	}
	b.store(demcr, 1<<24)
	b.store(cyccnt, 0xfffffff0)
	b.now = 100
	if got := b.load(cyccnt); got != 24 {
		t.Errorf("%d cycles, want 24 after the counter's end", got)
	}
	b.store(ctrl, b.load(ctrl)&^1)
	b.now = 200
	if got := b.load(cyccnt); got != 24 {
		t.Errorf("%d cycles while stopped, want 24", got)
	}
}

func TestInterruptController(t *testing.T) {
	b := newBench(t)
	b.cortexM()
	b.store(0xe000e200, 1<<3) // pending, not enabled
	if b.core.pending != 0 || b.load(0xe000e200) != 1<<3 {
		t.Errorf("lines %#x, ISPR %#x", b.core.pending, b.load(0xe000e200))
	}
	b.store(0xe000e100, 1<<3)
	if b.core.pending != 1<<19 {
		t.Errorf("lines %#x, want external interrupt 3", b.core.pending)
	}
	b.store(0xe000e180, 1<<3)
	if b.core.pending != 0 || b.load(0xe000e280) != 1<<3 {
		t.Errorf("lines %#x, ICPR %#x after disabling", b.core.pending, b.load(0xe000e280))
	}
	b.store(0xe000e280, 1<<3)
	b.store(0xe000e104, 1<<1)
	b.store(0xe000ef00, 33)
	if b.core.pending != 1<<(16+33) {
		t.Errorf("lines %#x, want external interrupt 33", b.core.pending)
	}
	if fault := b.mem.DeviceAt(0xe000e403, 1).Write(0xe000e403, 1, 0x40); fault != nil || b.core.priority[19] != 0x40 {
		t.Errorf("priority %#x, %v", b.core.priority[19], fault)
	}
	b.store(0xe000ed08, 0x20000080)
	if b.core.vectors != 0x20000080 {
		t.Errorf("vectors at %#x", b.core.vectors)
	}
	if got := b.load(0xe000ed00); got != 0x410fc241 {
		t.Errorf("CPUID %#x", got)
	}
}

func TestCLINT(t *testing.T) {
	b := newBench(t)
	m, d := device.NewCLINT(b.system(), &b.core, 0x02000000)
	b.add(d)
	if _, ok := m.Deadline(0); ok {
		t.Error("a deadline before mtimecmp was written")
	}
	b.now = 100
	b.store(0x02004004, 0)
	b.store(0x02004000, 150)
	if at, ok := m.Deadline(b.now); !ok || at != 150 || b.core.pending != 0 {
		t.Errorf("deadline %d, %v; lines %#x", at, ok, b.core.pending)
	}
	b.now = 150
	m.Update(b.now)
	if b.core.pending != 1<<7 || b.load(0x0200bff8) != 150 {
		t.Errorf("lines %#x, mtime %d", b.core.pending, b.load(0x0200bff8))
	}
	b.store(0x02004000, 1000)
	b.store(0x02000000, 1)
	if b.core.pending != 1<<3 {
		t.Errorf("lines %#x, want the software interrupt", b.core.pending)
	}
}

func TestRefused(t *testing.T) {
	b := newBench(t)
	b.cortexM()
	b.add(device.Finisher(b.system(), 0x100000))
	for addr, want := range map[uint64]string{
		0xe0001100: "DWT: no register", 0xe000e011: "misaligned access to SYST_CSR", 0x100000: "is none of 0x5555",
	} {
		if fault := b.mem.DeviceAt(addr, 4).Write(addr, 4, 1); fault == nil || !strings.Contains(fault.Error(), want) {
			t.Errorf("%#x: %v, want %q", addr, fault, want)
		}
	}
	if fault := b.mem.DeviceAt(0xe0001004, 1).Write(0xe0001004, 1, 1); fault == nil {
		t.Error("a byte was written to DWT_CYCCNT")
	}
	if err := b.mem.AddDevice(device.UART(b.system(), 0xe0000800)); err == nil {
		t.Error("overlapping devices were mapped")
	}
}
