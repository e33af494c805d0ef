package x86

import (
	"encoding/binary"
	"math/bits"

	"simrun/isa"
)

// An ownCode encodes what golang-asm lacks or chooses by itself.
type ownCode func(r *row, in *isa.Inst) piece

// movabs is REX.W B8+r imm64, whatever the value: golang-asm shortens small values.
func movabs(_ *row, in *isa.Inst) piece {
	r := byte(in.Args[0])
	return piece{code: binary.LittleEndian.AppendUint64([]byte{0x48 | r>>3, 0xb8 | r&7}, uint64(in.Args[1]))}
}

var literals = map[string][]byte{
	"NOP":     {0x90},
	"ENDBR64": {0xf3, 0x0f, 0x1e, 0xfa},
	"INT3":    {0xcc},
	"PAUSE":   {0xf3, 0x90},
	"RDTSCP":  {0x0f, 0x01, 0xf9},
	"UD2":     {0x0f, 0x0b},
}

func literal(r *row, _ *isa.Inst) piece { return piece{code: append([]byte(nil), literals[r.ID]...)} }

func retImm(_ *row, in *isa.Inst) piece {
	return piece{code: binary.LittleEndian.AppendUint16([]byte{0xc2}, uint16(in.Args[0]))}
}

// opcode returns the encoder of an instruction by its opcode bytes, 0F included: a mandatory prefix or 0, the digit that the
// manual writes behind the slash or -1 if the field holds a register, and whether the first operand is the one in
// ModRM.rm. An immediate of one or two bytes follows.
func opcode(prefix byte, digit int, rmFirst bool, code ...byte) ownCode {
	return func(r *row, in *isa.Inst) piece {
		e := modrm{reg: byte(max(digit, 0)), wide: r.needsREXW()}
		var imm []byte
		for i, o := range r.operands {
			switch {
			case o.what == opImm:
				imm = binary.LittleEndian.AppendUint64(nil, uint64(in.Args[o.slot]))[:o.size]
			case o.what == opMem:
				e.mem = in.Args[o.slot : o.slot+4]
			case o.what == opReg || o.what == opXmm || o.what == opHigh:
				e.set(o, in, digit >= 0 || (i == 0) == rmFirst && r.mem() < 0)
			}
		}
		return e.encode(prefix, r.width() == 2, code, imm)
	}
}

// needsREXW: branches have 64 bits without it, and CMPXCHG8B and 16B count both halves.
func (r *row) needsREXW() bool {
	if r.Mnemonic == "cmpxchg8b" || r.Mnemonic == "lock cmpxchg8b" {
		return false
	}
	return r.width() == 8 && r.Flags&isa.Branch == 0 || r.operands[0].size == 16 && r.operands[0].what == opMem
}

// modrm is a ModRM byte with what belongs to it.
type modrm struct {
	reg, rm byte
	mem     []int64 // nil: rm is a register
	wide    bool    // REX.W
	low     bool    // a byte register that needs REX: spl, bpl, sil, dil
}

func (e *modrm) set(o operand, in *isa.Inst, rm bool) {
	n := byte(in.Args[o.slot])
	switch o.what {
	case opXmm:
		n -= byte(X0)
	case opHigh:
		n += 4
	case opReg:
		e.low = e.low || o.size == 1 && n >= 4
	}
	if rm {
		e.rm = n
	} else {
		e.reg = n
	}
}

func (e *modrm) encode(prefix byte, data16 bool, code, imm []byte) piece {
	var p piece
	if prefix != 0 {
		p.code = append(p.code, prefix)
	}
	if data16 {
		p.code = append(p.code, 0x66)
	}
	rex := e.reg >> 3 << 2
	tail := []byte{0xc0 | e.reg&7<<3 | e.rm&7}
	rip := 0
	if e.mem != nil {
		tail, rip = memModRM(e.mem, e.reg&7<<3)
		rex |= rexBit(e.mem[0]) | rexBit(e.mem[1])<<1
	} else {
		rex |= e.rm >> 3
	}
	if e.wide {
		rex |= 8
	}
	if rex != 0 || e.low {
		p.code = append(p.code, 0x40|rex)
	}
	p.code = append(p.code, code...)
	if rip > 0 {
		p.rip = len(p.code) + rip
	}
	p.code = append(append(p.code, tail...), imm...)
	return p
}

func rexBit(reg int64) byte {
	if reg >= int64(R8) && reg <= int64(R15) {
		return 1
	}
	return 0
}

// memModRM returns ModRM, SIB and displacement of a memory operand; rip > 0 is where a RIP-relative displacement stands.
func memModRM(m []int64, reg byte) (code []byte, rip int) {
	base, index, disp := m[0], m[1], m[3]
	if base == int64(RIP) {
		return append([]byte{reg | 5}, 0, 0, 0, 0), 1
	}
	sib := byte(bits.TrailingZeros64(uint64(m[2]&^SegFS)))<<6 | 4<<3 | byte(base)&7
	if index != int64(isa.NoReg) {
		sib = sib&^0x38 | byte(index)&7<<3
	}
	needsSIB := index != int64(isa.NoReg) || base&7 == int64(RSP)
	if base == int64(isa.NoReg) {
		return binary.LittleEndian.AppendUint32([]byte{reg | 4, sib&^7 | 5}, uint32(disp)), 0
	}
	mod := byte(0x80)
	switch {
	case disp == 0 && base&7 != int64(RBP):
		mod = 0
	case disp == int64(int8(disp)):
		mod = 0x40
	}
	if needsSIB {
		code = []byte{mod | reg | 4, sib}
	} else {
		code = []byte{mod | reg | byte(base)&7}
	}
	switch mod {
	case 0x40:
		code = append(code, byte(disp))
	case 0x80:
		code = binary.LittleEndian.AppendUint32(code, uint32(disp))
	}
	return code, 0
}

// exchange is XCHG of two registers: 90+r if one is RAX, which stands second, else 87 /r.
func exchange(r *row, in *isa.Inst) piece {
	a, b := in.Reg(0), in.Reg(1)
	if b != RAX || a == RAX || r.width() == 1 {
		if r.width() == 1 {
			return opcode(0, -1, true, 0x86)(r, in)
		}
		return opcode(0, -1, true, 0x87)(r, in)
	}
	var p piece
	if r.width() == 2 {
		p.code = append(p.code, 0x66)
	}
	rex := byte(a) >> 3
	if r.width() == 8 {
		rex |= 8
	}
	if rex != 0 {
		p.code = append(p.code, 0x40|rex)
	}
	p.code = append(p.code, 0x90|byte(a)&7)
	return p
}

// relativeOwn stands in the rows of relative branches: their bytes depend on the layout.
func relativeOwn(*row, *isa.Inst) piece { return piece{} }

// relative is a branch to the address in Args[0], as short as the distance allows.
func relative(r *row, in *isa.Inst, pc uint64) []byte {
	to := uint64(in.Args[0])
	if rel := int64(to - pc - uint64(r.branchSize(false))); r.kind != kCall && rel == int64(int8(rel)) {
		return r.branch(uint64(rel), false)
	}
	return r.branch(to-pc-uint64(r.branchSize(true)), true)
}

// branchSize returns the length of a relative branch. A call is always long.
func (r *row) branchSize(long bool) int {
	switch {
	case r.kind == kCall:
		return 5
	case !long, r.kind == kJcount:
		return 2
	case r.kind == kJcc:
		return 6
	}
	return 5
}

// branch encodes a relative branch: EB, 70+cc or E0+cc with 8 bits, E9, E8 or 0F 80+cc with 32.
func (r *row) branch(rel uint64, long bool) []byte {
	var code []byte
	switch {
	case r.kind == kJcount:
		code, long = []byte{0xe0 | r.cc}, false
	case r.kind == kCall:
		code, long = []byte{0xe8}, true
	case r.kind == kJcc && long:
		code = []byte{0x0f, 0x80 | r.cc}
	case r.kind == kJcc:
		code = []byte{0x70 | r.cc}
	case long:
		code = []byte{0xe9}
	default:
		code = []byte{0xeb}
	}
	if long {
		return binary.LittleEndian.AppendUint32(code, uint32(rel))
	}
	return append(code, byte(rel))
}
