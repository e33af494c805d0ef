package device

import "simrun/isa"

// Exceptions that the System Control Space can raise itself.
const (
	excNMI      = 2
	excPendSV   = 14
	excSysTick  = 15
	excExternal = 16 // the first external interrupt

	externals = 48
)

// CortexM is the private peripheral bus of an ARMv7-M core: SysTick, NVIC, system control block, DWT
// cycle counter, ITM port 0 as a console, and the registers by which programs know the core.
type CortexM struct {
	sys     System
	core    isa.Vectors
	tick    SysTick
	enabled uint64 // exceptions that the NVIC lets through, by number
	waiting uint64 // external interrupts that wait while not enabled
	cycles  uint64 // DWT: the counter's distance from Now
	held    uint32 // its value while it does not count
	dwt     uint32 // DWT_CTRL
	demcr   uint32
}

// Values of CPUID: Cortex-M3 r2p1 and Cortex-M4 r0p1.
const (
	CPUIDCortexM3 = 0x412fc231
	CPUIDCortexM4 = 0x410fc241
)

// NewCortexM returns the devices of a core. vectors is the address of its vector table, isa.NoAddr if the
// program has none. float is the switch of its floating-point unit, nil if it has none.
func NewCortexM(sys System, core isa.Vectors, cpuid uint32, vectors uint64, float isa.FloatSwitch) (*CortexM, []*isa.Device) {
	c := &CortexM{sys: sys, core: core, tick: SysTick{now: sys.Now}}
	c.enabled = 1<<excNMI | 1<<excPendSV | 1<<excSysTick
	scs := bank{}
	c.tick.registers(scs)
	c.interrupts(scs)
	c.control(scs, cpuid, vectors, float)
	c.identity(scs, cpuid)
	return c, []*isa.Device{
		c.itm(),
		c.watchpoint().device("DWT", 0xe0001000, 0x1000, false),
		scs.device("SCS", 0xe000e000, 0x1000, true),
	}
}

// Update raises what has become due by now and reports whether an interrupt waits.
func (c *CortexM) Update(now uint64) bool {
	if c.tick.due(now) {
		c.raise(excSysTick)
	}
	return c.core.Pending() != 0
}

// Deadline is the cycle at which the next interrupt becomes due; ok is false if none will.
func (c *CortexM) Deadline(now uint64) (cycle uint64, ok bool) { return c.tick.deadline(now) }

func (c *CortexM) raise(n int) { c.core.SetPending(c.core.Pending() | 1<<n) }

func (c *CortexM) clear(n int) { c.core.SetPending(c.core.Pending() &^ (1 << n)) }

// interrupts adds the NVIC (B3.4): enable, pending and active bits, and priorities of the external interrupts.
func (c *CortexM) interrupts(b bank) {
	b[0x004] = &register{name: "ICTR", value: (externals - 1) / 32}
	b[0xf00] = &register{name: "STIR", store: func(v uint32) {
		if n := v & 0x1ff; n < externals {
			c.pend(1 << n)
		}
	}}
	for i := range uint64(externals+31) / 32 {
		shift := 32 * i
		lines := ^uint64(0) >> (64 - externals)
		word := func(v uint32) uint64 { return uint64(v) << shift & lines }
		enabled := func() uint32 { return uint32(c.enabled >> excExternal >> shift) }
		pending := func() uint32 { return uint32((c.core.Pending()>>excExternal | c.waiting) >> shift) }
		at := 4 * i
		b[0x100+at] = &register{name: "NVIC_ISER", load: enabled, store: func(v uint32) { c.enable(word(v)) }}
		b[0x180+at] = &register{name: "NVIC_ICER", load: enabled, store: func(v uint32) { c.disable(word(v)) }}
		b[0x200+at] = &register{name: "NVIC_ISPR", load: pending, store: func(v uint32) { c.pend(word(v)) }}
		b[0x280+at] = &register{name: "NVIC_ICPR", load: pending, store: func(v uint32) { c.unpend(word(v)) }}
		b[0x300+at] = &register{name: "NVIC_IABR", load: func() uint32 { return uint32(c.core.Active() >> excExternal >> shift) }}
	}
	for i := range uint64(externals / 4) {
		c.priorities(b, 0x400+4*i, "NVIC_IPR", excExternal+4*int(i))
	}
}

// priorities adds a register of the priorities of exceptions first to first+3. All eight bits of a
// priority exist here; chips have three or four.
func (c *CortexM) priorities(b bank, at uint64, name string, first int) {
	r := &register{name: name}
	r.store = func(v uint32) {
		r.value = v
		for i := range 4 {
			if n := first + i; n > 3 {
				c.core.SetPriority(n, uint8(v>>(8*i)))
			}
		}
	}
	b[at] = r
}

// The four below take external interrupts as bits from 0.

func (c *CortexM) enable(lines uint64) {
	c.enabled |= lines << excExternal
	c.core.SetPending(c.core.Pending() | (c.waiting&lines)<<excExternal)
	c.waiting &^= lines
}

func (c *CortexM) disable(lines uint64) {
	c.waiting |= c.core.Pending() >> excExternal & lines
	c.core.SetPending(c.core.Pending() &^ (lines << excExternal))
	c.enabled &^= lines << excExternal
}

func (c *CortexM) pend(lines uint64) {
	on := c.enabled >> excExternal & lines
	c.core.SetPending(c.core.Pending() | on<<excExternal)
	c.waiting |= lines &^ on
}

func (c *CortexM) unpend(lines uint64) {
	c.core.SetPending(c.core.Pending() &^ (lines << excExternal))
	c.waiting &^= lines
}

// itm is stimulus port 0, which debuggers show as a console: it is always ready.
func (c *CortexM) itm() *isa.Device {
	b := bank{
		0xe00: {name: "ITM_TER", value: 1, mask: ^uint32(0)},
		0xe40: {name: "ITM_TPR", mask: 15},
		0xe80: {name: "ITM_TCR", value: 1, mask: ^uint32(0)},
		0xfb0: {name: "ITM_LAR", mask: 0},
	}
	for i := range uint64(32) {
		b[4*i] = &register{name: "ITM_STIM", value: 1}
	}
	d := b.device("ITM", 0xe0000000, 0x1000, true)
	store := d.Store
	d.Store = func(off uint64, n int, v uint32) error {
		if off != 0 {
			return store(off, n, v)
		}
		_, err := c.sys.Console.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}[:n])
		return err
	}
	return d
}

// Bits of DWT_CTRL and DEMCR.
const (
	cycleEnable  = 1 << 0
	comparators  = 4 << 28 // NUMCOMP, read-only
	traceEnable  = 1 << 24 // DEMCR.TRCENA: without it the DWT stands still
	dwtWriteMask = 0x01ff_ffff
)

// watchpoint is the DWT (C1.8): the cycle counter; the other counters stay at 0.
func (c *CortexM) watchpoint() bank {
	c.dwt = comparators
	b := bank{
		0x000: {name: "DWT_CTRL", load: func() uint32 { return c.dwt }, store: c.storeDWT},
		0x004: {name: "DWT_CYCCNT", load: c.cycleCount, store: c.setCycleCount},
		0x01c: {name: "DWT_PCSR", value: ^uint32(0)},
		0xfb0: {name: "DWT_LAR"},
		0xfb4: {name: "DWT_LSR"},
	}
	for at, name := range map[uint64]string{0x008: "DWT_CPICNT", 0x00c: "DWT_EXCCNT", 0x010: "DWT_SLEEPCNT", 0x014: "DWT_LSUCNT", 0x018: "DWT_FOLDCNT"} {
		b[at] = &register{name: name, mask: 0xff}
	}
	for i := range uint64(4) {
		for at, name := range map[uint64]string{0x020: "DWT_COMP", 0x024: "DWT_MASK", 0x028: "DWT_FUNCTION"} {
			b[at+16*i] = &register{name: name}
		}
	}
	return b
}

func (c *CortexM) counting() bool { return c.dwt&cycleEnable != 0 && c.demcr&traceEnable != 0 }

func (c *CortexM) cycleCount() uint32 {
	if c.counting() {
		return uint32(c.sys.Now() + c.cycles)
	}
	return c.held
}

func (c *CortexM) setCycleCount(v uint32) {
	c.held = v
	c.cycles = uint64(v) - c.sys.Now()
}

func (c *CortexM) storeDWT(v uint32) {
	n := c.cycleCount()
	c.dwt = c.dwt&^dwtWriteMask | v&dwtWriteMask
	c.setCycleCount(n)
}

func (c *CortexM) storeDEMCR(v uint32) {
	n := c.cycleCount()
	c.demcr = v
	c.setCycleCount(n)
}
