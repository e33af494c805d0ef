// Package x86 is the x86-64 instruction set as far as cipher kernels and the C code around
// them need it: the integer forms and SSE to SSE4.1, without x87, MMX and string comparison. It must not know any CPU, any time, or the compiler.
//
// Names and semantics follow the Intel 64 and IA-32 Architectures Software
// Developer's Manual, volume 2. The public library golang-asm makes the bytes and
// golang.org/x/arch reads them; the few encodings that they lack are in encode_own.go.
//
// # Timing classes
//
// A form with a memory operand has the class of its operation and the flag Load
// (or Load and Store); the classes load and store are for plain moves.
//
//	alu             add, sub, and, or, xor, cmp, test
//	alu.inc, alu.unary    inc, dec, which keep CF; neg, not
//	alu.carry       adc, sbb; alu.carry.mem to memory
//	alu.set, alu.cmov     on a condition
//	alu.flag, flag.dir, flag.ah     clc, stc, cmc; cld, std; lahf, sahf
//	bswap           byte swap
//	mov, mov.ext    register and immediate moves; with extension, cbw, cwde, cdqe
//	mov.sign        cwd, cdq, cqo
//	lea             address arithmetic
//	shift.imm, shift.cl, shift.mem, rotate.imm, rotate.cl, rotate.mem
//	rotate.carry, rotate.carry.mem, rotate.carry.one, rotate.carry.one.mem     rcl, rcr; by one
//	shift.double, shift.double.mem     shld, shrd
//	bit.test, bit.test.mem, bit.test.mem.reg     bt; reg is a bit string
//	bit.set, bit.set.mem, bit.set.mem.reg, bit.scan     bts, btr, btc; bsf, bsr
//	mul.r8, mul, mul.r64, mul.wide, mul.wide.r64     wide is to two registers
//	div.r8, div.r16, div.r32, div.r64, idiv.r8, idiv.r16, idiv.r32, idiv.r64
//	load, load.part, load.ext, load.ext.r64     load.part keeps the rest of a register
//	store, store.nt
//	push, push.mem, push.flags, pop, pop.mem, pop.flags, leave
//	xchg, xchg.mem, xadd, cmpxchg, cmpxchg.wide     xchg.mem is locked; wide is 8B and 16B
//	lock.alu, lock.bit, lock.xadd, lock.cmpxchg, lock.cmpxchg.wide
//	branch, branch.cond, branch.count, branch.indirect     count is loop and jrcxz
//	branch.call, branch.call.indirect, branch.call.mem, branch.return, branch.return.imm
//	string.movs, string.stos, string.lods, string.cmps, string.scas     one element
//	string.rep.movs, string.rep.stos, string.rep.lods, string.rep.cmps, string.rep.scas
//	xlat, cpuid, nop, nop.long, pause, prefetch, fence.load, fence.store, fence.full, rdtsc, system
//	vec.logic, vec.logic.ps
//	vec.mov, vec.mov.ps, vec.mov.scalar, vec.mov.half, vec.dup     register to register
//	vec.load, vec.load.unaligned, vec.load.unaligned.ps, vec.load.low, vec.load.half, vec.load.nt
//	vec.store, vec.store.unaligned, vec.store.low, vec.store.half, vec.store.nt, vec.store.mask
//	vec.move.from.gpr, vec.move.to.gpr, vec.mask
//	vec.insert, vec.insert.dq, vec.extract, vec.extract.dq, vec.extract.store     dq is SSE4.1
//	vec.add, vec.add.q, vec.abs, vec.sign, vec.avg, vec.minmax, vec.minmax.dq, vec.minpos
//	vec.mul, vec.mul.d, vec.sad, vec.sad.multi, vec.hadd.w, vec.hadd.d
//	vec.cmp, vec.cmp.q, vec.test
//	vec.shift.imm, vec.shift.xmm, vec.shift.bytes
//	vec.shuffle.pshufb, vec.shuffle.pshufd, vec.shuffle.imm, vec.shuffle.ps, vec.shuffle.pd, vec.shuffle.align
//	vec.blend, vec.blend.var, vec.extend
//	vec.unpack.bw, vec.unpack.wd, vec.unpack.dq, vec.unpack.qdq, vec.unpack.ps, vec.unpack.pd, vec.pack
//	fp.add, fp.mul.s, fp.mul.d, fp.div.s, fp.div.d, fp.sqrt.s, fp.sqrt.d, fp.minmax, fp.hadd, fp.round     s and d are the precision
//	fp.cmp, fp.cmp.flags, fp.cvt, fp.cvt.from.gpr, fp.cvt.to.gpr, fp.control
package x86
