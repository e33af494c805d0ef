@ Every relocation of Thumb-2 code that sim knows, between sections so that the assembler leaves
@ it to the linker. Compared with the public linker by elf_test.go.
	.syntax unified
	.thumb
	.section .text.a, "ax"
	.global a
	.type a, %function
a:
	bl b
	bl a
	b.w b
	b.n b
	beq.w b
	bne.w a
	bhi.w far
	movw r3, #:lower16:far
	movt r3, #:upper16:far
	movw r12, #:lower16:b + 0x7123
	movt r12, #:upper16:b + 0x7123
	.word far
	.word b - .
	.space 1000
	.section .text.b, "ax"
	.global b
	.type b, %function
b:
	bl a
	b.w a
	blt.w a
	bl far
	.space 100000
	.section .text.c, "ax"
	.global far
	.type far, %function
far:
	bl a
	b.w b
	.word a
