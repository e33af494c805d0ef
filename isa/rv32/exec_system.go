package rv32

import (
	"fmt"

	"simrun/isa"
)

// branch executes the branch or jump that ends a run and sets the PC; false if s is another row,
// or its target misaligned.
func (c *core) branch(s *isa.Step) bool {
	next, k := uint32(s.Imm), kind(s.Kind)
	switch {
	case k < kJal:
		if !holds(k, c.x[s.A&63], c.x[s.B&63]) {
			c.pc = s.Imm2
			return true
		}
	case k == kJalr:
		next = (c.x[s.A&63] + next) &^ 1
	case k > kJalr:
		return false
	}
	if next&c.code.pcMask != 0 {
		return false
	}
	if k >= kJal {
		c.x[s.D&63] = s.Imm2
	}
	c.pc, c.ev.Taken = next, true
	return true
}

// system executes the other rows that end a run, and stops at a branch to a misaligned address. ok is
// false at a stop.
func (c *core) system(s *isa.Step) (stop isa.Stop, ok bool) {
	stop.PC = uint64(s.Imm2) - uint64(s.Size)
	next, ok := s.Imm2, true
	switch kind(s.Kind) {
	case kMret:
		if stop.Err = c.machineOnly("MRET"); stop.Err == nil {
			next, c.ev.Taken = c.mret(), true
		}
	case kFence:
	case kFenceI:
		c.code.clear()
	case kEcall:
		stop.Kind, ok = isa.StopSystem, false
	case kEbreak:
		stop.Kind, ok = isa.StopBreak, false
	case kWfi:
		if c.csr.mstatus&mstatusTW != 0 {
			stop.Err = c.machineOnly("WFI")
		}
		if c.csr.mip&c.csr.mie == 0 && stop.Err == nil {
			stop.Kind, ok = isa.StopHalt, false
		}
	case kCsrrw, kCsrrs, kCsrrc, kCsrrwi, kCsrrsi, kCsrrci:
		stop.Err = c.csrOp(s)
	default:
		c.pc = uint32(stop.PC)
		stop.Kind, stop.Err = isa.StopFault, c.misalignedTarget(s)
		return stop, false
	}
	if stop.Err != nil {
		stop.Kind, ok, next = isa.StopUndef, false, uint32(stop.PC)
	}
	c.pc = next
	return stop, ok
}

// misalignedTarget is the fault of a branch that [core.branch] has refused.
func (c *core) misalignedTarget(s *isa.Step) *isa.Fault {
	target := uint32(s.Imm)
	if kind(s.Kind) == kJalr {
		target = (c.x[s.A&63] + target) &^ 1
	}
	return &isa.Fault{Addr: uint64(target), Size: 4, Want: isa.X, Cause: misaligned}
}

// machineOnly refuses a row in user mode.
func (c *core) machineOnly(row string) error {
	if c.csr.mode == machineMode {
		return nil
	}
	return fmt.Errorf("%s cannot be used in user mode", row)
}

// holds reports whether a conditional branch of that kind is taken.
func holds(k kind, a, b uint32) bool {
	switch k {
	case kBeq:
		return a == b
	case kBne:
		return a != b
	case kBlt:
		return int32(a) < int32(b)
	case kBge:
		return int32(a) >= int32(b)
	case kBltu:
		return a < b
	}
	return a >= b
}

// atomic executes an A row. One hart is alone, so LR/SC fail only without a reservation of that
// word; false after a fault.
func (c *core) atomic(i int, s *isa.Step) bool {
	a, k := c.x[s.A&63], kind(s.Kind)
	want := isa.R
	if k != kLr {
		want = isa.W
	}
	old, ok := c.mem.Load32(uint64(a))
	if !ok || a&3 != 0 {
		c.fault(i, a, 4, want)
		return false
	}
	v, store := amoValue(k, old, c.x[s.B&63]), k != kLr
	switch k {
	case kLr:
		c.reserve = uint64(a)
	case kSc:
		store = c.reserve == uint64(a)
		c.reserve = isa.NoAddr
		old = b2u(!store)
	}
	if store && !c.mem.Store32(uint64(a), v) {
		c.fault(i, a, 4, isa.W)
		return false
	}
	c.x[s.D&63] = old
	if c.rec && k != kSc {
		c.access(i, a, 4, false)
	}
	if c.rec && store {
		c.access(i, a, 4, true)
	}
	return true
}

// amoValue is what an AMO writes, given the old word and rs2.
func amoValue(k kind, old, v uint32) uint32 {
	switch k {
	case kAmoadd:
		return old + v
	case kAmoxor:
		return old ^ v
	case kAmoand:
		return old & v
	case kAmoor:
		return old | v
	case kAmomin:
		return uint32(min(int32(old), int32(v)))
	case kAmomax:
		return uint32(max(int32(old), int32(v)))
	case kAmominu:
		return min(old, v)
	case kAmomaxu:
		return max(old, v)
	}
	return v
}

// csrOp executes a CSR row: reads, then writes unless the manual says the row does not
// (CSRRS/CSRRC with rs1 = x0 or an immediate of 0; section 9.1). CSRRW with rd = x0 still
// checks that the register exists.
func (c *core) csrOp(s *isa.Step) error {
	n, k := uint16(s.Imm), kind(s.Kind)
	operand := c.x[s.A&63]
	if k >= kCsrrwi {
		operand = uint32(s.A)
		k -= kCsrrwi - kCsrrw
	}
	r, err := c.findCSR(n)
	if err != nil {
		return err
	}
	old := c.readCSR(r)
	if k == kCsrrw || s.A != 0 {
		v := operand
		switch k {
		case kCsrrs:
			v = old | operand
		case kCsrrc:
			v = old &^ operand
		}
		if !c.writeCSR(r, v) {
			return fmt.Errorf("CSR %s is read-only", r.name)
		}
	}
	c.x[s.D&63] = old
	return nil
}
