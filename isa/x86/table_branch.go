package x86

import (
	"github.com/twitchyliquid64/golang-asm/obj"
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

type asm = obj.As

// branchTable: SDM volume 1, section 5.1.7, control transfer.
var branchTable = []family{
	{name: "JMP", own: relative, op: x86asm.JMP, role: isa.Read, class: "branch", flags: isa.Branch, forms: []form{{"rel", kJmp, 0, ""}}},
	{name: "JMP", own: indirect, op: x86asm.JMP, role: isa.Read, class: "branch.indirect", flags: isa.Branch, forms: []form{{"r64", kJmpR, 0, ""}}},
	{name: "CALL", own: relative, op: x86asm.CALL, role: isa.Read, class: "branch.call", flags: isa.Branch | isa.Call | isa.Store,
		reads: isa.Set(RSP), writes: isa.Set(RSP), forms: []form{{"rel", kCall, 0, ""}}},
	{name: "CALL", own: indirect, op: x86asm.CALL, role: isa.Read, class: "branch.call.indirect", flags: isa.Branch | isa.Call | isa.Store,
		reads: isa.Set(RSP), writes: isa.Set(RSP), forms: []form{{"r64", kCallR, 0, ""}}},
	{name: "RET", as32: obj.ARET, op: x86asm.RET, class: "branch.return", flags: isa.Branch | isa.Return | isa.Load,
		reads: isa.Set(RSP), writes: isa.Set(RSP), forms: []form{{"", kRet, 0, ""}}},
}

// miscTable: SDM volume 1, sections 5.1.13 and 5.6.4, and system instructions.
var miscTable = []family{
	{name: "NOP", own: literal, op: x86asm.NOP, class: "nop", forms: []form{{"", kNop, 0, ""}}},
	{name: "NOP", as32: x86o.ANOPL, op: x86asm.NOP, role: isa.Read, class: "nop.long", forms: []form{{"m32", kNop, 0, ""}}},
	{name: "NOP", as32: x86o.ANOPW, op: x86asm.NOP, role: isa.Read, class: "nop.long", forms: []form{{"m16", kNop, 0, ""}}},
	{name: "ENDBR64", own: literal, class: "nop.long", forms: []form{{"", kNop, 0, ""}}},
	{name: "LFENCE", as32: x86o.ALFENCE, op: x86asm.LFENCE, class: "fence.load", forms: []form{{"", kNop, 0, ""}}},
	{name: "MFENCE", as32: x86o.AMFENCE, op: x86asm.MFENCE, class: "fence.full", forms: []form{{"", kNop, 0, ""}}},
	{name: "RDTSC", as32: x86o.ARDTSC, op: x86asm.RDTSC, class: "rdtsc", flags: isa.ReadsClock,
		writes: isa.Set(RAX, RDX), forms: []form{{"", kRdtsc, 0, ""}}},
	{name: "INT3", own: literal, op: x86asm.INT, class: "system", flags: isa.System, forms: []form{{"", kInt3, 0, ""}}},
	{name: "SYSCALL", as32: x86o.ASYSCALL, op: x86asm.SYSCALL, class: "system", flags: isa.System,
		writes: isa.Set(RCX, R11), forms: []form{{"", kSyscall, 0, ""}}},
	{name: "HLT", as32: x86o.AHLT, op: x86asm.HLT, class: "system", flags: isa.System, forms: []form{{"", kHlt, 0, ""}}},
}
