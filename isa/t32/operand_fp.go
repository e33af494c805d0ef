package t32

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"simrun/isa"
)

// floatOperands are the operands that hold floating-point registers. Their value is the first
// register; D0 is S0 with S1. A field has its odd bit in front (D:Vd) or behind (Vn:N).
var floatOperands = map[string]operand{
	"Sd":   {letter: 'x', role: isa.Write, codec: floatReg(1, true), regs: 1},
	"Dd":   {letter: 'x', role: isa.Write, codec: doubleReg, regs: 2},
	"Snd":  {letter: 'x', role: isa.Write, codec: floatReg(1, false), regs: 1},
	"Sn":   {letter: 'z', role: isa.Read, codec: floatReg(1, false), regs: 1},
	"Sm":   {letter: 'z', role: isa.Read, codec: floatReg(1, true), regs: 1},
	"SSmd": {letter: 'x', role: isa.Write, codec: floatReg(2, true), regs: 2}, // Sm and the next
	"SSm":  {letter: 'z', role: isa.Read, codec: floatReg(2, true), regs: 2},
	"Dmd":  {letter: 'x', role: isa.Write, codec: doubleReg, regs: 2},
	"Dm":   {letter: 'z', role: isa.Read, codec: doubleReg, regs: 2},
}

// floatOperand gives the operand of that name; stores read their Sd.
func floatOperand(name string, flags isa.FormFlags) (isa.Operand, operand, bool) {
	op, ok := floatOperands[name]
	if flags&isa.Store != 0 {
		op.role = isa.Read
	}
	op.kind = isa.KindReg
	return isa.Operand{Name: name, Kind: isa.KindReg, Role: op.role, Class: isa.FPR}, op, ok
}

// floatReg is a register of which n follow; front says where the odd bit stands.
func floatReg(n int64, front bool) codec {
	return codec{
		enc: func(v int64, _ *context) (uint32, bool) {
			s := uint32(v - int64(S0))
			if front {
				s = s&1<<4 | s>>1
			}
			return s, v >= int64(S0) && v+n <= int64(S0)+numFloats
		},
		dec: func(raw uint32, _ *context) (int64, bool) {
			if front {
				raw = raw&15<<1 | raw>>4
			}
			return int64(S0) + int64(raw), int64(raw)+n <= numFloats
		},
		want: "s0-s31",
	}
}

// doubleReg is D:Vd of a doubleword register; there are 16.
var doubleReg = codec{
	enc: func(v int64, _ *context) (uint32, bool) {
		s := v - int64(S0)
		return uint32(s / 2), s >= 0 && s < numFloats && s%2 == 0
	},
	dec:  func(raw uint32, _ *context) (int64, bool) { return int64(S0) + 2*int64(raw), raw < numFloats/2 },
	want: "d0-d15",
}

// floatList is D:Vd:imm8 of VLDM and VSTM: the first register and the number of words. A value is
// the set of single registers.
func floatList(first codec, regs int) codec {
	return codec{
		enc: func(v int64, x *context) (uint32, bool) {
			at, n := bits.TrailingZeros64(uint64(v)), bits.OnesCount64(uint64(v))
			raw, ok := first.enc(int64(at), x)
			return raw<<8 | uint32(n), ok && n%regs == 0 && v == registers(at, n)
		},
		dec: func(raw uint32, x *context) (int64, bool) {
			at, ok := first.dec(raw>>8, x)
			n := int64(raw & 0xff)
			ok = ok && n > 0 && n%int64(regs) == 0 && at+n <= int64(S0)+numFloats
			return registers(int(at), int(n)), ok
		},
		want: "consecutive registers, " + first.want,
	}
}

// run is the set of n registers from first on.
func registers(first, n int) int64 { return (1<<n - 1) << first }

// expandFloat is VFPExpandImm for single precision: a sign, three bits of exponent, four of fraction.
func expandFloat(imm8 uint32) uint32 {
	exponent := imm8 >> 4 & 7 // 0 to 3 are 2^1 to 2^4, 4 to 7 are 2^-3 to 2^0
	return imm8>>7<<31 | (exponent^4+124)<<23 | imm8&15<<19
}

// floatConst is the constant of VMOV, whose value is the encoded byte.
var floatConst = codec{
	enc:  func(v int64, _ *context) (uint32, bool) { return uint32(v), v >= 0 && v < 256 },
	dec:  func(raw uint32, _ *context) (int64, bool) { return int64(raw), true },
	want: "a constant of a sign, four significant bits and a power of two from 1/8 to 16",
}

func printFloat(_ *encoding, v int64) string {
	f := math.Float32frombits(expandFloat(uint32(v)))
	return strconv.FormatFloat(float64(f), 'f', -1, 32) + strings.Repeat(".0", b2i(f == float32(int(f))))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// float takes a constant that VMOV can hold.
func (m *matcher) float() (int64, error) {
	text := m.rest
	m.rest = ""
	f, err := strconv.ParseFloat(text, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", text)
	}
	for v := range int64(256) {
		if expandFloat(uint32(v)) == math.Float32bits(float32(f)) {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%s is not %s", text, floatConst.want)
}

// floatName prints the register of an operand, or the pair.
func (e *encoding) floatName(slot int, r isa.Reg) string {
	switch {
	case e.form.Ops[slot].Name[0] == 'D':
		return "d" + strconv.Itoa(int(r-S0)/2)
	case e.ops[slot].regs == 2:
		return regName(r) + ", " + regName(r+1)
	}
	return regName(r)
}

// printFloatList writes consecutive registers as a range.
func printFloatList(prefix string, regs int) func(e *encoding, v int64) string {
	return func(_ *encoding, v int64) string {
		first := (bits.TrailingZeros64(uint64(v)) - int(S0)) / regs
		n := bits.OnesCount64(uint64(v)) / regs
		if n == 1 {
			return fmt.Sprintf("{%s%d}", prefix, first)
		}
		return fmt.Sprintf("{%s%d-%s%d}", prefix, first, prefix, first+n-1)
	}
}

// parseFloat reads "s5", or "d3" as its first single register.
func parseFloat(word string, prefix byte) (isa.Reg, bool) {
	word = strings.ToLower(word)
	if word == "" || word[0] != prefix {
		return 0, false
	}
	n, err := strconv.ParseUint(word[1:], 10, 8)
	if prefix == 'd' {
		n *= 2
	}
	return S0 + isa.Reg(n&31), err == nil && n < numFloats
}

// floatRegister takes the register of an operand, or the pair.
func (m *matcher) floatRegister(slot int) error {
	op := &m.e.form.Ops[slot]
	prefix := byte('s')
	if op.Name[0] == 'D' {
		prefix = 'd'
	}
	w := m.word()
	r, ok := parseFloat(w, prefix)
	if !ok {
		return fmt.Errorf("%q is no register %c0 and so on", w, prefix)
	}
	m.in.Args[slot] = int64(r)
	if op.Name[0] == 'S' && m.e.ops[slot].regs == 2 {
		if err := m.literal(","); err != nil {
			return err
		}
		if next, ok := parseFloat(m.word(), prefix); !ok || next != r+1 {
			return fmt.Errorf("want the register behind %s", w)
		}
	}
	return nil
}

// floatList takes {s0-s3} or {d8, d9}.
func (m *matcher) floatList(prefix byte, regs int) (int64, error) {
	text, rest, ok := strings.Cut(m.rest, "}")
	if !ok || !strings.HasPrefix(text, "{") {
		return 0, fmt.Errorf("%q is no register list", m.rest)
	}
	m.rest = rest
	var list int64
	for part := range strings.SplitSeq(text[1:], ",") {
		from, to, span := strings.Cut(part, "-")
		if !span {
			to = from
		}
		lo, ok1 := parseFloat(from, prefix)
		hi, ok2 := parseFloat(to, prefix)
		if !ok1 || !ok2 || lo > hi {
			return 0, fmt.Errorf("%q is no register %c0 and so on, or range of them", part, prefix)
		}
		list |= registers(int(lo), int(hi-lo)+regs)
	}
	return list, nil
}
