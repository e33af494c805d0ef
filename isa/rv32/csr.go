package rv32

import (
	"fmt"

	"simrun/isa"
)

// csrRow is one control and status register. Bits 9:8 of the number are the lowest mode that may
// use it, bits 11:10 = 3 say that it is read-only (Volume II, section 2.1).
type csrRow struct {
	num  uint16
	name string
	// word is where the value is kept, mask the bits of it that a program can write. A row
	// without word, get and set reads as 0 and ignores writes.
	word func(f *csrFile) *uint32
	mask uint32
	// get and set replace word and mask where a value is computed or not all are legal.
	get func(c *core) uint32
	set func(c *core, v uint32)
	// withUser says that the register exists only beside user mode.
	withUser bool
}

// csrFile is the state behind the rows.
type csrFile struct {
	clock isa.Clock
	user  bool // the core has user mode
	mode  uint32

	misa, mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval uint32
	mcounteren, mcountinhibit                                     uint32

	cycle, instret counter
}

// Modes, as in mstatus.MPP.
const (
	userMode    = 0
	machineMode = 3
)

// Fields of mstatus (section 3.1.6). MPRV is kept without effect: without memory protection
// all modes see the same memory.
const (
	mstatusMIE  = 1 << 3
	mstatusMPIE = 1 << 7
	mstatusMPP  = 3 << mppShift
	mstatusMPRV = 1 << 17
	mstatusTW   = 1 << 21
	mppShift    = 11
)

// interruptLines are the bits of mie and mip that exist: software, timer and external interrupt
// of machine mode.
const interruptLines = 1<<3 | 1<<7 | 1<<11

// Bits of mcountinhibit and mcounteren.
const (
	counterCycle   = 1 << 0
	counterTime    = 1 << 1
	counterInstret = 1 << 2
)

// csrRows are the registers in the order of Volume II, tables 2.2 to 2.5, without those of the
// event counters.
var csrRows = []csrRow{
	{num: 0xc00, name: "cycle", get: func(c *core) uint32 { return uint32(c.csr.cycle.value(c.now())) }},
	{num: 0xc01, name: "time", get: func(c *core) uint32 { return uint32(c.now()) }},
	{num: 0xc02, name: "instret", get: func(c *core) uint32 { return uint32(c.csr.instret.value(c.retired)) }},
	{num: 0xc80, name: "cycleh", get: func(c *core) uint32 { return uint32(c.csr.cycle.value(c.now()) >> 32) }},
	{num: 0xc81, name: "timeh", get: func(c *core) uint32 { return uint32(c.now() >> 32) }},
	{num: 0xc82, name: "instreth", get: func(c *core) uint32 { return uint32(c.csr.instret.value(c.retired) >> 32) }},

	{num: 0xf11, name: "mvendorid"},
	{num: 0xf12, name: "marchid"},
	{num: 0xf13, name: "mimpid"},
	{num: 0xf14, name: "mhartid"},
	{num: 0xf15, name: "mconfigptr"},
	{num: 0x300, name: "mstatus", word: func(f *csrFile) *uint32 { return &f.mstatus }, set: setStatus},
	{num: 0x301, name: "misa", word: func(f *csrFile) *uint32 { return &f.misa }},
	{num: 0x304, name: "mie", word: func(f *csrFile) *uint32 { return &f.mie }, mask: interruptLines},
	{num: 0x305, name: "mtvec", word: func(f *csrFile) *uint32 { return &f.mtvec }, mask: ^uint32(2)},
	{num: 0x306, name: "mcounteren", word: func(f *csrFile) *uint32 { return &f.mcounteren },
		mask: counterCycle | counterTime | counterInstret, withUser: true},
	{num: 0x310, name: "mstatush"},
	{num: 0x340, name: "mscratch", word: func(f *csrFile) *uint32 { return &f.mscratch }, mask: ^uint32(0)},
	{num: 0x341, name: "mepc", word: func(f *csrFile) *uint32 { return &f.mepc },
		set: func(c *core, v uint32) { c.csr.mepc = v &^ c.code.pcMask }},
	{num: 0x342, name: "mcause", word: func(f *csrFile) *uint32 { return &f.mcause }, mask: ^uint32(0)},
	{num: 0x343, name: "mtval", word: func(f *csrFile) *uint32 { return &f.mtval }, mask: ^uint32(0)},
	{num: 0x344, name: "mip", word: func(f *csrFile) *uint32 { return &f.mip }},
	{num: 0xb00, name: "mcycle", get: func(c *core) uint32 { return uint32(c.csr.cycle.value(c.now())) },
		set: func(c *core, v uint32) { c.csr.cycle.write(c.now(), c.now(), false, v) }},
	{num: 0xb02, name: "minstret", get: func(c *core) uint32 { return uint32(c.csr.instret.value(c.retired)) },
		set: func(c *core, v uint32) { c.csr.instret.write(c.retired, c.retired+1, false, v) }},
	{num: 0xb80, name: "mcycleh", get: func(c *core) uint32 { return uint32(c.csr.cycle.value(c.now()) >> 32) },
		set: func(c *core, v uint32) { c.csr.cycle.write(c.now(), c.now(), true, v) }},
	{num: 0xb82, name: "minstreth", get: func(c *core) uint32 { return uint32(c.csr.instret.value(c.retired) >> 32) },
		set: func(c *core, v uint32) { c.csr.instret.write(c.retired, c.retired+1, true, v) }},
	{num: 0x320, name: "mcountinhibit", word: func(f *csrFile) *uint32 { return &f.mcountinhibit }, set: setInhibit},

	// There is no trigger: the one that tselect can name has type 0 (debug specification 0.13.2,
	// section 5.1).
	{num: 0x7a0, name: "tselect"},
	{num: 0x7a1, name: "tdata1"},
	{num: 0x7a2, name: "tdata2"},
	{num: 0x7a3, name: "tdata3"},
}

// csrByNum holds every register, the event counters included: they count nothing here.
var csrByNum = func() map[uint16]*csrRow {
	m := map[uint16]*csrRow{}
	for i := range csrRows {
		m[csrRows[i].num] = &csrRows[i]
	}
	for i := uint16(3); i < 32; i++ {
		for _, r := range []csrRow{
			{num: 0xc00 + i, name: fmt.Sprintf("hpmcounter%d", i)},
			{num: 0xc80 + i, name: fmt.Sprintf("hpmcounter%dh", i)},
			{num: 0xb00 + i, name: fmt.Sprintf("mhpmcounter%d", i)},
			{num: 0xb80 + i, name: fmt.Sprintf("mhpmcounter%dh", i)},
			{num: 0x320 + i, name: fmt.Sprintf("mhpmevent%d", i)},
		} {
			m[r.num] = &r
		}
	}
	return m
}()

var csrByName = func() map[string]uint16 {
	m := make(map[string]uint16, len(csrByNum))
	for n, r := range csrByNum {
		m[r.name] = n
	}
	return m
}()

// csrName prints a CSR number as the assembler does.
func csrName(n uint16) string {
	if r := csrByNum[n]; r != nil {
		return r.name
	}
	return fmt.Sprintf("0x%x", n)
}

// reset gives the registers their values at the start.
func (f *csrFile) reset(features []string) {
	f.misa, f.mode, f.mstatus = misa(features), machineMode, machineMode<<mppShift
	f.user = f.misa>>('u'-'a')&1 != 0
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

// findCSR returns the row of a CSR if the present mode may read it.
func (c *core) findCSR(n uint16) (*csrRow, error) {
	r := csrByNum[n]
	f := &c.csr
	switch {
	case r == nil, r.withUser && !f.user:
		return nil, fmt.Errorf("CSR %s is not modelled", csrName(n))
	case uint32(n>>8&3) > f.mode:
		return nil, fmt.Errorf("CSR %s cannot be used in user mode", r.name)
	case f.mode == userMode && n>>8 == 0xc && f.mcounteren>>(n&31)&1 == 0:
		return nil, fmt.Errorf("CSR %s is closed to user mode by mcounteren", r.name)
	}
	return r, nil
}

func (c *core) readCSR(r *csrRow) uint32 {
	switch {
	case r.get != nil:
		return r.get(c)
	case r.word != nil:
		return *r.word(&c.csr)
	}
	return 0
}

// writeCSR sets a CSR; false if it is read-only.
func (c *core) writeCSR(r *csrRow, v uint32) bool {
	switch {
	case r.num>>10 == 3:
		return false
	case r.set != nil:
		r.set(c, v)
	case r.word != nil:
		w := r.word(&c.csr)
		*w = *w&^r.mask | v&r.mask
	}
	c.interruptible()
	return true
}

// setStatus writes mstatus. A mode in MPP that the core lacks leaves that field as it is.
func setStatus(c *core, v uint32) {
	f := &c.csr
	mask := uint32(mstatusMIE | mstatusMPIE)
	if f.user {
		mask |= mstatusMPRV | mstatusTW
		if m := v >> mppShift & 3; m == userMode || m == machineMode {
			mask |= mstatusMPP
		}
	}
	f.mstatus = f.mstatus&^mask | v&mask
}

// setInhibit writes mcountinhibit: the instruction that writes it is counted by the old value.
func setInhibit(c *core, v uint32) {
	f := &c.csr
	f.mcountinhibit = v & (counterCycle | counterInstret)
	f.cycle.stop(c.now(), v&counterCycle != 0)
	f.instret.stop(c.retired+1, v&counterInstret != 0)
}

// counter is a 64-bit counter that programs may set and stop, kept as the distance from what it
// counts: the clock, or the retired instructions.
type counter struct {
	off     uint64
	held    uint64 // the value while stopped
	stopped bool
}

func (k *counter) value(now uint64) uint64 {
	if k.stopped {
		return k.held
	}
	return now + k.off
}

// write sets the low or high word of the value at now. The result is what the counter shows at after.
func (k *counter) write(now, after uint64, high bool, v uint32) {
	t := k.value(now)
	if high {
		t = uint64(v)<<32 | t&0xffffffff
	} else {
		t = t>>32<<32 | uint64(v)
	}
	k.held, k.off = t, t-after
}

func (k *counter) stop(now uint64, stopped bool) {
	t := k.value(now)
	k.held, k.off, k.stopped = t, t-now, stopped
}
