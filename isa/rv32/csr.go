package rv32

import (
	"fmt"

	"simrun/isa"
)

// csrFile is the control and status registers that this core has. It takes no traps, so the
// trap registers only keep what is written to them (and MRET jumps to mepc).
type csrFile struct {
	clock isa.Clock
	misa  uint32
	plain map[uint16]uint32
	// mcycle and minstret are kept as distances from the clock and the count of retired
	// instructions, because programs may set them.
	cycleOff, instretOff uint64
}

const csrMepc = 0x341

// CSR names of the manual that the assembler text may use: Volume II, tables 2.2-2.5.
var csrNames = map[uint16]string{
	0xc00: "cycle", 0xc01: "time", 0xc02: "instret",
	0xc80: "cycleh", 0xc81: "timeh", 0xc82: "instreth",
	0xb00: "mcycle", 0xb02: "minstret", 0xb80: "mcycleh", 0xb82: "minstreth",
	0x300: "mstatus", 0x301: "misa", 0x304: "mie", 0x305: "mtvec", 0x306: "mcounteren",
	0x320: "mcountinhibit",
	0x340: "mscratch", 0x341: "mepc", 0x342: "mcause", 0x343: "mtval", 0x344: "mip",
	0xf11: "mvendorid", 0xf12: "marchid", 0xf13: "mimpid", 0xf14: "mhartid",
}

var csrByName = func() map[string]uint16 {
	m := make(map[string]uint16, len(csrNames))
	for n, name := range csrNames {
		m[name] = n
	}
	return m
}()

// csrName prints a CSR number as the assembler does.
func csrName(n uint16) string {
	if name, ok := csrNames[n]; ok {
		return name
	}
	return fmt.Sprintf("0x%x", n)
}

// misa is the register's value: MXL = 1 (32 bits) and a bit for each one-letter extension.
func misa(features []string) uint32 {
	v := uint32(1)<<30 | 1<<('i'-'a')
	for _, f := range features {
		if len(f) == 1 && f[0] >= 'a' && f[0] <= 'z' {
			v |= 1 << (f[0] - 'a')
		}
	}
	return v
}

// now is the cycle counter: the pipeline's clock, or the retired instructions without one.
func (c *core) now() uint64 {
	if c.csr.clock != nil {
		return c.csr.clock.Now()
	}
	return c.retired
}

// readCSR returns the value of a CSR; false if the core lacks it. time counts cycles.
func (c *core) readCSR(n uint16) (uint32, bool) {
	switch n {
	case 0xc00, 0xb00:
		return uint32(c.now() + c.csr.cycleOff), true
	case 0xc80, 0xb80:
		return uint32((c.now() + c.csr.cycleOff) >> 32), true
	case 0xc01:
		return uint32(c.now()), true
	case 0xc81:
		return uint32(c.now() >> 32), true
	case 0xc02, 0xb02:
		return uint32(c.retired + c.csr.instretOff), true
	case 0xc82, 0xb82:
		return uint32((c.retired + c.csr.instretOff) >> 32), true
	case 0x301:
		return c.csr.misa, true
	}
	_, known := csrNames[n]
	return c.csr.plain[n], known
}

// writeCSR sets a CSR that readCSR knows; false if it is read-only, which bits 11:10 = 3 of
// its number say. Writes to misa change nothing.
func (c *core) writeCSR(n uint16, v uint32) bool {
	switch {
	case n>>10 == 3:
		return false
	case n == 0xb00 || n == 0xb80:
		setHalf(&c.csr.cycleOff, c.now(), n == 0xb80, v)
	case n == 0xb02 || n == 0xb82:
		setHalf(&c.csr.instretOff, c.retired, n == 0xb82, v)
	case n != 0x301:
		c.csr.plain[n] = v
	}
	return true
}

// setHalf changes off so that now + off has v as its high or low word.
func setHalf(off *uint64, now uint64, high bool, v uint32) {
	t := now + *off
	if high {
		t = uint64(v)<<32 | t&0xffffffff
	} else {
		t = t>>32<<32 | uint64(v)
	}
	*off = t - now
}
