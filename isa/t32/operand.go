package t32

import (
	"fmt"
	"math/bits"
	"strings"

	"simrun/isa"
)

// An operand name in a row's syntax says everything about it: which letters of the bit pattern
// hold it, what it is and how its value is coded. Register names may carry marks:
//
//	Rn+   may also be the SP        Rn^   is also written (a destination: also read)
//	Rn*   may also be the SP or PC
//	Rn~   may also be the PC
//
// Without a mark a register of a 32-bit encoding is neither SP nor PC, which the manual calls
// unpredictable there. Fields of three bits reach r0 to r7 only.
type operand struct {
	letter byte // letter of the pattern, 0 = no bits of its own
	kind   isa.OperandKind
	role   isa.Role
	codec  codec
	regs   uint8 // of a floating-point operand: single registers it names
}

// A codec turns an operand's value into the raw bits of its field and back. ok is false where
// the field cannot hold the value, or the bits are another instruction's or unpredictable.
type codec struct {
	enc func(v int64, x *context) (raw uint32, ok bool)
	dec func(raw uint32, x *context) (v int64, ok bool)
	// want says in words what the field can hold, for errors.
	want string
}

// context is what a codec may look at besides its own operand.
type context struct {
	pc    uint32
	args  *[isa.MaxArgs]int64 // the operands before this one are valid when decoding
	slot  int                 // index of this operand in args
	width uint                // bits of the field
}

// regLetters gives the pattern letter of each register operand.
var regLetters = map[string]byte{
	"Rd": 'd', "Rdn": 'd', "RdLo": 'l', "RdHi": 'h', "Rn": 'n', "Rm": 'm', "Ra": 'a', "Rt": 't', "Rt2": 'v',
}

// immediates are the operands that are no register.
var immediates = map[string]operand{
	"imm":        {letter: 'i', codec: scaled(1)},
	"imm*2":      {letter: 'i', codec: scaled(2)},
	"imm*4":      {letter: 'i', codec: scaled(4)},
	"±imm":       {letter: 'i', codec: signed(1)}, // U:imm, U = 1 adds
	"±imm*4":     {letter: 'i', codec: signed(4)},
	"-imm":       {letter: 'i', codec: negative},
	"imm16":      {letter: 'i', codec: imm16},
	"const":      {letter: 'i', codec: modified},
	"shift":      {letter: 's', codec: scaled(1)}, // imm5:type, see LSL
	"satshift":   {letter: 's', codec: satShift},  // sh:imm5
	"amount":     {letter: 'i', codec: between(1, 31)},
	"amount32":   {letter: 'i', codec: amount32},
	"lsl":        {letter: 'i', codec: scaled(1)}, // of an address register, 0 to 3
	"lsb":        {letter: 'i', codec: scaled(1)},
	"bfwidth":    {letter: 'w', codec: bfWidth},
	"width":      {letter: 'w', codec: extractWidth},
	"sat":        {letter: 'w', codec: scaled(1)},
	"sat1":       {letter: 'w', codec: plusOne},
	"rotate":     {letter: 'r', codec: scaled(8)},
	"cond":       {letter: 'c', codec: between(EQ, LE)},
	"firstcond":  {letter: 'c', codec: between(EQ, AL)},
	"mask":       {letter: 'k', codec: between(1, 15)},
	"barrier":    {letter: 'i', codec: scaled(1)},
	"sync":       {letter: 'i', codec: scaled(1)},
	"iflags":     {letter: 'i', codec: between(1, 3)},
	"sysm":       {letter: 'y', codec: sysReg},
	"psr_g":      {letter: 'y', codec: between(sysAPSR, sysXPSR)}, // of MSR, with the fields it writes
	"psr_nzcvqg": {letter: 'y', codec: between(sysAPSR, sysXPSR)},
	"list":       {letter: 'L', kind: isa.KindList, codec: between(1, 255)},
	"list16":     {letter: 'L', kind: isa.KindList, codec: list16(SP)},
	"storelist":  {letter: 'L', kind: isa.KindList, codec: list16(SP, PC)},
	"pushlist":   {letter: 'L', kind: isa.KindList, codec: list9(LR)},
	"poplist":    {letter: 'L', kind: isa.KindList, codec: list9(PC)},
	"slist":      {letter: 'L', kind: isa.KindList, codec: floatList(floatReg(1, true), 1)},
	"dlist":      {letter: 'L', kind: isa.KindList, codec: floatList(doubleReg, 2)},
	"fpconst":    {letter: 'i', codec: floatConst},
	"label8":     {letter: 'b', kind: isa.KindLabel, codec: branch(unscrambled)},
	"label20":    {letter: 'b', kind: isa.KindLabel, codec: branch(scrambleT3)},
	"label24":    {letter: 'b', kind: isa.KindLabel, codec: branch(scrambleT4)},
	"forward":    {letter: 'b', kind: isa.KindLabel, codec: forward},
	"literal":    {letter: 'i', kind: isa.KindLabel, codec: literal(4, upOnly)},
	"literal±":   {letter: 'i', kind: isa.KindLabel, codec: literal(1, upDown)},
	"literal±4":  {letter: 'i', kind: isa.KindLabel, codec: literal(4, upDown)},
	"above":      {letter: 'i', kind: isa.KindLabel, codec: literal(1, upOnly)},
	"below":      {letter: 'i', kind: isa.KindLabel, codec: literal(1, downOnly)},
}

// operandOf reads an operand name of a row. flags tell loads from stores, whose Rt have opposite roles.
func operandOf(name string, flags isa.FormFlags) (isa.Operand, operand, error) {
	if im, ok := immediates[name]; ok {
		if im.kind != isa.KindList && im.kind != isa.KindLabel {
			im.kind = isa.KindImm
		}
		return isa.Operand{Name: name, Kind: im.kind, Role: isa.Read}, im, nil
	}
	if op, spec, ok := floatOperand(name, flags); ok {
		return op, spec, nil
	}
	base := strings.TrimRight(name, "+*~^")
	marks := name[len(base):]
	letter, ok := regLetters[base]
	if !ok {
		return isa.Operand{}, operand{}, fmt.Errorf("no operand %q", name)
	}
	role := isa.Read
	switch {
	case base == "Rdn" || strings.Contains(marks, "^"):
		role = isa.ReadWrite
	case letter == 'd' || letter == 'l' || letter == 'h',
		(letter == 't' || letter == 'v') && flags&isa.Store == 0:
		role = isa.Write
	}
	allowed := isa.RegSet(1<<16-1) &^ isa.Set(SP, PC)
	if strings.ContainsAny(marks, "+*") {
		allowed = allowed.With(SP)
	}
	if strings.ContainsAny(marks, "*~") {
		allowed = allowed.With(PC)
	}
	op := operand{letter: letter, kind: isa.KindReg, role: role, codec: register(allowed)}
	return isa.Operand{Name: base, Kind: isa.KindReg, Role: role}, op, nil
}

func register(allowed isa.RegSet) codec {
	want := "r0-r12 or lr"
	if allowed.Has(SP) {
		want = "r0-r12, sp or lr"
	}
	switch {
	case allowed.Has(PC) && allowed.Has(SP):
		want = "a core register"
	case allowed.Has(PC):
		want = "r0-r12, lr or pc"
	}
	return codec{
		enc: func(v int64, x *context) (uint32, bool) {
			return uint32(v), v >= 0 && v < 1<<x.width && allowed.Has(isa.Reg(v))
		},
		dec:  func(raw uint32, _ *context) (int64, bool) { return int64(raw), allowed.Has(isa.Reg(raw)) },
		want: want,
	}
}

// scaled is an unsigned field that counts units of n.
func scaled(n int64) codec {
	return codec{
		enc: func(v int64, x *context) (uint32, bool) {
			return uint32(v / n), v >= 0 && v%n == 0 && v/n < 1<<x.width
		},
		dec:  func(raw uint32, _ *context) (int64, bool) { return int64(raw) * n, true },
		want: fmt.Sprintf("a multiple of %d that fits the field", n),
	}
}

// signed is U:imm, a magnitude in units of n below its direction bit.
func signed(n int64) codec {
	return codec{
		enc: func(v int64, x *context) (uint32, bool) {
			mag, up := magnitude(v)
			return uint32(mag/n) | up<<(x.width-1), mag%n == 0 && mag/n < 1<<(x.width-1)
		},
		dec: func(raw uint32, x *context) (int64, bool) {
			mag := int64(raw&(1<<(x.width-1)-1)) * n
			return withSign(mag, raw>>(x.width-1) != 0), true
		},
		want: fmt.Sprintf("a multiple of %d that fits the field, of either sign", n),
	}
}

func magnitude(v int64) (mag int64, up uint32) {
	switch {
	case v == NegZero:
		return 0, 0
	case v < 0:
		return -v, 0
	}
	return v, 1
}

func withSign(mag int64, up bool) int64 {
	switch {
	case up:
		return mag
	case mag == 0:
		return NegZero
	}
	return -mag
}

var negative = codec{
	enc: func(v int64, x *context) (uint32, bool) {
		mag, up := magnitude(v)
		return uint32(mag), up == 0 && mag < 1<<x.width
	},
	dec:  func(raw uint32, _ *context) (int64, bool) { return withSign(int64(raw), false), true },
	want: "-255 to -1 or -0",
}

var modified = codec{
	enc: func(v int64, _ *context) (uint32, bool) {
		raw, ok := modImm(uint32(v))
		return raw, ok && v == int64(uint32(v))
	},
	dec: func(raw uint32, _ *context) (int64, bool) {
		v, ok := expandImm(raw)
		return int64(v), ok
	},
	want: "a modified immediate (0xXY, 0x00XY00XY, 0xXY00XY00, 0xXYXYXYXY or eight bits shifted)",
}

func between(lo, hi int64) codec {
	return codec{
		enc:  func(v int64, _ *context) (uint32, bool) { return uint32(v), v >= lo && v <= hi },
		dec:  func(raw uint32, _ *context) (int64, bool) { return int64(raw), int64(raw) >= lo && int64(raw) <= hi },
		want: fmt.Sprintf("%d to %d", lo, hi),
	}
}

// amount32 is the amount of LSR and ASR: 1 to 32, 32 being coded as 0.
var amount32 = codec{
	enc:  func(v int64, _ *context) (uint32, bool) { return uint32(v & 31), v >= 1 && v <= 32 },
	dec:  func(raw uint32, _ *context) (int64, bool) { return int64((raw+31)&31 + 1), true },
	want: "1 to 32",
}

// satShift is sh:imm5 of SSAT and USAT, as a shift operand. ASR by 32 is not available.
var satShift = codec{
	enc: func(v int64, _ *context) (uint32, bool) {
		typ, n := unpackShift(v)
		return uint32(n) | uint32(typ)<<4, typ == typeLSL || typ == typeASR && n < 32
	},
	dec: func(raw uint32, _ *context) (int64, bool) {
		if raw>>5 == 0 {
			return LSL(int(raw)), true
		}
		return ASR(int(raw)), raw&31 != 0
	},
	want: "lsl #0 to #31 or asr #1 to #31",
}

// bfWidth is the width of BFI and BFC, coded as the most significant bit. The lsb stands before it.
var bfWidth = codec{
	enc: func(v int64, x *context) (uint32, bool) {
		msb := lsbOf(x) + v - 1
		return uint32(msb), v >= 1 && msb <= 31
	},
	dec: func(raw uint32, x *context) (int64, bool) {
		v := int64(raw) - lsbOf(x) + 1
		return v, v >= 1
	},
	want: "1 to 32 - lsb",
}

// extractWidth is the width of SBFX and UBFX, coded less one.
var extractWidth = codec{
	enc:  func(v int64, x *context) (uint32, bool) { return uint32(v - 1), v >= 1 && lsbOf(x)+v <= 32 },
	dec:  func(raw uint32, x *context) (int64, bool) { return int64(raw) + 1, lsbOf(x)+int64(raw) <= 31 },
	want: "1 to 32 - lsb",
}

// lsbOf finds the lsb: the slot before the width. BFC has it at 1, the others at 2.
func lsbOf(x *context) int64 { return x.args[x.slot-1] }

// imm16 is imm4:i:imm3:imm8 of MOVW and MOVT; the pattern has i first.
var imm16 = codec{
	enc: func(v int64, _ *context) (uint32, bool) {
		u := uint32(v)
		return u>>11&1<<15 | u>>12<<11 | u&0x7ff, v >= 0 && v < 1<<16
	},
	dec: func(raw uint32, _ *context) (int64, bool) {
		return int64(raw>>15<<11 | raw>>11&15<<12 | raw&0x7ff), true
	},
	want: "0 to 65535",
}

// sysReg is the number of a special register that MRS and MSR name.
var sysReg = codec{
	enc:  func(v int64, _ *context) (uint32, bool) { return uint32(v), sysNames[uint8(v)] != "" && v>>8 == 0 },
	dec:  func(raw uint32, _ *context) (int64, bool) { return int64(raw), sysNames[uint8(raw)] != "" },
	want: "a special register",
}

var plusOne = codec{
	enc:  func(v int64, x *context) (uint32, bool) { return uint32(v - 1), v >= 1 && v <= 1<<x.width },
	dec:  func(raw uint32, _ *context) (int64, bool) { return int64(raw) + 1, true },
	want: "1 to 32",
}

// list9 is the register list of the 16-bit PUSH and POP: r0-r7 and, as bit 8, one high register.
func list9(high isa.Reg) codec {
	return codec{
		enc: func(v int64, _ *context) (uint32, bool) {
			raw := uint32(v&0xff) | uint32(v>>high&1)<<8
			return raw, v&^(0xff|1<<high) == 0 && v != 0
		},
		dec: func(raw uint32, _ *context) (int64, bool) {
			return int64(raw&0xff) | int64(raw>>8)<<high, raw != 0
		},
		want: "registers of r0-r7 and " + regNames[high],
	}
}

// list16 is the list of the 32-bit LDM and STM: at least two registers, without some, and not LR and
// PC together.
func list16(without ...isa.Reg) codec {
	banned := uint32(isa.Set(without...)) | 1<<16
	ok := func(v int64) bool {
		u := uint32(v)
		both := u>>LR&3 == 3
		return v>>16 == 0 && u&banned == 0 && bits.OnesCount32(u) >= 2 && !both
	}
	return codec{
		enc:  func(v int64, _ *context) (uint32, bool) { return uint32(v), ok(v) },
		dec:  func(raw uint32, _ *context) (int64, bool) { return int64(raw), ok(int64(raw)) },
		want: "two or more registers, without sp, not both lr and pc",
	}
}
