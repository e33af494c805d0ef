package sim_test

import (
	"testing"

	"simrun/costmodel"
	"simrun/isa"
	"simrun/isa/all"
	"simrun/sim"
	"simrun/sim/inorder"
)

// cpus are the CPU files that programs are timed on.
var cpus = map[string]string{"t32": "cortex-m4", "rv32": "sifive-e31"}

// timed puts a program on a machine with a pipeline.
func timed(t testing.TB, im *isa.Image, limit uint64) (*sim.Program, *inorder.Pipeline) {
	t.Helper()
	cpu, err := costmodel.Load(cpus[im.Arch])
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := inorder.New(cpu, all.Arch(im.Arch))
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(t, im, func(c *sim.ProgramConfig) { c.Listener, c.Limit = pipe, limit })
	return p, pipe
}

// TestCycleCounterReadsThePipeline reads CYCCNT twice with 20 instructions between: it must show what the pipeline books.
func TestCycleCounterReadsThePipeline(t *testing.T) {
	text := `
.global f
f:
	movw r0, #0xedfc
	movt r0, #0xe000
	mov r1, #0x01000000
	str r1, [r0]
	movw r0, #0x1000
	movt r0, #0xe000
	ldr r1, [r0]
	orr r1, r1, #1
	str r1, [r0]
	b first
.global first
first:
	ldr r4, [r0, #4]
`
	for range 20 {
		text += "\tadd r6, r6, #1\n"
	}
	text += ".global second\nsecond:\n\tldr r5, [r0, #4]\n\tsubs r0, r5, r4\n\tbkpt #0\n"
	p, pipe := timed(t, assembleProgram(t, "t32", text, start["t32"]), 0)
	starts := map[uint64]uint64{}
	pipe.SetSink(func(x costmodel.Timed) { starts[x.PC] = x.Start })
	if _, err := p.RunTo(isa.NoAddr); err != nil {
		t.Fatal(err)
	}
	first, second := symbol(t, p.Machine, "first"), symbol(t, p.Machine, "second")
	if got, want := p.Core().Reg(0), starts[second]-starts[first]; got != want || want < 21 {
		t.Errorf("%d cycles counted; the loads start %d cycles apart", got, want)
	}
}

// TestSysTickInterrupt counts ticks of 1000 cycles in a handler, at the moments when they are due.
func TestSysTickInterrupt(t *testing.T) {
	text := vectorTable + `
.global reset
reset:
	movw r0, #0xe010
	movt r0, #0xe000
	movw r1, #999
	str r1, [r0, #4]
	str r1, [r0, #8]
	mov r4, #0
	mov r1, #7
	str r1, [r0]
again:
	cmp r4, #5
	blt again
	svc #3
	bkpt #1
.global systick
.type systick, %function
systick:
	add r4, r4, #1
	bx lr
.global svcall
.type svcall, %function
svcall:
	bkpt #9
.global hard_fault
.type hard_fault, %function
hard_fault:
	b hard_fault
`
	p, pipe := timed(t, assembleProgram(t, "t32", text, start["t32"]), 0)
	exit, err := p.RunTo(isa.NoAddr)
	if err != nil {
		t.Fatal(err)
	}
	if exit.Status != 9 {
		t.Errorf("exit %+v, want 9 of the SVC handler", *exit)
	}
	if now := pipe.Now(); now < 5000 || now > 5200 {
		t.Errorf("%d cycles for five ticks of 1000", now)
	}
}

// TestTimerInterrupt waits for mtimecmp with WFI.
func TestTimerInterrupt(t *testing.T) {
	text := `
.global f
f:
	la t0, handler
	csrw mtvec, t0
	li t0, 0x02004000
	li t1, 3000
	sw zero, 4(t0)
	sw t1, 0(t0)
	li t1, 0x80
	csrw mie, t1
	csrsi mstatus, 8
wait:
	wfi
	j wait
.global handler
.balign 4
handler:
	csrr a0, mcause
	csrr a1, mcycle
	csrw mtvec, zero
	ebreak
`
	p, pipe := timed(t, assembleProgram(t, "rv32", text, start["rv32"]), 0)
	exit, err := p.RunTo(isa.NoAddr)
	if err != nil {
		t.Fatal(err)
	}
	if cause := p.Core().Reg(10); cause != 0x80000007 {
		t.Errorf("mcause %#x, want the timer's", cause)
	}
	cycle := p.Core().Reg(11)
	if cycle < 3000 || cycle > 3200 || cycle > pipe.Now() || exit.By != "breakpoint" {
		t.Errorf("interrupt at cycle %d, end at %d, %+v", cycle, pipe.Now(), *exit)
	}
}

// TestLimitDoesNotMatter checks that cycles do not depend on how often the machine looks at the clock: the closer
// the limit, the more often.
func TestLimitDoesNotMatter(t *testing.T) {
	text := map[string]string{
		"t32":  ".global f\nf: movw r0, #3000\nagain: ldr r1, [sp, #-4]\n mul r1, r1, r0\n str r1, [sp, #-4]\n udiv r2, r0, r1\n subs r0, #1\n bne again\n bkpt #0\n",
		"rv32": ".global f\nf: li a0, 3000\nagain: lw a1, -4(sp)\n mul a1, a1, a0\n sw a1, -4(sp)\n divu a2, a0, a1\n addi a0, a0, -1\n bnez a0, again\n ebreak\n",
	}
	for arch, text := range text {
		im := assembleProgram(t, arch, text, start[arch])
		run := func(limit uint64) costmodel.Totals {
			p, pipe := timed(t, im, limit)
			if _, err := p.RunTo(isa.NoAddr); err != nil {
				t.Fatal(err)
			}
			return pipe.Totals()
		}
		want := run(0)
		if err := want.Check(); err != nil {
			t.Error(err)
		}
		for _, more := range []uint64{1, 100, 10000} {
			if got := run(want.Slots + more); got != want {
				t.Errorf("%s: %+v with %d cycles to spare, %+v with many", arch, got, more, want)
			}
		}
	}
}

// TestWindow runs from a label to another, twice, and then to the exit.
func TestProgramWindow(t *testing.T) {
	text := ".global f\nf: mov r4, #2\n.global from\nfrom: nop\n nop\n nop\n.global to\nto: subs r4, #1\n bne from\n bkpt #6\n"
	im := assembleProgram(t, "t32", text, start["t32"])
	p, pipe := timed(t, im, 0)
	addr := func(name string) uint64 { return symbol(t, p.Machine, name) }
	for i := range 2 {
		if exit, err := p.RunTo(addr("from")); exit != nil || err != nil {
			t.Fatal(i, exit, err)
		}
		if exit, err := p.RunTo(addr("from")); exit != nil || err != nil || p.Core().PC() != addr("from") {
			t.Fatalf("RunTo moved from where it was to %#x: %v, %v", p.Core().PC(), exit, err)
		}
		before := pipe.Totals().Instructions
		if exit, err := p.RunOn(addr("to")); exit != nil || err != nil {
			t.Fatal(i, exit, err)
		}
		if got := pipe.Totals().Instructions - before; got != 3 {
			t.Errorf("window %d: %d instructions, want 3", i, got)
		}
	}
	if exit, err := p.RunOn(addr("to")); err != nil || exit == nil || exit.Status != 6 {
		t.Errorf("exit %v, %v; want status 6", exit, err)
	}
}

// TestFirmware runs firmware for a chip: vector table, .data stored in flash, interrupts, cycle counter.
func TestFirmware(t *testing.T) {
	for _, level := range levels {
		path := builders[0].link(t, level+" -ffreestanding -nostdlib -nostartfiles -Ttestdata/firmware/flash.ld", "../firmware/firmware.c")
		p, pipe := timed(t, loadProgram(t, path), 0)
		exit, err := p.RunTo(isa.NoAddr)
		if err != nil {
			t.Errorf("%s: %v", level, err)
			continue
		}
		if exit.Status != 0 || exit.By != "semihosting" {
			t.Errorf("%s: %+v", level, *exit)
		}
		// Three frames of functions, an exception in each of two priorities: 32 bytes each, and what the handlers save.
		if used := p.StackUsed(); used < 64 || used > 400 {
			t.Errorf("%s: %d bytes of stack", level, used)
		}
		if err := pipe.Totals().Check(); err != nil {
			t.Errorf("%s: %v", level, err)
		}
	}
}
