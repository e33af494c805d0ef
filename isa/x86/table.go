package x86

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/twitchyliquid64/golang-asm/obj"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// A row is one instruction form: everything that is known of it. The encoder reads as, the
// decoder op, printer and parser Mnemonic and operands, the executor the last three.
//
// A memory operand takes four slots of Inst.Args, in this order:
//
//	base   a general register, NoReg (none) or RIP
//	index  a general register other than RSP, or NoReg
//	scale  1, 2, 4 or 8; 1 without an index. Plus SegFS if the address is relative to the base of FS
//	disp   -2^31 to 2^31-1
//
// With base RIP the address is Sym + disp, or without Sym the address of the next instruction +
// disp. In Form.Ops the slots are named base, index, scale, disp.
//
// An imm8 is 0 to 255, every other immediate is sign-extended to 64 bits. The count cl is no slot.
type row struct {
	isa.Form
	as       obj.As         // 0: encoded by own
	own      ownCode        // encoding without the library
	op       x86asm.Op      // 0: decoded by hand
	operands []operand      // in Intel order
	prefix   byte           // LOCK, REP or REPNE, part of the instruction; 0 = none
	size     int            // bytes of an element where no operand tells
	implied  bool           // the decoder lists operands that the template does not name
	idiom    bool           // the result does not depend on a register that is both operands, and processors know that
	keeps    isa.FlagGroups // written groups of flags that it leaves alone

	kind kind    // what the hot loop does
	vec  vecFunc // the operation of vector kinds
	alu  aluFunc // the operation of integer kinds
	cc   uint8   // condition of Jcc, SETcc and CMOVcc: the low four bits of the opcode
}

// An operand is one operand as the assembler sees it: one or four slots of Inst.Args.
type operand struct {
	what operandKind
	size int // bytes of a register, memory operand or immediate
	slot int // first slot in Inst.Args, -1 for the fixed register cl
}

type operandKind uint8

const (
	opReg operandKind = iota
	opXmm
	opMem
	opImm
	opRel
	opCL
	opHigh // ah, ch, dh or bh: RAX to RBX in the slot
	opOne  // a shift count of 1
	opX0   // xmm0
)

// operandTypes are the words of an operand template.
var operandTypes = map[string]operand{
	"r8": {opReg, 1, 0}, "r16": {opReg, 2, 0}, "r32": {opReg, 4, 0}, "r64": {opReg, 8, 0}, "xmm": {opXmm, 16, 0},
	"m8": {opMem, 1, 0}, "m16": {opMem, 2, 0}, "m32": {opMem, 4, 0}, "m64": {opMem, 8, 0}, "m128": {opMem, 16, 0},
	"m":    {opMem, 0, 0}, // an address only
	"imm8": {opImm, 1, 0}, "imm16": {opImm, 2, 0}, "imm32": {opImm, 4, 0}, "imm64": {opImm, 8, 0},
	"h8": {opHigh, 1, 0}, "rel": {opRel, 4, 0}, "cl": {opCL, 1, -1}, "1": {opOne, 1, -1}, "xmm0": {opX0, 16, -1},
}

// A family is the rows of one mnemonic, as the manual lists them.
type family struct {
	name    string // mnemonic in capitals, with the prefix if that is part of it
	as8     obj.As // golang-asm opcode of forms on 8 bits; 0 = as32, as are the next
	as16    obj.As
	as32    obj.As // of forms on 32 bits and of vector forms
	as64    obj.As
	own     ownCode
	op      x86asm.Op
	role    isa.Role // of the first operand
	second  isa.Role // of the second if it is not Read
	class   string
	feature string
	flags   isa.FormFlags
	reads   isa.RegSet // implicit
	writes  isa.RegSet
	vec     vecFunc
	alu     aluFunc
	cc      uint8
	prefix  byte
	size    int
	implied bool
	idiom   bool
	keeps   isa.FlagGroups
	forms   []form
}

// Prefixes that are part of an instruction.
const (
	prefixLock  = 0xf0
	prefixRepNE = 0xf2
	prefixRep   = 0xf3
)

// A form is an operand template with what the executor makes of it.
type form struct {
	operands string // "xmm, m128", as in the manual
	kind     kind
	flags    isa.FormFlags
	class    string // if it is not the family's; with a dot in front, behind the family's
}

// The table in manual order, general-purpose instructions before SSE, and its indexes.
var (
	rows    []*row
	forms   []*isa.Form
	byID    = map[string]*row{}
	byOp    = map[x86asm.Op][]*row{}
	byMnem  = map[string][]*row{}
	classes []string
	classNo = map[string]uint16{}
)

// tables are the parts of the table, in order.
var tables = [][]family{
	moveTable, intTable, shiftTable, condTable, highTable, lockTable, stringTable, branchTable, miscTable,
	vecMoveTable, vecTable, vecShuffleTable, vecElementTable, floatTable, floatConvertTable,
}

func init() {
	for _, table := range tables {
		for i := range table {
			for _, f := range table[i].forms {
				addRow(newRow(&table[i], f))
			}
		}
	}
	slices.Sort(classes)
	classes = slices.Compact(classes)
	for i, c := range classes {
		classNo[c] = uint16(i)
	}
}

func addRow(r *row) {
	if byID[r.ID] != nil {
		panic("x86: two rows " + r.ID)
	}
	r.Num = len(rows)
	rows = append(rows, r)
	forms = append(forms, &r.Form)
	classes = append(classes, r.Class)
	vecs, alus = append(vecs, r.vec), append(alus, r.alu)
	byID[r.ID] = r
	byMnem[r.Mnemonic] = append(byMnem[r.Mnemonic], r)
	if r.op != 0 {
		byOp[r.op] = append(byOp[r.op], r)
	}
}

func newRow(f *family, fm form) *row {
	r := &row{as: f.as32, own: f.own, op: f.op, kind: fm.kind, vec: f.vec, alu: f.alu, cc: f.cc, prefix: f.prefix, size: f.size, implied: f.implied, idiom: f.idiom, keeps: f.keeps}
	r.Form = isa.Form{
		ID: strings.ReplaceAll(f.name, " ", "_"), Mnemonic: strings.ToLower(f.name), Syntax: fm.operands,
		Class: f.class, Feature: f.feature, Flags: f.flags | fm.flags, Reads: f.reads, Writes: f.writes,
	}
	switch {
	case strings.HasPrefix(fm.class, "."):
		r.Class += fm.class
	case fm.class != "":
		r.Class = fm.class
	}
	role := f.role
	for _, word := range strings.FieldsFunc(fm.operands, func(c rune) bool { return c == ',' || c == ' ' }) {
		r.ID += "_" + word
		r.addOperand(word, role)
		role = isa.Read
		if len(r.operands) == 1 && f.second != 0 {
			role = f.second
		}
	}
	if slices.ContainsFunc(r.operands, func(o operand) bool { return o.what != opReg && o.what != opXmm }) {
		r.Flags &^= isa.Commute // only registers can be swapped
	}
	if as := map[int]obj.As{1: f.as8, 2: f.as16, 8: f.as64}[r.width()]; as != 0 && f.own == nil {
		r.as = as
	}
	return r
}

// addOperand appends the slots of one operand to the row.
func (r *row) addOperand(word string, role isa.Role) {
	o, ok := operandTypes[word]
	if !ok {
		panic(fmt.Sprintf("x86: %s: operand type %q", r.ID, word))
	}
	name := word
	if o.slot == 0 {
		o.slot = len(r.Ops)
	}
	switch o.what {
	case opReg, opXmm, opHigh:
		class := isa.GPR
		if o.what == opXmm {
			class = isa.Vec
		}
		r.Ops = append(r.Ops, isa.Operand{Name: name, Kind: isa.KindReg, Role: role, Class: class})
	case opMem:
		r.Ops = append(r.Ops,
			isa.Operand{Name: "base", Kind: isa.KindReg, Role: isa.Read, Addr: true},
			isa.Operand{Name: "index", Kind: isa.KindReg, Role: isa.Read, Addr: true},
			isa.Operand{Name: "scale", Kind: isa.KindImm, Addr: true},
			isa.Operand{Name: "disp", Kind: isa.KindImm, Addr: true})
	case opImm:
		r.Ops = append(r.Ops, isa.Operand{Name: name, Kind: isa.KindImm})
	case opRel:
		r.Ops = append(r.Ops, isa.Operand{Name: name, Kind: isa.KindLabel})
	case opCL: // count 0 keeps the flags
		r.Reads = r.Reads.With(RCX).With(RFLAGS)
	case opX0:
		r.Reads = r.Reads.With(X0)
	}
	r.operands = append(r.operands, o)
}

// width is the operand size of an integer form in bytes: that of its first operand.
func (r *row) width() int {
	if len(r.operands) == 0 {
		return r.size
	}
	return r.operands[0].size
}

// mem returns the slot of the memory operand, or -1.
func (r *row) mem() int {
	for _, o := range r.operands {
		if o.what == opMem {
			return o.slot
		}
	}
	return -1
}

// memSize is the number of bytes that the memory operand transfers.
func (r *row) memSize() int {
	for _, o := range r.operands {
		if o.what == opMem {
			return o.size
		}
	}
	return 0
}

// Make returns the form of that ID with its arguments by slot. It panics for an unknown
// ID and a wrong number of arguments: both are faults of the calling program.
func Make(id string, args ...int64) isa.Inst {
	r := byID[id]
	if r == nil {
		panic("x86: no form " + id)
	}
	if len(args) != len(r.Ops) {
		panic(fmt.Sprintf("x86: %s takes %d arguments, not %d", id, len(r.Ops), len(args)))
	}
	in := isa.Inst{Form: &r.Form}
	copy(in.Args[:], args)
	return in
}

// check says what is wrong with the arguments of an instruction.
func (r *row) check(in *isa.Inst) error {
	for _, o := range r.operands {
		if o.slot < 0 {
			continue
		}
		if err := o.check(in); err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
	}
	if (r.Mnemonic == "rcl" || r.Mnemonic == "rcr") && r.operands[1].what == opImm && in.Args[r.operands[1].slot] == 1 {
		return fmt.Errorf("%s: the count 1 has a form of its own", r.ID)
	}
	if r.kind == kLea && in.Args[r.mem()+2]&SegFS != 0 {
		return fmt.Errorf("%s: an address without access has no segment", r.ID)
	}
	return r.checkHigh(in)
}

// checkHigh refuses ah to bh beside a register that needs a REX prefix, under which their numbers mean spl to dil.
func (r *row) checkHigh(in *isa.Inst) error {
	if !slices.ContainsFunc(r.operands, func(o operand) bool { return o.what == opHigh }) {
		return nil
	}
	for _, o := range r.operands {
		reg, size := isa.NoReg, 8
		switch o.what {
		case opReg:
			reg, size = in.Reg(o.slot), o.size
		case opMem:
			if reg = in.Reg(o.slot); reg < R8 || reg > R15 {
				reg = in.Reg(o.slot + 1)
			}
		}
		if reg <= R15 && (reg >= R8 || o.size == 1 && o.what == opReg && reg >= RSP) {
			return fmt.Errorf("%s: no encoding has both %s and ah to bh", r.ID, gprName(reg, size))
		}
	}
	return nil
}

func (o operand) check(in *isa.Inst) error {
	v := in.Args[o.slot]
	switch o.what {
	case opReg:
		if v < 0 || v > int64(R15) {
			return fmt.Errorf("%d is no general register", v)
		}
	case opHigh:
		if v < 0 || v > int64(RBX) {
			return fmt.Errorf("register %d has no name for its second byte", v)
		}
	case opXmm:
		if v < int64(X0) || v > int64(X15) {
			return fmt.Errorf("%d is no xmm register", v)
		}
	case opImm:
		return o.checkImm(v)
	case opMem:
		return checkMem(in.Args[o.slot:])
	}
	return nil
}

// checkImm bounds an immediate: a byte counts without sign, longer ones with it.
func (o operand) checkImm(v int64) error {
	lo, hi := -int64(1)<<(8*o.size-1), int64(1)<<(8*o.size-1)-1
	if o.size == 1 {
		lo, hi = 0, 255
	}
	if o.size < 8 && (v < lo || v > hi) {
		return fmt.Errorf("immediate %d is not within %d to %d", v, lo, hi)
	}
	return nil
}

// SegFS, added to the scale of a memory operand, makes its address relative to the base of FS, which is [FSBase].
const SegFS = 16

func checkMem(m []int64) error {
	base, index, scale, disp := m[0], m[1], m[2]&^SegFS, m[3]
	isGPR := func(v int64) bool { return v >= 0 && v <= int64(R15) }
	switch {
	case !isGPR(base) && base != int64(isa.NoReg) && base != int64(RIP):
		return fmt.Errorf("%d is no base register", base)
	case index == int64(isa.NoReg) && scale != 1:
		return fmt.Errorf("scale %d without an index register, want 1", scale)
	case index != int64(isa.NoReg) && (!isGPR(index) || index == int64(RSP) || base == int64(RIP)):
		return fmt.Errorf("%d cannot be the index register", index)
	case scale < 1 || scale > 8 || bits.OnesCount64(uint64(scale)) != 1:
		return fmt.Errorf("scale %d, want 1, 2, 4 or 8", scale)
	case disp != int64(int32(disp)):
		return fmt.Errorf("displacement %d does not fit 32 bits", disp)
	}
	return nil
}
