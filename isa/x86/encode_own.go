package x86

import (
	"encoding/binary"

	"simrun/isa"
)

// An ownCode encodes what golang-asm lacks or chooses by itself. pc counts for relative branches only.
type ownCode func(r *row, in *isa.Inst, pc uint64) []byte

// movabs is REX.W B8+r imm64, whatever the value: golang-asm shortens small values.
func movabs(_ *row, in *isa.Inst, _ uint64) []byte {
	r := byte(in.Args[0])
	return binary.LittleEndian.AppendUint64([]byte{0x48 | r>>3, 0xb8 | r&7}, uint64(in.Args[1]))
}

var literals = map[string][]byte{
	"NOP":     {0x90},
	"ENDBR64": {0xf3, 0x0f, 0x1e, 0xfa},
	"INT3":    {0xcc},
}

func literal(r *row, _ *isa.Inst, _ uint64) []byte { return append([]byte(nil), literals[r.ID]...) }

// indirect is FF /2 (call) or FF /4 (jmp) with a register.
func indirect(r *row, in *isa.Inst, _ uint64) []byte {
	reg, op := byte(in.Args[0]), byte(0xe0)
	if r.Flags&isa.Call != 0 {
		op = 0xd0
	}
	code := []byte{0xff, op | reg&7}
	if reg >= 8 {
		code = append([]byte{0x41}, code...)
	}
	return code
}

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
	case !long:
		return 2
	case r.kind == kJcc:
		return 6
	}
	return 5
}

// branch encodes a relative branch: EB or 70+cc with 8 bits, E9, E8 or 0F 80+cc with 32.
func (r *row) branch(rel uint64, long bool) []byte {
	var code []byte
	switch {
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
