package t32

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/isa"
)

// allFeatures are the extensions of the table.
var allFeatures = []string{"dsp", "fp"}

const (
	testCode = 0x8000
	testData = 0x2000_0000
	testRet  = 0xfffe // never executed
)

// load assembles text at testCode and returns a core before its first instruction, r0 pointing to
// 4 KiB of data, sp to their end, lr to testRet.
func load(t testing.TB, text string) (*Core, *isa.Memory) {
	t.Helper()
	blocks, err := Arch{}.Parse("test.s", text)
	if err != nil {
		t.Fatal(err)
	}
	im, err := Arch{}.Assemble(blocks, testCode)
	if err != nil {
		t.Fatal(err)
	}
	mem := new(isa.Memory)
	code := append(im.Segments[0].Data, make([]byte, 64)...)
	for _, r := range []*isa.Region{
		{Name: "code", Base: testCode, Data: code, Perm: isa.R | isa.W | isa.X},
		{Name: "data", Base: testData, Data: make([]byte, 4096), Perm: isa.R | isa.W},
	} {
		if err := mem.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	c := Arch{}.NewCore(mem, allFeatures).(*Core)
	c.SetPC(testCode)
	c.SetReg(0, testData)
	c.SetReg(SP, testData+4096)
	c.SetReg(LR, testRet|1)
	return c, mem
}

// recorder copies the events of a run.
type recorder struct{ events []isa.Retired }

func (r *recorder) Retire(e *isa.Retired) {
	c := *e
	c.Data = append([]isa.Access(nil), e.Data...)
	c.Skipped = append([]uint16(nil), e.Skipped...)
	c.Hints = append([]isa.Hint(nil), e.Hints...)
	c.Code = nil
	r.events = append(r.events, c)
}

func TestEvents(t *testing.T) {
	c, _ := load(t, `
		str r1, [r0, #4]
		ldrh r2, [r0, #6]
		ite eq
		moveq r3, #1
		movne r3, #2
		strd r1, r2, [r0, #8]
		movs r4, #100
		movs r5, #7
		udiv r6, r4, r5
		umull r6, r7, r4, r5
		pop {r8, r9}
		b 1f
		nop
	1:	cmp r4, r5
		beq 1b
		bx lr`)
	c.SetReg(Flags, 0)
	c.SetReg(SP, testData+64)
	var rec recorder
	stop := c.Run(&rec, 0, testRet|1)
	if stop.Kind != isa.StopAddr || stop.PC != testRet {
		t.Fatalf("stop %+v", stop)
	}
	want := []isa.Retired{
		{N: 12, Next: testCode + 0x22, Taken: true, Data: []isa.Access{
			{Addr: testData + 4, Step: 0, Size: 4, Store: true}, {Addr: testData + 6, Step: 1, Size: 2},
			{Addr: testData + 8, Step: 5, Size: 4, Store: true}, {Addr: testData + 12, Step: 5, Size: 4, Store: true},
			{Addr: testData + 64, Step: 10, Size: 4}, {Addr: testData + 68, Step: 10, Size: 4},
		}, Skipped: []uint16{3}, Hints: []isa.Hint{{Step: 8, Value: 5}, {Step: 9, Value: 3}}},
		{N: 2, Next: testCode + 0x26},
		{N: 1, Next: testRet, Taken: true},
	}
	if d := cmp.Diff(want, rec.events); d != "" {
		t.Error(d)
	}
	if c.Reg(3) != 2 || c.Retired() != 15 {
		t.Errorf("r3 = %d, %d retired", c.Reg(3), c.Retired())
	}
}

// A run stopped by its limit anywhere, even inside an IT block, goes on as if it had not been.
func TestLimit(t *testing.T) {
	const text = `
		movs r1, #0
		itete ne
		addne r1, #1
		addeq r1, #2
		addne r1, #4
		addeq r1, #8
		ldr r2, [r0]
		bx lr`
	for limit := uint64(1); limit < 8; limit++ {
		c, _ := load(t, text)
		runs := 0
		for {
			stop := c.Run(nil, limit, testRet)
			runs++
			if stop.Kind == isa.StopAddr {
				break
			}
			if stop.Kind != isa.StopLimit || c.Retired() != limit*uint64(runs) {
				t.Fatalf("limit %d: %+v after %d", limit, stop, c.Retired())
			}
		}
		if c.Reg(1) != 10 || c.Retired() != 8 {
			t.Errorf("limit %d: r1 = %d, %d retired", limit, c.Reg(1), c.Retired())
		}
	}
}

// stopAt may lie inside a straight run.
func TestStopInside(t *testing.T) {
	c, _ := load(t, "movs r1, #1; movs r1, #2; movs r1, #3; bx lr")
	if stop := c.Run(nil, 0, testCode+4); stop.Kind != isa.StopAddr || c.Reg(1) != 2 || c.PC() != testCode+4 {
		t.Errorf("%+v, r1 = %d, pc = %#x", stop, c.Reg(1), c.PC())
	}
}

func TestStops(t *testing.T) {
	for _, tt := range []struct {
		text string
		kind isa.StopKind
		at   uint64 // the instruction that stopped
		pc   uint64 // where the core stands
		code uint32
		err  string
	}{
		{"nop; svc #5; nop", isa.StopSystem, 2, 4, 5, ""},
		{"nop; bkpt #171; nop", isa.StopBreak, 2, 4, 171, ""},
		{"nop; wfi; nop", isa.StopHalt, 2, 4, 0, ""},
		{"nop; udf #3", isa.StopUndef, 2, 2, 0, "udf #3"},
		{"nop; .word 0xffffffff", isa.StopUndef, 2, 2, 0, "undefined instruction ffff ffff"},
		{"nop; movs r1, #64; ldr r2, [r1]", isa.StopFault, 4, 4, 0, "read of 4 bytes at 0x40: unmapped"},
		{"nop; movs r1, #64; str r2, [r1], #4", isa.StopFault, 4, 4, 0, "write of 4 bytes at 0x40: unmapped"},
		{"adds r0, #1; ldrd r2, r3, [r0]", isa.StopFault, 2, 2, 0, "read of 4 bytes at 0x20000001: misaligned"},
		{"adds r0, #2; ldmia r0!, {r2, r3}", isa.StopFault, 2, 2, 0, "misaligned"},
		{"adds r0, #2; ldrex r2, [r0]", isa.StopFault, 2, 2, 0, "misaligned"},
		{"add r1, r0, #4092; ldmia r1!, {r2, r3}", isa.StopFault, 4, 4, 0, "read of 4 bytes at 0x20001000: unmapped"},
		{"movs r1, #64; bx r1", isa.StopUndef, 2, 2, 0, "bit 0 is clear"},
		{"movs r1, #65; bx r1", isa.StopFault, 1<<32 + 0x40 - testCode, 1<<32 + 0x40 - testCode, 0, "fetch of 2 bytes at 0x40: unmapped"},
	} {
		c, _ := load(t, tt.text)
		stop := c.Run(nil, 100, testRet)
		msg := ""
		if stop.Err != nil {
			msg = stop.Err.Error()
		}
		ok := stop.Kind == tt.kind && stop.PC == uint64(uint32(testCode+tt.at)) && c.PC() == uint64(uint32(testCode+tt.pc)) && stop.Code == tt.code
		if !ok || (tt.err == "") != (msg == "") || !strings.Contains(msg, tt.err) {
			t.Errorf("%s: %+v, pc %#x, error %q", tt.text, stop, c.PC(), msg)
		}
		var fault *isa.Fault
		if tt.kind == isa.StopFault && !errors.As(stop.Err, &fault) {
			t.Errorf("%s: the error is no Fault", tt.text)
		}
	}
}

// A fault leaves the registers of its instruction alone, the base included.
func TestFaultChangesNothing(t *testing.T) {
	for _, text := range []string{"ldr r2, [r1], #4", "ldmia r1!, {r2, r3}", "ldrd r2, r3, [r1], #8", "pop {r2, r3}", "stmia r1!, {r2, r3}"} {
		c, _ := load(t, text)
		c.SetReg(1, 64)
		c.SetReg(2, 2)
		c.SetReg(3, 3)
		c.SetReg(SP, 64)
		var rec recorder
		if stop := c.Run(&rec, 0, testRet); stop.Kind != isa.StopFault {
			t.Fatalf("%s: %+v", text, stop)
		}
		if c.Reg(1) != 64 || c.Reg(2) != 2 || c.Reg(3) != 3 || c.Reg(SP) != 64 || len(rec.events) != 0 {
			t.Errorf("%s changed a register or reported an event", text)
		}
	}
}

// Code that overwrites an instruction ahead of it runs the new one, in the same straight run too.
func TestSelfModifying(t *testing.T) {
	c, _ := load(t, `
		movs r3, #2
	again:	adr r1, patch
		ldr r2, =0x2109  @ movs r1, #9
		strh r2, [r1]
		nop
		.balign 4
	patch:	movs r1, #1
		nop
		subs r3, #1
		bne again
		bx lr`)
	if stop := c.Run(nil, 1000, testRet); stop.Kind != isa.StopAddr || c.Reg(1) != 9 {
		t.Errorf("%+v, r1 = %d", stop, c.Reg(1))
	}
}

// TBB and TBH with the table behind them.
func TestTables(t *testing.T) {
	c, _ := load(t, `
		movs r1, #1
		tbb [pc, r1]
		.byte 0, 3, 0, 0
		movs r2, #1
		movs r2, #7
		movs r1, #1
		tbh [pc, r1, lsl #1]
		.hword 0, 3
		movs r3, #1
		movs r3, #8
		bx lr`)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopAddr || c.Reg(2) != 7 || c.Reg(3) != 8 {
		t.Errorf("%+v, r2 = %d, r3 = %d", stop, c.Reg(2), c.Reg(3))
	}
}

func TestSpecialRegisters(t *testing.T) {
	c, _ := load(t, `
		movs r1, #1
		msr primask, r1
		mrs r2, primask
		cpsie i
		mrs r3, primask
		movs r1, #32
		msr basepri_max, r1
		movs r1, #64
		msr basepri_max, r1
		mrs r4, basepri
		mrs r5, msp
		movs r1, #2
		msr psp, r0
		msr control, r1
		mrs r6, msp
		mov r7, sp
		mrs r8, ipsr
		bx lr`)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopAddr {
		t.Fatalf("%+v", stop)
	}
	want := []uint64{1, 0, 32, testData + 4096, testData + 4096, testData, 0}
	var got []uint64
	for r := isa.Reg(2); r <= 8; r++ {
		got = append(got, c.Reg(r))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
