package t32

import (
	"encoding/binary"
	"math/bits"

	"simrun/isa"
)

// Kinds of Step. The second operand of data processing is, for every kind,
//
//	op2 = rotl(r[B], C) & uint32(Imm) ^ Imm2
//
// which covers constants (mask 0), registers, LSL, LSR, ROR and complements. Addresses are
//
//	r[A] + r[B]<<C + uint32(Imm)
//
// What fits no kind is kFn: the row's function runs.
const (
	kFn uint16 = iota
	kNop
	kMov
	kAnd
	kOrr
	kEor
	kAdd // r[A] + op2 + Imm>>32
	kRsb // op2 - r[A]
	kAdc
	kMovS
	kAndS
	kOrrS
	kEorS
	kAddS
	kRsbS
	kAdcS
	kMul
	kMulS
	kMla
	kMls
	kLdr
	kLdrb
	kLdrh
	kLdrsb
	kLdrsh
	kStr
	kStrb
	kStrh
)

// Step.Flags: the low bits are the carry rule of logical kinds, or writesBase; the high four are one
// more than the condition under IT.
const (
	carryKeep uint8 = iota
	carryBit0       // of the rotated register
	carryBit31
	carrySet
	carryClear

	writesBase uint8 = 1

	condShift = 4
)

// Pseudo registers of the register file.
const (
	regZero = 62 // reads as zero, never written
	regSink = 63 // never read
)

// status is how a row's function ended.
type status uint8

const (
	done    status = iota
	stopped        // done, and the run ends: Core.stop says why
	faulted        // not executed; Core.stop says why
)

// exec runs the first n steps of b and returns how many it retired. It ends early at a stop, a
// fault or a store into decoded code. The switch is the hot loop: one case per kind.
func (c *Core) exec(b *block, n int) int {
	r := &c.r
	steps := b.Steps[:n]
	for i := range steps {
		s := &steps[i]
		if cc := s.Flags >> condShift; cc != 0 && !c.holds(cc-1) {
			c.skip(i)
			continue
		}
		op2 := bits.RotateLeft32(r[s.B&63], int(s.C))
		switch s.Kind {
		case kFn:
			c.step = i
			switch c.fns[s.Num](c, s) {
			case stopped:
				return i + 1
			case faulted:
				return i
			}
			if c.dirty {
				return i + 1
			}
		case kNop:
		case kMov:
			r[s.D&63] = op2&uint32(s.Imm) ^ s.Imm2
		case kAnd:
			r[s.D&63] = r[s.A&63] & (op2&uint32(s.Imm) ^ s.Imm2)
		case kOrr:
			r[s.D&63] = r[s.A&63] | (op2&uint32(s.Imm) ^ s.Imm2)
		case kEor:
			r[s.D&63] = r[s.A&63] ^ (op2&uint32(s.Imm) ^ s.Imm2)
		case kAdd:
			r[s.D&63] = r[s.A&63] + (op2&uint32(s.Imm) ^ s.Imm2) + uint32(s.Imm>>32)
		case kRsb:
			r[s.D&63] = (op2&uint32(s.Imm) ^ s.Imm2) - r[s.A&63]
		case kAdc:
			r[s.D&63] = r[s.A&63] + (op2&uint32(s.Imm) ^ s.Imm2) + c.carry
		case kMovS:
			c.logic(s, op2, op2&uint32(s.Imm)^s.Imm2)
		case kAndS:
			c.logic(s, op2, r[s.A&63]&(op2&uint32(s.Imm)^s.Imm2))
		case kOrrS:
			c.logic(s, op2, r[s.A&63]|(op2&uint32(s.Imm)^s.Imm2))
		case kEorS:
			c.logic(s, op2, r[s.A&63]^(op2&uint32(s.Imm)^s.Imm2))
		case kAddS:
			r[s.D&63] = c.add(r[s.A&63], op2&uint32(s.Imm)^s.Imm2, uint32(s.Imm>>32))
		case kRsbS:
			r[s.D&63] = c.add(^r[s.A&63], op2&uint32(s.Imm)^s.Imm2, 1)
		case kAdcS:
			r[s.D&63] = c.add(r[s.A&63], op2&uint32(s.Imm)^s.Imm2, c.carry)
		case kMul:
			r[s.D&63] = r[s.A&63] * r[s.B&63]
		case kMulS:
			r[s.D&63] = r[s.A&63] * r[s.B&63]
			c.n, c.z = r[s.D&63], r[s.D&63]
		case kMla:
			r[s.D&63] = r[s.C&63] + r[s.A&63]*r[s.B&63]
		case kMls:
			r[s.D&63] = r[s.C&63] - r[s.A&63]*r[s.B&63]
		case kLdr, kLdrb, kLdrh, kLdrsb, kLdrsh:
			if !c.load(s, i) {
				return i
			}
		case kStr, kStrb, kStrh:
			if !c.store(s, i) {
				return i
			}
			if c.dirty {
				return i + 1
			}
		}
	}
	return n
}

// logic sets the destination, N, Z and the carry of the shifter. rotated is the second operand
// before its mask.
func (c *Core) logic(s *isa.Step, rotated, v uint32) {
	c.r[s.D&63] = v
	c.n, c.z = v, v
	switch s.Flags & 7 {
	case carryBit0:
		c.carry = rotated & 1
	case carryBit31:
		c.carry = rotated >> 31
	case carrySet:
		c.carry = 1
	case carryClear:
		c.carry = 0
	}
}

// add returns x + y + carry and sets the four flags (AddWithCarry).
func (c *Core) add(x, y, carry uint32) uint32 {
	sum, out := bits.Add32(x, y, carry)
	c.n, c.z, c.carry = sum, sum, out
	c.v = (x ^ sum) & (y ^ sum) >> 31
	return sum
}

// holds evaluates a condition.
func (c *Core) holds(cond uint8) bool {
	n, z := c.n>>31 != 0, c.z == 0
	var yes bool
	switch cond >> 1 {
	case EQ >> 1:
		yes = z
	case CS >> 1:
		yes = c.carry != 0
	case MI >> 1:
		yes = n
	case VS >> 1:
		yes = c.v != 0
	case HI >> 1:
		yes = c.carry != 0 && !z
	case GE >> 1:
		yes = n == (c.v != 0)
	case GT >> 1:
		yes = n == (c.v != 0) && !z
	default:
		return true
	}
	return yes == (cond&1 == 0)
}

// load executes step i, a load; false after a fault, with nothing changed.
func (c *Core) load(s *isa.Step, i int) bool {
	addr := c.r[s.A&63] + c.r[s.B&63]<<(s.C&31) + uint32(s.Imm)
	size := accessSize[s.Kind&31]
	m := c.rd.at(addr, size)
	if m == nil {
		c.step = i
		if m = c.refill(addr, size); m == nil {
			return false
		}
	}
	var v uint32
	switch s.Kind {
	case kLdr:
		v = binary.LittleEndian.Uint32(m)
	case kLdrb:
		v = uint32(m[0])
	case kLdrh:
		v = uint32(binary.LittleEndian.Uint16(m))
	case kLdrsb:
		v = uint32(int8(m[0]))
	default:
		v = uint32(int16(binary.LittleEndian.Uint16(m)))
	}
	c.r[s.D&63] = v
	if s.Flags&writesBase != 0 {
		c.r[s.A&63] += s.Imm2
	}
	if c.listening {
		c.access(addr, i, size, false)
	}
	return true
}

// store executes step i, a store.
func (c *Core) store(s *isa.Step, i int) bool {
	addr := c.r[s.A&63] + c.r[s.B&63]<<(s.C&31) + uint32(s.Imm)
	size := accessSize[s.Kind&31]
	c.step = i
	if !c.write(addr, c.r[s.D&63], size) {
		return false
	}
	if s.Flags&writesBase != 0 {
		c.r[s.A&63] += s.Imm2
	}
	if c.listening {
		c.access(addr, i, size, true)
	}
	return true
}

// accessSize is the number of bytes of a load or store kind.
var accessSize = [32]uint32{
	kLdr: 4, kLdrb: 1, kLdrh: 2, kLdrsb: 1, kLdrsh: 2, kStr: 4, kStrb: 1, kStrh: 2,
}
