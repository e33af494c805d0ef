package device

import (
	"fmt"
	"math/bits"

	"simrun/isa"
)

// Bits of ICSR (B3.2.4).
const (
	nmiPendSet   = 1 << 31
	pendSVSet    = 1 << 28
	pendSVClear  = 1 << 27
	sysTickSet   = 1 << 26
	sysTickClear = 1 << 25
	isrPending   = 1 << 22
	retToBase    = 1 << 11
)

// control adds the system control block and the debug registers (B3.2, C1.6).
func (c *CortexM) control(b bank, cpuid uint32, vectors uint64, float isa.FloatSwitch) {
	vtor := &register{name: "VTOR"}
	if vectors != isa.NoAddr {
		vtor.value = uint32(vectors)
	}
	vtor.store = func(v uint32) {
		vtor.value = v &^ 0x7f
		c.core.SetVectors(uint64(vtor.value))
	}
	b[0xd00] = &register{name: "CPUID", value: cpuid}
	b[0xd04] = &register{name: "ICSR", load: c.interruptState, store: c.setInterruptState}
	b[0xd08] = vtor
	b[0xd0c] = &register{name: "AIRCR", value: 0xfa05_0000, store: c.applicationControl}
	b[0xd10] = &register{name: "SCR", mask: 0x16}
	b[0xd14] = &register{name: "CCR", value: 1 << 9, mask: 0x31b} // STKALIGN: frames are aligned to 8 bytes
	c.priorities(b, 0xd18, "SHPR1", 4)
	c.priorities(b, 0xd1c, "SHPR2", 8)
	c.priorities(b, 0xd20, "SHPR3", 12)
	b[0xd24] = &register{name: "SHCSR", mask: 7 << 16}
	b[0xd28] = &register{name: "CFSR"}
	b[0xd2c] = &register{name: "HFSR"}
	b[0xd30] = &register{name: "DFSR"}
	b[0xd34] = &register{name: "MMFAR"}
	b[0xd38] = &register{name: "BFAR"}
	b[0xd3c] = &register{name: "AFSR"}
	b[0x008] = &register{name: "ACTLR", mask: ^uint32(0)}
	c.coprocessors(b, float)

	const debugger = 1 // C_DEBUGEN: breakpoints, and so semihosting, are answered
	b[0xdf0] = &register{name: "DHCSR", value: debugger}
	b[0xdf4] = &register{name: "DCRSR"}
	b[0xdf8] = &register{name: "DCRDR"}
	b[0xdfc] = &register{name: "DEMCR", load: func() uint32 { return c.demcr }, store: c.storeDEMCR}
}

// coprocessors adds CPACR: full access to CP10 and CP11 switches the floating-point unit on. Without
// one its bits stay clear.
func (c *CortexM) coprocessors(b bank, float isa.FloatSwitch) {
	const full = 15 << 20
	r := &register{name: "CPACR"}
	r.store = func(v uint32) {
		if float != nil {
			r.value = v & full
			float.SetFloat(r.value == full)
		}
	}
	b[0xd88] = r
	if float == nil {
		return
	}
	float.SetFloat(false)
	b[0xf34] = &register{name: "FPCCR", value: 3 << 30, mask: 3 << 30}
	b[0xf38] = &register{name: "FPCAR", mask: ^uint32(7)}
	b[0xf3c] = &register{name: "FPDSCR", mask: 0x07c0_0000}
}

// isar is ID_ISAR0 to 4: the M3 recalled, the M4 as in table 4-1 of its technical reference manual (ARM DDI 0439D).
var isar = map[uint32][5]uint32{
	CPUIDCortexM3: {0x01100110, 0x02111000, 0x21112231, 0x01111110, 0x01310132},
	CPUIDCortexM4: {0x01141110, 0x02112000, 0x21232231, 0x01111131, 0x01310132},
}

// identity adds the registers that describe the core (B4) and the absent MPU.
func (c *CortexM) identity(b bank, cpuid uint32) {
	for i, v := range isar[cpuid] {
		b[0xd60+4*uint64(i)] = &register{name: fmt.Sprintf("ID_ISAR%d", i), value: v}
	}
	for at, r := range map[uint64]register{
		0xd40: {name: "ID_PFR0", value: 0x30},
		0xd44: {name: "ID_PFR1", value: 0x200},
		0xd48: {name: "ID_DFR0", value: 0x100000},
		0xd4c: {name: "ID_AFR0"},
		0xd50: {name: "ID_MMFR0", value: 0x100030},
		0xd54: {name: "ID_MMFR1"},
		0xd58: {name: "ID_MMFR2", value: 0x1000000},
		0xd5c: {name: "ID_MMFR3"},
		0xd78: {name: "CLIDR"},
		0xd7c: {name: "CTR", value: 0x8000_c000},
		0xd80: {name: "CCSIDR"},
		0xd90: {name: "MPU_TYPE"},
		0xd94: {name: "MPU_CTRL"},
		0xf40: {name: "MVFR0"},
		0xf44: {name: "MVFR1"},
	} {
		b[at] = &r
	}
}

// interruptState is ICSR as read: what waits, and the exception that runs, which is not told apart
// from others that have been interrupted by it: the most recent is taken to be the lowest number.
func (c *CortexM) interruptState() (v uint32) {
	waits, active := c.core.Pending(), c.core.Active()
	for bit, n := range map[uint32]int{nmiPendSet: excNMI, pendSVSet: excPendSV, sysTickSet: excSysTick} {
		if waits>>n&1 != 0 {
			v |= bit
		}
	}
	if waits>>excExternal != 0 {
		v |= isrPending
	}
	if waits != 0 {
		v |= uint32(bits.TrailingZeros64(waits)) << 12
	}
	if active != 0 {
		v |= uint32(bits.TrailingZeros64(active))
	}
	if active&(active-1) == 0 {
		v |= retToBase
	}
	return v
}

func (c *CortexM) setInterruptState(v uint32) {
	for _, x := range []struct {
		bit uint32
		do  func(int)
		n   int
	}{
		{nmiPendSet, c.raise, excNMI},
		{pendSVSet, c.raise, excPendSV}, {pendSVClear, c.clear, excPendSV},
		{sysTickSet, c.raise, excSysTick}, {sysTickClear, c.clear, excSysTick},
	} {
		if v&x.bit != 0 {
			x.do(x.n)
		}
	}
}

// applicationControl is a write to AIRCR, with its key: a program that resets the chip ends, as
// there is nobody to start it again.
func (c *CortexM) applicationControl(v uint32) {
	const key, reset = 0x05fa, 1 << 2
	if v>>16 == key && v&reset != 0 {
		c.sys.End(1, "reset request (AIRCR.SYSRESETREQ)")
	}
}
