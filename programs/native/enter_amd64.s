//go:build unix

#include "textflag.h"

// Go aligns the stack to 8 bytes, C code expects 16 at a call. The frame size must be static, or
// the runtime could not unwind a fault; so there are two frames, 8 bytes apart modulo 16, and
// the entry picks one. A nonzero frame holds 8 bytes more, for BP: A subtracts 32, B 40.
//
// The code may destroy all registers but SP and BP. What the loop needs stays on the stack; the
// compiler's wrapper around an assembly function restores R14 and X15.

// Reads the time stamp counter into AX, everything before it done and nothing after it begun.
// RDTSCP would do without the first LFENCE, but a Core 2 does not have it.
#define READ_TSC \
	LFENCE        \
	RDTSC         \
	LFENCE        \
	SHLQ $32, DX  \
	ORQ  DX, AX

#define TIMED_LOOP \
	MOVQ n+16(FP), AX     \
	MOVQ AX, left-8(SP)   \
	READ_TSC              \
	MOVQ AX, start-16(SP) \
	CMPQ left-8(SP), $0   \
	JEQ  done             \
loop:                     \
	MOVQ ctx+8(FP), DI    \
	MOVQ code+0(FP), AX   \
	CALL AX               \
	DECQ left-8(SP)       \
	JNE  loop             \
done:                     \
	READ_TSC              \
	SUBQ start-16(SP), AX \
	MOVQ AX, ret+24(FP)   \
	RET

// func enter(code, ctx uintptr)
TEXT ·enter(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ  SP, AX
	TESTB $8, AX
	JNE   odd
	JMP   ·enterA(SB)
odd:
	JMP   ·enterB(SB)

// func enterA(code, ctx uintptr)
TEXT ·enterA(SB), NOSPLIT, $24-16
	MOVQ ctx+8(FP), DI
	MOVQ code+0(FP), AX
	CALL AX
	RET

// func enterB(code, ctx uintptr)
TEXT ·enterB(SB), NOSPLIT, $32-16
	MOVQ ctx+8(FP), DI
	MOVQ code+0(FP), AX
	CALL AX
	RET

// func timed(code, ctx uintptr, n uint64) uint64
TEXT ·timed(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ  SP, AX
	TESTB $8, AX
	JNE   odd
	JMP   ·timedA(SB)
odd:
	JMP   ·timedB(SB)

// func timedA(code, ctx uintptr, n uint64) uint64
TEXT ·timedA(SB), NOSPLIT, $24-32
	TIMED_LOOP

// func timedB(code, ctx uintptr, n uint64) uint64
TEXT ·timedB(SB), NOSPLIT, $32-32
	TIMED_LOOP
