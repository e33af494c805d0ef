package x86

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

func (s *state) randomize(rng *rand.Rand) {
	for i := range s.GPR {
		s.GPR[i] = uint64(int64(rng.Uint64()) >> rng.IntN(64))
	}
	s.GPR[RSP] = rspAt
	s.Flags = rng.Uint64() & (flagsAll | flagDF)
	for i := range s.X {
		s.X[i] = [2]uint64{uint64(int64(rng.Uint64()) >> rng.IntN(64)), rng.Uint64()}
		if rng.IntN(2) == 0 {
			s.X[i] = [2]uint64{randomFloats(rng), randomFloats(rng)}
		}
	}
	// Equal lanes and small shift counts are rare by chance.
	if rng.IntN(2) == 0 {
		s.X[rng.IntN(16)] = s.X[rng.IntN(16)]
		s.X[rng.IntN(16)][0] = uint64(rng.IntN(70))
	}
	for i := range s.Window {
		s.Window[i] = byte(rng.Uint32())
	}
	if rng.IntN(2) == 0 {
		for i := 0; i < len(s.Window); i += 8 {
			binary.LittleEndian.PutUint64(s.Window[i:], randomFloats(rng))
		}
	}
}

// randomFloats is a float64 or two float32 of moderate size, or special ones.
func randomFloats(rng *rand.Rand) uint64 {
	special := []float64{0, math.Copysign(0, -1), 1, -1.5, 2.5, 1 << 31, -1 << 31, 1<<31 - 1, 1 << 63, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), 1e-310, 1e-40, 3e38, 1e308}
	v := special[rng.IntN(len(special))]
	if rng.IntN(2) == 0 {
		v = rng.NormFloat64() * math.Ldexp(1, rng.IntN(80)-20)
	}
	if rng.IntN(2) == 0 {
		return math.Float64bits(v)
	}
	w := special[rng.IntN(len(special))]
	return uint64(math.Float32bits(float32(v))) | uint64(math.Float32bits(float32(w)))<<32
}

// prepare gives the registers and the memory that the row uses besides its operands values that work.
func (c *instance) prepare(rng *rand.Rand, r *row) {
	s := &c.state
	somewhere := func(room int) uint64 { return windowAt + uint64(room+rng.IntN(64-2*room)) }
	switch r.kind {
	case kMovs, kStos, kLods, kCmps, kScas:
		s.GPR[RSI], s.GPR[RDI], s.GPR[RCX] = somewhere(24), somewhere(24), uint64(rng.IntN(3))
		if rng.IntN(2) == 0 {
			copy(s.Window[32:], s.Window[:32])
			s.GPR[RDI] = s.GPR[RSI] &^ 7
			s.GPR[RAX] = binary.LittleEndian.Uint64(s.Window[s.GPR[RDI]-windowAt:])
		}
	case kXlat:
		s.GPR[RBX] = windowAt + uint64(rng.IntN(64)) - s.GPR[RAX]&0xff
	case kLeave:
		s.GPR[RBP] = somewhere(8)
	case kVecMaskMov:
		s.GPR[RDI] = somewhere(16)
	case kFldcw:
		binary.LittleEndian.PutUint16(s.Window[c.target:], controlReset)
	case kLdmxcsr:
		binary.LittleEndian.PutUint32(s.Window[c.target:], mxcsrReset)
	case kPopF:
		v := binary.LittleEndian.Uint64(s.Window[32:])
		binary.LittleEndian.PutUint64(s.Window[32:], v&(flagsAll|flagDF)|2)
	case kJcount:
		s.GPR[RCX] = uint64(rng.IntN(3))
	case kBitMR, kBitSetMR:
		s.GPR[c.in.Reg(4)] = uint64(rng.IntN(256) - 128)
	case kCmpxchgRR:
		if rng.IntN(2) == 0 {
			s.GPR[RAX] = s.GPR[c.in.Reg(0)]
		}
	case kCmpxchgMR, kCmpxchg8B, kCmpxchg16B:
		c.match(rng, r)
	}
}

// match makes the accumulator equal to memory, half of the time, unless it is part of the address.
func (c *instance) match(rng *rand.Rand, r *row) {
	base, index := c.in.Reg(0), c.in.Reg(1)
	if rng.IntN(2) == 0 || base == RAX || index == RAX || base == RDX || index == RDX {
		return
	}
	lo, hi := c.state.Window[c.target:], c.state.Window[c.target+r.memSize()/2:]
	switch r.kind {
	case kCmpxchgMR:
		c.state.GPR[RAX] = binary.LittleEndian.Uint64(lo)
	case kCmpxchg8B:
		c.state.GPR[RAX], c.state.GPR[RDX] = uint64(binary.LittleEndian.Uint32(lo)), uint64(binary.LittleEndian.Uint32(hi))
	default:
		c.state.GPR[RAX], c.state.GPR[RDX] = binary.LittleEndian.Uint64(lo), binary.LittleEndian.Uint64(hi)
	}
}

// defined reports whether the manual says what the instance does, and that it does not fault.
func (c *instance) defined(r *row) bool {
	switch r.kind {
	case kDoubleR, kDoubleM:
		return c.count() <= uint64(8*r.width())
	case kBitMR, kBitSetMR:
		bit := c.in.Reg(4)
		return bit != RSP && bit != c.in.Reg(0) && bit != c.in.Reg(1)
	case kDivR, kDivM, kIdivR, kIdivM:
		return c.divides(r)
	}
	return true
}

// divides reports whether the quotient fits.
func (c *instance) divides(r *row) bool {
	k := &core{}
	copy(k.r[:], c.state.GPR[:])
	v := binary.LittleEndian.Uint64(c.state.Window[c.target:])
	if r.mem() < 0 {
		v = k.r[c.in.Reg(0)]
	}
	if r.kind == kDivR || r.kind == kDivM {
		return k.divWide(v, uint8(r.width()))
	}
	return k.idivWide(v, uint8(r.width()))
}
