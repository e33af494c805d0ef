package device

import (
	"fmt"

	"simrun/isa"
)

// Finisher is the device at addr by which test programs end QEMU's virt machine ("sifive_test"): the low
// half of a word is 0x5555 for success, 0x3333 for failure with the status in the high half.
func Finisher(sys System, addr uint64) *isa.Device {
	const pass, fail, reset = 0x5555, 0x3333, 0x7777
	return &isa.Device{
		Name: "finisher", Base: addr, Size: 4,
		Load: func(uint64, int) (uint32, error) { return 0, nil },
		Store: func(_ uint64, _ int, v uint32) error {
			switch v & 0xffff {
			case pass:
				sys.End(0, "finisher")
			case fail:
				sys.End(int(v>>16&0xff), "finisher")
			case reset:
				sys.End(1, "finisher: reset")
			default:
				return fmt.Errorf("%#x is none of 0x5555 (pass), 0x3333 (fail), 0x7777 (reset)", v)
			}
			return nil
		},
	}
}

// CLINT is the core-local interruptor of SiFive cores: mtime, mtimecmp and msip of one hart. mtime counts
// the core clock, on a chip a slow one. The time CSR counts the same, but does not follow a write to mtime.
type CLINT struct {
	sys  System
	core isa.Interrupts
	cmp  uint64
	soft bool
	off  uint64 // mtime's distance from Now
}

// Interrupt lines of the CLINT in mip.
const (
	lineSoftware = 1 << 3
	lineTimer    = 1 << 7
)

// NewCLINT returns the device at addr. mtimecmp is as large as can be, so that no interrupt comes.
func NewCLINT(sys System, core isa.Interrupts, addr uint64) (*CLINT, *isa.Device) {
	c := &CLINT{sys: sys, core: core, cmp: ^uint64(0)}
	half := func(name string, load func() uint64, store func(uint64), shift uint) *register {
		return &register{name: name,
			load: func() uint32 { return uint32(load() >> shift) },
			store: func(v uint32) {
				store(load()&^(0xffff_ffff<<shift) | uint64(v)<<shift)
				c.Update(c.sys.Now())
			}}
	}
	cmp, setCmp := func() uint64 { return c.cmp }, func(v uint64) { c.cmp = v }
	time, setTime := func() uint64 { return c.time(sys.Now()) }, func(v uint64) { c.off = v - sys.Now() }
	b := bank{
		0x0000: {name: "msip", load: c.software, store: c.setSoftware},
		0x4000: half("mtimecmp", cmp, setCmp, 0),
		0x4004: half("mtimecmp", cmp, setCmp, 32),
		0xbff8: half("mtime", time, setTime, 0),
		0xbffc: half("mtime", time, setTime, 32),
	}
	return c, b.device("CLINT", addr, 0x10000, false)
}

func (c *CLINT) time(now uint64) uint64 { return now + c.off }

func (c *CLINT) software() uint32 {
	if c.soft {
		return 1
	}
	return 0
}

func (c *CLINT) setSoftware(v uint32) {
	c.soft = v&1 != 0
	c.Update(c.sys.Now())
}

// Update sets the interrupt lines as they are at now and reports whether one is.
func (c *CLINT) Update(now uint64) bool {
	var lines uint64
	if c.soft {
		lines |= lineSoftware
	}
	if c.time(now) >= c.cmp {
		lines |= lineTimer
	}
	c.core.SetPending(lines)
	return lines != 0
}

// Deadline is the cycle at which the timer interrupt comes; ok is false if it has come, or is 2^63 cycles
// away or more.
func (c *CLINT) Deadline(now uint64) (cycle uint64, ok bool) {
	left := c.cmp - c.time(now)
	if c.time(now) >= c.cmp || left > 1<<63 {
		return 0, false
	}
	return now + left, true
}

// UART is the transmitter of a SiFive UART; nothing is ever received.
func UART(sys System, addr uint64) *isa.Device {
	const empty = 1 << 31
	b := bank{
		0x00: {name: "txdata", store: func(v uint32) { sys.Console.Write([]byte{byte(v)}) }},
		0x04: {name: "rxdata", value: empty},
		0x08: {name: "txctrl", mask: 0x70003},
		0x0c: {name: "rxctrl", mask: 0x70001},
		0x10: {name: "ie", mask: 3},
		0x14: {name: "ip", value: 1}, // the transmitter is below its watermark
		0x18: {name: "div", mask: 0xffff},
	}
	return b.device("UART", addr, 0x1000, true)
}
