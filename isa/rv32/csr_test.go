package rv32

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/isa"
)

// TestLegalValues sees what each register reads as after ones and after zeros were written.
func TestLegalValues(t *testing.T) {
	withUser := append([]string{"u"}, allFeatures...)
	for name, tt := range map[string]struct {
		features    []string
		ones, zeros uint32
	}{
		"mstatus":       {withUser, 0x221888, 0},
		"mstatush":      {allFeatures, 0, 0},
		"misa":          {withUser, 0x4010_1105, 0x4010_1105},
		"mie":           {allFeatures, 0x888, 0},
		"mip":           {allFeatures, 0, 0},
		"mtvec":         {allFeatures, 0xffff_fffd, 0},
		"mcounteren":    {withUser, 7, 0},
		"mcountinhibit": {allFeatures, 5, 0},
		"mscratch":      {allFeatures, 0xffff_ffff, 0},
		"mepc":          {allFeatures, 0xffff_fffe, 0},
		"mcause":        {allFeatures, 0xffff_ffff, 0},
		"mtval":         {allFeatures, 0xffff_ffff, 0},
		"mhpmevent3":    {allFeatures, 0, 0},
		"mhpmcounter31": {allFeatures, 0, 0},
		"tselect":       {allFeatures, 0, 0},
	} {
		_, c := newMachine(t, "li a0, -1\ncsrw "+name+", a0\ncsrr a1, "+name+
			"\ncsrw "+name+", zero\ncsrr a2, "+name+"\nebreak", tt.features)
		s := c.Run(nil, 100, isa.NoAddr)
		got := []uint64{c.Reg(A1), c.Reg(A2)}
		if d := cmp.Diff([]uint64{uint64(tt.ones), uint64(tt.zeros)}, got); d != "" || s.Kind != isa.StopBreak {
			t.Errorf("%s: %+v %s", name, s, d)
		}
	}
}

// TestLegalWithout sees what differs without user mode and without compressed instructions.
func TestLegalWithout(t *testing.T) {
	_, c := newMachine(t, `
	.option norvc
	csrw mstatus, zero
	csrr a0, mstatus
	li a1, -1
	csrw mepc, a1
	csrr a1, mepc
	csrr a2, mcounteren`, []string{"zicsr"})
	s := c.Run(nil, 100, isa.NoAddr)
	if c.Reg(A0) != 0x1800 || c.Reg(A1) != 0xffff_fffc || s.Kind != isa.StopUndef || s.PC != progBase+20 {
		t.Errorf("%+v: mstatus %#x, mepc %#x", s, c.Reg(A0), c.Reg(A1))
	}
}

// TestInstret sees that a write of minstret is what the next instruction reads, and that the counter
// carries from its low word to the high one.
func TestInstret(t *testing.T) {
	_, c := newMachine(t, `
	csrwi minstret, 9
	csrr a0, minstret
	li a1, -1
	csrw minstret, a1
	csrw minstreth, zero
	nop
	csrr a1, minstret
	csrr a2, minstreth
	ebreak`, allFeatures)
	c.Run(nil, 100, isa.NoAddr)
	if d := cmp.Diff([]uint64{9, 0, 1}, []uint64{c.Reg(A0), c.Reg(A1), c.Reg(A2)}); d != "" {
		t.Error(d)
	}
}

// TestInhibit sees both counters stop, take a value while stopped, and go on from it.
func TestInhibit(t *testing.T) {
	_, c := newMachine(t, `
	csrwi minstret, 0
	csrwi mcountinhibit, 5
	csrr a0, minstret
	nop
	csrr a1, minstret
	csrr a2, mcycle
	nop
	csrr a3, cycle
	csrwi minstret, 20
	csrr a4, instret
	csrwi mcountinhibit, 0
	nop
	csrr a5, minstret
	ebreak`, allFeatures)
	c.Run(nil, 100, isa.NoAddr)
	got := []uint64{c.Reg(A0), c.Reg(A1), c.Reg(A3) - c.Reg(A2), c.Reg(A4), c.Reg(A5)}
	if d := cmp.Diff([]uint64{1, 1, 0, 20, 21}, got); d != "" {
		t.Error(d)
	}
}
