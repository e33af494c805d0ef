package rv32

import (
	"math/bits"

	"simrun/isa"
)

// core executes decoded straight runs. Register 0 is never written: rd = x0 goes to sink.
type core struct {
	x       [64]uint32
	pc      uint32
	retired uint64
	mem     *isa.Memory
	code    codeCache
	csr     csrFile
	reserve uint64 // address reserved by LR.W, isa.NoAddr = none

	interrupted bool         // an interrupt is to be taken
	trapped     uint64       // retired at the last exception taken, isa.NoAddr = none
	empty       isa.Straight // code of an event without steps

	asks *isa.Device // the step that stopped body accesses it

	rec  bool // a listener wants ev filled
	ev   isa.Retired
	err  error    // why body stopped early
	stop isa.Stop // why the run stopped
}

// NewCore returns an executor on mem with all registers zero. features lists the extensions
// present: "m", "a", "c", "zicsr", "zifencei",
// "zba", "zbb", "zbkb"; "zicclsm" (misaligned loads and stores are
// allowed) changes how loads and stores behave, "u" adds user mode to machine mode.
//
// A fault, an undefined instruction, ECALL or EBREAK ends Run as long as mtvec is 0. Once the
// program has set it, they enter its handler. The core is an [isa.Interrupts].
func (Arch) NewCore(mem *isa.Memory, features []string) isa.Core {
	c := &core{mem: mem, reserve: isa.NoAddr, trapped: isa.NoAddr}
	c.ev.Data = make([]isa.Access, 0, 2*maxRun)
	c.ev.Hints = make([]isa.Hint, 0, maxRun)
	c.code.init(mem, features)
	c.csr.reset(features)
	return c
}

func (c *core) Reg(r isa.Reg) uint64 {
	if r < numRegs {
		return uint64(c.x[r])
	}
	return 0
}

func (c *core) SetReg(r isa.Reg, v uint64) {
	if r > 0 && r < numRegs {
		c.x[r] = uint32(v)
	}
}

// Vec and SetVec exist for other instruction sets; RV32 has no vector registers here.
func (c *core) Vec(isa.Reg) [2]uint64     { return [2]uint64{} }
func (c *core) SetVec(isa.Reg, [2]uint64) {}
func (c *core) PC() uint64                { return uint64(c.pc) }
func (c *core) SetPC(pc uint64)           { c.pc = uint32(pc) }
func (c *core) Retired() uint64           { return c.retired }
func (c *core) SetClock(clock isa.Clock)  { c.csr.clock = clock }

// Run executes straight runs until a stop.
func (c *core) Run(l isa.Listener, limit uint64, stopAt uint64) isa.Stop {
	c.rec = l != nil
	end := isa.NoAddr
	if limit != 0 {
		end = c.retired + limit
	}
	for {
		if c.interrupted {
			c.interrupt(l)
		}
		if uint64(c.pc) == stopAt {
			return isa.Stop{Kind: isa.StopAddr, PC: stopAt}
		}
		if c.retired >= end {
			return isa.Stop{Kind: isa.StopLimit, PC: uint64(c.pc)}
		}
		run, stop := c.code.at(c.pc)
		if run == nil {
			if pc := c.pc; c.take(stop) {
				c.reportTrap(l, pc)
				continue
			}
			return stop
		}
		n := len(run.Steps)
		if left := end - c.retired; uint64(n) > left {
			n = int(left)
		}
		if off := stopAt - run.PC; off < run.bytes {
			n = min(n, run.index(stopAt))
		}
		if !c.run(l, run, n) {
			return c.stop
		}
	}
}

// run executes the first n steps of a run, takes the trap that ends it, and reports them; false at
// a stop, which is c.stop.
func (c *core) run(l isa.Listener, run *straight, n int) bool {
	c.ev.Data, c.ev.Hints = c.ev.Data[:0], c.ev.Hints[:0]
	c.ev.Taken, c.ev.Trap, c.asks = false, 0, nil
	done, ok := c.execute(run, n)
	c.retired += uint64(done)
	if !ok {
		ok = c.take(c.stop)
	}
	if l != nil && (done > 0 || c.ev.Trap != 0) {
		c.ev.Code, c.ev.N, c.ev.Next = &run.Straight, done, uint64(c.pc)
		l.Retire(&c.ev)
	}
	return ok
}

// execute executes the first n steps of a run, sets the PC and returns how many were executed; ok is
// false at a stop.
func (c *core) execute(run *straight, n int) (done int, ok bool) {
	body := n
	if n == len(run.Steps) && run.ends {
		body--
	}
	done = c.body(run.Steps[:body])
	switch {
	case done < body && c.asks != nil:
		done, c.stop, ok = c.device(&run.Steps[done], done)
		c.pc = uint32(run.Time[0].PC)
		if done > 0 {
			c.pc = run.Steps[done-1].Imm2
		}
		return done, ok
	case done < body:
		c.stop = isa.Stop{Kind: isa.StopFault, PC: run.Time[done].PC, Err: c.err}
		c.pc = uint32(c.stop.PC)
		return done, false
	case body == n:
		c.pc = run.Steps[n-1].Imm2
		return n, true
	case c.branch(&run.Steps[body]):
		return n, true
	}
	if c.stop, ok = c.system(&run.Steps[body]); c.stop.Err != nil {
		return body, ok // a step that stops with an error has not executed
	}
	return n, ok
}

// body executes plain steps and returns how many completed; fewer than all after a fault.
// This is the hot loop: the frequent kinds stand in it, the rest behind slow.
func (c *core) body(steps []isa.Step) int {
	x := &c.x
	for i := range steps {
		s := &steps[i]
		imm := uint32(s.Imm)
		switch kind(s.Kind) {
		case kLui:
			x[s.D&63] = imm
		case kAddi:
			x[s.D&63] = x[s.A&63] + imm
		case kSlti:
			x[s.D&63] = b2u(int32(x[s.A&63]) < int32(imm))
		case kSltiu:
			x[s.D&63] = b2u(x[s.A&63] < imm)
		case kXori:
			x[s.D&63] = x[s.A&63] ^ imm
		case kOri:
			x[s.D&63] = x[s.A&63] | imm
		case kAndi:
			x[s.D&63] = x[s.A&63] & imm
		case kSlli:
			x[s.D&63] = x[s.A&63] << (imm & 31)
		case kSrli:
			x[s.D&63] = x[s.A&63] >> (imm & 31)
		case kSrai:
			x[s.D&63] = uint32(int32(x[s.A&63]) >> (imm & 31))
		case kAdd:
			x[s.D&63] = x[s.A&63] + x[s.B&63]
		case kSub:
			x[s.D&63] = x[s.A&63] - x[s.B&63]
		case kSll:
			x[s.D&63] = x[s.A&63] << (x[s.B&63] & 31)
		case kSlt:
			x[s.D&63] = b2u(int32(x[s.A&63]) < int32(x[s.B&63]))
		case kSltu:
			x[s.D&63] = b2u(x[s.A&63] < x[s.B&63])
		case kXor:
			x[s.D&63] = x[s.A&63] ^ x[s.B&63]
		case kSrl:
			x[s.D&63] = x[s.A&63] >> (x[s.B&63] & 31)
		case kSra:
			x[s.D&63] = uint32(int32(x[s.A&63]) >> (x[s.B&63] & 31))
		case kOr:
			x[s.D&63] = x[s.A&63] | x[s.B&63]
		case kAnd:
			x[s.D&63] = x[s.A&63] & x[s.B&63]
		case kMul:
			x[s.D&63] = x[s.A&63] * x[s.B&63]
		case kRori:
			x[s.D&63] = bits.RotateLeft32(x[s.A&63], -int(imm&31))
		case kLw:
			a := x[s.A&63] + imm
			v, ok := c.mem.Load32(uint64(a))
			if !ok || a&uint32(s.C) != 0 {
				return c.fault(i, a, 4, isa.R)
			}
			x[s.D&63] = v
			if c.rec {
				c.access(i, a, 4, false)
			}
		case kSw:
			a := x[s.A&63] + imm
			if a&uint32(s.C) != 0 || !c.mem.Store32(uint64(a), x[s.B&63]) {
				return c.fault(i, a, 4, isa.W)
			}
			if c.rec {
				c.access(i, a, 4, true)
			}
		default:
			if !c.slow(i, s) {
				return i
			}
		}
	}
	return len(steps)
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// fault records why step i stopped and returns i: a device answers there, or nothing does.
func (c *core) fault(i int, a uint32, size int, want isa.Perm) int {
	if c.asks = c.mem.DeviceAt(uint64(a), uint64(size)); c.asks != nil {
		return i
	}
	f := c.mem.FaultAt(uint64(a), size, want)
	if a&uint32(size-1) != 0 && c.mem.Find(uint64(a), uint64(size)) != nil {
		f.Cause = misaligned
	}
	c.err = f
	return i
}

// access reports one data access of step i.
func (c *core) access(i int, a uint32, size int, store bool) {
	c.ev.Data = append(c.ev.Data, isa.Access{Addr: uint64(a), Step: uint16(i), Size: uint8(size), Store: store})
}

// slow executes the plain kinds that are not in body; false after a fault.
func (c *core) slow(i int, s *isa.Step) bool {
	switch k := kind(s.Kind); {
	case k <= kLhu:
		return c.loadSmall(i, s)
	case k <= kSh:
		return c.storeSmall(i, s)
	case k <= kRemu:
		c.mulDiv(i, s)
		return true
	case k <= kAmomaxu:
		return c.atomic(i, s)
	default:
		c.x[s.D&63] = bitOps[k-kSh1add](c.x[s.A&63], c.x[s.B&63])
		return true
	}
}

func (c *core) loadSmall(i int, s *isa.Step) bool {
	a := c.x[s.A&63] + uint32(s.Imm)
	var v uint32
	var ok bool
	k := kind(s.Kind)
	size := accessSize(isa.Load, k)
	if size == 1 {
		var b uint8
		b, ok = c.mem.Load8(uint64(a))
		v = uint32(b)
	} else {
		var h uint16
		h, ok = c.mem.Load16(uint64(a))
		v = uint32(h)
	}
	if !ok || a&uint32(s.C) != 0 {
		c.fault(i, a, size, isa.R)
		return false
	}
	switch k {
	case kLb:
		v = uint32(int8(v))
	case kLh:
		v = uint32(int16(v))
	}
	c.x[s.D&63] = v
	if c.rec {
		c.access(i, a, size, false)
	}
	return true
}

func (c *core) storeSmall(i int, s *isa.Step) bool {
	a, v := c.x[s.A&63]+uint32(s.Imm), c.x[s.B&63]
	size := accessSize(isa.Store, kind(s.Kind))
	ok := a&uint32(s.C) == 0
	if ok && size == 1 {
		ok = c.mem.Store8(uint64(a), uint8(v))
	} else if ok {
		ok = c.mem.Store16(uint64(a), uint16(v))
	}
	if !ok {
		c.fault(i, a, size, isa.W)
		return false
	}
	if c.rec {
		c.access(i, a, size, true)
	}
	return true
}

// mulDiv executes what M has besides MUL. Division by zero and overflow give the values of
// the manual's table 7.1 and trap nowhere.
func (c *core) mulDiv(i int, s *isa.Step) {
	a, b := c.x[s.A&63], c.x[s.B&63]
	sa, sb := int64(int32(a)), int64(int32(b))
	var v uint32
	switch kind(s.Kind) {
	case kMulh:
		v = uint32(sa * sb >> 32)
	case kMulhsu:
		v = uint32(sa * int64(b) >> 32)
	case kMulhu:
		v = uint32(uint64(a) * uint64(b) >> 32)
	case kDiv, kDivu:
		v, _ = c.divide(i, s, a, b)
	case kRem, kRemu:
		_, v = c.divide(i, s, a, b)
	}
	c.x[s.D&63] = v
}

// divide gives quotient and remainder and hints at the significant bits of the quotient's
// magnitude, 32 for a division by zero.
func (c *core) divide(i int, s *isa.Step, a, b uint32) (q, r uint32) {
	signed := kind(s.Kind) == kDiv || kind(s.Kind) == kRem
	na, nb := signed && int32(a) < 0, signed && int32(b) < 0
	ma, mb := a, b
	if na {
		ma = -a
	}
	if nb {
		mb = -b
	}
	q, r = ^uint32(0), a
	magnitude := q
	if b != 0 {
		magnitude, r = ma/mb, ma%mb
		q = magnitude
		if na != nb {
			q = -q
		}
		if na {
			r = -r
		}
	}
	if c.rec {
		c.ev.Hints = append(c.ev.Hints, isa.Hint{Step: uint16(i), Value: uint8(bits.Len32(magnitude) + 1)})
	}
	return q, r
}
