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

// TestTailChaining lets PendSV wait while SVC is handled: going from one handler to the other costs less
// than leaving and entering.
func TestTailChaining(t *testing.T) {
	for name, want := range map[string][2]uint64{
		"cortex-m3": {12 + 12, 12 + 6 + 12},
		"cortex-m4": {12 + 10, 12 + 6 + 10},
	} {
		for i, waits := range []bool{false, true} {
			b := newTestbed(t, load(t, name), handlers)
			p, core := b.pipeline(t), b.core(t)
			core.(isa.Vectors).SetVectors(b.data + 64*6)
			core.SetReg(12, stopAt|1)
			var l isa.Listener = p
			if waits {
				l = raiser{p, core.(isa.Interrupts)}
			}
			core.SetReg(6, b.data+64*6)
			core.SetReg(13, b.data+4096)
			core.SetPC(b.cpu.Memory.Code.Base)
			if stop := core.Run(l, 100, stopAt); stop.Kind != isa.StopAddr {
				t.Fatalf("stopped at %#x, kind %d: %v", stop.PC, stop.Kind, stop.Err)
			}
			if got := p.Totals().By[costmodel.Exception]; got != want[i] {
				t.Errorf("%s, PendSV waits %v: %d cycles of exceptions, want %d", name, waits, got, want[i])
			}
			if err := p.Totals().Check(); err != nil {
				t.Error(err)
			}
		}
	}
}
