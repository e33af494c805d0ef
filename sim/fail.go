package sim

import (
	"fmt"
	"strings"

	"simrun/isa"
)

// maxSaved is the number of registers that can be callee-saved.
const maxSaved = int(isa.NoReg)

// longest is the length of the longest instruction of any ISA, in bytes.
const longest = 15

// CallError is a call that did not return as the C convention says.
type CallError struct {
	Func string // the called function
	At   string // symbol+offset (address) of the instruction that stopped
	Text string // that instruction; "" if there is none
	What string
	Stop isa.Stop
}

func (e *CallError) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("%s: at %s: %s", e.Func, e.At, e.What)
	}
	return fmt.Sprintf("%s: at %s: %s: %s", e.Func, e.At, e.Text, e.What)
}

func (e *CallError) Unwrap() error { return e.Stop.Err }

// failed explains a stop that is no return.
func (m *Machine) failed(entry uint64, stop isa.Stop, limit uint64) error {
	return &CallError{
		Func: m.where(entry), At: m.where(stop.PC), Text: m.text(stop.PC),
		What: m.reason(stop, limit), Stop: stop,
	}
}

func (m *Machine) reason(stop isa.Stop, limit uint64) string {
	switch stop.Kind {
	case isa.StopLimit:
		return fmt.Sprintf("no return after %d %s: raise the limit with --limit", limit, m.unit())
	case isa.StopBreak:
		return fmt.Sprintf("breakpoint %d in a called function", stop.Code)
	case isa.StopSystem:
		return fmt.Sprintf("system call %d in a called function: there is no operating system", stop.Code)
	case isa.StopHalt:
		return "waits for an interrupt that cannot come"
	}
	return problem(stop)
}

// problem is what is wrong with a memory access or an instruction.
func problem(stop isa.Stop) string {
	if stop.Err != nil {
		return stop.Err.Error()
	}
	if stop.Kind == isa.StopUndef {
		return "undefined instruction"
	}
	return "memory fault"
}

// saved returns the registers that a function must keep.
func (m *Machine) saved() (v [maxSaved]uint64) {
	for r := range m.arch.NumRegs() {
		if m.abi.CalleeSaved.Has(isa.Reg(r)) {
			v[r] = m.core.Reg(isa.Reg(r))
		}
	}
	return v
}

// checkSaved compares SP and the registers that a function must keep with those at its entry.
func (m *Machine) checkSaved(entry, sp uint64, want *[maxSaved]uint64, stop isa.Stop) error {
	broken := func(r isa.Reg, want uint64) error {
		return &CallError{
			Func: m.where(entry), At: m.where(stop.PC), Stop: stop,
			What: fmt.Sprintf("returned with %s = %#x, it was %#x: a C function keeps it", m.arch.RegName(r), m.core.Reg(r), want),
		}
	}
	if m.core.Reg(m.abi.SP) != sp {
		return broken(m.abi.SP, sp)
	}
	for r := range m.arch.NumRegs() {
		reg := isa.Reg(r)
		if reg != m.abi.SP && m.abi.CalleeSaved.Has(reg) && m.core.Reg(reg) != want[r] {
			return broken(reg, want[r])
		}
	}
	return nil
}

// where prints an address with the symbol it lies in.
func (m *Machine) where(addr uint64) string {
	var best *isa.Symbol
	for i := range m.image.Symbols {
		s := &m.image.Symbols[i]
		in := s.Addr <= addr && (s.Size == 0 || addr-s.Addr < s.Size)
		if in && (best == nil || s.Addr > best.Addr || s.Addr == best.Addr && s.Func && !best.Func) {
			best = s
		}
	}
	if best == nil || m.inside(addr, 1) == nil {
		return fmt.Sprintf("%#x", addr)
	}
	if best.Addr == addr {
		return fmt.Sprintf("%s (%#x)", best.Name, addr)
	}
	return fmt.Sprintf("%s+%#x (%#x)", best.Name, addr-best.Addr, addr)
}

// text prints the instruction at addr, or "" if there is none.
func (m *Machine) text(addr uint64) string {
	for n := longest; n > 0; n-- {
		code, err := m.mem.Read(addr, n)
		if err != nil {
			continue
		}
		in, _, err := m.arch.Decode(code, addr)
		if err != nil {
			return fmt.Sprintf("bytes % x", code[:min(n, 4)])
		}
		return strings.ReplaceAll(m.arch.Print(in), "\t", " ")
	}
	return ""
}
