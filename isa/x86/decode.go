package x86

import (
	"bytes"
	"errors"
	"fmt"

	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// maxLen is the longest instruction of the architecture in bytes.
const maxLen = 15

var (
	errUndefined = errors.New("undefined")
	errTruncated = errors.New("truncated")
)

// unknownError is an instruction that exists but is not in the table.
type unknownError struct{ text string }

func (e *unknownError) Error() string { return "not in the instruction table: " + e.text }

// Decode reads one instruction. An encoding that the assembler would not choose
// decodes to the same Inst as the one that it chooses.
func (*arch) Decode(code []byte, pc uint64) (isa.Inst, int, error) {
	if in, n, ok := decodeHint(code); ok {
		return in, n, nil
	}
	if len(code) > maxLen {
		code = code[:maxLen]
	}
	x, err := x86asm.Decode(code, 64)
	switch {
	case (err == x86asm.ErrTruncated || err == nil && x.Op == 0) && len(code) < maxLen: // Op 0: only prefixes were read
		return isa.Inst{}, 0, errTruncated
	case err != nil || x.Op == 0:
		return isa.Inst{}, 0, errUndefined
	case x.Op == x86asm.INT && x.Args[0] == x86asm.Imm(3) && x.Len == 1:
		return isa.Inst{Form: &byID["INT3"].Form}, 1, nil
	}
	if x.Op == x86asm.TZCNT { // BSF to a processor without BMI, whatever REP stands before it
		x.Op = x86asm.BSF
	}
	prefix, err := checkPrefixes(&x)
	if err != nil {
		return isa.Inst{}, 0, err
	}
	if x.Op == x86asm.XCHG && x.Opcode>>24 == 0x90 && x.Args[0] == x.Args[1] { // xchg ax, ax
		return isa.Inst{Form: &byID["NOP"].Form}, x.Len, nil
	}
	for _, r := range byOp[x.Op] {
		if r.prefix != prefix {
			continue
		}
		if in, ok := r.match(&x, pc); ok {
			return in, x.Len, nil
		}
	}
	return isa.Inst{}, 0, &unknownError{x86asm.GNUSyntax(x, pc, nil)}
}

// decodeHint knows what x86asm does not: endbr64, and RDSSP, which does nothing on a processor without shadow stacks.
func decodeHint(code []byte) (isa.Inst, int, bool) {
	if bytes.HasPrefix(code, literals["ENDBR64"]) {
		return isa.Inst{Form: &byID["ENDBR64"].Form}, 4, true
	}
	n := 1
	if len(code) > 1 && code[1]&0xf0 == 0x40 { // REX
		n = 2
	}
	if len(code) < n+3 || code[0] != prefixRep || code[n] != 0x0f || code[n+1] != 0x1e || code[n+2]&0xf8 != 0xc8 {
		return isa.Inst{}, 0, false
	}
	return isa.Inst{Form: &byID["NOP"].Form}, n + 3, true
}

// checkPrefixes returns the prefix that is part of the instruction, and refuses those that would change what the
// rows mean. A repeat prefix before a return or a jump and a segment prefix before a no-op do nothing.
func checkPrefixes(x *x86asm.Inst) (part byte, err error) {
	for _, p := range x.Prefix {
		if p == 0 {
			break
		}
		if p&(x86asm.PrefixImplicit|x86asm.PrefixIgnored) != 0 && p&x86asm.PrefixInvalid == 0 {
			continue
		}
		switch p & 0xff {
		case x86asm.PrefixREP, x86asm.PrefixREPN, x86asm.PrefixLOCK:
			switch {
			case repIgnored[x.Op] && p&0xff != x86asm.PrefixLOCK:
				continue
			case part != 0:
				return 0, &unknownError{x86asm.GNUSyntax(*x, 0, nil)}
			}
			part = byte(p)
			continue
		case x86asm.PrefixAddrSize: // linkers pad calls with it
			if _, ok := x.Args[0].(x86asm.Rel); ok && (x.Op == x86asm.CALL || x.Op == x86asm.JMP) {
				continue
			}
		case x86asm.PrefixCS, x86asm.PrefixDS:
			if x.Op == x86asm.NOP {
				continue
			}
		default:
			if p.IsREX() || p == x86asm.PrefixDataSize && !stackOp[x.Op] || p == x86asm.PrefixData16 && !stackOp[x.Op] {
				continue
			}
		}
		return 0, &unknownError{x86asm.GNUSyntax(*x, 0, nil)}
	}
	return part, nil
}

// repIgnored are the instructions before which REP and REPNE do nothing; the latter is BND before branches.
var repIgnored = map[x86asm.Op]bool{x86asm.RET: true, x86asm.JMP: true, x86asm.CALL: true, x86asm.BSF: true}

// stackOp are the instructions that the operand size prefix gives a stack slot of 16 bits.
var stackOp = map[x86asm.Op]bool{x86asm.PUSH: true, x86asm.POP: true, x86asm.LEAVE: true, x86asm.PUSHF: true, x86asm.POPF: true}

// match fills the slots if the row has the operands of x.
func (r *row) match(x *x86asm.Inst, pc uint64) (isa.Inst, bool) {
	in := isa.Inst{Form: &r.Form}
	n := 0
	for n < len(x.Args) && x.Args[n] != nil && !r.implied {
		n++
	}
	if r.implied {
		return in, impliedSegment(x)
	}
	if n != len(r.operands) || r.Mnemonic == "int3" {
		return in, false
	}
	for i, o := range r.operands {
		if !o.match(&in, x, x.Args[i], pc) {
			return in, false
		}
	}
	// B8+r imm64 and C7 imm32 differ by nothing else that x86asm tells.
	if r.op == x86asm.MOV && r.kind == kMovRI && r.width() == 8 {
		return in, (x.Opcode>>24&0xf8 == 0xb8) == (r.operands[1].size == 8)
	}
	return in, true
}

// impliedSegment reports whether the operands that the row does not name are in the usual segments.
func impliedSegment(x *x86asm.Inst) bool {
	for _, a := range x.Args {
		if m, ok := a.(x86asm.Mem); ok && (m.Segment != 0 && m.Segment != x86asm.ES && m.Segment != x86asm.DS || x.AddrSize != 64) {
			return false
		}
	}
	return true
}

func (o operand) match(in *isa.Inst, x *x86asm.Inst, arg x86asm.Arg, pc uint64) bool {
	switch arg := arg.(type) {
	case x86asm.Reg:
		return o.matchReg(in, arg)
	case x86asm.Mem:
		return o.what == opMem && (o.size == x.MemBytes || o.size == 0) && matchMem(in.Args[o.slot:], x, arg)
	case x86asm.Imm:
		if o.what != opImm {
			return o.what == opOne && arg == 1
		}
		v := int64(arg)
		switch o.size {
		case 1:
			v &= 0xff
		case 2:
			v = int64(int16(v))
		case 4:
			v = int64(int32(v))
		}
		in.Args[o.slot] = v
		return true
	case x86asm.Rel:
		if o.what != opRel {
			return false
		}
		in.Args[o.slot] = int64(pc + uint64(x.Len) + uint64(arg))
		return true
	}
	return false
}

func (o operand) matchReg(in *isa.Inst, reg x86asm.Reg) bool {
	if o.what == opCL {
		return reg == x86asm.CL
	}
	if o.what == opX0 {
		return reg == x86asm.X0
	}
	if o.what == opHigh {
		in.Args[o.slot] = int64(reg) - int64(x86asm.AH)
		return reg >= x86asm.AH && reg <= x86asm.BH
	}
	r, size := register(reg)
	if size != o.size || o.what != opReg && o.what != opXmm || (size == 16) != (o.what == opXmm) {
		return false
	}
	in.Args[o.slot] = int64(r)
	return true
}

// register translates a register of the decoder; size 0 means that the table has no such register.
func register(r x86asm.Reg) (reg isa.Reg, size int) {
	switch {
	case r >= x86asm.AL && r <= x86asm.BL:
		return isa.Reg(r - x86asm.AL), 1
	case r >= x86asm.SPB && r <= x86asm.R15B:
		return RSP + isa.Reg(r-x86asm.SPB), 1
	case r >= x86asm.AX && r <= x86asm.R15W:
		return isa.Reg(r - x86asm.AX), 2
	case r >= x86asm.EAX && r <= x86asm.R15L:
		return isa.Reg(r - x86asm.EAX), 4
	case r >= x86asm.RAX && r <= x86asm.R15:
		return isa.Reg(r - x86asm.RAX), 8
	case r >= x86asm.X0 && r <= x86asm.X15:
		return X0 + isa.Reg(r-x86asm.X0), 16
	}
	return isa.NoReg, 0
}

func matchMem(slots []int64, x *x86asm.Inst, m x86asm.Mem) bool {
	var seg int64
	switch {
	case x.AddrSize != 64, m.Segment == x86asm.FS && x.Op == x86asm.LEA:
		return false
	case m.Segment == x86asm.FS:
		seg = SegFS
	case m.Segment != 0 && x.Op != x86asm.NOP:
		return false
	}
	slots[0], slots[1], slots[2], slots[3] = int64(isa.NoReg), int64(isa.NoReg), 1, int64(int32(m.Disp))
	if m.Base == x86asm.RIP {
		slots[0] = int64(RIP)
	} else if m.Base != 0 {
		slots[0] = int64(m.Base - x86asm.RAX)
	}
	if m.Index != 0 {
		slots[1], slots[2] = int64(m.Index-x86asm.RAX), int64(m.Scale)
	}
	slots[2] |= seg
	return m.Disp == int64(int32(m.Disp))
}

// undefinedAt is the error of a core that met something it cannot execute.
func undefinedAt(pc uint64, err error) error {
	return fmt.Errorf("instruction at %#x: %w", pc, err)
}
