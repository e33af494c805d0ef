package t32

import (
	"strings"

	"simrun/isa"
)

// Functions of the DSP extension. D, A, B and Imm are as fn says; C is Ra or RdHi.

func pkhbt(c *Core, s *isa.Step) status {
	c.r[s.D&63] = c.r[s.A&63]&0xffff | c.r[s.B&63]<<s.Imm&^0xffff
	return done
}

func pkhtb(c *Core, s *isa.Step) status {
	c.r[s.D&63] = c.r[s.A&63]&^0xffff | uint32(int32(c.r[s.B&63])>>s.Imm)&0xffff
	return done
}

// selectBytes is SEL: each byte from A where its GE bit is set, else from B.
func selectBytes(c *Core, s *isa.Step) status {
	var mask uint32
	for i := range 4 {
		mask |= (c.ge >> i & 1) * 0xff << (8 * i)
	}
	c.r[s.D&63] = c.r[s.A&63]&mask | c.r[s.B&63]&^mask
	return done
}

// saturated clamps v and sets Q if that changes it.
func (c *Core) saturated(v, lo, hi int64) uint32 {
	if v < lo || v > hi {
		v, c.q = min(max(v, lo), hi), 1
	}
	return uint32(v)
}

const (
	minWord = -1 << 31
	maxWord = 1<<31 - 1
)

// qadd is QADD and QSUB: Rm plus or minus Rn, which QDADD and QDSUB double and saturate first.
func qadd(sign int64, double bool) func(c *Core, s *isa.Step) status {
	return func(c *Core, s *isa.Step) status {
		n, m := int64(int32(c.r[s.A&63])), int64(int32(c.r[s.B&63]))
		if double {
			n = int64(int32(c.saturated(2*n, minWord, maxWord)))
		}
		c.r[s.D&63] = c.saturated(m+sign*n, minWord, maxWord)
		return done
	}
}

func (c *Core) saturateHalves(s *isa.Step, lo, hi int64) status {
	v := c.r[s.A&63]
	low := c.saturated(int64(int16(v)), lo, hi)
	high := c.saturated(int64(int16(v>>16)), lo, hi)
	c.r[s.D&63] = high<<16 | low&0xffff
	return done
}

func ssat16(c *Core, s *isa.Step) status {
	hi := int64(1)<<(s.Imm-1) - 1
	return c.saturateHalves(s, -hi-1, hi)
}

func usat16(c *Core, s *isa.Step) status { return c.saturateHalves(s, 0, 1<<s.Imm-1) }

// The lanes that extension takes from a rotated register.
func sxtbLane(v uint32) uint32 { return uint32(int32(int8(v))) }
func sxthLane(v uint32) uint32 { return uint32(int32(int16(v))) }
func uxtbLane(v uint32) uint32 { return v & 0xff }
func uxthLane(v uint32) uint32 { return v & 0xffff }

// extendAdd adds extended lanes, one of 32 bits or two of 16, to those of A.
func extendAdd(lane func(uint32) uint32, width int) func(c *Core, s *isa.Step) status {
	return func(c *Core, s *isa.Step) status {
		m, n := c.r[s.B&63], c.r[s.A&63]
		m = m>>s.Imm | m<<(32-s.Imm)
		v := n + lane(m)
		if width == 16 {
			v = v&0xffff | (n>>16+lane(m>>16))<<16
		}
		c.r[s.D&63] = v
		return done
	}
}

// halfword is the signed half of a register at bit 0 or 16.
func halfword(v uint32, at int) int64 { return int64(int16(v >> at)) }

// smlaXY multiplies the halves at bits x and y and adds C; Q is set if the sum overflows.
func smlaXY(x, y int) func(c *Core, s *isa.Step) status {
	return func(c *Core, s *isa.Step) status {
		p := halfword(c.r[s.A&63], x) * halfword(c.r[s.B&63], y)
		return c.accumulate(s, p)
	}
}

// smlaW keeps the upper 32 bits of the 48 of a word times a half.
func smlaW(y int) func(c *Core, s *isa.Step) status {
	return func(c *Core, s *isa.Step) status {
		p := int64(int32(c.r[s.A&63])) * halfword(c.r[s.B&63], y)
		return c.accumulate(s, p>>16)
	}
}

// accumulate adds C to p, setting Q where the sum does not fit.
func (c *Core) accumulate(s *isa.Step, p int64) status {
	sum := p + int64(int32(c.r[s.C&63]))
	if sum != int64(int32(sum)) {
		c.q = 1
	}
	c.r[s.D&63] = uint32(sum)
	return done
}

// products is the sum, or with sign -1 the difference, of the products of the low and the high halves;
// with cross 16 the halves of B are exchanged.
func (c *Core) products(s *isa.Step, sign int64, cross int) int64 {
	n, m := c.r[s.A&63], c.r[s.B&63]
	return halfword(n, 0)*halfword(m, cross) + sign*halfword(n, 16)*halfword(m, 16-cross)
}

func dual(sign int64, cross int) func(c *Core, s *isa.Step) status {
	return func(c *Core, s *isa.Step) status { return c.accumulate(s, c.products(s, sign, cross)) }
}

func dualLong(sign int64, cross int) func(c *Core, s *isa.Step) status {
	return func(c *Core, s *isa.Step) status {
		return c.long(s, c.accumulator(s)+uint64(c.products(s, sign, cross)))
	}
}

func smlalXY(x, y int) func(c *Core, s *isa.Step) status {
	return func(c *Core, s *isa.Step) status {
		p := halfword(c.r[s.A&63], x) * halfword(c.r[s.B&63], y)
		return c.long(s, c.accumulator(s)+uint64(p))
	}
}

// half is what the rounding forms add before they drop the lower word.
const half = 1 << 31

// upperWord is the upper word of (C << 32) plus or minus a product.
func upperWord(sign, round int64) func(c *Core, s *isa.Step) status {
	return func(c *Core, s *isa.Step) status {
		p := int64(int32(c.r[s.A&63])) * int64(int32(c.r[s.B&63]))
		acc := int64(c.r[s.C&63]) << 32
		c.r[s.D&63] = uint32((acc + sign*p + round) >> 32)
		return done
	}
}

// umaal adds both halves of the accumulator to the product; the sum always fits.
func umaal(c *Core, s *isa.Step) status {
	return c.long(s, c.unsignedProduct(s)+uint64(c.r[s.D&63])+uint64(c.r[s.C&63]))
}

func usada8(c *Core, s *isa.Step) status {
	n, m := c.r[s.A&63], c.r[s.B&63]
	sum := c.r[s.C&63]
	for i := 0; i < 32; i += 8 {
		x, y := n>>i&0xff, m>>i&0xff
		sum += max(x, y) - min(x, y)
	}
	c.r[s.D&63] = sum
	return done
}

// lanes is how a parallel operation treats one lane: its width, whether it is unsigned, and what
// becomes of the sum.
type lanes struct {
	width    int
	unsigned bool
	fate     byte // 'w' wrap and set GE, 'q' saturate, 'h' halve
	cross    bool // ASX and SAX exchange the halves of B
	low      int64
	high     int64 // signs of the second operand in the lower lane, or every even one, and the upper
}

// laneSigns are the signs of the second operand in the lower and the upper lane.
var laneSigns = map[string][2]int64{
	"add16": {1, 1}, "asx": {-1, 1}, "sax": {1, -1}, "sub16": {-1, -1}, "add8": {1, 1}, "sub8": {-1, -1},
}

// parallel makes the function of an operation of parallelOps in a mode of parallelModes.
func parallel(op, mode string) func(c *Core, s *isa.Step) status {
	l := lanes{width: 16, unsigned: mode[0] == 'u', fate: 'w', cross: strings.HasSuffix(op, "x")}
	l.low, l.high = laneSigns[op][0], laneSigns[op][1]
	if strings.HasSuffix(op, "8") {
		l.width = 8
	}
	if last := mode[len(mode)-1]; last == 'q' || last == 'h' {
		l.fate = last
	}
	return func(c *Core, s *isa.Step) status { return l.run(c, s) }
}

func (l *lanes) run(c *Core, s *isa.Step) status {
	n, m := c.r[s.A&63], c.r[s.B&63]
	if l.cross {
		m = m>>16 | m<<16
	}
	var v, ge uint32
	for at := 0; at < 32; at += l.width {
		sign := l.low
		if at >= 16 {
			sign = l.high
		}
		sum := l.lane(n, at) + sign*l.lane(m, at)
		if l.reached(sum, sign) {
			ge |= (1<<(l.width/8) - 1) << (at / 8)
		}
		v |= uint32(l.settle(sum)) & (1<<l.width - 1) << at
	}
	c.r[s.D&63] = v
	if l.fate == 'w' {
		c.ge = ge
	}
	return done
}

func (l *lanes) lane(v uint32, at int) int64 {
	up := 64 - l.width
	x := uint64(v>>at) << up
	if l.unsigned {
		return int64(x >> up)
	}
	return int64(x) >> up
}

// reached says whether the GE bits of a lane are set: an unsigned addition carries out, anything
// else is not negative.
func (l *lanes) reached(sum, sign int64) bool {
	if l.unsigned && sign > 0 {
		return sum >= 1<<l.width
	}
	return sum >= 0
}

func (l *lanes) settle(sum int64) int64 {
	lo, hi := -int64(1)<<(l.width-1), int64(1)<<(l.width-1)-1
	if l.unsigned {
		lo, hi = 0, 1<<l.width-1
	}
	switch l.fate {
	case 'q':
		return min(max(sum, lo), hi)
	case 'h':
		return sum >> 1
	}
	return sum
}
