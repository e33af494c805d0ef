// Package rv32 is the 32-bit RISC-V instruction set: RV32I with M, A, C, Zicsr,
// Zifencei, Zba, Zbb and Zbkb and its machine mode, the encoding both ways, the GNU syntax,
// the calling convention and the executor; it must not know any CPU, any timing or any
// compiler.
//
// Manual: The RISC-V Instruction Set Manual, Volume I: Unprivileged ISA, document
// 20191213, and Volume II: Privileged Architecture, document 20211203. Zba and Zbb:
// Bit-Manipulation ISA-extensions, version 1.0.0; Zbkb: Cryptography Extensions,
// Volume I, version 1.0.1.
//
// The operands of a form stand in the order of the assembly text: Make("SW", A0, 4, SP)
// is sw a0,4(sp). Immediates are the numbers the assembler takes: LUI and AUIPC have the
// 20-bit number 0..0xfffff, branches the target address.
package rv32
