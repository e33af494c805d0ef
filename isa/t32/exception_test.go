package t32

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/isa"
)

const testVectors = testData + 0x800

// boot is load with a vector table: the global labels that stand for exceptions.
func boot(t testing.TB, text string, vectors map[int]string) (*Core, *isa.Memory) {
	t.Helper()
	for _, name := range vectors {
		text = ".global " + name + "\n" + text
	}
	c, mem := load(t, text)
	blocks, err := Arch{}.Parse("test.s", text)
	if err != nil {
		t.Fatal(err)
	}
	im, err := Arch{}.Assemble(blocks, testCode)
	if err != nil {
		t.Fatal(err)
	}
	for n, name := range vectors {
		s, ok := im.Lookup(name)
		if !ok {
			t.Fatal("no label " + name)
		}
		mem.Store32(testVectors+4*uint64(n), uint32(s.Addr)|1)
	}
	c.SetVectors(testVectors)
	return c, mem
}

// SVC enters handler 11 with the frame on the stack, and its return resumes behind it.
func TestSVC(t *testing.T) {
	c, _ := boot(t, `
		movs r1, #5
		cmp r1, #5
		svc #7
		mov r8, r0
		bx lr
	handler:	mov r4, lr
		mov r5, sp
		mrs r6, ipsr
		ldr r7, [sp, #24]	@ return address
		ldrb r2, [r7, #-2]	@ the number of the SVC
		str r2, [sp]		@ what r0 becomes
		ldr r9, [sp, #28]	@ xPSR
		bx lr`, map[int]string{11: "handler"})
	c.SetReg(SP, testData+1020) // four bytes off the alignment of a frame
	var rec recorder
	if stop := c.Run(&rec, 100, testRet); stop.Kind != isa.StopAddr {
		t.Fatalf("%+v", stop)
	}
	got := []uint64{c.Reg(4), c.Reg(5), c.Reg(6), c.Reg(7), c.Reg(8), c.Reg(9), c.Reg(SP), c.Reg(2), c.Active()}
	const frame = (testData + 1020 - 32) &^ 7
	want := []uint64{0xfffffff9, frame, 11, testCode + 6, 7, 0x61000200, testData + 1020, 0, 0}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	events := []isa.Retired{
		{N: 3, Next: testCode + 10, Trap: 11},
		{N: 3, Next: testCode + 18}, // MRS ends a straight run
		{N: 5, Next: testCode + 6, Taken: true, Return: true},
		{N: 2, Next: testRet, Taken: true},
	}
	for i := range rec.events {
		rec.events[i].Data, rec.events[i].Hints, rec.events[i].Skipped = nil, nil, nil
	}
	if d := cmp.Diff(events, rec.events); d != "" {
		t.Error(d)
	}
}

// An interrupt anywhere, inside an IT block too, changes nothing that the program sees.
func TestInterruptAnywhere(t *testing.T) {
	const text = `
		movs r1, #0
		itete ne
		addne r1, #1
		addeq r1, #2
		addne r1, #4
		addeq r1, #8
		vmov s1, r1
		adds r1, #1
		vmov r2, s1
		bx lr
	tick:	push {r4, lr}
		mvn r0, #0
		vmov s1, r0
		msr apsr_nzcvq, r0
		movs r1, #99
		mov r12, r1
		adds r10, #1
		pop {r4, pc}`
	for at := uint64(1); at < 10; at++ {
		c, _ := boot(t, text, map[int]string{15: "tick"})
		c.SetReg(12, 3)
		if stop := c.Run(nil, at, testRet); stop.Kind != isa.StopLimit {
			t.Fatalf("%+v", stop)
		}
		c.SetPending(1 << 15)
		stop := c.Run(nil, 100, testRet)
		got := []uint64{c.Reg(1), c.Reg(2), c.Reg(12), c.Reg(0), c.Reg(10), c.Reg(SP), c.Pending(), c.Retired()}
		want := []uint64{11, 10, 3, testData, 1, testData + 4096, 0, 18}
		if d := cmp.Diff(want, got); d != "" || stop.Kind != isa.StopAddr {
			t.Errorf("after %d: %+v\n%s", at, stop, d)
		}
	}
}

// Priorities decide who interrupts whom; equals wait, the lower number first. PRIMASK, FAULTMASK and
// BASEPRI hold back what they say.
func TestPriorities(t *testing.T) {
	for _, tt := range []struct {
		name, setup string
		pending     uint64
		want        uint32 // digits in the order of the handlers' entries
		left        uint64
	}{
		{"urgent first", "nop", 1<<15 | 1<<16 | 1<<17, 657, 0},
		{"equal priorities by number", "nop", 1<<15 | 1<<18, 58, 0},
		{"primask", "cpsid i", 1<<15 | 1<<2, 2, 1 << 15},
		{"faultmask", "cpsid f", 1<<15 | 1<<2, 2, 1 << 15},
		{"basepri", "mov r1, #32; msr basepri, r1", 1<<15 | 1<<16, 6, 1 << 15},
	} {
		c, _ := boot(t, tt.setup+`
			nop
			nop
			b 1f
		1:	b 2f
		2:	b 3f
		3:	b 4f
		4:	bx lr
		nmi: movs r1, #2; b log
		tick: movs r1, #5; b log
		irq0: movs r1, #6; b log
		irq1: movs r1, #7; b log
		irq2: movs r1, #8
		log: ldr r2, [r0]
			movs r3, #10
			mla r2, r2, r3, r1
			str r2, [r0]
			bx lr`, map[int]string{2: "nmi", 15: "tick", 16: "irq0", 17: "irq1", 18: "irq2"})
		for n, p := range map[int]uint8{15: 32, 16: 16, 17: 64, 18: 32} {
			c.SetPriority(n, p)
		}
		c.Run(nil, 2, testRet)
		c.SetPending(tt.pending)
		if stop := c.Run(nil, 1000, testRet); stop.Kind != isa.StopAddr {
			t.Fatalf("%s: %+v", tt.name, stop)
		}
		if got, _ := c.mem.Load32(testData); got != tt.want || c.Pending() != tt.left {
			t.Errorf("%s: order %d, want %d; pending %b", tt.name, got, tt.want, c.Pending())
		}
	}
}

// A more urgent interrupt enters a running handler, with its own EXC_RETURN.
func TestNested(t *testing.T) {
	c, _ := boot(t, `
		nop
		b 1f
	1:	bx lr
	slow: mov r4, lr
		svc #0
		adds r6, #1
		bx lr
	svc: mov r5, lr
		mrs r7, ipsr
		adds r6, #10
		bx lr`, map[int]string{11: "svc", 16: "slow"})
	c.SetPriority(16, 16)
	c.SetPending(1 << 16)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopAddr {
		t.Fatalf("%+v", stop)
	}
	got := []uint64{c.Reg(4), c.Reg(5), c.Reg(6), c.Reg(7), c.Reg(SP), c.Active()}
	if d := cmp.Diff([]uint64{0xfffffff9, 0xfffffff1, 11, 11, testData + 4096, 0}, got); d != "" {
		t.Error(d)
	}
}

// Two threads on their own process stacks, switched by PendSV as an operating system does, one of them
// with floating-point state.
func TestThreads(t *testing.T) {
	c, mem := boot(t, `
		add r1, r0, #1024
		msr psp, r1
		movs r1, #2
		msr control, r1
		isb
		movs r4, #1
		vmov s16, r4
		mov r7, r4
		b first
	first: adds r4, #1
		b next
	next: vmov r5, s16
		mov r11, r4
		mrs r6, control
		bkpt #1
	second: movs r4, #77
		mov r9, r4
		b back
	back: movs r4, #88
		bkpt #2
	switch: mrs r2, psp
		ldr r3, [r0]	@ of the other thread
		str r2, [r0]
		msr psp, r3
		ldr r3, [r0, #4]
		str lr, [r0, #4]
		mov lr, r3
		bx lr`, map[int]string{14: "switch", 63: "second"})
	const other = testData + 512
	entry, _ := mem.Load32(testVectors + 4*63)
	mem.Store32(other+24, entry&^1)
	mem.Store32(other+28, thumbBit)
	mem.Store32(testData, other)
	mem.Store32(testData+4, returnPSP)
	mem.Store32(other, testData) // r0 of the other thread

	c.Run(nil, 9, testRet)
	c.SetPending(1 << 14)
	c.Run(nil, 8, testRet)
	if pc := c.PC(); pc != uint64(entry&^1) {
		t.Errorf("at %#x, want the second thread at %#x", pc, entry&^1)
	}
	if c.sys[sysCONTROL]&controlFPCA != 0 {
		t.Error("the second thread has floating-point state")
	}
	c.Run(nil, 3, testRet) // of the second thread
	c.SetPending(1 << 14)
	stop := c.Run(nil, 100, testRet)
	if stop.Kind != isa.StopBreak || stop.Code != 1 {
		t.Fatalf("%+v", stop)
	}
	got := []uint64{c.Reg(5), c.Reg(6), c.Reg(7), c.Reg(9), c.Reg(SP)}
	if d := cmp.Diff([]uint64{1, 6, 1, 77, testData + 1024}, got); d != "" {
		t.Error(d)
	}
}

// A fault is a HardFault, whose handler can mend it and go on; what it became is on record.
func TestHardFault(t *testing.T) {
	for _, tt := range []struct{ text, err string }{
		{"ldr r1, [r1]", "read of 4 bytes at 0x40: unmapped"},
		{"udf #1", "udf #1"},
		{".hword 0xffff, 0xffff", "undefined instruction ffff ffff"},
		{"cpsid i; svc #1", ""},
	} {
		c, _ := boot(t, "movs r1, #64; b 1f\n1: "+tt.text+`
			after: mov r8, r1
			bx lr
		hard: adr r2, after
			str r2, [sp, #24]
			movs r2, #7
			str r2, [sp, #4]
			bx lr`, map[int]string{3: "hard"})
		stop := c.Run(new(recorder), 100, testRet)
		was, ok := c.Fault()
		if stop.Kind != isa.StopAddr || c.Reg(8) != 7 || !ok || tt.err != "" && was.Err.Error() != tt.err {
			t.Errorf("%s: %+v, r8 = %d, became a fault: %+v", tt.text, stop, c.Reg(8), was)
		}
	}
}

// What cannot go on ends the run with one line that says why.
func TestLockup(t *testing.T) {
	for _, tt := range []struct {
		text string
		sp   uint64
		err  string
	}{
		{"udf #1; nop; hard: ldr r1, [r1]", testData + 4096, "read of 4 bytes at 0x0: unmapped"},
		{"udf #1; hard: nop", 64, "exception 3: stacking: write of 4 bytes at 0x20: unmapped"},
		{"svc #1; hard: nop", testData + 4096, "exception 11: its vector is 0x0; bit 0 must be set for Thumb code"},
		{"udf #1; hard: mvn r1, #2; bx r1", testData + 4096, "read of 4 bytes at 0x0: unmapped"},
		{"udf #1; hard: mvn r1, #14; bx r1", testData + 4096, "exception return 0xfffffff1 from exception 3: want"},
		{"udf #1; hard: ldr r1, =0xee300a81; nop; .inst 0xee300a81", testData + 4096, "VADD.F32: floating-point arithmetic"},
		{"vadd: .inst 0xee300a81; hard: nop", testData + 4096, "VADD.F32: floating-point arithmetic"},
	} {
		c, _ := boot(t, tt.text, map[int]string{3: "hard"})
		c.SetReg(SP, tt.sp)
		stop := c.Run(nil, 100, testRet)
		if stop.Err == nil || !strings.Contains(stop.Err.Error(), tt.err) {
			t.Errorf("%s: %+v, want %q", tt.text, stop, tt.err)
		}
	}
}

// WFI waits only if nothing is pending; PRIMASK lets it go on without taking the interrupt.
func TestWaiting(t *testing.T) {
	c, _ := boot(t, "cpsid i; wfi; movs r1, #1; cpsie i; nop; bx lr; tick: mov r8, r1; bx lr", map[int]string{15: "tick"})
	c.SetReg(1, 0)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopHalt || stop.PC != testCode+2 {
		t.Fatalf("%+v", stop)
	}
	c.SetPC(testCode)
	c.SetPending(1 << 15)
	if stop := c.Run(nil, 3, testRet); stop.Kind != isa.StopLimit || c.Reg(1) != 1 || c.Reg(8) != 0 {
		t.Fatalf("%+v, r1 = %d, r8 = %d", stop, c.Reg(1), c.Reg(8))
	}
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopAddr || c.Reg(8) != 1 {
		t.Errorf("%+v, r8 = %d", stop, c.Reg(8))
	}
}

// An unprivileged thread cannot change special registers.
func TestUnprivileged(t *testing.T) {
	c, _ := load(t, `
		movs r1, #1
		msr control, r1
		msr primask, r1
		cpsid if
		mrs r2, primask
		mrs r3, msp
		movs r1, #0
		msr control, r1
		mrs r4, control
		bx lr`)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopAddr {
		t.Fatalf("%+v", stop)
	}
	if c.sys[sysPRIMASK] != 0 || c.sys[sysFAULTMASK] != 0 || c.Reg(2) != 0 || c.Reg(3) != 0 || c.Reg(4) != 1 {
		t.Errorf("primask %d, faultmask %d, r2-r4 %v", c.sys[sysPRIMASK], c.sys[sysFAULTMASK], c.r[2:5])
	}
}

// The floating-point unit can be switched off and on.
func TestFloatSwitch(t *testing.T) {
	c, _ := load(t, "vmov s1, r0; vmov r1, s1; bx lr")
	c.SetFloat(false)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopUndef || !strings.Contains(stop.Err.Error(), "CPACR") {
		t.Errorf("%+v", stop)
	}
	c.SetFloat(true)
	if stop := c.Run(nil, 100, testRet); stop.Kind != isa.StopAddr || c.Reg(1) != testData {
		t.Errorf("%+v", stop)
	}
}
