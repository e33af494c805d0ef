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
	{name: "JMP", own: relativeOwn, op: x86asm.JMP, role: isa.Read, class: "branch", flags: isa.Branch, forms: []form{{"rel", kJmp, 0, ""}}},
	{name: "JMP", own: opcode(0, 4, true, 0xff), op: x86asm.JMP, role: isa.Read, class: "branch.indirect", flags: isa.Branch,
		forms: []form{{"r64", kJmpR, 0, ""}, {"m64", kJmpM, loads, ""}}},
	{name: "CALL", own: relativeOwn, op: x86asm.CALL, role: isa.Read, class: "branch.call", flags: isa.Branch | isa.Call | isa.Store,
		reads: isa.Set(RSP), writes: isa.Set(RSP), forms: []form{{"rel", kCall, 0, ""}}},
	{name: "CALL", own: opcode(0, 2, true, 0xff), op: x86asm.CALL, role: isa.Read, class: "branch.call.indirect", flags: isa.Branch | isa.Call | isa.Store,
		reads: isa.Set(RSP), writes: isa.Set(RSP), forms: []form{{"r64", kCallR, 0, ""}, {"m64", kCallM, loads, "branch.call.mem"}}},
	{name: "RET", as32: obj.ARET, op: x86asm.RET, class: "branch.return", flags: isa.Branch | isa.Return | isa.Load,
		reads: isa.Set(RSP), writes: isa.Set(RSP), forms: []form{{"", kRet, 0, ""}}},
	{name: "RET", own: retImm, op: x86asm.RET, class: "branch.return.imm", flags: isa.Branch | isa.Return | isa.Load,
		reads: isa.Set(RSP), writes: isa.Set(RSP), forms: []form{{"imm16", kRetImm, 0, ""}}},
	// cc is the opcode less E0.
	{name: "LOOPNE", own: relativeOwn, op: x86asm.LOOPNE, role: isa.Read, class: "branch.count", flags: isa.Branch | isa.Cond, reads: isa.Set(RCX, RFLAGS), writes: isa.Set(RCX), cc: 0, forms: []form{{"rel", kJcount, 0, ""}}},
	{name: "LOOPE", own: relativeOwn, op: x86asm.LOOPE, role: isa.Read, class: "branch.count", flags: isa.Branch | isa.Cond, reads: isa.Set(RCX, RFLAGS), writes: isa.Set(RCX), cc: 1, forms: []form{{"rel", kJcount, 0, ""}}},
	{name: "LOOP", own: relativeOwn, op: x86asm.LOOP, role: isa.Read, class: "branch.count", flags: isa.Branch | isa.Cond, reads: isa.Set(RCX), writes: isa.Set(RCX), cc: 2, forms: []form{{"rel", kJcount, 0, ""}}},
	{name: "JRCXZ", own: relativeOwn, op: x86asm.JRCXZ, role: isa.Read, class: "branch.count", flags: isa.Branch | isa.Cond, reads: isa.Set(RCX), cc: 3, forms: []form{{"rel", kJcount, 0, ""}}},
}

// miscTable: SDM volume 1, sections 5.1.11, 5.1.13, 5.5.4 and 5.6.4, flags, miscellaneous, cacheability and ordering, and
// system instructions.
var miscTable = []family{
	{name: "NOP", own: literal, op: x86asm.NOP, class: "nop", forms: []form{{"", kNop, 0, ""}}},
	{name: "NOP", as32: x86o.ANOPL, op: x86asm.NOP, role: isa.Read, class: "nop.long", forms: []form{{"m32", kNop, 0, ""}}},
	{name: "NOP", as32: x86o.ANOPW, op: x86asm.NOP, role: isa.Read, class: "nop.long", forms: []form{{"m16", kNop, 0, ""}}},
	{name: "ENDBR64", own: literal, class: "nop.long", forms: []form{{"", kNop, 0, ""}}},
	{name: "PAUSE", own: literal, op: x86asm.PAUSE, class: "pause", forms: []form{{"", kNop, 0, ""}}},
	{name: "PREFETCHNTA", own: opcode(0, 0, true, 0x0f, 0x18), op: x86asm.PREFETCHNTA, role: isa.Read, class: "prefetch", forms: []form{{"m", kNop, 0, ""}}},
	{name: "PREFETCHT0", own: opcode(0, 1, true, 0x0f, 0x18), op: x86asm.PREFETCHT0, role: isa.Read, class: "prefetch", forms: []form{{"m", kNop, 0, ""}}},
	{name: "PREFETCHT1", own: opcode(0, 2, true, 0x0f, 0x18), op: x86asm.PREFETCHT1, role: isa.Read, class: "prefetch", forms: []form{{"m", kNop, 0, ""}}},
	{name: "PREFETCHT2", own: opcode(0, 3, true, 0x0f, 0x18), op: x86asm.PREFETCHT2, role: isa.Read, class: "prefetch", forms: []form{{"m", kNop, 0, ""}}},
	{name: "LFENCE", as32: x86o.ALFENCE, op: x86asm.LFENCE, class: "fence.load", forms: []form{{"", kNop, 0, ""}}},
	{name: "SFENCE", as32: x86o.ASFENCE, op: x86asm.SFENCE, class: "fence.store", forms: []form{{"", kNop, 0, ""}}},
	{name: "MFENCE", as32: x86o.AMFENCE, op: x86asm.MFENCE, class: "fence.full", forms: []form{{"", kNop, 0, ""}}},
	// CLC, STC and CMC change CF only, CLD and STD only DF.
	{name: "CLC", as32: x86o.ACLC, op: x86asm.CLC, class: "alu.flag", reads: flagSet, writes: flagSet, alu: aluClc, forms: []form{{"", kFlag, 0, ""}}},
	{name: "STC", as32: x86o.ASTC, op: x86asm.STC, class: "alu.flag", reads: flagSet, writes: flagSet, alu: aluStc, forms: []form{{"", kFlag, 0, ""}}},
	{name: "CMC", as32: x86o.ACMC, op: x86asm.CMC, class: "alu.flag", reads: flagSet, writes: flagSet, alu: aluCmc, forms: []form{{"", kFlag, 0, ""}}},
	{name: "CLD", as32: x86o.ACLD, op: x86asm.CLD, class: "flag.dir", reads: flagSet, writes: flagSet, forms: []form{{"", kCld, 0, ""}}},
	{name: "STD", as32: x86o.ASTD, op: x86asm.STD, class: "flag.dir", reads: flagSet, writes: flagSet, forms: []form{{"", kStd, 0, ""}}},
	{name: "LAHF", as32: x86o.ALAHF, op: x86asm.LAHF, class: "flag.ah", reads: isa.Set(RAX, RFLAGS), writes: isa.Set(RAX), forms: []form{{"", kLahf, 0, ""}}},
	{name: "SAHF", as32: x86o.ASAHF, op: x86asm.SAHF, class: "flag.ah", reads: isa.Set(RAX, RFLAGS), writes: flagSet, forms: []form{{"", kSahf, 0, ""}}},
	{name: "CPUID", as32: x86o.ACPUID, op: x86asm.CPUID, class: "cpuid", reads: isa.Set(RAX, RCX), writes: isa.Set(RAX, RBX, RCX, RDX), forms: []form{{"", kCpuid, 0, ""}}},
	{name: "RDTSC", as32: x86o.ARDTSC, op: x86asm.RDTSC, class: "rdtsc", flags: isa.ReadsClock,
		writes: isa.Set(RAX, RDX), forms: []form{{"", kRdtsc, 0, ""}}},
	{name: "RDTSCP", own: literal, op: x86asm.RDTSCP, class: "rdtsc", flags: isa.ReadsClock,
		writes: isa.Set(RAX, RCX, RDX), forms: []form{{"", kRdtscp, 0, ""}}},
	{name: "INT3", own: literal, op: x86asm.INT, class: "system", flags: isa.System, forms: []form{{"", kInt3, 0, ""}}},
	{name: "SYSCALL", as32: x86o.ASYSCALL, op: x86asm.SYSCALL, class: "system", flags: isa.System, reads: flagSet,
		writes: isa.Set(RCX, R11), forms: []form{{"", kSyscall, 0, ""}}},
	{name: "HLT", as32: x86o.AHLT, op: x86asm.HLT, class: "system", flags: isa.System, forms: []form{{"", kHlt, 0, ""}}},
	{name: "UD2", own: literal, op: x86asm.UD2, class: "system", flags: isa.System, forms: []form{{"", kUd2, 0, ""}}},
}
