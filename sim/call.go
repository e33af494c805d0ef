package sim

import (
	"encoding/binary"
	"fmt"

	"simrun/isa"
)

// DefaultLimit is the number of cycles, or of instructions where there is no clock, after which a call
// that was given no limit ends.
const DefaultLimit = 1 << 28

// callerAlign is the alignment of the instruction that calls, as that of the code it calls.
const callerAlign = 64

// caller is a call instruction that the machine has put into executable memory. The address
// behind it is where the called function returns to; it is never executed.
type caller struct {
	pc, ret uint64
}

// Call calls the function at entry by the C convention: arguments are words of the ISA in
// registers, then on the stack. It executes a call instruction to entry, so both call and return
// are counted by the listener, and stops behind it. limit bounds the cycles of this call, or its
// instructions where there is no clock; 0 = DefaultLimit. ret is the integer result. stop says how the run ended; any end but the
// return, and a return that breaks the convention, is an error of type *CallError.
func (m *Machine) Call(entry uint64, args []uint64, limit uint64) (ret uint64, stop isa.Stop, err error) {
	if m.abi.Thumb {
		entry &^= 1
	}
	from, ok := m.callers[entry]
	if !ok {
		if from, err = m.placeCaller(entry); err != nil {
			return 0, isa.Stop{}, err
		}
	}
	sp, err := m.passArgs(args)
	if err != nil {
		return 0, isa.Stop{}, err
	}
	if limit == 0 {
		limit = DefaultLimit
	}
	saved := m.saved()
	m.core.SetPC(from.pc)
	stop = m.runTo(from.ret, limit)
	if stop.Kind != isa.StopAddr {
		return 0, stop, m.failed(entry, stop, limit)
	}
	if err := m.checkSaved(entry, sp, &saved, stop); err != nil {
		return 0, stop, err
	}
	return m.core.Reg(m.abi.Ret) & m.wordMask(), stop, nil
}

// CallSite returns the address of the instruction with which Call calls entry, and the address
// behind it; ok is false before the first such call.
func (m *Machine) CallSite(entry uint64) (pc, ret uint64, ok bool) {
	if m.abi.Thumb {
		entry &^= 1
	}
	from, ok := m.callers[entry]
	return from.pc, from.ret, ok
}

// runTo runs until addr, another stop, or the limit of cycles or instructions.
func (m *Machine) runTo(addr, limit uint64) isa.Stop {
	start := m.Now()
	for {
		spent := m.Now() - start
		stop := m.core.Run(m.listener, allowance(limit-min(limit, spent)), addr)
		if stop.Kind != isa.StopLimit || m.Now()-start >= limit {
			return stop
		}
	}
}

// allowance is the number of instructions to run before looking at the clock again, when left cycles or
// instructions are left: few at the end, since an instruction may take several cycles.
func allowance(left uint64) uint64 {
	const most, share = 1 << 16, 16
	return min(left/share+1, most)
}

// Symbol returns the address of the named function of the image.
func (m *Machine) Symbol(name string) (uint64, error) {
	s, ok := m.image.Lookup(name)
	if !ok {
		return 0, fmt.Errorf("no symbol %q in the image", name)
	}
	return s.Addr, nil
}

func (m *Machine) wordMask() uint64 { return ^uint64(0) >> (64 - 8*m.abi.WordBytes) }

// passArgs sets SP and the arguments, and returns SP.
func (m *Machine) passArgs(args []uint64) (sp uint64, err error) {
	regs := m.abi.Args
	n := min(len(args), len(regs))
	for i, a := range args[:n] {
		m.core.SetReg(regs[i], a&m.wordMask())
	}
	word := uint64(m.abi.WordBytes)
	need := uint64(len(args)-n) * word
	top := m.stackTop()
	if top < m.stack.Base+need {
		return 0, fmt.Errorf("%d arguments do not fit the %d bytes of %s", len(args), len(m.stack.Data), m.stack.Name)
	}
	sp = (top - need) &^ (m.abi.StackAlign - 1)
	var buf [8]byte
	for i, a := range args[n:] {
		binary.LittleEndian.PutUint64(buf[:], a)
		if err := m.mem.Write(sp+uint64(i)*word, buf[:word]); err != nil {
			return 0, err
		}
	}
	m.core.SetReg(m.abi.SP, sp)
	m.entrySP = sp
	if m.abi.Link == isa.NoReg {
		m.entrySP -= word // the return address
	}
	return sp, nil
}

// placeCaller puts a call of entry into free executable memory, as near as there is.
func (m *Machine) placeCaller(entry uint64) (caller, error) {
	home := m.inside(entry, 1)
	if home == nil || home.Perm&isa.X == 0 {
		return caller{}, fmt.Errorf("cannot call %s: %w", m.where(entry), m.mem.FaultAt(entry, 1, isa.X))
	}
	tried := fmt.Errorf("no room for the instruction that calls it")
	for _, p := range append([]*part{home}, m.parts...) {
		if p.Perm&isa.X == 0 || p == m.stack || p == m.data {
			continue
		}
		pc := (p.Base + p.used + callerAlign - 1) &^ (callerAlign - 1)
		if !p.Contains(pc, callerAlign) {
			continue
		}
		code, err := m.encodeCall(pc, entry)
		if err != nil {
			tried = err
			continue
		}
		p.used = pc + callerAlign - p.Base
		if err := m.mem.Write(pc, code); err != nil {
			return caller{}, err
		}
		c := caller{pc: pc, ret: pc + uint64(len(code))}
		m.callers[entry] = c
		return c, nil
	}
	return caller{}, fmt.Errorf("cannot call %s: %w", m.where(entry), tried)
}

// encodeCall makes the call instruction out of the first row of the table that calls an address
// and reaches it.
func (m *Machine) encodeCall(pc, entry uint64) ([]byte, error) {
	tried := fmt.Errorf("%s has no call instruction", m.arch.Name())
	for _, f := range m.arch.Forms() {
		in, ok := m.callInst(f, entry)
		if !ok {
			continue
		}
		code, err := m.arch.Encode(in, pc)
		if err == nil {
			return code, nil
		}
		tried = err
	}
	return nil, tried
}

// callInst makes a call of entry out of a row, if it is an unconditional branch to an address
// that leaves a return address: in a register that is an operand, or as the row's flag says.
func (m *Machine) callInst(f *isa.Form, entry uint64) (in isa.Inst, ok bool) {
	if f.Flags&isa.Branch == 0 || f.Flags&isa.Cond != 0 || !m.features[f.Feature] {
		return in, false
	}
	in.Form = f
	links, direct := f.Flags&isa.Call != 0, false
	for i, op := range f.Ops {
		switch {
		case op.Kind == isa.KindLabel:
			in.Args[i], direct = int64(entry), true
		case op.Kind == isa.KindReg && op.Role == isa.Write:
			in.Args[i], links = int64(m.abi.Link), true
		default:
			return in, false
		}
	}
	return in, links && direct
}
