package t32

import (
	"slices"

	"simrun/isa"
)

// A row is one encoding of the manual. The letters of bits are fields, gathered most significant
// bit first; operand names in asm say which letters they own (operand.go). A letter S makes
// two forms of the row, without and with flag setting: AND_imm_T1 and ANDS_imm_T1.
// Braces in asm enclose what is left out when its operand is zero.
//
// A 16-bit row whose mnemonic ends in "s" sets the flags outside an IT block only; inside it is
// written without the "s".
type row struct {
	id      string
	asm     string // mnemonic, a space, operands
	bits    string
	class   string
	sem     sem
	flags   isa.FormFlags
	feature string // see requires
	// differ lists pairs of operand letters whose registers must differ, else the encoding is
	// unpredictable or another row's. In LDM and STM "nL" says that the base is not in the list,
	// "+nL" that it is, "<nL" that it may be in it as the lowest register only. "ds" allows the SP as
	// Rd only with a left shift by 0 to 3, "hnm" demands a high register among the two,
	// "pdm" that not both are the SP.
	differ string
}

// Timing classes. Register shifts and unshifted operands of one encoding have different
// classes, so Static.Class may be more special than Form.Class: "alu.shift" becomes "alu" where
// the amount is zero, and MOV and ADD to the PC are "branch.reg".
//
//	alu alu.shift alu.shiftreg alu.extend alu.rev   data processing
//	mov.imm bitfield sat                            MOV, MOVW, MOVT, MVN of constants; BFI..UBFX; SSAT, USAT
//	mul mla mul.long mla.long div                   multiplication (MLS is mla), SDIV and UDIV
//	load.word .half .byte .double .multiple         and the same under store; with .reg for a register
//	    .literal .exclusive                         offset and .index for write-back: load.word.index
//	branch branch.cond branch.call branch.reg       B; B<c>; BL and BLX; BX
//	branch.compare branch.table                     CBZ, CBNZ; TBB, TBH
//	it nop system
//	mov.fp mov.fp.double mov.fp.status              VMOV, VMOV of two registers, VMRS and VMSR
//	load.word.fp .double.fp .multiple.fp            VLDR, VLDM, VPOP, and the same under store
//	alu.dsp sat.dsp mul.dsp mla.dsp mla.long.dsp    the DSP extension
//
// The class of LDR, LDM and POP does not change when they load the PC: Static.Flags has Branch.
var tables = [][]row{
	arithmeticRows, logicRows, moveRows, multiplyRows, bitfieldRows,
	wordRows, byteRows, halfRows, multipleRows, branchRows, systemRows,
	requires("dsp", dspRows), requires("dsp", dspMulRows), requires("dsp", parallelRows()),
	requires("fp", fpRows),
}

// encoding is a compiled row.
type encoding struct {
	form   isa.Form
	row    *row
	fixed  uint32 // the constant bits
	mask   uint32 // which bits are constant
	size   uint8  // bytes: 2 or 4
	ops    []operand
	fields [isa.MaxArgs]field
	twin   field     // the letter M: a second copy of Rm (CLZ, RBIT, REV)
	slots  [128]int8 // slot of the operand with this letter, -1 if there is none
	syntax []token
	itFlag bool // sets the flags only outside an IT block
}

// field is where an operand's bits are: segments, most significant first.
type field struct {
	segs  []segment
	width uint
}

type segment struct{ shift, width uint8 }

// slot returns the operand slot of a pattern letter, or -1.
func (e *encoding) slot(letter byte) int { return int(e.slots[letter]) }

// reg returns the register held by the operand of that letter; def if the row has none.
func (e *encoding) reg(in *isa.Inst, letter byte, def uint8) uint8 {
	if i := e.slot(letter); i >= 0 {
		return uint8(in.Args[i])
	}
	return def
}

// imm returns the operand of that letter, 0 if the row has none.
func (e *encoding) imm(in *isa.Inst, letter byte) int64 {
	if i := e.slot(letter); i >= 0 {
		return in.Args[i]
	}
	return 0
}

// setsFlags reports whether this instruction, where it stands, sets N, Z, C or V.
func (e *encoding) setsFlags(in *isa.Inst) bool {
	return e.form.Writes.Has(Flags) && (!e.itFlag || in.Cond == 0)
}

// The compiled table: shared by all values of Arch and never changed.
var (
	encodings = compile(tables)
	byID      = indexIDs(encodings)
	classes   = classList(encodings)
	classJump = classIndex("branch.reg")
	classAlu  = classIndex("alu")
	encIT     = byID["IT_T1"]
	encAddT1  = byID["ADD_imm_T1"]
	encSubT1  = byID["SUB_imm_T1"]
	encMulT2  = byID["MUL_T2"]
	encBX     = byID["BX_T1"]
)

func indexIDs(es []*encoding) map[string]*encoding {
	m := make(map[string]*encoding, len(es))
	for _, e := range es {
		if m[e.form.ID] != nil {
			panic("t32: two rows named " + e.form.ID)
		}
		m[e.form.ID] = e
	}
	return m
}

func classList(es []*encoding) []string {
	var list []string
	for _, e := range es {
		list = append(list, e.form.Class)
	}
	list = append(list, "alu") // of unshifted rows
	slices.Sort(list)
	return slices.Compact(list)
}

func classIndex(name string) uint16 {
	i, _ := slices.BinarySearch(classes, name)
	return uint16(i)
}
