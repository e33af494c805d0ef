	.syntax unified
	.cpu cortex-m4
	.fpu fpv4-sp-d16
	.thumb
rounds = 3
	.set	twice, rounds * 2
	.equ	mask, 0xff
acc	.req	r4
ptr	.req	r5
wide	.req	s7
	.macro	swapmove a, b, mask, shift=4, tmp=r12
	eor	\tmp, \b, \a, lsr #\shift
	and	\tmp, \tmp, \mask
	eor	\b, \b, \tmp
	eor	\a, \a, \tmp, lsl #\shift
	.endm
	.macro	save first:req, more:vararg
	push	{\first, \more}
	.endm
	.macro	loadn reg, n
	.if \n > 0
	ldr	r\reg, [ptr, #4*\n]
	loadn	\reg, 0
	.else
	nop
	.endif
	.endm
	.macro	count n
	.if \n
	adds	r0, #\n
	.ifc \n,2
	nop
	.endif
	count	"(\n-1)"
	.endif
	.endm
	.macro	local x
	cmp	\x, #0
	beq	1f
	nop
.Lm\@_\x:
	b	.Lm\@_\x
1:
	.endm
	.global	main
	.type	main, %function
main:
	save	r4, r5, lr
	ldr	ptr, =table
	ldr	r1, =main
	ldr	r2, =table+8
	ldr	r3, =plain
	mov	acc, #mask
	vmov	wide, acc
	swapmove r0, r1, r2
	swapmove r0, r1, r2, 8
	swapmove b=r6, a=r7, mask=r8
	count	2
	loadn	3, 1
	local	r0
	local	r1
	.rept	rounds
	adds	acc, acc, #1
	.endr
	.irp	r, r0, r1, r2
	str	\r, [ptr], #4
	.endr
	bl	helper
plain:
	movs	r0, #twice
	ldr	r0, =0x12345678
	pop	{r4, r5, pc}
	.ltorg
	.word	main, helper, plain, plain+1, table+4, .
	.section .rodata.tables,"a",%progbits
	.align	2
table:
	.word	1, main, table
	.byte	1
	.align	2
last:
	.word	last - table, last, helper
	.text
	.thumb_func
helper:
	bx	lr
	.ifdef	rounds
	ldr	r0, =last
	.endif
	.ifndef	rounds
	garbage
	.endif
	.if	rounds == 2
	movs	r0, #2
	.elseif	rounds >= 4
	movs	r0, #4
	.elseif	rounds != 5
	.if	1 << rounds > 7
	movs	r0, #3
	.else
	movs	r0, #33
	.endif
	.else
	movs	r0, #5
	.endif
	.if	rounds < 3
	movs	r1, #1
	.else
	movs	r1, #2
	.endif
	.ifeq	rounds - 3
	movs	r2, #1
	.endif
	.ifne	rounds - 3
	movs	r2, #2
	.endif
	.ifnc	rounds,twice
	movs	r3, #1
	.endif
	.ifb
	movs	r3, #2
	.endif
	.ifnb	rounds
	movs	r3, #3
	.endif
	.macro	outer x
	.macro	inner\x y
	movs	r4, #\x
	movs	r5, #\y
	.endm
	inner\x	7
	.endm
	outer	6
	inner6	8
	.unreq	acc
	.data
	.align	2
	.set	.LANCHOR0, . + 0
value:
	.word	5, .LANCHOR0
	.section .debug_line,"",%progbits
	.uleb128 5
	.section	.note.GNU-stack,"",%progbits
