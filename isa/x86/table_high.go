package x86

import (
	"slices"
	"strings"

	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// highTable: forms with ah, ch, dh or bh. Multiplications, divisions, XADD and CMPXCHG have none here.
var highTable = highFamilies()

func highFamilies() []family {
	table := []family{
		{name: "MOV", as32: x86o.AMOVB, op: x86asm.MOV, role: isa.ReadWrite, class: "mov", forms: []form{
			{"h8, r8", kHighMov, 0, ""}, {"r8, h8", kHighMov, 0, ""}, {"h8, h8", kHighMov, 0, ""}, {"h8, imm8", kHighMovI, 0, ""},
			{"h8, m8", kHighLoad, loads, "load.part"},
		}},
		{name: "MOV", as32: x86o.AMOVB, op: x86asm.MOV, role: isa.Read, class: "store", flags: stores, forms: []form{{"m8, h8", kHighStore, 0, ""}}},
		{name: "MOVSX", as32: x86o.AMOVBLSX, op: x86asm.MOVSX, role: isa.Write, class: "mov.ext", forms: []form{{"r32, h8", kHighMovSX, 0, ""}}},
		{name: "XCHG", own: opcode(0, -1, true, 0x86), op: x86asm.XCHG, role: isa.ReadWrite, second: isa.ReadWrite, class: "xchg", forms: []form{
			{"h8, r8", kHighXchg, 0, ""}, {"r8, h8", kHighXchg, 0, ""}, {"h8, h8", kHighXchg, 0, ""},
		}},
	}
	for _, f := range slices.Concat(intTable, shiftTable) {
		if forms := highForms(&f); forms != nil {
			f.forms = forms
			table = append(table, f)
		}
	}
	return table
}

// highKinds are the kinds of byte operations with their counterparts for ah to bh.
var highKinds = map[kind]kind{
	kAluRR: kHighAluRR, kAluRI: kHighAluRI, kAluRM: kHighAluRM, kAluMR: kHighAluMR, kAluR: kHighAluR, kShiftCL: kHighShiftCL,
	kCmpRR: kHighCmpRR, kCmpRI: kHighCmpRI, kCmpRM: kHighCmpRM, kCmpMR: kHighCmpMR,
}

// highForms makes the forms with ah to bh of those of a family with r8.
func highForms(f *family) []form {
	var list []form
	for _, fm := range f.forms {
		high, ok := highKinds[fm.kind]
		if !ok || !strings.Contains(fm.operands, "r8") {
			continue
		}
		fm.kind = high
		templates := []string{strings.ReplaceAll(fm.operands, "r8", "h8")}
		if fm.operands == "r8, r8" {
			templates = []string{"h8, r8", "r8, h8", "h8, h8"}
		}
		for _, t := range templates {
			fm.operands = t
			list = append(list, fm)
		}
	}
	return list
}
