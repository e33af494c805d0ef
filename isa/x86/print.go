package x86

import (
	"fmt"
	"strconv"
	"strings"

	"simrun/isa"
)

// Prologue chooses Intel syntax, which has the operand order of the manual and of this package.
func (*arch) Prologue() string { return "\t.intel_syntax noprefix" }

// Comment starts a comment.
func (*arch) Comment() string { return "#" }

// Print writes Intel syntax as the GNU assembler reads it.
func (*arch) Print(in isa.Inst) string {
	r := rowOf(&in)
	texts := make([]string, len(r.operands))
	for i, o := range r.operands {
		texts[i] = o.print(&in)
	}
	mnemonic := r.Mnemonic
	if r.ID == "MOV_r64_imm64" {
		mnemonic = "movabs"
	}
	if len(texts) == 0 {
		return mnemonic
	}
	return mnemonic + " " + strings.Join(texts, ", ")
}

func (o operand) print(in *isa.Inst) string {
	switch o.what {
	case opCL:
		return "cl"
	case opOne:
		return "1"
	case opX0:
		return "xmm0"
	case opReg:
		if v := in.Args[o.slot]; v >= isa.VirtBase {
			return "v" + strconv.FormatInt(v-isa.VirtBase, 10)
		}
		return gprName(in.Reg(o.slot), o.size)
	case opHigh:
		return highNames[in.Args[o.slot]&3]
	case opXmm:
		if v := in.Args[o.slot]; v >= isa.VirtBase {
			return "v" + strconv.FormatInt(v-isa.VirtBase, 10)
		}
		return theArch.RegName(in.Reg(o.slot))
	case opMem:
		return sizeWord[o.size] + printMem(in)
	case opRel:
		if in.Sym != "" {
			return in.Sym
		}
		return fmt.Sprintf("%#x", uint64(in.Args[o.slot]))
	}
	return strconv.FormatInt(in.Args[o.slot], 10)
}

// sizeWord names the size of a memory operand.
var sizeWord = map[int]string{
	0: "", 1: "BYTE PTR ", 2: "WORD PTR ", 4: "DWORD PTR ", 8: "QWORD PTR ", 16: "XMMWORD PTR ",
}

func printMem(in *isa.Inst) string {
	m := in.Args[rowOf(in).mem():]
	base, index, scale, disp, segment := m[0], m[1], m[2]&^SegFS, m[3], ""
	if m[2]&SegFS != 0 {
		segment = "fs:"
	}
	var terms []string
	if base != int64(isa.NoReg) {
		terms = append(terms, addressReg(base))
	}
	if index != int64(isa.NoReg) {
		terms = append(terms, addressReg(index)+"*"+strconv.FormatInt(scale, 10))
	}
	if in.Sym != "" {
		terms = append(terms, in.Sym)
	}
	text := strings.Join(terms, "+")
	switch {
	case text == "":
		if segment == "" {
			segment = "ds:" // a bare number would be an immediate
		}
		return fmt.Sprintf("%s%#x", segment, disp)
	case disp < 0:
		text += fmt.Sprintf("-%#x", -disp)
	case disp > 0:
		text += fmt.Sprintf("+%#x", disp)
	}
	return segment + "[" + text + "]"
}

func addressReg(v int64) string {
	if v >= isa.VirtBase {
		return "v" + strconv.FormatInt(v-isa.VirtBase, 10)
	}
	return theArch.RegName(isa.Reg(v))
}
