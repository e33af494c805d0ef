package x86

import (
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// conditions in the order of their codes, the low four bits of the opcode.
var conditions = [16]struct {
	name                 string
	j, set, cmov         x86asm.Op
	setAs, c16, c32, c64 asm
}{
	{"O", x86asm.JO, x86asm.SETO, x86asm.CMOVO, x86o.ASETOS, x86o.ACMOVWOS, x86o.ACMOVLOS, x86o.ACMOVQOS},
	{"NO", x86asm.JNO, x86asm.SETNO, x86asm.CMOVNO, x86o.ASETOC, x86o.ACMOVWOC, x86o.ACMOVLOC, x86o.ACMOVQOC},
	{"B", x86asm.JB, x86asm.SETB, x86asm.CMOVB, x86o.ASETCS, x86o.ACMOVWCS, x86o.ACMOVLCS, x86o.ACMOVQCS},
	{"AE", x86asm.JAE, x86asm.SETAE, x86asm.CMOVAE, x86o.ASETCC, x86o.ACMOVWCC, x86o.ACMOVLCC, x86o.ACMOVQCC},
	{"E", x86asm.JE, x86asm.SETE, x86asm.CMOVE, x86o.ASETEQ, x86o.ACMOVWEQ, x86o.ACMOVLEQ, x86o.ACMOVQEQ},
	{"NE", x86asm.JNE, x86asm.SETNE, x86asm.CMOVNE, x86o.ASETNE, x86o.ACMOVWNE, x86o.ACMOVLNE, x86o.ACMOVQNE},
	{"BE", x86asm.JBE, x86asm.SETBE, x86asm.CMOVBE, x86o.ASETLS, x86o.ACMOVWLS, x86o.ACMOVLLS, x86o.ACMOVQLS},
	{"A", x86asm.JA, x86asm.SETA, x86asm.CMOVA, x86o.ASETHI, x86o.ACMOVWHI, x86o.ACMOVLHI, x86o.ACMOVQHI},
	{"S", x86asm.JS, x86asm.SETS, x86asm.CMOVS, x86o.ASETMI, x86o.ACMOVWMI, x86o.ACMOVLMI, x86o.ACMOVQMI},
	{"NS", x86asm.JNS, x86asm.SETNS, x86asm.CMOVNS, x86o.ASETPL, x86o.ACMOVWPL, x86o.ACMOVLPL, x86o.ACMOVQPL},
	{"P", x86asm.JP, x86asm.SETP, x86asm.CMOVP, x86o.ASETPS, x86o.ACMOVWPS, x86o.ACMOVLPS, x86o.ACMOVQPS},
	{"NP", x86asm.JNP, x86asm.SETNP, x86asm.CMOVNP, x86o.ASETPC, x86o.ACMOVWPC, x86o.ACMOVLPC, x86o.ACMOVQPC},
	{"L", x86asm.JL, x86asm.SETL, x86asm.CMOVL, x86o.ASETLT, x86o.ACMOVWLT, x86o.ACMOVLLT, x86o.ACMOVQLT},
	{"GE", x86asm.JGE, x86asm.SETGE, x86asm.CMOVGE, x86o.ASETGE, x86o.ACMOVWGE, x86o.ACMOVLGE, x86o.ACMOVQGE},
	{"LE", x86asm.JLE, x86asm.SETLE, x86asm.CMOVLE, x86o.ASETLE, x86o.ACMOVWLE, x86o.ACMOVLLE, x86o.ACMOVQLE},
	{"G", x86asm.JG, x86asm.SETG, x86asm.CMOVG, x86o.ASETGT, x86o.ACMOVWGT, x86o.ACMOVLGT, x86o.ACMOVQGT},
}

// conditionAliases are the other names of the conditions.
var conditionAliases = map[string]string{
	"c": "b", "nae": "b", "nc": "ae", "nb": "ae", "z": "e", "nz": "ne", "na": "be", "nbe": "a",
	"pe": "p", "po": "np", "nge": "l", "nl": "ge", "ng": "le", "nle": "g",
}

// conditional are the mnemonics that a condition follows.
var conditional = []string{"j", "set", "cmov"}

// condTable: Jcc, SETcc and CMOVcc of every condition.
var condTable = conditionFamilies()

func conditionFamilies() []family {
	var table []family
	for cc, c := range conditions {
		table = append(table,
			family{name: "J" + c.name, own: relativeOwn, op: c.j, role: isa.Read, class: "branch.cond", flags: isa.Branch | isa.Cond,
				reads: flagSet, cc: uint8(cc), forms: []form{{"rel", kJcc, 0, ""}}},
			family{name: "SET" + c.name, as32: c.setAs, op: c.set, role: isa.ReadWrite, class: "alu.set", reads: flagSet, cc: uint8(cc),
				forms: []form{{"r8", kSetR, 0, ""}, {"h8", kHighSet, 0, ""}}},
			family{name: "SET" + c.name, as32: c.setAs, op: c.set, role: isa.Read, class: "alu.set", reads: flagSet, cc: uint8(cc),
				forms: []form{{"m8", kSetM, isa.Store, ""}}},
			family{name: "CMOV" + c.name, as16: c.c16, as32: c.c32, as64: c.c64, op: c.cmov, role: isa.ReadWrite, class: "alu.cmov", reads: flagSet, cc: uint8(cc),
				forms: []form{
					{"r16, r16", kCmovRR, 0, ""}, {"r32, r32", kCmovRR, 0, ""}, {"r64, r64", kCmovRR, 0, ""},
					{"r16, m16", kCmovRM, isa.Load, ""}, {"r32, m32", kCmovRM, isa.Load, ""}, {"r64, m64", kCmovRM, isa.Load, ""},
				}},
		)
	}
	return table
}
