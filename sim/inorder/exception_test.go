package inorder

import (
	"testing"

	"simrun/costmodel"
	"simrun/isa"
)

// handlers is a program whose handlers of SVC and PendSV return at once; the table stands at its start.
const handlers = `	.syntax unified
	.thumb
	.global f, again, g, h
	.type f, %function
f:
	ldr r0, =again
	ldr r1, =g
	str r1, [r6, #44]
	ldr r1, =h
	str r1, [r6, #56]
	b.w again
	.type again, %function
again:
	svc #0
	nop
	mov lr, r12
	bx lr
	.type g, %function
g:
	bx lr
	.type h, %function
h:
	bx lr
`

// raiser makes PendSV pending when SVC has been taken.
type raiser struct {
	*Pipeline
	core isa.Interrupts
}

func (l raiser) Retire(r *isa.Retired) {
	l.Pipeline.Retire(r)
	if r.Trap == 11 {
		l.core.SetPending(1 << 14)
	}
}

// exceptions runs the handlers so many times on one pipeline; waits makes PendSV pending behind SVC.
func exceptions(t *testing.T, name string, waits bool, calls int, prepare func(*Pipeline)) costmodel.Totals {
	t.Helper()
	b := newTestbed(t, load(t, name), handlers)
	p, core := b.pipeline(t), b.core(t)
	prepare(p)
	table := b.data + 64*6
	core.(isa.Vectors).SetVectors(table)
	var l isa.Listener = p
	if waits {
		l = raiser{p, core.(isa.Interrupts)}
	}
	for range calls {
		core.SetReg(12, stopAt|1)
		core.SetReg(6, table)
		core.SetReg(13, b.data+4096)
		core.SetPC(b.cpu.Memory.Code.Base)
		if stop := core.Run(l, 100, stopAt); stop.Kind != isa.StopAddr {
			t.Fatalf("stopped at %#x, kind %d: %v", stop.PC, stop.Kind, stop.Err)
		}
	}
	sum := p.Totals()
	if err := sum.Check(); err != nil {
		t.Error(err)
	}
	return sum
}

// TestTailChaining lets PendSV wait while SVC is handled: going from one handler to the other costs less
// than leaving and entering.
func TestTailChaining(t *testing.T) {
	for name, want := range map[string][2]uint64{
		"cortex-m3": {12 + 12, 12 + 6 + 12},
		"cortex-m4": {12 + 10, 12 + 6 + 10},
	} {
		for i, waits := range []bool{false, true} {
			got := exceptions(t, name, waits, 1, func(*Pipeline) {}).By[costmodel.Exception]
			if got != want[i] {
				t.Errorf("%s, PendSV waits %v: %d cycles of exceptions, want %d", name, waits, got, want[i])
			}
		}
	}
}

// TestExceptionsAndReplay compares every cause with and without replay, and the sum of the records.
func TestExceptionsAndReplay(t *testing.T) {
	for _, name := range []string{"cortex-m4", "stm32f103-72mhz", "stm32f407-168mhz"} {
		var records costmodel.Totals
		replayed := exceptions(t, name, true, 5, func(*Pipeline) {})
		walked := exceptions(t, name, true, 5, func(p *Pipeline) { p.Memoise(false) })
		exceptions(t, name, true, 5, func(p *Pipeline) { p.SetSink(func(x costmodel.Timed) { records.Add(&x) }) })
		if replayed != walked || walked != records {
			t.Errorf("%s: replayed %v, walked %v, records %v", name, replayed.Map(), walked.Map(), records.Map())
		}
	}
}
