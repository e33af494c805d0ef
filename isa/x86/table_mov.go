package x86

import (
	x86o "github.com/twitchyliquid64/golang-asm/obj/x86"
	"golang.org/x/arch/x86/x86asm"

	"simrun/isa"
)

// moveTable: SDM volume 1, section 5.1.1, data transfer.
var moveTable = []family{
	{name: "MOV", as32: x86o.AMOVL, as64: x86o.AMOVQ, op: x86asm.MOV, role: isa.Write, class: "mov", forms: []form{
		{"r32, r32", kMovRR, 0, ""}, {"r64, r64", kMovRR, 0, ""},
		{"r32, imm32", kMovRI, 0, ""}, {"r64, imm32", kMovRI, 0, ""},
		{"r32, m32", kLoad, loads, "load"}, {"r64, m64", kLoad, loads, "load"},
		{"m32, r32", kStore, stores, "store"}, {"m64, r64", kStore, stores, "store"},
		{"m32, imm32", kStoreImm, stores, "store"}, {"m64, imm32", kStoreImm, stores, "store"},
	}},
	{name: "MOV", own: movabs, op: x86asm.MOV, role: isa.Write, class: "mov", forms: []form{{"r64, imm64", kMovRI, 0, ""}}},
	// Writes of 8 and 16 bits keep the rest of the register, so they read it.
	{name: "MOV", as8: x86o.AMOVB, as16: x86o.AMOVW, op: x86asm.MOV, role: isa.ReadWrite, class: "mov", forms: []form{
		{"r8, r8", kMovRR, 0, ""}, {"r16, r16", kMovRR, 0, ""}, {"r8, imm8", kMovRI, 0, ""}, {"r16, imm16", kMovRI, 0, ""},
		{"r8, m8", kLoadPart, loads, "load.part"}, {"r16, m16", kLoadPart, loads, "load.part"},
	}},
	{name: "MOV", as32: x86o.AMOVB, op: x86asm.MOV, role: isa.Read, class: "store", flags: stores, forms: []form{{"m8, r8", kStore, 0, ""}, {"m8, imm8", kStoreImm, 0, ""}}},
	{name: "MOV", as32: x86o.AMOVW, op: x86asm.MOV, role: isa.Read, class: "store", flags: stores, forms: []form{{"m16, r16", kStore, 0, ""}, {"m16, imm16", kStoreImm, 0, ""}}},
	{name: "MOVZX", as32: x86o.AMOVBLZX, as64: x86o.AMOVBQZX, op: x86asm.MOVZX, role: isa.Write, class: "mov.ext", forms: extendForms8(kMovZX, kLoad, "load.ext")},
	{name: "MOVZX", as32: x86o.AMOVWLZX, as64: x86o.AMOVWQZX, op: x86asm.MOVZX, role: isa.Write, class: "mov.ext", forms: extendForms16(kMovZX, kLoad, "load.ext")},
	{name: "MOVZX", as32: x86o.AMOVBLZX, op: x86asm.MOVZX, role: isa.Write, class: "mov.ext", forms: []form{{"r32, h8", kMovHigh, 0, ""}}},
	{name: "MOVZX", as32: x86o.AMOVBWZX, op: x86asm.MOVZX, role: isa.ReadWrite, class: "mov.ext", forms: []form{{"r16, r8", kMovZX, 0, ""}, {"r16, m8", kLoadPart, loads, "load.part"}}},
	{name: "MOVSX", as32: x86o.AMOVBWSX, op: x86asm.MOVSX, role: isa.ReadWrite, class: "mov.ext", forms: []form{{"r16, r8", kMovSX, 0, ""}, {"r16, m8", kLoadSX, loads, "load.part"}}},
	{name: "MOVSX", as32: x86o.AMOVBLSX, as64: x86o.AMOVBQSX, op: x86asm.MOVSX, role: isa.Write, class: "mov.ext", forms: extendForms8(kMovSX, kLoadSX, "load.ext.r64")},
	{name: "MOVSX", as32: x86o.AMOVWLSX, as64: x86o.AMOVWQSX, op: x86asm.MOVSX, role: isa.Write, class: "mov.ext", forms: extendForms16(kMovSX, kLoadSX, "load.ext.r64")},
	{name: "MOVSXD", as32: x86o.AMOVLQSX, op: x86asm.MOVSXD, role: isa.Write, class: "mov.ext", forms: []form{
		{"r64, r32", kMovSX, 0, ""}, {"r64, m32", kLoadSX, loads, "load.ext.r64"},
	}},
	{name: "BSWAP", as32: x86o.ABSWAPL, as64: x86o.ABSWAPQ, op: x86asm.BSWAP, role: isa.ReadWrite, class: "bswap", alu: aluBswap,
		forms: []form{{"r32", kAluR, 0, ""}, {"r64", kAluR, 0, ""}}},
	{name: "CBW", as32: x86o.ACBW, op: x86asm.CBW, class: "mov.ext", size: 2, reads: isa.Set(RAX), writes: isa.Set(RAX), forms: []form{{"", kCbw, 0, ""}}},
	{name: "CWDE", as32: x86o.ACWDE, op: x86asm.CWDE, class: "mov.ext", size: 4, reads: isa.Set(RAX), writes: isa.Set(RAX), forms: []form{{"", kCbw, 0, ""}}},
	{name: "CDQE", as32: x86o.ACDQE, op: x86asm.CDQE, class: "mov.ext", size: 8, reads: isa.Set(RAX), writes: isa.Set(RAX), forms: []form{{"", kCbw, 0, ""}}},
	{name: "CWD", as32: x86o.ACWD, op: x86asm.CWD, class: "mov.sign", size: 2, reads: isa.Set(RAX, RDX), writes: isa.Set(RDX), forms: []form{{"", kCwd, 0, ""}}},
	{name: "CDQ", as32: x86o.ACDQ, op: x86asm.CDQ, class: "mov.sign", size: 4, reads: isa.Set(RAX), writes: isa.Set(RDX), forms: []form{{"", kCwd, 0, ""}}},
	{name: "CQO", as32: x86o.ACQO, op: x86asm.CQO, class: "mov.sign", size: 8, reads: isa.Set(RAX), writes: isa.Set(RDX), forms: []form{{"", kCwd, 0, ""}}},
	{name: "PUSH", as32: x86o.APUSHQ, op: x86asm.PUSH, role: isa.Read, class: "push", flags: stores, reads: isa.Set(RSP), writes: isa.Set(RSP),
		forms: []form{{"r64", kPush, 0, ""}, {"imm32", kPushImm, 0, ""}, {"m64", kPushM, loads, ".mem"}}},
	{name: "POP", as32: x86o.APOPQ, op: x86asm.POP, role: isa.Write, class: "pop", flags: loads, reads: isa.Set(RSP), writes: isa.Set(RSP),
		forms: []form{{"r64", kPop, 0, ""}, {"m64", kPopM, stores, ".mem"}}},
	{name: "PUSHFQ", as32: x86o.APUSHFQ, op: x86asm.PUSHFQ, class: "push.flags", flags: stores, reads: isa.Set(RSP, RFLAGS), writes: isa.Set(RSP), forms: []form{{"", kPushF, 0, ""}}},
	{name: "POPFQ", as32: x86o.APOPFQ, op: x86asm.POPFQ, class: "pop.flags", flags: loads, reads: isa.Set(RSP), writes: isa.Set(RSP, RFLAGS), forms: []form{{"", kPopF, 0, ""}}},
	{name: "LEAVE", as32: x86o.ALEAVEQ, op: x86asm.LEAVE, class: "leave", flags: loads, reads: isa.Set(RBP), writes: isa.Set(RSP, RBP), forms: []form{{"", kLeave, 0, ""}}},

	// An exchange with memory is always locked.
	{name: "XCHG", own: exchange, op: x86asm.XCHG, role: isa.ReadWrite, second: isa.ReadWrite, class: "xchg", forms: []form{
		{"r8, r8", kXchgRR, 0, ""}, {"r16, r16", kXchgRR, 0, ""}, {"r32, r32", kXchgRR, 0, ""}, {"r64, r64", kXchgRR, 0, ""},
	}},
	{name: "XCHG", as8: x86o.AXCHGB, as16: x86o.AXCHGW, as32: x86o.AXCHGL, as64: x86o.AXCHGQ, op: x86asm.XCHG, role: isa.Read, second: isa.ReadWrite, class: "xchg.mem", flags: rmw, forms: []form{
		{"m8, r8", kXchgMR, 0, ""}, {"m16, r16", kXchgMR, 0, ""}, {"m32, r32", kXchgMR, 0, ""}, {"m64, r64", kXchgMR, 0, ""},
	}},
	{name: "XADD", as8: x86o.AXADDB, as16: x86o.AXADDW, as32: x86o.AXADDL, as64: x86o.AXADDQ, op: x86asm.XADD, role: isa.ReadWrite, second: isa.ReadWrite, class: "xadd", writes: flagSet, forms: []form{
		{"r8, r8", kXaddRR, 0, ""}, {"r16, r16", kXaddRR, 0, ""}, {"r32, r32", kXaddRR, 0, ""}, {"r64, r64", kXaddRR, 0, ""},
		{"m8, r8", kXaddMR, rmw, ""}, {"m16, r16", kXaddMR, rmw, ""}, {"m32, r32", kXaddMR, rmw, ""}, {"m64, r64", kXaddMR, rmw, ""},
	}},
	{name: "CMPXCHG", as8: x86o.ACMPXCHGB, as16: x86o.ACMPXCHGW, as32: x86o.ACMPXCHGL, as64: x86o.ACMPXCHGQ, op: x86asm.CMPXCHG, role: isa.ReadWrite, class: "cmpxchg",
		reads: isa.Set(RAX), writes: isa.Set(RAX, RFLAGS), forms: []form{
			{"r8, r8", kCmpxchgRR, 0, ""}, {"r16, r16", kCmpxchgRR, 0, ""}, {"r32, r32", kCmpxchgRR, 0, ""}, {"r64, r64", kCmpxchgRR, 0, ""},
			{"m8, r8", kCmpxchgMR, rmw, ""}, {"m16, r16", kCmpxchgMR, rmw, ""}, {"m32, r32", kCmpxchgMR, rmw, ""}, {"m64, r64", kCmpxchgMR, rmw, ""},
		}},
	// They change ZF only, which does not count as reading the other flags; see INC.
	{name: "CMPXCHG8B", own: opcode(0, 1, true, 0x0f, 0xc7), op: x86asm.CMPXCHG8B, role: isa.Read, class: "cmpxchg.wide", flags: rmw,
		reads: isa.Set(RAX, RBX, RCX, RDX), writes: isa.Set(RAX, RDX, RFLAGS), forms: []form{{"m64", kCmpxchg8B, 0, ""}}},
	{name: "CMPXCHG16B", own: opcode(0, 1, true, 0x0f, 0xc7), op: x86asm.CMPXCHG16B, role: isa.Read, class: "cmpxchg.wide", flags: rmw,
		reads: isa.Set(RAX, RBX, RCX, RDX), writes: isa.Set(RAX, RDX, RFLAGS), forms: []form{{"m128", kCmpxchg16B, 0, ""}}},
	{name: "MOVNTI", as32: x86o.AMOVNTIL, as64: x86o.AMOVNTIQ, op: x86asm.MOVNTI, role: isa.Read, class: "store.nt", flags: stores, forms: []form{{"m32, r32", kStore, 0, ""}, {"m64, r64", kStore, 0, ""}}},
}

// extendForms8 and 16 take the class of loads extended to 64 bits.
func extendForms8(reg, mem kind, class64 string) []form {
	return []form{{"r32, r8", reg, 0, ""}, {"r64, r8", reg, 0, ""}, {"r32, m8", mem, loads, "load.ext"}, {"r64, m8", mem, loads, class64}}
}

func extendForms16(reg, mem kind, class64 string) []form {
	return []form{{"r32, r16", reg, 0, ""}, {"r64, r16", reg, 0, ""}, {"r32, m16", mem, loads, "load.ext"}, {"r64, m16", mem, loads, class64}}
}
