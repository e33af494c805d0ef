// Package x86 is the x86-64 instruction set as far as cipher kernels and the C code around
// them need it: the integer forms, SSE2 and SSSE3. It must not know any CPU, any time, or the compiler.
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
//	bswap           byte swap
//	mov, mov.ext    register and immediate moves; with extension, cdqe
//	mov.sign        cdq, cqo
//	lea             address arithmetic
//	shift.imm, shift.cl, rotate.imm, rotate.cl
//	mul, mul.r64, mul.wide, mul.wide.r64   imul; mul to two registers
//	load, load.part, load.ext, load.ext.r64, store, push, pop   load.part keeps the rest of a register
//	branch, branch.indirect, branch.cond, branch.call, branch.call.indirect, branch.return
//	nop, nop.long, fence.load, fence.full, rdtsc, system
//	vec.logic, vec.logic.ps
//	vec.mov, vec.mov.ps     register to register
//	vec.load, vec.load.unaligned, vec.load.low, vec.store, vec.store.unaligned, vec.store.low
//	vec.move.from.gpr, vec.move.to.gpr, vec.insert, vec.extract, vec.mask
//	vec.add, vec.add.q, vec.mul, vec.abs, vec.cmp
//	vec.shift.imm, vec.shift.xmm, vec.shift.bytes
//	vec.shuffle.pshufb, vec.shuffle.pshufd, vec.shuffle.imm, vec.shuffle.ps, vec.shuffle.align
//	vec.unpack.bw, vec.unpack.wd, vec.unpack.dq, vec.unpack.qdq, vec.pack
package x86
