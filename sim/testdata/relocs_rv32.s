# Every relocation of RV32 code that sim knows, between sections so that the assembler leaves it
# to the linker. Compared with the public linker by elf_test.go.
	.option rvc
	.section .text.a, "ax"
	.global a
a:
	jal ra, b
	jal t0, a
	call far
	tail a
	beq a0, a1, b
	bgeu s0, s1, b
	c.j b
	c.jal b
	c.beqz a0, b
	c.bnez s1, b
	lui a0, %hi(far)
	addi a0, a0, %lo(far)
	lw a1, %lo(far + 8)(a0)
	sw a1, %lo(far + 12)(a0)
	sb a1, %lo(b)(zero)
1:	auipc a2, %pcrel_hi(far + 4)
	addi a2, a2, %pcrel_lo(1b)
	lw a4, %pcrel_lo(1b)(a2)
	sw a4, %pcrel_lo(1b)(a2)
	la a5, b
	.word far
	.word b - a
	.half b - a
	.byte 2f - 1b
2:
	.space 101
	.section .text.b, "ax"
	.global b
b:
	jal ra, a
	bltu a0, a1, a
	c.j a
	c.bnez a0, a
	call far
	.space 100000
	.section .text.c, "ax"
	.global far
far:
	call a
	jal ra, b
	.word a
