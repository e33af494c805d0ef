package rv32

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/isa"
)

var allFeatures = []string{"m", "a", "c", "zicsr", "zifencei", "zba", "zbb", "zbkb"}

// newMachine maps text at progBase, readable and writable, and 4 KiB of data at 0x80000000, and
// returns a core at its start.
func newMachine(t *testing.T, text string, features []string) (*isa.Memory, isa.Core) {
	t.Helper()
	im := mustAssemble(text, progBase)
	mem := &isa.Memory{}
	for _, r := range []*isa.Region{
		{Name: "code", Base: progBase, Data: im.Segments[0].Data, Perm: isa.R | isa.W | isa.X},
		{Name: "data", Base: 0x8000_0000, Data: make([]byte, 4096), Perm: isa.R | isa.W},
		{Name: "rom", Base: 0x9000_0000, Data: make([]byte, 4096), Perm: isa.R},
	} {
		if err := mem.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	c := New().NewCore(mem, features)
	c.SetPC(progBase)
	return mem, c
}

// TestStops sees every way a run ends, where, and what it says.
func TestStops(t *testing.T) {
	base := []string{"c"}
	for name, tt := range map[string]struct {
		text     string
		features []string
		kind     isa.StopKind
		off      uint64 // of Stop.PC
		next     uint64 // offset of the core's PC
		retired  uint64
		err      string
	}{
		"ecall":  {"nop\necall", base, isa.StopSystem, 2, 6, 2, ""},
		"ebreak": {"nop\nebreak", base, isa.StopBreak, 2, 4, 2, ""},
		"wfi":    {"wfi", base, isa.StopHalt, 0, 4, 1, ""},
		"undefined": {"nop\n.2byte 0", base, isa.StopUndef, 2, 2, 1,
			"undefined instruction 0x0000"},
		"no m": {"nop\nmul a0, a1, a2", base, isa.StopUndef, 2, 2, 1,
			"MUL needs the extension m, which this CPU lacks"},
		"no zbb nor zbkb": {"nop\nandn a0, a1, a2", []string{"c", "zba"}, isa.StopUndef, 2, 2, 1,
			"ANDN needs the extension zbb or zbkb, which this CPU lacks"},
		"rotate of zbkb": {"rori a0, a1, 3\nebreak", []string{"c", "zbkb"}, isa.StopBreak, 4, 6, 2, ""},
		"no zbkb": {"nop\npack a0, a1, a2", []string{"c", "zbb"}, isa.StopUndef, 2, 2, 1,
			"PACK needs the extension zbkb, which this CPU lacks"},
		"no c": {"c.nop", []string{"m"}, isa.StopUndef, 0, 0, 0,
			"C.NOP needs the extension c, which this CPU lacks"},
		"load": {"li a0, 16\nlw a1, 4(a0)", base, isa.StopFault, 2, 2, 1,
			"read of 4 bytes at 0x14: unmapped"},
		"store byte": {"lui a0, 0x90000\nsb a1, 1(a0)", base, isa.StopFault, 4, 4, 1,
			"write of 1 bytes at 0x90000001: not writable (rom)"},
		"misaligned load": {"lui a0, 0x80000\nlw a1, 2(a0)", base, isa.StopFault, 4, 4, 1,
			"read of 4 bytes at 0x80000002: misaligned"},
		"misaligned store": {"lui a0, 0x80000\nsh a1, 1(a0)", base, isa.StopFault, 4, 4, 1,
			"write of 2 bytes at 0x80000001: misaligned"},
		"misaligned allowed": {"lui a0, 0x80000\nsw a1, 2(a0)\nlh a1, 1(a0)\nebreak",
			[]string{"c", "zicclsm"}, isa.StopBreak, 12, 14, 4, ""},
		"misaligned atomic": {"lui a0, 0x80000\naddi a0, a0, 2\nlr.w a1, (a0)",
			[]string{"c", "a", "zicclsm"}, isa.StopFault, 6, 6, 2, "read of 4 bytes at 0x80000002: misaligned"},
		"jump to data": {"lui a0, 0x80000\njr a0", base, isa.StopFault, 0x80000000 - progBase, 0x80000000 - progBase, 2,
			"fetch of 2 bytes at 0x80000000: not executable (data)"},
		"jump to half": {".option norvc\nauipc a0, 0\njalr zero, 10(a0)", []string{}, isa.StopFault, 4, 4, 1,
			"fetch of 4 bytes at 0x1000a: misaligned"},
		"end of memory": {"nop\n.2byte 0x0013", base, isa.StopFault, 2, 2, 1,
			"fetch of 2 bytes at 0x10004: unmapped"},
		"unknown CSR": {"csrr a0, 0x7c0", allFeatures, isa.StopUndef, 0, 0, 0,
			"CSR 0x7c0 is not modelled"},
		"read-only CSR": {"csrw cycle, a0", allFeatures, isa.StopUndef, 0, 0, 0,
			"CSR cycle is read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			_, c := newMachine(t, tt.text, tt.features)
			l := &countListener{}
			s := c.Run(l, 0, isa.NoAddr)
			msg := ""
			if s.Err != nil {
				msg = s.Err.Error()
			}
			if s.Kind != tt.kind || s.PC != progBase+tt.off || msg != tt.err ||
				c.PC() != progBase+tt.next || c.Retired() != tt.retired || l.steps != int(tt.retired) {
				t.Errorf("kind %d at %#x (%s), PC %#x, retired %d, reported %d",
					s.Kind, s.PC, msg, c.PC(), c.Retired(), l.steps)
			}
		})
	}
}

// TestLimitAndAddress sees that a run ends within straight code, and goes on from there.
func TestLimitAndAddress(t *testing.T) {
	_, c := newMachine(t, "addi a0,a0,1\naddi a0,a0,1\naddi a0,a0,1\naddi a0,a0,1\nebreak", allFeatures)
	s := c.Run(nil, 3, isa.NoAddr)
	if s.Kind != isa.StopLimit || s.PC != progBase+6 || c.Reg(A0) != 3 {
		t.Errorf("limit: %+v, a0 %d", s, c.Reg(A0))
	}
	c.SetPC(progBase)
	s = c.Run(nil, 0, progBase+4)
	if s.Kind != isa.StopAddr || s.PC != progBase+4 || c.PC() != progBase+4 || c.Reg(A0) != 5 {
		t.Errorf("address: %+v, a0 %d", s, c.Reg(A0))
	}
	if s = c.Run(nil, 0, isa.NoAddr); s.Kind != isa.StopBreak || c.Reg(A0) != 7 || c.Retired() != 8 {
		t.Errorf("rest: %+v, a0 %d, retired %d", s, c.Reg(A0), c.Retired())
	}
}

// TestLongRun sees that straight code of any length runs, in runs of at most maxRun steps.
func TestLongRun(t *testing.T) {
	_, c := newMachine(t, strings.Repeat("addi a0,a0,1\n", 2*maxRun+5)+"ebreak", allFeatures)
	l := &recorder{}
	s := c.Run(l, 0, isa.NoAddr)
	if d := cmp.Diff([]int{maxRun, maxRun, 6}, l.n); d != "" || s.Kind != isa.StopBreak || c.Reg(A0) != 2*maxRun+5 {
		t.Errorf("%+v: a0 %d %s", s, c.Reg(A0), d)
	}
}

// TestZeroRegister sees that x0 stays 0 whatever writes it.
func TestZeroRegister(t *testing.T) {
	_, c := newMachine(t, `
	.option norvc
	addi zero, zero, 5
	lui a0, 0x80000
	lw zero, 0(a0)
	jal zero, 1f
1:	auipc zero, 1
	mul zero, a0, a0
	amoadd.w zero, a0, (a0)
	csrrs zero, cycle, zero
	mv a1, zero
	ebreak`, allFeatures)
	c.SetReg(Zero, 7)
	if s := c.Run(nil, 0, isa.NoAddr); s.Kind != isa.StopBreak || c.Reg(Zero) != 0 || c.Reg(A1) != 0 {
		t.Errorf("%+v: x0 %d, a1 %d", s, c.Reg(Zero), c.Reg(A1))
	}
}

// TestStoreIntoCode sees that code written over runs as written: by a store of the program, with
// and without FENCE.I behind it, and by Memory.Write.
func TestStoreIntoCode(t *testing.T) {
	mem, c := newMachine(t, `
	.option norvc
	la t0, patch
	li t2, 0x01050513 # addi a0, a0, 16
again:	call patch
	sw t2, 0(t0)
	addi a1, a1, 1
	li a2, 2
	bne a1, a2, again
	fence.i
	ebreak
patch:	addi a0, a0, 1
	ret`, allFeatures)
	c.Run(nil, 0, isa.NoAddr)
	if c.Reg(A0) != 17 {
		t.Errorf("a0 = %d, want 17", c.Reg(A0))
	}
	if err := mem.Write(c.Reg(T0), mustEncode(Make("ADDI", int64(A0), int64(Zero), 3), 0)); err != nil {
		t.Fatal(err)
	}
	c.SetPC(c.Reg(T0))
	c.SetReg(RA, 0)
	c.Run(nil, 0, 0)
	if c.Reg(A0) != 3 {
		t.Errorf("after Write: a0 = %d, want 3", c.Reg(A0))
	}
}

// TestReservation sees which SC succeed.
func TestReservation(t *testing.T) {
	_, c := newMachine(t, `
	lui a0, 0x80000
	addi a1, a0, 8
	li a7, 5
	sc.w a2, a7, (a0)
	lr.w a7, (a0)
	sc.w a3, a1, (a1)
	lr.w a7, (a0)
	sc.w a4, a1, (a0)
	sc.w a5, a1, (a0)
	lw a6, 0(a0)
	ebreak`, allFeatures)
	c.Run(nil, 0, isa.NoAddr)
	var got []uint64
	for r := A2; r <= A6; r++ {
		got = append(got, c.Reg(r))
	}
	if d := cmp.Diff([]uint64{1, 1, 0, 1, 0x80000008}, got); d != "" {
		t.Error(d)
	}
}

// recorder keeps a copy of every event.
type recorder struct {
	data  []isa.Access
	hints []isa.Hint
	n     []int
	last  []isa.Static
	now   uint64
}

func (r *recorder) Retire(e *isa.Retired) {
	r.data = append(r.data, e.Data...)
	r.hints = append(r.hints, e.Hints...)
	r.n = append(r.n, e.N)
	r.last = append(r.last, e.Code.Time[e.N-1])
	r.now += 10 * uint64(e.N)
}

func (r *recorder) Now() uint64 { return r.now }

func TestEvents(t *testing.T) {
	_, c := newMachine(t, `
	lui a0, 0x80000
	sw a0, 4(a0)
	lbu a1, 7(a0)
	amoadd.w a2, a1, (a0)
	div a3, a0, a1
	remu a4, a1, zero
	rdcycle a5
	ebreak`, allFeatures)
	l := &recorder{}
	c.SetClock(l)
	c.Run(l, 0, isa.NoAddr)
	base := uint64(0x8000_0000)
	if d := cmp.Diff([]isa.Access{
		{Addr: base + 4, Step: 1, Size: 4, Store: true},
		{Addr: base + 7, Step: 2, Size: 1},
		{Addr: base, Step: 3, Size: 4},
		{Addr: base, Step: 3, Size: 4, Store: true},
	}, l.data); d != "" {
		t.Error(d)
	}
	// -2^31 / 128 has a quotient of 25 bits; a division by zero gives 32 ones.
	if d := cmp.Diff([]isa.Hint{{Step: 4, Value: 26}, {Step: 5, Value: 33}}, l.hints); d != "" {
		t.Error(d)
	}
	// The clock row stands alone, and what precedes it is reported before it reads.
	if d := cmp.Diff([]int{6, 1, 1}, l.n); d != "" || c.Reg(A5) != 60 {
		t.Errorf("%s; cycle read as %d", d, c.Reg(A5))
	}
}

func TestCounters(t *testing.T) {
	_, c := newMachine(t, `
	rdinstret a0
	csrw mcycle, zero
	nop
	csrr a1, mcycle
	li a2, 7
	csrw mcycleh, a2
	csrr a3, cycleh
	csrrsi a4, mscratch, 9
	csrrci a5, mscratch, 1
	csrr a6, mscratch
	csrr a7, misa
	ebreak`, allFeatures)
	c.Run(nil, 0, isa.NoAddr)
	var got []uint64
	for _, r := range []isa.Reg{A0, A1, A3, A4, A5, A6, A7} {
		got = append(got, c.Reg(r))
	}
	// Without a clock, cycles are retired instructions.
	if d := cmp.Diff([]uint64{0, 2, 7, 0, 9, 8, 0x4000_1105}, got); d != "" {
		t.Error(d)
	}
}

// TestJumpClasses sees what a pipeline learns of jumps from their registers.
func TestJumpClasses(t *testing.T) {
	for text, want := range map[string]struct {
		class string
		flags isa.FormFlags
	}{
		"beq a0,a1,.":     {"branch.cond", isa.Branch | isa.Cond | isa.Commute},
		"c.beqz a0,.":     {"branch.cond", isa.Branch | isa.Cond},
		"j .":             {"branch.jump", isa.Branch},
		"jal a0,.":        {"branch.jump", isa.Branch},
		"jal ra,.":        {"branch.call", isa.Branch | isa.Call},
		"jal t0,.":        {"branch.call", isa.Branch | isa.Call},
		"c.jal .":         {"branch.call", isa.Branch | isa.Call},
		"ret":             {"branch.return", isa.Branch | isa.Return},
		"jalr zero,0(t0)": {"branch.return", isa.Branch | isa.Return},
		"jr a0":           {"branch.reg", isa.Branch},
		"jalr a0":         {"branch.reg.call", isa.Branch | isa.Call},
		"jalr ra,0(ra)":   {"branch.reg.call", isa.Branch | isa.Call},
		"jalr a1,0(ra)":   {"branch.reg", isa.Branch},
	} {
		code, err := ownText("x: " + text)
		if err != nil {
			t.Fatal(err)
		}
		in, n, err := Arch{}.Decode(code, progBase)
		if err != nil {
			t.Fatal(err)
		}
		st := newStatic(in, base(in), progBase, n)
		if classes[st.Class] != want.class || st.Flags != want.flags {
			t.Errorf("%s: class %s, flags %b", text, classes[st.Class], st.Flags)
		}
	}
}

func TestStatic(t *testing.T) {
	none := isa.NoReg
	in := Make("C.SWSP", int64(A0), 8)
	got := newStatic(in, base(in), 0x100, 2)
	want := isa.Static{
		PC: 0x100, Src: isa.Set(A0, SP), Addr: isa.Set(SP), Form: in.Form, Flags: isa.Store, Size: 2, Words: 1, Imm: 8,
		R: [4]isa.Reg{A0, SP, none, none}, W: [2]isa.Reg{none, none}, Class: classNum["store.word"],
	}
	if d := cmp.Diff(want, got, cmp.Comparer(sameForm)); d != "" {
		t.Error(d)
	}
	in = Make("C.JAL", 0xf0)
	got = newStatic(in, base(in), 0x100, 2)
	if got.Imm != -16 || got.Dst != isa.Set(RA) || got.W[0] != RA || got.Src != 0 {
		t.Errorf("C.JAL: %+v", got)
	}
}
