//go:build unix

#include "textflag.h"

// The code may destroy R0-R17, R19-R27 and all vector registers. What the loop needs stays on
// the stack; the stack pointer is always a multiple of 16.

// Reads CNTVCT_EL0, everything before it done and nothing after it begun.
#define READ_COUNTER(reg) \
	ISB  $15              \
	MRS  CNTVCT_EL0, reg  \
	ISB  $15

// func enter(code, ctx uintptr)
TEXT ·enter(SB), NOSPLIT, $0-16
	MOVD code+0(FP), R1
	MOVD ctx+8(FP), R0
	CALL (R1)
	RET

// func timed(code, ctx uintptr, n uint64) uint64
TEXT ·timed(SB), NOSPLIT, $16-32
	MOVD n+16(FP), R1
	MOVD R1, left-8(SP)
	READ_COUNTER(R2)
	MOVD R2, start-16(SP)
	CBZ  R1, done
loop:
	MOVD code+0(FP), R1
	MOVD ctx+8(FP), R0
	CALL (R1)
	MOVD left-8(SP), R1
	SUB  $1, R1
	MOVD R1, left-8(SP)
	CBNZ R1, loop
done:
	READ_COUNTER(R2)
	MOVD start-16(SP), R1
	SUB  R1, R2
	MOVD R2, ret+24(FP)
	RET

// func syncRange(from, to, step uintptr)
TEXT ·syncRange(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD step+16(FP), R2
	MOVD R0, R3
clean:
	WORD $0xd50b7b23 // dc cvau, x3
	ADD  R2, R3
	CMP  R1, R3
	BLO  clean
	WORD $0xd5033b9f // dsb ish
	MOVD R0, R3
invalidate:
	WORD $0xd50b7523 // ic ivau, x3
	ADD  R2, R3
	CMP  R1, R3
	BLO  invalidate
	WORD $0xd5033b9f // dsb ish
	ISB  $15
	RET
