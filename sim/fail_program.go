package sim

import (
	"errors"
	"fmt"
	"strings"

	"simrun/isa"
)

// ProgramError is a whole program that did not come to its exit.
type ProgramError struct {
	At     string // symbol+offset (address) of the instruction that stopped
	Text   string // that instruction; "" if there is none
	What   string
	Before []string // the instructions that retired last, in order
	Stop   isa.Stop
}

func (e *ProgramError) Error() string {
	text := "at " + e.At + ": "
	if e.Text != "" {
		text += e.Text + ": "
	}
	text += e.What
	if len(e.Before) > 0 {
		text += "; before it: " + strings.Join(e.Before, "; ")
	}
	return text
}

func (e *ProgramError) Unwrap() error { return e.Stop.Err }

// shown is how many instructions an error shows.
const shown = 4

// failed explains a stop that is no end.
func (p *Program) failed(stop isa.Stop, what string) error {
	return &ProgramError{
		At: p.where(stop.PC), Text: p.text(stop.PC), What: what + p.hint(stop),
		Before: p.last(&p.ring, shown), Stop: stop,
	}
}

// stuck explains a jump to itself that no interrupt will end: a fault that went to a handler, or the
// end of a program that knows no other.
func (p *Program) stuck(stop isa.Stop) error {
	if v, ok := p.core.(isa.Vectors); ok && v.Active() != 0 {
		if cause, ok := v.Fault(); ok {
			e := p.failed(cause, problem(cause)).(*ProgramError)
			e.What += ", and the handler of the fault loops at " + p.where(stop.PC)
			e.Before = nil
			return e
		}
	}
	e := p.failed(stop, "loops here for ever: end a program by exit, a breakpoint, or measure with --measure FROM..TO").(*ProgramError)
	e.Before = nil
	return e
}

// stackReach is how far below the stack an access still is one to a stack that has overflowed, in bytes.
const stackReach = 1 << 16

// hint says more of a memory fault where the address tells.
func (p *Program) hint(stop isa.Stop) string {
	var f *isa.Fault
	if !errors.As(stop.Err, &f) {
		return ""
	}
	sp := p.core.Reg(p.abi.SP)
	near := f.Addr-sp+stackReach < 2*stackReach
	switch {
	case f.Want == isa.X:
		return ""
	case near && sp < p.stack.Base && p.stack.Base-sp < stackReach,
		near && p.stack.Base <= f.Addr+stackReach && f.Addr < p.stack.Base:
		return fmt.Sprintf(" (stack overflow: the stack ends at %#x)", p.stack.Base)
	case p.abi.Thumb && f.Addr>>29 == 2:
		return " (a peripheral of the chip: those are not simulated)"
	}
	return ""
}
