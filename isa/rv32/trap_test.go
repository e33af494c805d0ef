package rv32

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/isa"
)

// handler is where the programs of these tests have their trap handler; runs stop there.
const handler = progBase + 0x100

// trapLog keeps what a listener is told of traps.
type trapLog struct {
	traps []uint32
	next  uint64
	steps int
}

func (l *trapLog) Retire(r *isa.Retired) {
	l.steps += r.N
	if r.Trap != 0 {
		l.traps = append(l.traps, r.Trap)
		l.next = r.Next
	}
}

// setVector is the text that puts v into mtvec: 8 bytes.
func setVector(v uint32) string {
	return fmt.Sprintf(".option push\n.option norvc\nlui t0, %d\naddi t0, t0, %d\n.option pop\ncsrw mtvec, t0\n",
		v>>12, v&0x7ff)
}

// newTrapMachine is newMachine with a handler set and 1 KiB of no-ops behind the text.
func newTrapMachine(t *testing.T, text string, features []string) *core {
	t.Helper()
	_, c := newMachine(t, setVector(handler)+text+"\n.zero 16\n", features)
	return c.(*core)
}

// TestTraps sees for every exception what the handler finds, and what a listener is told.
func TestTraps(t *testing.T) {
	const start = 12 // bytes of setVector
	withoutC := []string{"m", "a", "zicsr"}
	for name, tt := range map[string]struct {
		text     string
		features []string
		cause    uint32
		off      uint32 // of mepc from the text
		tval     uint32
		retired  int // in the text
	}{
		"ecall":         {"nop\necall", allFeatures, causeMachineCall, 2, 0, 2},
		"ebreak":        {"nop\n.option norvc\nebreak", allFeatures, causeBreakpoint, 2, progBase + start + 2, 2},
		"c.ebreak":      {"c.ebreak", allFeatures, causeBreakpoint, 0, progBase + start, 1},
		"undefined":     {"nop\n.4byte 0xffffffff", allFeatures, causeIllegal, 2, 0xffffffff, 1},
		"undefined 16":  {".2byte 0\n.2byte 0xffff", allFeatures, causeIllegal, 0, 0, 0},
		"no extension":  {".option norvc\nmul a0, a1, a2", []string{"zicsr"}, causeIllegal, 0, 0x02c58533, 0},
		"unknown CSR":   {"csrr a0, 0x7c0", allFeatures, causeIllegal, 0, 0x7c002573, 0},
		"read-only CSR": {"csrw cycle, a0", allFeatures, causeIllegal, 0, 0xc0051073, 0},
		"load": {"lui a0, 0xa0000\nnop\nlw a1, 4(a0)\nnop", allFeatures, causeLoadAccess, 6,
			0xa0000004, 2},
		"load byte":        {"lb a1, 7(zero)", allFeatures, causeLoadAccess, 0, 7, 0},
		"store":            {"lui a0, 0x90000\nsh a1, 2(a0)", allFeatures, causeStoreAccess, 4, 0x90000002, 1},
		"misaligned load":  {"lui a0, 0x80000\nlh a1, 1(a0)", allFeatures, causeLoadMisaligned, 4, 0x80000001, 1},
		"misaligned store": {"lui a0, 0x80000\nsw a1, 2(a0)", allFeatures, causeStoreMisaligned, 4, 0x80000002, 1},
		"misaligned amo": {"lui a0, 0x80000\naddi a0, a0, 2\namoadd.w a1, a1, (a0)", allFeatures,
			causeStoreMisaligned, 6, 0x80000002, 2},
		"misaligned lr": {"lui a0, 0x80000\naddi a0, a0, 2\nlr.w a1, (a0)", allFeatures,
			causeLoadMisaligned, 6, 0x80000002, 2},
		"fetch": {"lui a0, 0x80000\njr a0", allFeatures, causeFetchAccess, 0x80000000 - progBase - start, 0x80000000, 2},
		"misaligned jump": {".option norvc\nauipc a0, 0\njalr ra, 10(a0)", withoutC, causeFetchMisaligned, 4,
			progBase + start + 10, 1},
		"misaligned branch":   {".option norvc\nbeq a0, a0, .+6", withoutC, causeFetchMisaligned, 0, progBase + start + 6, 0},
		"branch not taken":    {".option norvc\nbne a0, a0, .+6\necall", withoutC, causeMachineCall, 4, 0, 2},
		"jump to odd address": {"auipc a0, 0\njr 9(a0)\n.zero 8\necall", []string{"c", "zicsr"}, causeIllegal, 8, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTrapMachine(t, tt.text, tt.features)
			l := &trapLog{}
			s := c.Run(l, 1000, handler)
			got := []uint32{c.csr.mcause, c.csr.mepc, c.csr.mtval}
			want := []uint32{tt.cause, progBase + start + tt.off, tt.tval}
			if d := cmp.Diff(want, got); d != "" || s.Kind != isa.StopAddr {
				t.Errorf("%+v: mcause, mepc, mtval: %s", s, d)
			}
			if d := cmp.Diff([]uint32{tt.cause + 1}, l.traps); d != "" || l.next != handler || l.steps != tt.retired+3 {
				t.Errorf("told of traps to %#x after %d steps: %s", l.next, l.steps, d)
			}
			if c.Reg(RA) != 0 {
				t.Errorf("a jump that trapped has linked: ra = %#x", c.Reg(RA))
			}
		})
	}
}

// TestTrapLoop sees that a handler that cannot run ends the run, with or without a first
// instruction.
func TestTrapLoop(t *testing.T) {
	for name, tt := range map[string]struct {
		vector uint32
		text   string
		kind   isa.StopKind
	}{
		"unmapped":  {0x4000_0000, "ecall", isa.StopFault},
		"undefined": {progBase + 16, "ecall\n.2byte 0", isa.StopUndef},
		"ebreak":    {progBase + 16, "ecall\nebreak", isa.StopBreak},
		"load":      {progBase + 16, "ecall\nlw a0, 0(zero)", isa.StopFault},
	} {
		t.Run(name, func(t *testing.T) {
			_, c := newMachine(t, setVector(tt.vector)+tt.text, allFeatures)
			if s := c.Run(nil, 1000, isa.NoAddr); s.Kind != tt.kind || s.PC != uint64(tt.vector) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestTrapAndReturn sees a program that emulates an instruction in its handler and goes on behind it.
func TestTrapAndReturn(t *testing.T) {
	_, c := newMachine(t, `
	la t0, 1f
	csrw mtvec, t0
	csrwi mscratch, 8
	csrsi mstatus, 8
	csrr a2, minstret
	.4byte 0x0000000b
	ecall
	csrr a3, minstret
	csrr a4, mstatus
	csrw mtvec, zero
	ebreak
	.balign 4
1:	csrr a1, mstatus
	csrr t1, mepc
	addi t1, t1, 4
	csrw mepc, t1
	addi a0, a0, 1
	mret`, allFeatures)
	s := c.Run(nil, 1000, isa.NoAddr)
	got := []uint64{c.Reg(A0), c.Reg(A1), c.Reg(A3) - c.Reg(A2), c.Reg(A4)}
	// Neither the undefined instruction nor ECALL counts in minstret; twice 6 of the handler and the
	// first CSRR do.
	if d := cmp.Diff([]uint64{2, 0x1880, 13, 0x1888}, got); d != "" || s.Kind != isa.StopBreak {
		t.Errorf("%+v: traps, mstatus in the handler, minstret, mstatus: %s", s, d)
	}
}

// raiser sets interrupt lines after some number of steps.
type raiser struct {
	trapLog
	core  *core
	after int
	lines uint64
}

func (r *raiser) Retire(e *isa.Retired) {
	r.trapLog.Retire(e)
	if r.steps >= r.after {
		r.core.SetPending(r.lines)
	}
}

// TestInterrupts sees when interrupts are taken, which, and where they enter.
func TestInterrupts(t *testing.T) {
	const loop = "\ncsrw mie, a0\ncsrw mstatus, a1\nwait: addi a2, a2, 1\nj wait"
	for name, tt := range map[string]struct {
		vector uint32
		lines  uint64
		mie    uint64
		status uint64
		cause  uint32 // 0: none taken
		entry  uint64
	}{
		"timer":            {handler, 1 << 7, 1 << 7, mstatusMIE, 7, handler},
		"vectored":         {handler + 1, 1 << 7, 1 << 7, mstatusMIE, 7, handler + 4*7},
		"external first":   {handler + 1, ^uint64(0), ^uint64(0), mstatusMIE, 11, handler + 4*11},
		"software next":    {handler + 1, 1<<3 | 1<<7, ^uint64(0), mstatusMIE, 3, handler + 4*3},
		"line not enabled": {handler, 1 << 7, 1<<3 | 1<<11, mstatusMIE, 0, 0},
		"none enabled":     {handler, 1 << 7, 1 << 7, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, mc := newMachine(t, setVector(tt.vector)+loop, allFeatures)
			c := mc.(*core)
			c.SetReg(A0, tt.mie)
			c.SetReg(A1, tt.status)
			r := &raiser{core: c, after: 20, lines: tt.lines}
			stopAt := tt.entry
			if tt.cause == 0 {
				stopAt = isa.NoAddr
			}
			s := c.Run(r, 1000, stopAt)
			if tt.cause == 0 {
				if s.Kind != isa.StopLimit || len(r.traps) != 0 {
					t.Errorf("%+v, traps %v", s, r.traps)
				}
				return
			}
			want := causeInterrupt | tt.cause
			if s.Kind != isa.StopAddr || c.csr.mcause != want || c.csr.mepc != progBase+20 || c.Reg(A2) < 7 || c.Reg(A2) > 9 {
				t.Errorf("%+v: mcause %#x, mepc %#x, %d rounds", s, c.csr.mcause, c.csr.mepc, c.Reg(A2))
			}
			if d := cmp.Diff([]uint32{want + 1}, r.traps); d != "" || c.csr.mstatus != 3<<mppShift|mstatusMPIE {
				t.Errorf("mstatus %#x, traps %s", c.csr.mstatus, d)
			}
		})
	}
}

// TestWait sees that WFI halts until a line that is enabled in mie is set, and then goes on, whether
// interrupts are enabled in mstatus or not.
func TestWait(t *testing.T) {
	_, mc := newMachine(t, "li a0, 128\ncsrw mie, a0\nwfi\naddi a1, a1, 1\nwfi\naddi a1, a1, 1\nebreak", allFeatures)
	var c isa.Interrupts = mc.(*core)
	if s := mc.Run(nil, 0, isa.NoAddr); s.Kind != isa.StopHalt || mc.Reg(A1) != 0 {
		t.Errorf("no line: %+v", s)
	}
	c.SetPending(1 << 7)
	if s := mc.Run(nil, 0, isa.NoAddr); s.Kind != isa.StopBreak || mc.Reg(A1) != 2 {
		t.Errorf("line set: %+v, a1 = %d", s, mc.Reg(A1))
	}
}

// TestUserMode sees what user mode may not do. Each text runs there.
func TestUserMode(t *testing.T) {
	const enter = "la t0, 1f\ncsrw mepc, t0\nmret\n1: "
	for name, tt := range map[string]struct {
		machine string // runs before, in machine mode
		text    string
		cause   uint32
		err     string
	}{
		"ecall":           {"", "ecall", causeUserCall, ""},
		"machine CSR":     {"", "csrr a0, mscratch", causeIllegal, "CSR mscratch cannot be used in user mode"},
		"counter closed":  {"", "rdcycle a0", causeIllegal, "CSR cycle is closed to user mode by mcounteren"},
		"counter open":    {"csrwi mcounteren, 1", "rdcycle a0\necall", causeUserCall, ""},
		"other counter":   {"csrwi mcounteren, 1", "rdinstret a0", causeIllegal, "CSR instret is closed to user mode by mcounteren"},
		"high word":       {"csrwi mcounteren, 4", "rdinstreth a0\necall", causeUserCall, ""},
		"MRET":            {"", "mret", causeIllegal, "MRET cannot be used in user mode"},
		"WFI with TW":     {"li t0, 0x200000\ncsrs mstatus, t0", "wfi", causeIllegal, "WFI cannot be used in user mode"},
		"reads no secret": {"", "csrr a0, mhartid", causeIllegal, "CSR mhartid cannot be used in user mode"},
	} {
		t.Run(name, func(t *testing.T) {
			_, mc := newMachine(t, "li t0, 0x1800\ncsrc mstatus, t0\n"+tt.machine+"\n"+enter+tt.text, append([]string{"u"}, allFeatures...))
			c := mc.(*core)
			s := c.Run(nil, 1000, isa.NoAddr)
			cause, _, ok := c.exception(s)
			msg := ""
			if s.Err != nil {
				msg = s.Err.Error()
			}
			if !ok || cause != tt.cause || msg != tt.err || c.csr.mode != userMode {
				t.Errorf("%+v: cause %d, mode %d", s, cause, c.csr.mode)
			}
		})
	}
}

// TestModes sees mstatus.MPP over a trap from user mode and back.
func TestModes(t *testing.T) {
	_, mc := newMachine(t, setVector(handler)+"li t0, 0x1800\ncsrc mstatus, t0\nla t0, 1f\ncsrw mepc, t0\nmret\n1: ecall",
		append([]string{"u"}, allFeatures...))
	c := mc.(*core)
	c.Run(nil, 1000, handler)
	if c.csr.mode != machineMode || c.csr.mstatus != userMode<<mppShift || c.csr.mcause != causeUserCall {
		t.Errorf("in the handler: mode %d, mstatus %#x, mcause %d", c.csr.mode, c.csr.mstatus, c.csr.mcause)
	}
	if next := c.mret(); next != c.csr.mepc || c.csr.mode != userMode || c.csr.mstatus != mstatusMPIE {
		t.Errorf("after MRET: mode %d, mstatus %#x", c.csr.mode, c.csr.mstatus)
	}
}
