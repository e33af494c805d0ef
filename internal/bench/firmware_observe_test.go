package bench

import (
	"strings"
	"testing"

	"simrun/internal/result"
	"simrun/isa"
	"simrun/sim/trace"
)

// countdown calls a function three times and ends with a breakpoint.
const countdown = `
	.syntax unified
	.thumb
	.text
	.global start
	.type start, %function
start:
	movs	r4, #3
1:
	bl	work
	subs	r4, r4, #1
	bne	1b
	bkpt	#0
	.size start, . - start
	.global work
	.type work, %function
work:
	muls	r0, r0, r0
	bx	lr
	.size work, . - work
`

func countdownImage(t *testing.T) *isa.Image {
	t.Helper()
	im, err := LoadImage("countdown.s", []byte(countdown), load(t, "cortex-m4"))
	if err != nil {
		t.Fatal(err)
	}
	im.Entry = im.Segments[0].Addr
	return im
}

// TestFirmwareProfileAgreesWithRow profiles and traces a program and a window of it, and compares
// with their rows.
func TestFirmwareProfileAgreesWithRow(t *testing.T) {
	for _, measure := range []*Window{nil, {From: "work", To: "start+6", Repeat: 1}} {
		cpu, f := load(t, "cortex-m4"), Firmware{Measure: measure}
		ran, err := RunFirmware("countdown", countdownImage(t), cpu, f)
		if err != nil {
			t.Fatal(err)
		}
		p, exit, err := ProfileFirmware("countdown", countdownImage(t), cpu, f)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Totals(); result.Figure(got.Slots) != ran.Row.Cycles || result.Figure(got.Instructions) != ran.Row.Instructions || got.Slots == 0 {
			t.Errorf("window %v: %d cycles of %d instructions in the profile, %v of %v in the row",
				measure, got.Slots, got.Instructions, ran.Row.Cycles, ran.Row.Instructions)
		}
		if (exit == nil) != (measure != nil) {
			t.Errorf("window %v: exit %v", measure, exit)
		}
		var text strings.Builder
		if err := TraceFirmware(&text, trace.Formats[0], "countdown", countdownImage(t), cpu, f); err != nil {
			t.Fatal(err)
		}
		if got := result.Figure(strings.Count(text.String(), "\n") - 1); got != ran.Row.Instructions {
			t.Errorf("window %v: %v lines of trace for %v instructions", measure, got, ran.Row.Instructions)
		}
	}
}

func TestFirmwareProfileErrors(t *testing.T) {
	never := &Window{From: "work", To: "0x8000ff0", Repeat: 1}
	if _, _, err := ProfileFirmware("countdown", countdownImage(t), load(t, "cortex-m4"), Firmware{Measure: never}); err == nil ||
		!strings.Contains(err.Error(), "before it came from work to 0x8000ff0") {
		t.Errorf("a window that never ends: %v", err)
	}
	one := 1
	if _, _, err := ProfileFirmware("countdown", countdownImage(t), load(t, "cortex-m4"), Firmware{ExpectExit: &one}); err == nil ||
		!strings.Contains(err.Error(), "expected 1") {
		t.Errorf("another exit status than expected: %v", err)
	}
}
